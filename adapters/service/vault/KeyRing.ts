/**
 * A key ring: key-encryption keys with ids, one of which seals; the others open what they sealed earlier. This is the
 * port that sealing takes. Its adapter is a file (`ringFile.ts`); one for a key management service unwraps its keys when
 * the process starts and keeps them here, so that no signature waits for it.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { encode } from '../../../domain/crypto/Transcript.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'

export const keyLength = 32
export const keyIdLength = 8

export type RingKey = {
  /** hex(8), computed from the key. Sealed records name it. */
  readonly id: string
  /** 32 bytes */
  readonly key: Uint8Array
  /** Milliseconds since 1970. In the future for a key that not every process may know yet. */
  readonly activeFrom: number
}

export type KeyRing = {
  /** As last read, oldest first; never empty. */
  readonly keys: () => readonly RingKey[]
  /** False for the one key of before there were rings, which a process of that version may be using, too. */
  readonly isFiled: () => boolean
  /** The key that seals. */
  readonly active: () => RingKey
  /** `undefined` if the ring has no such key, also after it was read again. */
  readonly find: (id: string) => RingKey | undefined
}

/** The rings that a process has. */
export type Rings = { readonly [R in Ring]?: KeyRing | undefined }

export const ringKey = (key: Uint8Array, activeFrom: number): RingKey => ({ id: idOf(key), key, activeFrom })

/** The newest key whose time has come; the oldest if there is none. */
export const activeOf = (keys: readonly RingKey[], now: number): RingKey | undefined =>
  keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0]

const idOf = (key: Uint8Array): string =>
  bytesToHex(sha256(encode('tandem/vault/key-id/v1', [key])).subarray(0, keyIdLength))
