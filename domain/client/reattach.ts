/**
 * Gives the provider its share back, from the capsule that this device keeps: if the provider cannot open its share any
 * more, or its database is older than this device's share (adapters/service/vault/README.md#what-a-loss-costs). The
 * wallet is refreshed before it signs.
 */
import * as Effect from 'effect/Effect'
import * as Frame from '../mpc/Frame.ts'
import type { ApiError } from '../model/ApiError.ts'
import { heldShare, noRun, exchangeStatus } from './refreshKeys.ts'
import { isRefusal } from './signOnce.ts'

export const isLost = (error: unknown): error is ApiError => isRefusal(error, 'ProviderShareLost')

/** Under the wallet's signing lock. A device without a capsule fails with the refusal. */
export const reattach = Effect.fn('signing.reattach')(function* (walletId: string, refusal: ApiError) {
  const { held, user } = yield* heldShare(walletId)
  if (held.capsule === undefined) return yield* refusal
  yield* exchangeStatus(user, 'REATTACH', noRun, held.capsule)
})

/** If the co-signer says, under its key, that its epoch is earlier than this device's. */
export const reattachIfBehind = Effect.fn('signing.reattachIfBehind')(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  if (held.capsule === undefined) return
  const status = Frame.decodeWalletStatus(yield* exchangeStatus(user, 'RECONCILE', noRun))
  if (status !== undefined && status.epoch < user.share.epoch)
    yield* exchangeStatus(user, 'REATTACH', noRun, held.capsule)
})
