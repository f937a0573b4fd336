/**
 * A text that rests in IndexedDB, sealed by an AES-GCM key that script can use and not read, and that rests beside it
 * (flows 1.2): what a page can copy out is worth nothing elsewhere. Whoever copies the browser's whole profile has
 * both. A write is on the disk when it is told (design 8.18).
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { database } from './database.ts'

const version = 1

/** What AES-256-GCM made of the text, under a fresh IV each time. */
type Sealed = { readonly v: number; readonly iv: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }

const sealing = database('tandem/sealed')

const aes = { name: 'AES-GCM', length: 256 }

export const sealedText = (name: string) => {
  const places = { key: `${name}/key`, text: `${name}/text` }
  const binding = (iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: Uint8Array.from(utf8ToBytes(`tandem/sealed/v1/${name}`)),
  })

  const read = async (): Promise<string | undefined> => {
    const [key, found] = await sealing.read<[CryptoKey, Sealed]>([places.key, places.text])
    if (found === undefined) return undefined
    if (key === undefined) throw new Error('its key is gone')
    if (found.v !== version) throw new Error('a later version sealed it')
    return new TextDecoder().decode(await crypto.subtle.decrypt(binding(found.iv), key, found.sealed))
  }

  const write = async (text: string): Promise<void> => {
    const [known] = await sealing.read<[CryptoKey]>([places.key])
    const key = known ?? (await crypto.subtle.generateKey(aes, false, ['encrypt', 'decrypt']))
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const sealed = await crypto.subtle.encrypt(binding(iv), key, Uint8Array.from(utf8ToBytes(text)))
    await sealing.write({ [places.key]: key, [places.text]: { v: version, iv, sealed } satisfies Sealed })
  }

  const work = <A>(run: () => Promise<A>): Effect.Effect<A> =>
    Effect.orDie(Effect.tryPromise({ try: run, catch: (cause) => new StorageFailed({ cause }) }))

  return {
    read: work(read),
    /** Nothing to keep takes the key with it: what a copy of the disk still holds opens no more. */
    write: (text: string | undefined) =>
      work(() =>
        text === undefined ? sealing.write({ [places.key]: undefined, [places.text]: undefined }) : write(text),
      ),
  }
}

/**
 * The disk is full, the browser's storage does not open, or a later version wrote what is there: nothing that follows
 * from the change has happened.
 */
export class StorageFailed extends Data.TaggedError('StorageFailed')<{ readonly cause: unknown }> {
  override readonly message = 'this browser cannot store key shares'
}
