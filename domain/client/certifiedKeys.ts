/**
 * What the portal certified of this session's keys. Every page reads it when it shows its session, so nothing here needs the
 * arithmetic by which keys are made.
 */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { ShareStore, type PendingRecovery } from './ports/ShareStore.ts'

/**
 * The user's root public key, hex(32), from a result that the page sealed for this session's device. None if that
 * result never came here, for example because the app was closed before its window.
 */
export const deviceRoot = Effect.fn('sessions.deviceRoot')(function* (sessionId: string) {
  const key = yield* (yield* DeviceKeys).find(sessionId)
  return Option.flatMap(key, ({ certification }) => Option.fromUndefinedOr(certification?.rootPublicKey))
})

export type SignedRecovery = PendingRecovery & { readonly signature: string }

/**
 * The user's recovery key that this device made and whose secret was not shown, if the root key signed it: an unsigned
 * one opens nothing.
 */
export const signedRecovery = Effect.fn('keyShares.signedRecovery')(function* (userId: string) {
  return Option.filter(yield* (yield* ShareStore).pendingRecovery.get(userId), isSigned)
})

export const isSigned = (key: PendingRecovery): key is SignedRecovery => key.signature !== undefined
