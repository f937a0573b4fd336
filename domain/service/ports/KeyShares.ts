import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Encryptor } from '../../model/KeyShare.ts'

/** A backup of the user's half: ciphertext, with the signature and certificate of the device that made it. */
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

/** How many of the latest backups are kept, beside the first. */
export const latestKept = 5

/**
 * Backups are added, never changed. Of one sharing to one key the first and the latest are kept, so that a client that
 * repeats itself does not fill the table, and a bad backup does not displace the good ones.
 */
export class KeyShares extends Context.Service<
  KeyShares,
  {
    /** The same ciphertext for the same key again is stored once. */
    readonly add: (share: KeyShare) => Effect.Effect<void>
    /** Newest first. */
    readonly ofWallet: (walletId: string, shareId: string) => Effect.Effect<readonly KeyShare[]>
    /** The sharings of these wallets of which there are backups; a sharing may come more than once. */
    readonly sharingsOf: (
      walletIds: readonly string[],
    ) => Effect.Effect<readonly Pick<KeyShare, 'walletId' | 'shareId'>[]>
    /** Deletes the backups of every other sharing up to this one's epoch. */
    readonly removeOthers: (walletId: string, sharing: Sharing) => Effect.Effect<void>
    /**
     * Of the backups beyond this epoch, keeps only those of these sharings: an attempt makes one, and the others never
     * take effect.
     */
    readonly stageOnly: (walletId: string, beyond: number, shareIds: readonly string[]) => Effect.Effect<void>
    /** Deletes those of a sharing that never took effect. */
    readonly remove: (walletId: string, shareId: string) => Effect.Effect<void>
  }
>()('tandem/service/KeyShares') {}
