/**
 * Set in session storage once the shares of a login are on the disk. The steps after it are repeated until they are
 * done, also by the next load of this tab.
 */
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
import { storagePrefix } from '../model/Provider.ts'
import { Storage } from './ports/Storage.ts'

export type LoginMarker = { readonly userId: string; readonly missing: readonly string[] }

const key = `${storagePrefix}tandem/login`

export const keepLoginMarker = Effect.fn('users.keepLoginMarker')(function* (marker: LoginMarker) {
  yield* (yield* Storage).session.set(key, JSON.stringify(marker))
})

export const loginMarker = Effect.gen(function* () {
  const text = yield* (yield* Storage).session.get(key)
  return Option.fromUndefinedOr(text === undefined ? undefined : Json.parse(stored, text))
})

const stored: Json.Schema<LoginMarker> = v.object({ userId: v.string(), missing: v.array(v.string()) })

export const forgetLoginMarker = Effect.gen(function* () {
  yield* (yield* Storage).session.remove(key)
})
