/**
 * Gives the provider its share back, in the capsule that this device keeps for it: where the provider cannot open its share
 * any more, or has a database that is older than the share of this device. The wallet is refreshed before it signs.
 */
import * as Effect from 'effect/Effect'
import * as Frame from '../mpc/Frame.ts'
import type { ApiError } from '../model/ApiError.ts'
import { heldShare, nobody, standing } from './refreshKeys.ts'
import { isRefusal } from './signOnce.ts'

export const isLost = (error: unknown): error is ApiError => isRefusal(error, 'ProviderShareLost')

/** Under the wallet's signing lock. A device without a capsule has no more than the refusal. */
export const reattach = Effect.fn('signing.reattach')(function* (walletId: string, refusal: ApiError) {
  const { held, user } = yield* heldShare(walletId)
  if (held.capsule === undefined) return yield* refusal
  yield* standing(user, 'REATTACH', nobody, held.capsule)
})

/** Where the co-signer says, under its key, that it stands in an earlier epoch than this device. */
export const reattachIfBehind = Effect.fn('signing.reattachIfBehind')(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  if (held.capsule === undefined) return
  const told = Frame.decodeStanding(yield* standing(user, 'RECONCILE', nobody))
  if (told !== undefined && told.epoch < user.share.epoch) yield* standing(user, 'REATTACH', nobody, held.capsule)
})
