/** Key shares at rest and in transit: who owns one, what encrypts it, in which records it travels (spec §3, §6). */
import * as Data from 'effect/Data'
import type { Scheme } from './Wallet.ts'

/** Whose share it is. */
export const owners = ['USER', 'RECOVERY'] as const
export type Owner = (typeof owners)[number]

/** What a backup is encrypted to. */
export const encryptors = ['RECOVERY', 'BIOMETRICS', 'PASSWORD'] as const
export type Encryptor = (typeof encryptors)[number]

/** The wire knows a fourth one, which other clients may send (contract-facts 3.1). */
export const wireEncryptors = ['USER', ...encryptors] as const
export type WireEncryptor = (typeof wireEncryptors)[number]

/** A backup in the user's hands is always of the user's own share. */
export const backupType = 'USER' as const satisfies Owner

/** Output of the hybrid encryption (spec §3). */
export type HybridCiphertext = { readonly encryptedMessageHex: string; readonly encryptedKeyHex: string }

export type BackupKeyShare = {
  readonly walletId: string
  readonly encryptedShare: string
  /** Not there for RECOVERY, whose encryption needs none (contract-facts 1.5). */
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

/** A share on its way to another device or to the host of a login. */
export type TemporaryShare = {
  readonly walletId: string
  readonly encryptedShare: string
  readonly encryptedKey: string
}

export type RecoveryPublicKey = { readonly id: string; readonly publicKey: string }

/** Key-generation result (spec §3). `recoveryShare` is null for pregen and Ed25519 wallets (spec §4). */
export type KeyGeneration = {
  readonly signer: string
  readonly walletId: string
  readonly recoveryShare: string | null
}

/** Normal keygen gives a recovery share; pregen and Ed25519 keygen give none (spec §4). */
export const givesRecoveryShare = (wallet: { readonly scheme: Scheme; readonly isPregen: boolean }): boolean =>
  !wallet.isPregen && wallet.scheme !== 'ED25519'

/** Says no more than that it failed: the reason would tell a wrong key from a changed text. */
export class BackupEncryptionFailed extends Data.TaggedError('BackupEncryptionFailed') {
  override readonly message = 'Error encrypting backup'
}

export class BackupDecryptionFailed extends Data.TaggedError('BackupDecryptionFailed') {
  override readonly message = 'Error decrypting backup'
}
