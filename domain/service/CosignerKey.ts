/** A frame key of the co-signer, and which of several signs at a time (domain/crypto/README.md#rotation-of-the-co-signers-key). */
import { hexToBytes } from '@noble/hashes/utils.js'
import type { SignedLink } from '../crypto/CosignerLink.ts'
import { cosignerKeyAssociatedData } from './protocol/associatedData.ts'
import type { AssociatedData } from './ports/Vault.ts'

export type CosignerKey = {
  /** hex(65) */
  readonly publicKey: string
  /** The secret half, sealed; a worker opens it. Empty once the key is retired. */
  readonly sealed: Uint8Array
  /** When it begins to sign, in milliseconds since 1970; 0 for the first key. */
  readonly from: number
  /** What the key before it says of it; absent for the first key. */
  readonly replaces?: {
    /** hex(65) */
    readonly publicKey: string
    /** Whether another than the co-signer may have used that key. */
    readonly isCompromised: boolean
    /** hex(64), by that key. */
    readonly signature: string
  }
}

export const cosignerKeyLimits = {
  /** How old what a process knows of the keys may be when it signs, in milliseconds. */
  lookEvery: 10_000,
  /** How long before it signs a key is in the database: every process has read it by then, also where clocks differ. */
  published: 30_000,
  /** How long a new key signs before new wallets pin it: a process whose clock is behind may sign by the one before. */
  settled: 60_000,
  /** As many links as the contract lists to clients (openapi/schemas/protocol.yaml). */
  rotations: 512,
  /** The links after these are for keys that are compromised; the ones before suffice for one each week for eight years. */
  ordinaryRotations: 448,
} as const

/** The key that signs. `keys`: oldest first. */
export const signingAt = (keys: readonly CosignerKey[], now: number): CosignerKey | undefined =>
  keys.findLast(({ from }) => from <= now) ?? keys[0]

/** The key that new wallets pin. One in the place of a compromised key is pinned at once. */
export const pinnedAt = (keys: readonly CosignerKey[], now: number): CosignerKey | undefined =>
  keys.findLast(
    ({ from, replaces }) => from + (replaces?.isCompromised === true ? 0 : cosignerKeyLimits.settled) <= now,
  ) ?? keys[0]

/** Sealed for its row and its public half: a key of another row does not open in its place. */
export const associatedDataOf = (name: string, { publicKey, replaces }: CosignerKey): AssociatedData =>
  cosignerKeyAssociatedData(name, replaces === undefined ? undefined : publicKey)

/** The chain that clients walk. */
export const linksOf = (name: string, keys: readonly CosignerKey[]): readonly SignedLink[] =>
  keys.flatMap(({ publicKey, from, replaces }) =>
    replaces === undefined
      ? []
      : [
          {
            name,
            oldKey: hexToBytes(replaces.publicKey),
            newKey: hexToBytes(publicKey),
            from,
            isCompromised: replaces.isCompromised,
            signature: hexToBytes(replaces.signature),
          },
        ],
  )
