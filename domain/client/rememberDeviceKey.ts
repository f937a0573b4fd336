import * as Effect from 'effect/Effect'
import { forgetDeviceKey, deviceKeyEntry, deviceKeyArea } from './sessionToken.ts'

/** Names the session whose device key was made. The one that was made before is deleted. */
export const rememberDeviceKey = Effect.fnUntraced(function* (sessionId: string) {
  yield* forgetDeviceKey(sessionId)
  yield* (yield* deviceKeyArea).set(deviceKeyEntry, sessionId)
})
