/**
 * The session token that this document sends. A login has a session of its tab's own until it is done, so that two tabs
 * that log in do not read each other's; everything else uses the origin's token (domain/client/README.md#tabs).
 */
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { storagePrefix } from '../model/Provider.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Storage } from './ports/Storage.ts'

/** In session storage. The entry is empty while the tab's own session has no token yet. */
export const ownTokenEntry = `${storagePrefix}tandem/session`

export const isTabSession = Effect.gen(function* () {
  return (yield* (yield* Storage).session.get(ownTokenEntry)) !== undefined
})

export const sessionToken = Effect.gen(function* () {
  const { local, session } = yield* Storage
  const token = (yield* session.get(ownTokenEntry)) ?? (yield* local.get(StorageKeys.sessionCookie))
  return token === undefined || token === '' ? undefined : secretToken(token)
})

export const secretToken = (token: string) => Redacted.make(token, { label: 'session token' })

/** Whether both are the same token, or both are none. */
export const isSameToken = (one: Redacted.Redacted | undefined, other: Redacted.Redacted | undefined): boolean =>
  (one && Redacted.value(one)) === (other && Redacted.value(other))

export const keepSessionToken = Effect.fn('sessions.keepToken')(function* (token: string) {
  const { local, session } = yield* Storage
  yield* (yield* isTabSession) ? session.set(ownTokenEntry, token) : local.set(StorageKeys.sessionCookie, token)
})

/** Whether all tabs have this session of the tab's own by now: another tab, of which this one is a duplicate, has finished the login. */
export const isSharedByNow = Effect.fnUntraced(function* (sessionId: string) {
  return (yield* isTabSession) && (yield* (yield* Storage).local.get(deviceKeyEntry)) === sessionId
})

/** Back to the origin's session. The device key of this tab's own goes with it, unless all tabs have that session by now. */
export const leaveTabSession = Effect.gen(function* () {
  const { session } = yield* Storage
  const keyOf = (yield* isTabSession) ? yield* session.get(deviceKeyEntry) : undefined
  const isEnded = keyOf !== undefined && !(yield* isSharedByNow(keyOf))
  yield* Effect.forEach([ownTokenEntry, deviceKeyEntry], session.remove)
  if (isEnded) yield* deleteDeviceKey(keyOf)
})

/**
 * The id of the session whose device key was made last, beside its token: in session storage for a session of this tab's
 * own, else in local storage. A page that was loaded since knows nothing else of that session. No answer of the service deletes the
 * key: a late one may be about an earlier session, and another tab have logged in meanwhile.
 */
export const deviceKeyEntry = `${storagePrefix}tandem/device`

export const deviceKeyArea = Effect.gen(function* () {
  const { local, session } = yield* Storage
  return (yield* isTabSession) ? session : local
})

/**
 * Deletes the device key that was made last, unless it is of this session, or of one that all tabs have by now. No token of its
 * session is left here.
 */
export const forgetDeviceKey = Effect.fnUntraced(function* (unlessOf?: string) {
  const area = yield* deviceKeyArea
  const sessionId = yield* area.get(deviceKeyEntry)
  if (sessionId === undefined || sessionId === unlessOf || (yield* isSharedByNow(sessionId))) return
  yield* deleteDeviceKey(sessionId, area.remove(deviceKeyEntry))
})

/**
 * Deletes the key of a session whose token was deleted before. A browser that refuses that, for example because its
 * IndexedDB does not open, keeps no one signed in by it and hides no other error. `deleted` follows a deletion.
 */
export const deleteDeviceKey = (sessionId: string, deleted: Effect.Effect<void> = Effect.void) =>
  Effect.flatMap(DeviceKeys, ({ remove }) => Effect.andThen(remove(sessionId), deleted)).pipe(
    Effect.catchDefect((defect) => Effect.logWarning('the device key of a session that ended stays here', defect)),
  )
