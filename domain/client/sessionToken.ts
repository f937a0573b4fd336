/**
 * The session token under which this document speaks. A login has a session of its tab's own until it is done (flows 6,
 * two tabs), so that two tabs that log in do not read each other's; all else is under the origin's token.
 */
import * as Effect from 'effect/Effect'
import { storagePrefix } from '../model/Provider.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { Storage } from './ports/Storage.ts'

/** In session storage. It is there and empty while the tab's own session has no token yet. */
const own = `${storagePrefix}tandem/session`

export const isTabSession = Effect.gen(function* () {
  return (yield* (yield* Storage).session.get(own)) !== undefined
})

export const sessionToken = Effect.gen(function* () {
  const { local, session } = yield* Storage
  const token = (yield* session.get(own)) ?? (yield* local.get(StorageKeys.sessionCookie))
  return token === '' ? undefined : token
})

export const keepSessionToken = Effect.fn('sessions.keepToken')(function* (token: string) {
  const { local, session } = yield* Storage
  yield* (yield* isTabSession) ? session.set(own, token) : local.set(StorageKeys.sessionCookie, token)
})

/** The origin's token, whatever this tab has. */
export const sharedToken = Effect.gen(function* () {
  return yield* (yield* Storage).local.get(StorageKeys.sessionCookie)
})

/** From now on this tab is on its own: the next touch begins its session. */
export const beginTabSession = Effect.gen(function* () {
  yield* (yield* Storage).session.set(own, '')
})

/** What this tab did counts for all of them. */
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
