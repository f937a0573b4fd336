import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { connectionError } from '../model/ApiError.ts'
import { retryTimeoutMs } from '../model/Limits.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { forgetLoginMarker } from './loginMarker.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { Api } from './ports/Api.ts'
import { Storage } from './ports/Storage.ts'
import { insistently } from './runProtocol.ts'
import { forgetLoginPair } from './sessionKeys.ts'
import {
  deleteDeviceKey,
  forgetDeviceKey,
  isSharedByNow,
  isTabSession,
  leaveTabSession,
  sessionToken,
} from './sessionToken.ts'
import { SessionState } from './SessionState.ts'
import { forgetUnderWay } from './underWay.ts'
import { WalletState } from './WalletState.ts'

/**
 * Ends the session here, then at the service: a person who is offline has left this device all the same. The call
 * carries the token that was deleted here already. Only silence is tried again, and a failure changes nothing.
 */
export const forgetSession = Effect.fn('sessions.forget')(function* () {
  const { local } = yield* Storage
  const state = yield* SessionState
  const token = yield* sessionToken
  const session = Option.getOrUndefined(yield* state.get)
  // The session that a duplicate of this tab has shared is not this tab's to end.
  const isShared = session !== undefined && (yield* isSharedByNow(session.sessionId))

  yield* forgetLoginPair
  yield* forgetPortalSessionSecret
  yield* forgetUnderWay
  yield* forgetLoginMarker
  // A tab that leaves a session of its own does not touch the one that it shares with others.
  yield* (yield* isTabSession)
    ? leaveTabSession
    : Effect.andThen(Effect.forEach(StorageKeys.local, local.remove), forgetDeviceKey())
  if (session !== undefined && !isShared) yield* deleteDeviceKey(session.sessionId)
  yield* state.clear
  yield* (yield* WalletState).set([])

  if (token === undefined || isShared) return
  const leave = Effect.timeoutOrElse((yield* Api).call('logout', {}, { session: token }), {
    duration: retryTimeoutMs,
    orElse: () => Effect.fail(connectionError()),
  })
  yield* Effect.ignore(insistently(leave))
})

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
