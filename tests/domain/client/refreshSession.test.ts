import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { describe, expect, it } from 'vitest'
import { refreshSession } from '../../../domain/client/refreshSession.ts'
import { SessionState } from '../../../domain/client/SessionState.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import { makeHostStage } from '../../kit/hostStage.ts'

const known = {
  isAuthenticated: true,
  sessionId: 'a session',
  sessionLookupId: 'a lookup',
  userId: 'ada',
  clockOffset: 0,
  missing: [],
}

/** What is known of the session after another look at it. */
const after = (token: string | undefined) => {
  const stage = makeHostStage({ touchSession: () => connectionError() })
  if (token !== undefined) stage.local.set('@CAPSULE/sessionCookie', token)
  return Effect.runPromise(
    Effect.gen(function* () {
      const state = yield* SessionState
      yield* state.set(known)
      const looked = yield* Effect.exit(refreshSession())
      return { looked: looked._tag, session: Option.getOrUndefined(yield* state.get) }
    }).pipe(Effect.provide(stage.layer)),
  )
}

describe('another look at the session', () => {
  it('that gets no answer changes nothing: losing the connection signs no one out', async () => {
    expect(await after('a token')).toEqual({ looked: 'Failure', session: known })
  })

  it('finds no user where another tab has signed out, and makes no call', async () => {
    expect(await after(undefined)).toEqual({ looked: 'Success', session: undefined })
  })
})
