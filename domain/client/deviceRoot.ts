import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { DeviceKeys } from './ports/DeviceKeys.ts'

/**
 * The user's root public key as a page of the portal sealed it for this session's device (flows A3); none where that page's
 * result never came here, as when the app was closed before its window.
 */
export const deviceRoot = Effect.fn('sessions.deviceRoot')(function* (sessionId: string) {
  const key = yield* (yield* DeviceKeys).find(sessionId)
  return Option.flatMap(key, ({ certification }) => Option.fromUndefinedOr(certification?.rootPublicKey))
})
