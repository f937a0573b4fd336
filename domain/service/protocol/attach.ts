/** Attach: a device that has the share but no OT state makes its own with us; the key stays (mpc-review 5). */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { OtRecords } from '../ports/OtRecords.ts'
import { databaseLifeOf, type Run } from '../Run.ts'
import type { Wallet } from '../Wallet.ts'
import { requireFewFailures } from './keygen.ts'
import { requireOnlyRun } from './concurrency.ts'
import type { Beginning, Done, Plan } from './Plan.ts'
import type { Request } from './Request.ts'
import { requireActive, sealedShareOf } from './standing.ts'

export const attach = (request: Request, noun: 'attach' | 'confirm'): Plan => {
  const { frame, wallet } = request
  const rootPublicKey = wallet.rootPublicKey ?? ''
  return {
    kind: 'attach',
    noun,
    message: frame.body,
    opening: frame.step === 1 ? { otId: '', rootPublicKey, payloadClass: null, digest: null } : undefined,
    newRoot: false,
    payload: undefined,
    admit: (locked) => requireActive(locked, frame),
    begin: (locked) => begin(request, locked),
    materials: (run) => Effect.map(sealedShareOf(run), (sealedShare) => ({ sealedShare, sealedOt: null })),
    expiresAt: (run) => run.expiresAt,
    finish,
  }
}

const begin = Effect.fnUntraced(function* ({ header, session }: Request, wallet: Wallet) {
  yield* requireFewFailures(wallet.id, session, yield* Clock.currentTimeMillis)
  yield* requireOnlyRun(wallet.id, { kind: 'attach', deviceKeyThumb: header.deviceKeyThumb, digest: null })
  const beginning: Beginning = { kind: 'go', sending: null }
  return beginning
})

const finish = Effect.fnUntraced(function* (_: Wallet, run: Run, { made }: Done, now: number) {
  if (made.ot === undefined) return undefined
  const { walletId, deviceKeyThumb, epoch, shareId } = run
  const { otId, sealed } = made.ot
  const of = { walletId, otId: bytesToHex(otId), deviceKeyThumb, databaseLife: databaseLifeOf(run) }
  yield* (yield* OtRecords).put({ ...of, epoch, shareId, sealed }, now)
  return new Uint8Array(0)
})
