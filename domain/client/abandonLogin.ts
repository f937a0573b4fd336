import * as Effect from 'effect/Effect'
import { forgetLoginMarker } from './loginMarker.ts'
import { forgetOpeningSecret } from './openingSecret.ts'
import { forgetLoginPair } from './sessionKeys.ts'
import { SessionState } from './SessionState.ts'
import { isTabSession, leaveTabSession } from './sessionToken.ts'
import { forgetUnderWay } from './underWay.ts'

/**
 * Nothing of a login that failed, or that nobody goes on with, stays behind: the tab has the origin's session again.
 */
export const abandonLogin = Effect.fn('users.abandonLogin')(function* () {
  yield* forgetLoginPair
  yield* forgetOpeningSecret
  yield* forgetUnderWay
  yield* forgetLoginMarker
  if (!(yield* isTabSession)) return
  yield* leaveTabSession
  yield* (yield* SessionState).clear
})
