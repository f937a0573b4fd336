/**
 * A key management service as tests have it, and a ring whose keys rest wrapped by it. As an adapter for a real one would, the
 * ring has its keys unwrapped when it is opened and when it was replaced, and never waits for that to seal or open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { KeyFileRefused } from '../../adapters/service/vault/KeyFileRefused.ts'
import {
  lookEveryMs,
  ringKey,
  ringOfHeld,
  type FiledKey,
  type RingStore,
} from '../../adapters/service/vault/KeyRing.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'

export const makeKms = () => {
  let key = randomBytes(32)
  const kms = {
    /** How long each call takes, in milliseconds. */
    takesMs: 0,
    denies: false,
    /** How often it was asked to unwrap. */
    unwraps: 0,
    /** It has another key from now on. */
    replaceKey: () => {
      key = randomBytes(32)
    },
    wrap: async (plaintext: Uint8Array): Promise<string> => {
      await setTimeout(kms.takesMs)
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('hex')
    },
    unwrap: async (wrapped: string): Promise<Uint8Array> => {
      kms.unwraps++
      await setTimeout(kms.takesMs)
      if (kms.denies) throw new Error('AccessDenied')
      const bytes = Buffer.from(wrapped, 'hex')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    },
  }
  return kms
}

type Wrapped = Omit<FiledKey, 'key'> & { readonly wrapped: string }

/** What rests, by ring. */
export type Shelf = Map<Ring, readonly Wrapped[]>

/** Each process opens a store of its own on the same shelf. */
export const ringStoreOn = (shelf: Shelf, ring: Ring, kms: ReturnType<typeof makeKms>): RingStore => {
  const place = `kms/${ring}`
  const refuse = (what: string) => new KeyFileRefused('KMS', place, what)
  const unwrapped = async ({ wrapped, id, activeFrom, ...times }: Wrapped): Promise<FiledKey> => {
    const key = await kms.unwrap(wrapped).catch((cause: unknown) => {
      throw refuse(`is not unwrapped: ${cause instanceof Error ? cause.message : 'no reason'}`)
    })
    const opened = ringKey(key, activeFrom)
    if (opened.id !== id) throw refuse('has another key than it says')
    return { ...opened, ...times }
  }
  const read: RingStore['read'] = async () => {
    const [first, ...rest] = shelf.get(ring) ?? []
    if (first === undefined) return undefined
    return [await unwrapped(first), ...(await Promise.all(rest.map(unwrapped)))]
  }
  return {
    ring,
    at: place,
    read,
    replace: async (keys) => {
      const wrapped = keys.map(async ({ key, ...rest }) => ({ ...rest, wrapped: await kms.wrap(key) }))
      shelf.set(ring, await Promise.all(wrapped))
    },
    open: async () => {
      let seen = shelf.get(ring)
      const first = await read()
      if (first === undefined) throw refuse('does not exist')
      let keys: readonly FiledKey[] = first
      const look = async () => {
        const now = shelf.get(ring)
        if (now === seen) return
        keys = (await read()) ?? keys
        seen = now
      }
      // What cannot be unwrapped now is tried again; the keys that are there stay.
      setInterval(() => void look().catch(() => undefined), lookEveryMs / 2).unref()
      return ringOfHeld(() => ({ keys, isFiled: true, takesRunsOfBefore: false }))
    },
  }
}
