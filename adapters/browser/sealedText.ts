/**
 * A text in IndexedDB, sealed by a non-extractable AES-GCM key that is stored beside it: what a script can copy cannot
 * be opened elsewhere. A copy of the browser's whole profile has both. A write is on the disk when its promise
 * resolves, because the service may destroy the old share as soon as the client acknowledges the new one.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { database } from './database.ts'
import { stored } from './StorageFailed.ts'

const version = 1

/** The AES-256-GCM ciphertext of the text, under a fresh IV each time. */
type Sealed = { readonly v: number; readonly iv: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer }

const sealing = database('tandem/sealed')

const aes = { name: 'AES-GCM', length: 256 }

export const sealedText = (name: string) => {
  const entries = { key: `${name}/key`, text: `${name}/text` }
  const binding = (iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: Uint8Array.from(utf8ToBytes(`tandem/sealed/v1/${name}`)),
  })

  const read = async (): Promise<string | undefined> => {
    const [key, found] = await sealing.read<[CryptoKey, Sealed]>([entries.key, entries.text])
    if (found === undefined) return undefined
    if (key === undefined) throw new Error('its key is gone')
    if (found.v !== version) throw new Error('a later version sealed it')
    return new TextDecoder().decode(await crypto.subtle.decrypt(binding(found.iv), key, found.sealed))
  }

  const write = async (text: string): Promise<void> => {
    const [known] = await sealing.read<[CryptoKey]>([entries.key])
    const key = known ?? (await crypto.subtle.generateKey(aes, false, ['encrypt', 'decrypt']))
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const sealed = await crypto.subtle.encrypt(binding(iv), key, Uint8Array.from(utf8ToBytes(text)))
    await sealing.write({ [entries.key]: key, [entries.text]: { v: version, iv, sealed } satisfies Sealed })
  }

  return {
    read: stored(read),
    /** Removing the text removes its key: older copies on the disk can no longer be opened. */
    write: (text: string | undefined) =>
      stored(() =>
        text === undefined ? sealing.write({ [entries.key]: undefined, [entries.text]: undefined }) : write(text),
      ),
  }
}
