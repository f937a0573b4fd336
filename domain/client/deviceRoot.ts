import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { DeviceKeys } from './ports/DeviceKeys.ts'

/**
 * The user's root public key, hex(32), from a result that the page sealed for this session's device. None if that
 * result never came here, for example because the app was closed before its window.
 */
export const deviceRoot = Effect.fn('sessions.deviceRoot')(function* (sessionId: string) {
  const key = yield* (yield* DeviceKeys).find(sessionId)
  return Option.flatMap(key, ({ certification }) => Option.fromUndefinedOr(certification?.rootPublicKey))
})
