import * as Effect from 'effect/Effect'
import { forgetLoginMarker } from './loginMarker.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { forgetLoginPair } from './sessionKeys.ts'
import { SessionState } from './SessionState.ts'
import { isTabSession, leaveTabSession } from './sessionToken.ts'
import { forgetUnderWay } from './underWay.ts'

/** Deletes everything of a login that failed or was given up. The tab has the origin's session again. */
export const abandonLogin = Effect.fn('users.abandonLogin')(function* () {
  yield* forgetLoginPair
  yield* forgetPortalSessionSecret
  yield* forgetUnderWay
  yield* forgetLoginMarker
  if (!(yield* isTabSession)) return
  yield* leaveTabSession
  yield* (yield* SessionState).clear
})
