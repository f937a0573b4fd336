/**
 * Which backups count (domain/client/README.md#checked-backups). A share text proves only its own consistency, so a
 * writer of the database could plant a share of their own. Therefore the device that made the backup signed it, its
 * certificate leads to the root key that this credential unwrapped or the recovery secret names, and the service names
 * the active share.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import type { Success } from '../../../generated/handlers.ts'
import * as DeviceKey from '../../crypto/DeviceKey.ts'
import { equal } from '../../crypto/Equal.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import type { Encryptor } from '../../model/KeyShare.ts'
import type { UserShare } from '../../mpc/ShareText.ts'

export type Backup = Success<'listPasswordKeyShares'>['keyShares'][number]
export type ActiveShare = Success<'verifyPassword'>['activeShares'][number]

export type Credential = {
  readonly userId: string
  /** The wallet's. */
  readonly partnerId: string
  /**
   * The origin of the recovery page, which recovers wallets of all partners: its devices may sign backups of each of
   * them.
   */
  readonly connectOrigin: string
  readonly encryptor: Encryptor
  /** passwordId, biometricPublicKey or recoveryPublicKeyId. */
  readonly keyRef: string
  readonly rootPublicKey: Uint8Array
  /** Partners whose backups have to be signed. */
  readonly strict: readonly string[]
}

/**
 * Whether this opened backup is the user's active share of the wallet. `opened` has passed the check x·G = X already.
 */
export const checkBackup = (
  backup: Backup,
  active: ActiveShare,
  opened: UserShare,
  credential: Credential,
): Result.Result<UserShare, BackupRefused | RootKeyDiffers> => {
  const { share } = opened
  const refused = (reason: BackupRefused['reason']) =>
    Result.fail(new BackupRefused({ walletId: active.walletId, reason }))

  if (share.walletId !== active.walletId || opened.userId !== credential.userId) return refused('another wallet')
  if (opened.partnerId !== credential.partnerId) return refused('another wallet')
  if (bytesToHex(share.shareId) !== active.shareId || share.epoch !== active.epoch) return refused('not active')
  if (share.rootPublicKey.length > 0 && !equal(share.rootPublicKey, credential.rootPublicKey)) {
    return Result.fail(new RootKeyDiffers({ walletId: active.walletId }))
  }

  if (backup.deviceSignature !== undefined || backup.certificate !== undefined) {
    return isSignedByDevice(backup, opened, credential) ? Result.succeed(opened) : refused('wrong signature')
  }
  // Only shares of a client without a root key may be unsigned, and only if the partner is not strict.
  const mayBeUnsigned = share.rootPublicKey.length === 0 && !credential.strict.includes(credential.partnerId)
  return mayBeUnsigned ? Result.succeed(opened) : refused('not signed')
}

const isSignedByDevice = (backup: Backup, { share }: UserShare, credential: Credential): boolean => {
  const certificate = Result.getOrUndefined(
    RootKey.openCertificate(credential.rootPublicKey, bytesOf(backup.certificate)),
  )
  if (certificate?.userId !== credential.userId || !isOfPartner(certificate, credential)) return false
  const message = DeviceKey.backupMessage({
    userId: credential.userId,
    walletId: share.walletId,
    shareId: share.shareId,
    publicKey: share.publicKey,
    encryptor: credential.encryptor,
    keyRef: credential.keyRef,
    encryptedShare: backup.encryptedShare,
    encryptedKey: backup.encryptedKey,
  })
  return DeviceKey.verify(certificate.devicePublicKey, message, bytesOf(backup.deviceSignature))
}

const isOfPartner = (
  { partnerId, origin }: RootKey.DeviceCertificate,
  credential: Pick<Credential, 'partnerId' | 'connectOrigin'>,
): boolean => partnerId === credential.partnerId || (origin !== '' && origin === credential.connectOrigin)

const bytesOf = (text: string | undefined): Uint8Array => fromHex(text ?? '') ?? new Uint8Array(0)

/** This backup is left out, and its wallet is named as missing. `reason` is for logs only. */
export class BackupRefused extends Data.TaggedError('BackupRefused')<{
  readonly walletId: string
  readonly reason: 'not readable' | 'another wallet' | 'not active' | 'not signed' | 'wrong signature'
}> {}

/** A share is pinned to a root key that is not the user's: nothing is delivered. */
export class RootKeyDiffers extends Data.TaggedError('RootKeyDiffers')<{ readonly walletId: string }> {
  override readonly message = 'root key differs'
}
