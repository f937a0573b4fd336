/** The user's id, in local storage, under a name that other clients of the origin use as well. */
import * as Effect from 'effect/Effect'
import * as StorageKeys from '../model/StorageKeys.ts'
import { Storage } from './ports/Storage.ts'

export const rememberUserId = Effect.fn('users.rememberUserId')(function* (userId: string) {
  yield* (yield* Storage).local.set(StorageKeys.userId, userId)
})

export const rememberedUserId = Effect.gen(function* () {
  return yield* (yield* Storage).local.get(StorageKeys.userId)
})
