/**
 * The session token that this document sends. A login has a session of its tab's own until it is done, so that two tabs
 * that log in do not read each other's; everything else uses the origin's token (domain/client/README.md#tabs).
 */
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import { storagePrefix } from '../model/Provider.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
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
  if (token !== undefined && token !== '') yield* local.set(StorageKeys.sessionCookie, token)
  yield* session.remove(own)
})

/** Back to the origin's session. */
export const leaveTabSession = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(own)
})
