/** The session of a tab's own during a login, from its begin until all tabs have it. */
import * as Effect from 'effect/Effect'
import * as StorageKeys from '../model/StorageKeys.ts'
import { Storage } from './ports/Storage.ts'
import { rememberDeviceKey } from './rememberDeviceKey.ts'
import { deviceKeyEntry, ownTokenEntry, secretToken } from './sessionToken.ts'

/** The origin's token, whether or not this tab has one of its own. */
export const sharedToken = Effect.gen(function* () {
  const token = yield* (yield* Storage).local.get(StorageKeys.sessionCookie)
  return token === undefined ? undefined : secretToken(token)
})

/** From now on this tab has a session of its own, which the next touch begins. */
export const beginTabSession = Effect.gen(function* () {
  yield* (yield* Storage).session.set(ownTokenEntry, '')
})

/** Makes this tab's session that of all tabs. */
export const shareTabSession = Effect.gen(function* () {
  const { local, session } = yield* Storage
  const token = yield* session.get(ownTokenEntry)
  const keyOf = yield* session.get(deviceKeyEntry)
  if (token !== undefined && token !== '') yield* local.set(StorageKeys.sessionCookie, token)
  yield* Effect.forEach([ownTokenEntry, deviceKeyEntry], session.remove)
  if (keyOf !== undefined) yield* rememberDeviceKey(keyOf)
})
