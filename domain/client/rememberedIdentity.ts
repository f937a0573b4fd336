/** The user's identity, in local storage, under names that other clients of the origin use as well. */
import * as Effect from 'effect/Effect'
import { fromAuthObject, type Identity } from '../model/Identity.ts'
import * as StorageKeys from '../model/StorageKeys.ts'
import { Storage } from './ports/Storage.ts'

const identityKeys = {
  email: StorageKeys.email,
  phone: StorageKeys.phone,
  countryCode: StorageKeys.countryCode,
  farcasterUsername: StorageKeys.farcasterUsername,
  telegramUserId: StorageKeys.telegramUserId,
} as const

type Field = keyof typeof identityKeys
const fields: readonly Field[] = ['email', 'phone', 'countryCode', 'farcasterUsername', 'telegramUserId']

/** Kinds of identity exclude each other: setting one deletes the others. */
export const rememberIdentity = Effect.fn('users.rememberIdentity')(function* (identity: Identity) {
  const { local } = yield* Storage
  const values = new Map<string, string>(Object.entries(identity))
  yield* Effect.forEach(fields, (field) => {
    const value = values.get(field)
    return value === undefined ? local.remove(identityKeys[field]) : local.set(identityKeys[field], value)
  })
})

/** The stored identity, if it is exactly one. */
export const rememberedIdentity = Effect.gen(function* () {
  const { local } = yield* Storage
  const entries = yield* Effect.forEach(fields, (field) =>
    Effect.map(local.get(identityKeys[field]), (value) => [field, value] as const),
  )
  return fromAuthObject(Object.fromEntries(entries))
})
