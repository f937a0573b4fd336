/**
 * Device keys made by WebCrypto. In a browser they are stored in IndexedDB and cannot be exported. Without IndexedDB,
 * as in Node, they are stored as text in the local storage area and marked `weak`
 * (domain/crypto/README.md#device-keys).
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as v from 'valibot'
import { DeviceKeys, type Certification, type DeviceKeyRecord } from '../../domain/client/ports/DeviceKeys.ts'
import { Storage, type StorageArea } from '../../domain/client/ports/Storage.ts'
import * as Json from '../../domain/model/Json.ts'
import { storagePrefix } from '../../domain/model/Provider.ts'
import { database } from './database.ts'
import { stored } from './StorageFailed.ts'

export const DeviceKeysWebCrypto = Layer.effect(
  DeviceKeys,
  Effect.map(Storage, ({ local }) => {
    const storage = () => (typeof indexedDB === 'undefined' ? textStorage(local) : databaseStorage)
    const read = (sessionId: string) => Effect.suspend(() => storage().read(sessionId))
    const write = (sessionId: string, key: StoredKey) => Effect.suspend(() => storage().write(sessionId, key))

    return DeviceKeys.of({
      makePortable: Effect.promise(async () => {
        const { privateKey, publicKey } = await generatePair(true)
        const jwk = await crypto.subtle.exportKey('jwk', privateKey)
        const { kty, crv, x, y, d } = jwk
        return { publicKey, privateKey: Redacted.make(JSON.stringify({ kty, crv, x, y, d }), { label: 'device key' }) }
      }),
      keep: (sessionId, text) =>
        Effect.gen(function* () {
          const { weak } = storage()
          const key = yield* Effect.promise(() => fromPortable(text, weak))
          if (key === undefined) return false
          yield* write(sessionId, key)
          return true
        }),
      find: (sessionId) => Effect.map(read(sessionId), (key) => Option.map(Option.fromUndefinedOr(key), toRecord)),
      create: (sessionId) =>
        Effect.gen(function* () {
          const found = yield* read(sessionId)
          if (found !== undefined) return toRecord(found)
          const { weak, keep } = storage()
          return toRecord(yield* keep(sessionId, yield* generate(weak)))
        }),
      sign: (sessionId, message) =>
        Effect.flatMap(read(sessionId), (key) =>
          Effect.promise(async () => {
            if (key === undefined) throw new Error('a session signs only with a device key')
            const signed = await crypto.subtle.sign(ecdsa, key.privateKey, Uint8Array.from(message))
            return new Uint8Array(signed)
          }),
        ),
      certify: (sessionId, certification) =>
        Effect.flatMap(read(sessionId), (key) =>
          key === undefined ? Effect.void : write(sessionId, { ...key, certification }),
        ),
      remove: (sessionId) => Effect.suspend(() => storage().remove(sessionId)),
    })
  }),
)

type StoredKey = {
  readonly privateKey: CryptoKey
  readonly publicKey: string
  readonly weak: boolean
  readonly certification?: Certification
}

/** Storage of keys, by session id. */
type KeyStorage = {
  readonly weak: boolean
  readonly read: (sessionId: string) => Effect.Effect<StoredKey | undefined>
  /** If two documents make a key at once, both get the first: a session registers one device key only. */
  readonly keep: (sessionId: string, key: StoredKey) => Effect.Effect<StoredKey>
  readonly write: (sessionId: string, key: StoredKey) => Effect.Effect<void>
  readonly remove: (sessionId: string) => Effect.Effect<void>
}

const p256 = { name: 'ECDSA', namedCurve: 'P-256' }
const ecdsa = { name: 'ECDSA', hash: 'SHA-256' }

const generate = (weak: boolean): Effect.Effect<StoredKey> => Effect.promise(() => generatePair(weak))

