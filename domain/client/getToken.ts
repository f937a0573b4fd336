import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { currentSession } from './touch.ts'

/** A JWT by which the app's own server knows the session (domain/service/README.md#session-jwts). */
export const getToken = Effect.fn('sessions.getToken')(function* () {
  const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
  const { token } = yield* (yield* Api).call('createSessionJwt', { path: { userId } })
  return token
})
