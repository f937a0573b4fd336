/**
 * Device enrolment (ATTACH): a device that has the share but no OT record makes one with the co-signer; the key stays.
 * An OT record never leaves the device that made it, because a copy would survive its erasure after a failed check.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import type { SeenToClaim } from '../ports/Runs.ts'
import type { RunRecord } from '../Run.ts'
import type { WalletRecord } from '../Wallet.ts'
import { requireOnlyRun } from './ending.ts'
import type { Beginning, Done, Plan, Request } from './Plan.ts'
import { requireFewFailures } from './setups.ts'
import { putOtRecord, requireActive, sealedShareOf } from './walletStatus.ts'

/** The plan of ATTACH and of its CONFIRM. */
export const enrolDevice = (request: Request, operation: 'attach' | 'confirm'): Plan => {
  const { frame, wallet } = request
  const rootPublicKey = wallet.rootPublicKey ?? ''
  return {
    kind: 'attach',
    operation,
    message: frame.body,
    firstRequest: frame.step === 1 ? { otId: '', rootPublicKey, payloadClass: null, digest: null } : undefined,
    newRoot: false,
    payload: undefined,
    admit: (locked) => requireActive(locked, frame),
    begin: (locked, seen) => begin(request, locked, seen),
    materials: (run, seen) => Effect.map(sealedShareOf(run, seen), (sealedShare) => ({ sealedShare, sealedOt: null })),
    expiresAt: (run) => run.expiresAt,
    finish,
  }
}

const begin = Effect.fnUntraced(function* ({ header, session }: Request, wallet: WalletRecord, seen: SeenToClaim) {
  yield* requireFewFailures(wallet.id, session, yield* Clock.currentTimeMillis)
  yield* requireOnlyRun(seen, { kind: 'attach', deviceKeyThumb: header.deviceKeyThumb, digest: null })
  const beginning: Beginning = { kind: 'go', sending: null }
  return beginning
})

const finish = Effect.fnUntraced(function* (_: WalletRecord, run: RunRecord, { made }: Done, now: number) {
  if (made.ot === undefined) return undefined
  yield* putOtRecord(run, made.ot, run, now)
  return new Uint8Array(0)
})
