import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { retryTimeoutMs } from '../model/Limits.ts'
import { requireUser } from '../model/Session.ts'
import { Api } from './ports/Api.ts'
import { SessionState, type HostSession } from './SessionState.ts'

/**
 * Asks the service for the session, which begins one if there is none. With `regenerate` a session that is not
 * authenticated is replaced by a new record, an authenticated one gets a new token
 * (domain/client/README.md#session-and-touch).
 */
export const touch = Effect.fn('sessions.touchSession')(function* (regenerate: boolean) {
  const api = yield* Api
  const state = yield* SessionState
  const known = Option.getOrUndefined(yield* state.get)
  const answer = yield* api.call('touchSession', { query: { regenerate: regenerate ? 'true' : 'false' } })
  const isSame = known?.sessionId === answer.sessionId
  const session: HostSession = {
    ...answer,
    clockOffset: answer.serverTime - (yield* Clock.currentTimeMillis),
    missing: isSame ? known.missing : [],
    refused: isSame ? known.refused : undefined,
  }
  yield* state.set(session)
  return session
})

/** The session as it was last seen; touched now if this document has not seen it yet. */
export const currentSession = Effect.gen(function* () {
  const known = yield* (yield* SessionState).get
  return Option.isSome(known) ? known.value : yield* touch(false)
})

/** The service's time in milliseconds, as far as this document knows it. */
export const serverTime = Effect.gen(function* () {
  const known = yield* (yield* SessionState).get
  const now = yield* Clock.currentTimeMillis
  return now + Option.match(known, { onNone: () => 0, onSome: ({ clockOffset }) => clockOffset })
})

/** Extends the session's idle time; false on any failure, and where no answer comes. */
export const keepSessionAlive = Effect.fn('sessions.keepSessionAlive')(
  function* () {
    const userId = yield* Effect.fromResult(requireUser(yield* currentSession))
    yield* (yield* Api).call('keepSessionAlive', { path: { userId } })
    return true
  },
  Effect.timeout(retryTimeoutMs),
  Effect.orElseSucceed(() => false),
)
