/**
 * Opens the user's shares with their recovery secret (domain/client/README.md#recovery). The secret and what it opens
 * go only to the caller; nothing is sent.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import type { Success } from '../../../generated/handlers.ts'
import * as Ecies from '../../crypto/Ecies.ts'
import * as RecoverySecret from '../../crypto/RecoverySecret.ts'
import * as ShareText from '../../mpc/ShareText.ts'
import * as Address from '../../model/Address.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { originOf } from '../../model/Url.ts'
import { checkBackup } from '../portal/checkBackup.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { Settings } from '../ports/Settings.ts'
import { listRecoverable, type Recoverable, type RecoverableWallet } from './startRecovery.ts'

/** A wallet with the share that was opened for it. */
export type OpenedWallet = { readonly wallet: RecoverableWallet; readonly user: ShareText.UserShare }

/** A wallet whose share the secret does not open, and why. */
export type UnopenedWallet = {
  readonly wallet: RecoverableWallet
  readonly cause: BackupDecryptionFailed | RecoveryBackupMissing | RecoveryBackupRefused
  /** Of the backups that it was tried on. */
  readonly recoveryPublicKeyIds: readonly string[]
}

export type OpenedBackups = {
  readonly userId: string
  readonly wallets: readonly OpenedWallet[]
  /** They stay behind if the person goes on. */
  readonly leftBehind: readonly UnopenedWallet[]
  /** It signs for wallets that stay behind, and is tried on them once more before that; none otherwise. */
  readonly secret?: Redacted.Redacted<RecoverySecret.RecoverySecret> | undefined
  /**
   * Whether the root key that the secret names confirms every share. Older secrets name none: then the user has to
   * confirm that the addresses are theirs.
   */
  readonly isSigned: boolean
}

/**
 * Opens a backup of every wallet with the secret, which is the text that was given at sign-up. Of several wallets some
 * may stay closed: a wallet that has no backup, or none of the user's, does not keep the others from being recovered.
 * Fails if none opens, and for an older secret if not all do: such a secret proves nothing to the service.
 */
export const openBackups = Effect.fn('recovery.openBackups')(function* (
  { userId, wallets }: Recoverable,
  text: string,
) {
  const secret = RecoverySecret.read(text)
  if (secret === undefined) return yield* new BackupDecryptionFailed()
  yield* report({ step: 'opening-backups' })
  let tried = yield* openEach(userId, wallets, secret)
  // Refreshed after the wallets were listed: their backups are of a later sharing than the listed one.
  if (tried.leftBehind.some(({ cause }) => 'reason' in cause && cause.reason === 'not active')) {
    tried = yield* tryAgain(userId, tried, secret)
  }
  const isSigned = secret.rootPublicKey !== undefined
  const { leftBehind } = tried
  // A wrong secret opens none, whatever other wallets lack.
  const first = leftBehind.find(({ cause }) => cause._tag === 'BackupDecryptionFailed') ?? leftBehind[0]
  if (first !== undefined && (tried.wallets.length === 0 || !isSigned)) return yield* first.cause
  const kept = first === undefined ? undefined : Redacted.make(secret, { label: 'recovery secret' })
  const backups: OpenedBackups = { userId, ...tried, secret: kept, isSigned }
  return backups
})

/** Tries the secret once more on the wallets that would stay behind, as they are now. Adds none to them. */
export const openAgain = Effect.fn('recovery.openAgain')(function* (backups: OpenedBackups) {
  const { userId, secret } = backups
  if (secret === undefined) return backups
  const again: OpenedBackups = { ...backups, ...(yield* tryAgain(userId, backups, Redacted.value(secret))) }
  return again
})

type Tried = Pick<OpenedBackups, 'wallets' | 'leftBehind'>

const tryAgain = Effect.fnUntraced(function* (
  userId: string,
  { wallets, leftBehind }: Tried,
  secret: RecoverySecret.RecoverySecret,
) {
  const listed = (yield* listRecoverable(userId)).wallets
  const unopened = listed.filter(({ walletId }) => leftBehind.some(({ wallet }) => wallet.walletId === walletId))
  const tried = yield* openEach(userId, unopened, secret)
  return { wallets: [...wallets, ...tried.wallets], leftBehind: tried.leftBehind } satisfies Tried
})

const openEach = Effect.fnUntraced(function* (
  userId: string,
  wallets: readonly RecoverableWallet[],
  secret: RecoverySecret.RecoverySecret,
) {
  const opened: OpenedWallet[] = []
  const leftBehind: UnopenedWallet[] = []
  for (const wallet of wallets) {
    const one = yield* openWallet(userId, wallet, secret)
    if ('cause' in one) leftBehind.push(one)
    else opened.push(one)
  }
  return { wallets: opened, leftBehind } satisfies Tried
})

