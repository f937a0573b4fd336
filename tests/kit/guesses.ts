/** A cheating device: first requests of signatures, each with a guess of one bit of the co-signer's Δ. */
import { randomUUID } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { Runs } from '../../domain/service/ports/Runs.ts'
import { Vault } from '../../domain/service/ports/Vault.ts'
import { otAssociatedData } from '../../domain/service/protocol/associatedData.ts'
import { guessing } from '../mpc/cheaters.ts'
import { bit } from '../mpc/dealtSeeds.ts'
import { usualArithmetic } from '../mpc/kernel.ts'
import type { World } from './cosignerWorld.ts'
import type { Device, Meddle, WalletKey } from './device.ts'

/** What no client may ever see, as the co-signer's own key opens it. */
export const deltaOf = (world: Pick<World, 'run'>, { walletId, share, otId }: WalletKey): Promise<Uint8Array> =>
  world.run(
    Effect.gen(function* () {
      const name = bytesToHex(otId)
      const names = { walletId, protocolId: randomUUID(), shareId: bytesToHex(share.shareId), otId: name }
      const { ot } = yield* (yield* Runs).seeToClaim(names)
      if (ot === undefined) return yield* Effect.die('no OT record')
      const sealed = ot.sealed ?? new Uint8Array(0)
      const record = OtRecord.decode(yield* (yield* Vault).open(otAssociatedData(ot, name), sealed))
      return record?.delta ?? (yield* Effect.die('no OT record'))
    }).pipe(Effect.orDie),
  )

/** A first request whose check passes where the bit of Δ is as guessed; `undefined` guesses nothing. It is not sent. */
export const firstFrame = (
  device: Device,
  key: WalletKey,
  request: SigningRequest,
  of: { readonly guess?: { readonly index: number; readonly bit: number }; readonly protocolId?: string } = {},
): Promise<Uint8Array> => {
  const arithmetic = of.guess === undefined ? undefined : guessing(usualArithmetic, [of.guess])
  return firstOf((meddle) => device.sign(key, request, { protocolId: of.protocolId, arithmetic, meddle }))
}

/** The first request of a run, which is not sent. */
export const firstOf = async (begin: (meddle: Meddle) => Promise<unknown>): Promise<Uint8Array> => {
  const captured: Uint8Array[] = []
  const running = begin((bytes) => {
    captured.push(bytes)
    throw new Error('captured')
  })
  await running.catch(() => undefined)
  const [first] = captured
  if (first === undefined) throw new Error('no request was made')
  return first
}

/** The guess of this bit that is right, or the one that is wrong. */
export const guessOf = (delta: Uint8Array, index: number, isRight: boolean) => ({
  index,
  bit: bit(delta, index) ^ (isRight ? 0 : 1),
})

export const hello: SigningRequest = { kind: 'eip191', message: '68656c6c6f' }