const generatePair = async (weak: boolean): Promise<StoredKey> => {
  const pair = await crypto.subtle.generateKey(p256, weak, ['sign', 'verify'])
  return { privateKey: pair.privateKey, publicKey: await pointOf(pair.publicKey), weak }
}

const pointOf = async (publicKey: CryptoKey): Promise<string> =>
  bytesToHex(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))

/** The public half is computed from the text's own coordinates, which the import holds to be those of its private half. */
const fromPortable = async (text: Redacted.Redacted, weak: boolean): Promise<StoredKey | undefined> => {
  const jwk = Json.parse(jwkForm, Redacted.value(text))
  if (jwk === undefined) return undefined
  const { d: _, ...half } = jwk
  try {
    const publicKey = await crypto.subtle.importKey('jwk', half, p256, true, ['verify'])
    const privateKey = await crypto.subtle.importKey('jwk', jwk, p256, weak, ['sign'])
    return { privateKey, publicKey: await pointOf(publicKey), weak }
  } catch {
    return undefined
  }
}

const toRecord = ({ publicKey, weak, certification }: StoredKey): DeviceKeyRecord => ({
  publicKey,
  weak,
  ...(certification === undefined ? {} : { certification }),
})

/** The text form, version 1. */
type TextKey = {
  readonly v: 1
  readonly privateKey: JsonWebKey
  readonly publicKey: string
  readonly certification?: Certification
}

const jwkForm = v.object({ kty: v.string(), crv: v.string(), x: v.string(), y: v.string(), d: v.string() })

const textForm: Json.Schema<TextKey> = v.object({
  v: v.literal(1),
  privateKey: jwkForm,
  publicKey: v.string(),
  certification: v.exactOptional(v.object({ rootPublicKey: v.string(), certificate: v.string() })),
})

const keyOf = (sessionId: string) => `${storagePrefix}tandem/keys/${sessionId}`

const textStorage = (area: StorageArea): KeyStorage => ({
  weak: true,
  read: (sessionId) =>
    Effect.flatMap(area.get(keyOf(sessionId)), (text) =>
      text === undefined ? Effect.undefined : Effect.promise(() => fromText(text)),
    ),
  keep: Effect.fnUntraced(function* (sessionId: string, key: StoredKey) {
    const text = yield* Effect.promise(() => toText(key))
    const known = yield* area.get(keyOf(sessionId))
    if (known !== undefined) return yield* Effect.promise(() => fromText(known))
    yield* area.set(keyOf(sessionId), text)
    return key
  }),
  write: (sessionId, key) =>
    Effect.flatMap(
      Effect.promise(() => toText(key)),
      (text) => area.set(keyOf(sessionId), text),
    ),
  remove: (sessionId) => area.remove(keyOf(sessionId)),
})

const fromText = async (text: string): Promise<StoredKey> => {
  const key = Json.parse(textForm, text)
  if (key === undefined) throw new Error('a later version wrote the key of this device, or it is damaged')
  const { privateKey, publicKey, certification } = key
  return {
    privateKey: await crypto.subtle.importKey('jwk', privateKey, p256, true, ['sign']),
    publicKey,
    weak: true,
    ...(certification === undefined ? {} : { certification }),
  }
}

const toText = async (key: StoredKey): Promise<string> => {
  const text: TextKey = {
    v: 1,
    privateKey: await crypto.subtle.exportKey('jwk', key.privateKey),
    publicKey: key.publicKey,
    ...(key.certification === undefined ? {} : { certification: key.certification }),
  }
  return JSON.stringify(text)
}

const keys = database('tandem/keys', 'device')

const databaseStorage: KeyStorage = {
  weak: false,
  read: (sessionId) =>
    stored(async () => {
      const [key] = await keys.read<[StoredKey]>([sessionId])
      return key
    }),
  keep: (sessionId, key) => stored(() => keys.keep(sessionId, key)),
  write: (sessionId, key) => stored(() => keys.write({ [sessionId]: key })),
  remove: (sessionId) => stored(() => keys.write({ [sessionId]: undefined })),
}
