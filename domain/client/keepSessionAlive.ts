import * as Effect from 'effect/Effect'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { currentSession } from './touch.ts'

/** Extends the session's idle time; false on any failure. */
export const keepSessionAlive = Effect.fn('sessions.keepSessionAlive')(
  function* () {
    const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
    yield* (yield* Api).call('keepSessionAlive', { path: { userId } })
    return true
  },
  Effect.orElseSucceed(() => false),
)
