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
const own = `${storagePrefix}tandem/session`

export const isTabSession = Effect.gen(function* () {
  return (yield* (yield* Storage).session.get(own)) !== undefined
})

export const sessionToken = Effect.gen(function* () {
  const { local, session } = yield* Storage
  const token = (yield* session.get(own)) ?? (yield* local.get(StorageKeys.sessionCookie))
  return token === undefined || token === '' ? undefined : secretToken(token)
})

const secretToken = (token: string) => Redacted.make(token, { label: 'session token' })

/** Whether both are the same token, or both are none. */
export const isSameToken = (one: Redacted.Redacted | undefined, other: Redacted.Redacted | undefined): boolean =>
  (one && Redacted.value(one)) === (other && Redacted.value(other))

export const keepSessionToken = Effect.fn('sessions.keepToken')(function* (token: string) {
  const { local, session } = yield* Storage
  yield* (yield* isTabSession) ? session.set(own, token) : local.set(StorageKeys.sessionCookie, token)
})

/** The origin's token, whether or not this tab has one of its own. */
export const sharedToken = Effect.gen(function* () {
  const token = yield* (yield* Storage).local.get(StorageKeys.sessionCookie)
  return token === undefined ? undefined : secretToken(token)
})

/** From now on this tab has a session of its own, which the next touch begins. */
export const beginTabSession = Effect.gen(function* () {
  yield* (yield* Storage).session.set(own, '')
})

/** Makes this tab's session that of all tabs. */
export const shareTabSession = Effect.gen(function* () {
  const { local, session } = yield* Storage
  const token = yield* session.get(own)
  const keyOf = yield* session.get(keyed)
  if (token !== undefined && token !== '') yield* local.set(StorageKeys.sessionCookie, token)
  yield* Effect.forEach([own, keyed], session.remove)
  if (keyOf !== undefined) yield* rememberDeviceKey(keyOf)
})

/** Back to the origin's session. The device key of this tab's own goes with it. */
export const leaveTabSession = Effect.gen(function* () {
  if (yield* isTabSession) yield* forgetDeviceKey()
  yield* (yield* Storage).session.remove(own)
})

/**
 * The id of the session whose device key was made last, beside its token: in session storage for a session of this tab's
 * own, else in local storage. When that session ends is often seen only by a later load of the page, which knows nothing
 * else of it.
 */
const keyed = `${storagePrefix}tandem/device`

const keyedArea = Effect.gen(function* () {
  const { local, session } = yield* Storage
  return (yield* isTabSession) ? session : local
})

export const rememberDeviceKey = Effect.fnUntraced(function* (sessionId: string) {
  yield* forgetDeviceKey(sessionId)
  yield* (yield* keyedArea).set(keyed, sessionId)
})

/** Deletes the device key that was made last, unless it is of this session. No token of its session is left here. */
export const forgetDeviceKey = Effect.fnUntraced(function* (unlessOf?: string) {
  const area = yield* keyedArea
  const sessionId = yield* area.get(keyed)
  if (sessionId === undefined || sessionId === unlessOf) return
  yield* (yield* DeviceKeys).remove(sessionId)
  yield* area.remove(keyed)
})
