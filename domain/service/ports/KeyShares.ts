import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Encryptor } from '../../model/KeyShare.ts'

/** A backup of the user's half: ciphertext, and who vouches for it (flows A4). */
export type KeyShare = {
  readonly id: string
  readonly walletId: string
  readonly userId: string
  readonly partnerId: string
  readonly epoch: number
  readonly shareId: string
  readonly encryptor: Encryptor
  /** recoveryPublicKeyId, biometricPublicKey or passwordId, by encryptor. */
  readonly keyRef: string
  readonly encryptedShare: string
  readonly encryptedKey: string | null
  readonly protocolId: string | null
  /** hex(64) and hex; null for clients without a device key. */
  readonly deviceSignature: string | null
  readonly certificate: string | null
  readonly createdAt: number
}

type Sharing = Pick<KeyShare, 'epoch' | 'shareId'>

/** So many of the latest. */
export const latestKept = 5

/**
 * Backups are added, never changed. Of one sharing to one key the first and the latest stay, so that neither a client
 * that repeats itself fills the table nor a bad one displaces the good ones.
 */
export class KeyShares extends Context.Service<
  KeyShares,
  {
    /** The same ciphertext for the same key again is the same backup. */
    readonly add: (share: KeyShare) => Effect.Effect<void>
    /** Newest first. */
    readonly ofWallet: (walletId: string, shareId: string) => Effect.Effect<readonly KeyShare[]>
    /** Backups of every other sharing up to this one's epoch are gone for good. */
    readonly removeOthers: (walletId: string, sharing: Sharing) => Effect.Effect<void>
    /** Of what is staged beyond this epoch, only these sharings stay: an attempt makes one, and the others are dead. */
    readonly stageOnly: (walletId: string, beyond: number, shareIds: readonly string[]) => Effect.Effect<void>
    /** Those of a sharing that never took effect. */
    readonly remove: (walletId: string, shareId: string) => Effect.Effect<void>
  }
>()('tandem/service/KeyShares') {}