/** Of an account that has no wallets: no secret is asked for, since there is nothing that it opens. */
export const noBackups = (userId: string): OpenedBackups => ({ userId, wallets: [], leftBehind: [], isSigned: true })

type Backup = Success<'listRecoveryKeyShares'>['keyShares'][number]

/** The newest backup that passes: a bad one that was added later hides nothing. */
const openWallet = Effect.fn('recovery.openWallet')(function* (
  userId: string,
  wallet: RecoverableWallet,
  secret: RecoverySecret.RecoverySecret,
) {
  const { walletId } = wallet
  const { keyShares } = yield* (yield* Api).call('listRecoveryKeyShares', {
    path: { userId, walletId },
    query: { type: 'USER', encryptor: 'RECOVERY' },
  })
  const connectOrigin = originOf((yield* Settings).hosts.connect)
  const results = keyShares.map((backup) => openBackup({ userId, wallet, secret, connectOrigin }, backup))
  const good = results.find(Result.isSuccess)
  const opened: OpenedWallet | undefined = good && { wallet, user: good.success }
  if (opened !== undefined) return opened
  const refused = results.flatMap((result) =>
    Result.isFailure(result) && result.failure._tag === 'RecoveryBackupRefused' ? [result.failure] : [],
  )
  const cause = keyShares.length === 0 ? new RecoveryBackupMissing({ walletId }) : refused[0]
  const unopened: UnopenedWallet = {
    wallet,
    cause: cause ?? new BackupDecryptionFailed(),
    recoveryPublicKeyIds: keyShares.flatMap(({ recoveryPublicKeyId }) => recoveryPublicKeyId ?? []),
  }
  return unopened
})

type Expected = {
  readonly userId: string
  readonly wallet: RecoverableWallet
  readonly secret: RecoverySecret.RecoverySecret
  readonly connectOrigin: string
}

const openBackup = (
  { userId, wallet, secret, connectOrigin }: Expected,
  backup: Backup,
): Result.Result<ShareText.UserShare, BackupDecryptionFailed | RecoveryBackupRefused> => {
  const { walletId, partnerId } = wallet
  const opened = Result.flatMap(
    Ecies.open({ secretKey: secret.backupDecryptionKey, text: backup.encryptedShare }),
    (text) => ShareText.open(Redacted.make(text)),
  )
  if (Result.isFailure(opened)) return Result.fail(new BackupDecryptionFailed())
  const { share } = opened.success
  const checked = checkBackup(backup, wallet, opened.success, {
    userId,
    partnerId,
    connectOrigin,
    encryptor: 'RECOVERY',
    keyRef: backup.recoveryPublicKeyId ?? '',
    rootPublicKey: secret.rootPublicKey ?? share.rootPublicKey,
    strict: secret.rootPublicKey === undefined ? [] : [partnerId],
  })
  const refused = (reason: RecoveryBackupRefused['reason']) =>
    Result.fail(new RecoveryBackupRefused({ walletId, reason }))
  if (Result.isFailure(checked)) {
    return refused(checked.failure._tag === 'RootKeyDiffers' ? 'another root key' : checked.failure.reason)
  }
  const isListed = share.scheme === wallet.scheme && bytesToHex(share.publicKey) === wallet.publicKey
  const isAddress = addressOf(wallet, share.publicKey) === wallet.address
  return isListed && isAddress ? Result.succeed(checked.success) : refused('another key')
}

/** The address of the share's own key, for Cosmos under the prefix of the listed address. */
const addressOf = ({ type, address }: RecoverableWallet, publicKey: Uint8Array): string | undefined => {
  try {
    return Address.fromPublicKey(type, publicKey, type === 'COSMOS' ? address.replace(/1[^1]*$/, '') : undefined)
  } catch {
    return undefined
  }
}

/** This wallet has no backup that a recovery secret opens. */
export class RecoveryBackupMissing extends Data.TaggedError('RecoveryBackupMissing')<{ readonly walletId: string }> {
  override readonly message = 'a wallet has no backup for a recovery secret'
}

/**
 * The secret opens a backup of this wallet, but the share is not of the listed key or was not backed up by a device of
 * the user. `reason` is for logs only.
 */
export class RecoveryBackupRefused extends Data.TaggedError('RecoveryBackupRefused')<{
  readonly walletId: string
  readonly reason:
    | 'not readable'
    | 'another wallet'
    | 'not active'
    | 'not signed'
    | 'wrong signature'
    | 'another root key'
    | 'another key'
}> {
  override readonly message = 'backup verification failed'
}
