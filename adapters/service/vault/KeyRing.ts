/**
 * A key ring: key-encryption keys with ids, one of which seals; the others open what they sealed earlier. `RingStore` is
 * the port of the place where it rests, and `KeyRing` what a process has of it. The adapter is a file (`ringFile.ts`).
 * One for a key management service has its keys unwrapped by `open` and keeps them, so that no signature waits for it.
 * The co-signer's threads have no ring of their own: each order brings the keys.
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
  /**
   * Whether runs may be under way that were sealed without the ring: it is not filed, or this process saw it come and such
   * a run may still live. Later they open nothing, because every process has the run keys and could make one.
   */
  readonly takesRunsOfBefore: () => boolean
  /** The key that seals. */
  readonly active: () => RingKey
  /** `undefined` if the ring has no such key, also after it was read again. */
  readonly find: (id: string) => RingKey | undefined
}

export type FiledKey = RingKey & {
  /** Milliseconds since 1970; absent while a rotation to this key is under way. The first key needs no rotation. */
  readonly rewrappedAt?: number | undefined
}

/**
 * Where a ring rests. All may take long. They reject with `KeyFileRefused` where the ring is not one for here, or the
 * place does not give it.
 */
export type RingStore = {
  readonly ring: Ring
  /** For sentences. */
  readonly at: string
  /** Once, when the process starts. From then on the ring sees by itself, within `lookEveryMs`, what `replace` changes. */
  readonly open: () => Promise<KeyRing>
  /** Oldest first; undefined where there is no ring. */
  readonly read: () => Promise<readonly [FiledKey, ...FiledKey[]] | undefined>
  /** In the place of those that are there. The caller is alone. */
  readonly replace: (keys: readonly FiledKey[]) => Promise<void>
}

/** How long a process may take to see that a ring was replaced. */
export const lookEveryMs = 1_000

/** Keys as an order brings them to a thread. */
export type HeldKeys = {
  readonly keys: readonly RingKey[]
  readonly isFiled: boolean
  readonly takesRunsOfBefore: boolean
}

/** A ring of what `held` answers, which is asked for with each use. */
export const ringOfHeld = (held: () => HeldKeys): KeyRing => ({
  keys: () => held().keys,
  isFiled: () => held().isFiled,
  takesRunsOfBefore: () => held().takesRunsOfBefore,
  active: () => {
    const key = activeOf(held().keys, Date.now())
    if (key === undefined) throw new Error('no keys are held')
    return key
  },
  find: (id) => held().keys.find((key) => key.id === id),
})

/** The rings that a process has. */
export type Rings = { readonly [R in Ring]?: KeyRing | undefined }

export const ringKey = (key: Uint8Array, activeFrom: number): RingKey => ({ id: idOf(key), key, activeFrom })

/** The newest key whose time has come; the oldest if there is none. */
export const activeOf = (keys: readonly RingKey[], now: number): RingKey | undefined =>
  keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0]

const idOf = (key: Uint8Array): string =>
  bytesToHex(sha256(encode('tandem/vault/key-id/v1', [key])).subarray(0, keyIdLength))
