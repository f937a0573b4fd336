/** A page that shows the browser's adapters to a test, without a service behind them. */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import { DeviceKeysWebCrypto } from '../../../adapters/browser/DeviceKeys.ts'
import { LocksWeb } from '../../../adapters/browser/Locks.ts'
import { ShareStoreSealed } from '../../../adapters/browser/ShareStore.ts'
import { StorageWeb } from '../../../adapters/browser/Storage.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import { Storage } from '../../../domain/client/ports/Storage.ts'
import { stories } from '../../ports/shareStore.ts'
import { keygenAndSign } from './protocols.ts'

const layer = Layer.mergeAll(ShareStoreSealed, DeviceKeysWebCrypto).pipe(
  Layer.provideMerge(Layer.merge(StorageWeb(), LocksWeb())),
)

/** Each time as a page that was loaded anew. */
const run = <A>(effect: Effect.Effect<A, unknown, ShareStore | DeviceKeys | Storage>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, layer))

/** Whatever rests in IndexedDB, as far as script can read it. */
const readDatabases = async (): Promise<string> => {
  const texts: string[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
    })
    for (const store of database.objectStoreNames) {
      const asked = database.transaction(store).objectStore(store).getAll()
      const values = await new Promise<readonly unknown[]>((resolve) => (asked.onsuccess = () => resolve(asked.result)))
      for (const value of values) texts.push(await textOf(value))
    }
    database.close()
  }
  return texts.join('\n')
}

const inSealed = async (change: (values: IDBObjectStore) => unknown): Promise<void> => {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const opening = indexedDB.open('tandem/sealed')
    opening.onsuccess = () => resolve(opening.result)
  })
  const transaction = database.transaction('values', 'readwrite')
  change(transaction.objectStore('values'))
  await new Promise((resolve) => (transaction.oncomplete = resolve))
  database.close()
}

const textOf = async (value: unknown): Promise<string> => {
  if (value instanceof CryptoKey) {
    const exported = await crypto.subtle.exportKey('raw', value).catch(() => 'not extractable')
    return typeof exported === 'string' ? exported : new TextDecoder('latin1').decode(exported)
  }
  if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value)
  if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return (await Promise.all(Object.values(value).map(textOf))).join(' ')
}

export type SealedSample = { readonly v: number; readonly key: string; readonly iv: string; readonly sealed: string }

export const shown = {
  keygenAndSign,
  readDatabases,
  tell: async (name: string): Promise<unknown> => {
    const found = stories.find((story) => story.name === name)
    if (found === undefined) throw new Error(`there is no story '${name}'`)
    return run(found.does)
  },
  put: (walletId: string, shareText: string) =>
    run(
      Effect.flatMap(ShareStore, ({ put }) =>
        put({ walletId, userId: 'ada', address: 'an address', shareText: Redacted.make(shareText) }),
      ),
    ),
  held: async () => {
    const shares = await run(Effect.flatMap(ShareStore, ({ list }) => list))
    return shares.map(({ shareText }) => Redacted.value(shareText))
  },
  forget: () => run(Effect.flatMap(ShareStore, ({ forgetAll }) => forgetAll)),
  localKeys: () => Object.keys(localStorage),
  device: (message: string) =>
    run(
      Effect.gen(function* () {
        const keys = yield* DeviceKeys
        const made = yield* keys.create('a session')
        const again = yield* keys.create('a session')
        const signature = yield* keys.sign('a session', hexToBytes(message))
        return { made, again, signature: [...signature] }
      }),
    ),
  /** As two documents of one session make it: at the same moment, and from there on. */
  devicesAtOnce: (sessionId: string) => {
    const create = run(Effect.flatMap(DeviceKeys, (keys) => keys.create(sessionId)))
    const found = () => run(Effect.flatMap(DeviceKeys, (keys) => keys.find(sessionId)))
    const again = run(Effect.flatMap(DeviceKeys, (keys) => keys.create(sessionId)))
    return Promise.all([create, again]).then(async (made) =>
      [...made, Option.getOrThrow(await found())].map(({ publicKey }) => publicKey),
    )
  },
  deviceAfter: () =>
    run(
      Effect.gen(function* () {
        const keys = yield* DeviceKeys
        const before = yield* keys.find('a session')
        yield* keys.remove('a session')
        return [Option.isSome(before), Option.isSome(yield* keys.find('a session'))]
      }),
    ),
  /** Puts the store's record in its place as it was sealed elsewhere; all of it hex. */
  putSealed: async ({ v, key, iv, sealed }: SealedSample) => {
    await run(Effect.flatMap(ShareStore, ({ list }) => list))
    const usages: KeyUsage[] = ['encrypt', 'decrypt']
    const imported = await crypto.subtle.importKey('raw', Uint8Array.from(hexToBytes(key)), 'AES-GCM', false, usages)
    const record = { v, iv: Uint8Array.from(hexToBytes(iv)), sealed: Uint8Array.from(hexToBytes(sealed)).buffer }
    await inSealed((values) => {
      values.put(imported, 'shares/key')
      values.put(record, 'shares/text')
    })
  },
  /** What the store does where the database gives it something that it cannot open. */
  spoil: async () => {
    await inSealed((values) => values.delete('shares/key'))
    const read = Effect.flatMap(ShareStore, ({ list }) => list)
    const put = Effect.flatMap(ShareStore, ({ put }) =>
      put({ walletId: 'x', userId: 'x', address: 'x', shareText: Redacted.make('x') }),
    )
    const exits = await Promise.all(
      [read, put].map((work) => Effect.runPromiseExit(Effect.provide(Effect.asVoid(work), layer))),
    )
    return exits.map((exit) => (Exit.isFailure(exit) ? String(exit.cause) : 'done'))
  },
}

Object.assign(window, { shown })
