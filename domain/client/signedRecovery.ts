import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { ShareStore, type PendingRecovery } from './ports/ShareStore.ts'

export type SignedRecovery = PendingRecovery & { readonly signature: string }

/**
 * The user's recovery key that this device made and whose secret was not shown, if the root key signed it: an unsigned
 * one opens nothing.
 */
export const signedRecovery = Effect.fn('keyShares.signedRecovery')(function* (userId: string) {
  return Option.filter(yield* (yield* ShareStore).pendingRecovery.get(userId), isSigned)
})

export const isSigned = (key: PendingRecovery): key is SignedRecovery => key.signature !== undefined
