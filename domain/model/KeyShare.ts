/** Key shares at rest and in transit: whose they are, what encrypts them, and the records that carry them. */
import * as Data from 'effect/Data'
import type { Scheme } from './Wallet.ts'

/** Whose share it is. */
export const owners = ['USER', 'RECOVERY'] as const
export type Owner = (typeof owners)[number]

/** What a backup is encrypted to. */
export const encryptors = ['RECOVERY', 'BIOMETRICS', 'PASSWORD'] as const
export type Encryptor = (typeof encryptors)[number]

/** The wire has a fourth one, USER, which only other clients send. */
export const wireEncryptors = ['USER', ...encryptors] as const
export type WireEncryptor = (typeof wireEncryptors)[number]

/** A backup is always one of the user's own share. */
export const backupType = 'USER' as const satisfies Owner

export type BackupKeyShare = {
  readonly walletId: string
  readonly encryptedShare: string
  /** Absent for RECOVERY, whose encryption needs none. */
  readonly encryptedKey?: string
  readonly type: Owner
  readonly encryptor: WireEncryptor
  readonly recoveryPublicKeyId?: string | null
  readonly biometricPublicKey?: string | null
  readonly passwordId?: string | null
  readonly partnerId?: string | null
  readonly protocolId?: string | null
}

/** The one field that names the key a backup is encrypted to. */
export const keyReference = (backup: BackupKeyShare): string | undefined => {
  switch (backup.encryptor) {
    case 'RECOVERY':
      return backup.recoveryPublicKeyId || undefined
    case 'BIOMETRICS':
      return backup.biometricPublicKey || undefined
    case 'PASSWORD':
      return backup.passwordId || undefined
    case 'USER':
      return undefined
  }
}

/**
 * Key-generation result. `recoveryShare` is null for pregenerated and Ed25519 wallets, and while another wallet of the
 * user lacks a backup.
 */
export type KeyGeneration = {
  /** The user's key share as text. Log it nowhere and send it nowhere; the app needs `walletId` alone. */
  readonly signer: string
  readonly walletId: string
  readonly recoveryShare: string | null
}

/** Whether key generation gives a recovery share: not for pregenerated and Ed25519 wallets. */
export const givesRecoveryShare = (wallet: { readonly scheme: Scheme; readonly isPregen: boolean }): boolean =>
  !wallet.isPregen && wallet.scheme !== 'ED25519'

/** Gives no reason: it would tell a wrong key from a changed ciphertext. */
export class BackupEncryptionFailed extends Data.TaggedError('BackupEncryptionFailed') {
  override readonly message = 'Error encrypting backup'
}

export class BackupDecryptionFailed extends Data.TaggedError('BackupDecryptionFailed') {
  override readonly message = 'Error decrypting backup'
}
