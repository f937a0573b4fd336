/**
 * The user's half, as ciphertext: backups to credentials and recovery keys (domain/service/README.md#backups). The
 * service can open none of it.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import {
  encryptors,
  keyReference,
  owners,
  wireEncryptors,
  type BackupKeyShare,
  type Encryptor,
} from '../model/KeyShare.ts'
import { NoValidWallet } from '../model/WalletSelection.ts'
import { NotFound } from './NotFound.ts'
import { pageAtWork } from './portalSessions.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { KeyShares, type KeyShare } from './ports/KeyShares.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Refreshes } from './ports/Refreshes.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Signatures } from './ports/Signatures.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { KeyShareOutOfDate } from './protocol/refusals.ts'
import { isUsableIn, type RecoveryRecord } from './Recovery.ts'
import { recoveryKeysOf } from './recoveryPublicKeys.ts'
import type { SessionRecord } from './Session.ts'
import { recoveringSessionOf } from './sessions.ts'
import { hasKey, type ActiveWallet } from './Wallet.ts'
import { requireOwnedOrRecovered } from './wallets.ts'

export const shareLength = 64 * 1024

/** A backup as the wire has it, with the fields that our SDK adds. */
export type Backup = Optional<BackupKeyShare> & {
  readonly shareId?: string | undefined
  readonly epoch?: number | undefined
  readonly deviceSignature?: string | undefined
  readonly certificate?: string | undefined
}

/** Optional fields may also be present as `undefined`. */
type Optional<A> = { readonly [K in keyof A]: undefined extends A[K] ? A[K] | undefined : A[K] }

/** Stores all backups, or none. An equal backup is stored once. */
export const createKeyShares = Effect.fn('keyShares.createKeyShares')(function* (
  userId: string,
  backups: readonly Backup[],
) {
  const caller = yield* recoveringSessionOf(userId)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('keyShares.create.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      // Locked, so that no refresh commits between the check of a wallet's sharing and its backup; always in one order.
      const { lock } = yield* Wallets
      for (const id of [...new Set(backups.map(({ walletId }) => walletId))].toSorted()) yield* lock(id)
      for (const backup of backups) {
        yield* (yield* KeyShares).add(yield* checked(caller, userId, backup))
        yield* failpoints.reach('keyShares.create.within')
      }
    }),
  )
  yield* failpoints.reach('keyShares.create.after')
})

/** Backups of one wallet: those to recovery keys for a recovery, the others for a session. */
export const listWalletKeyShares = Effect.fn('keyShares.listWalletKeyShares')(function* (
  userId: string,
  walletId: string,
  { type, encryptor }: { readonly type: string; readonly encryptor?: string | undefined },
) {
  const caller = yield* recoveringSessionOf(userId)
  const isKnown = owners.some((name) => name === type) && (encryptor === undefined || isWireEncryptor(encryptor))
  if (!isKnown) return yield* new InvalidKeyShare()
  const isRecovery = caller.recovery !== undefined
  if (encryptor === 'RECOVERY' && !isRecovery) return yield* new StepUpRequired()
  const wallet = yield* requireOwnedOrRecovered(caller, userId, walletId)
  if (!hasKey(wallet) || type !== 'USER') return []
  const stored = yield* (yield* KeyShares).ofWallet(wallet.id, wallet.shareId)
  return stored
    .filter((share) => (share.encryptor === 'RECOVERY') === isRecovery)
    .filter((share) => encryptor === undefined || share.encryptor === encryptor)
    .map((share) => ({ wallet, share }))
})

/** The backups that the recovery secret opens. */
export const listRecoveryKeyShares = Effect.fn('keyShares.listRecoveryKeyShares')(function* (
  userId: string,
  walletId: string,
  query: { readonly type: string; readonly encryptor: string },
) {
  if (query.type !== 'USER' || query.encryptor !== 'RECOVERY') return yield* new InvalidKeyShare()
  return yield* listWalletKeyShares(userId, walletId, query)
})

/**
 * The backups to a verified passkey, of each wallet of the session's partner, newest first. The page takes the first
 * that is good, so a bad one that was added later hides nothing.
 */
export const listPasskeyKeyShares = Effect.fn('keyShares.listPasskeyKeyShares')(function* (
  userId: string,
  biometricPublicKey: string,
) {
  const { partnerId } = yield* readingPage(userId)
  yield* ownPasskey(userId, biometricPublicKey)
  return yield* backupsTo(userId, partnerId, 'BIOMETRICS', biometricPublicKey)
})

export const listPasswordKeyShares = Effect.fn('keyShares.listPasswordKeyShares')(function* (
  userId: string,
  passwordId: string,
) {
  const { partnerId } = yield* readingPage(userId)
  yield* ownPassword(userId, passwordId)
  return yield* backupsTo(userId, partnerId, 'PASSWORD', passwordId)
})

type Recovering = { readonly session: SessionRecord; readonly recovery: RecoveryRecord | undefined }

/** The backup as it is stored, if all that it says holds. */
const checked = Effect.fnUntraced(function* (caller: Recovering, userId: string, backup: Backup) {
  const { session, recovery } = caller
  const wallet = yield* requireOwnedOrRecovered(caller, userId, backup.walletId)
  if (!hasKey(wallet)) return yield* new NoValidWallet()
  const { encryptor, encryptedShare, encryptedKey } = backup
  const keyRef = keyReferenceOf(backup)
  const isWhole =
    keyRef !== undefined &&
    isEncryptor(encryptor) &&
    encryptedShare.length <= shareLength &&
    (encryptor === 'RECOVERY') === (encryptedKey === undefined)
  if (!isWhole) return yield* new InvalidKeyShare()
  yield* requireKey(userId, recovery, encryptor, keyRef)
  const { shareId = wallet.shareId, epoch = wallet.epoch } = backup
  // A recovery backs up only the sharing that it makes.
  const isCurrent = shareId === wallet.shareId && epoch === wallet.epoch && recovery === undefined
  if (!isCurrent && !(yield* isStaged(session, wallet, epoch))) return yield* new KeyShareOutOfDate()
  if (!isCurrent) {
    const prepared = yield* (yield* Refreshes).prepared(wallet.id)
    yield* (yield* KeyShares).stageOnly(wallet.id, wallet.epoch, [shareId, ...prepared.map((one) => one.shareId)])
  }
  const share: KeyShare = {
    id: yield* (yield* SecureRandom).uuid,
    walletId: wallet.id,
    userId,
    partnerId: wallet.partnerId,
    epoch,
    shareId,
    encryptor,
    keyRef,
    encryptedShare,
    encryptedKey: encryptedKey ?? null,
    protocolId: backup.protocolId ?? null,
    deviceSignature: backup.deviceSignature ?? null,
    certificate: backup.certificate ?? null,
    createdAt: yield* Clock.currentTimeMillis,
  }
  return yield* requireSigned(caller, wallet, share)
})

/** Whether it is of the sharing that a refresh of this session is making. */
const isStaged = Effect.fnUntraced(function* (session: SessionRecord, wallet: ActiveWallet, epoch: number) {
  const live = Option.getOrUndefined(yield* (yield* Refreshes).live(wallet.id))
  return live?.sessionId === session.id && live.baseShareId === wallet.shareId && epoch === wallet.epoch + 1
})

const keyReferenceOf = ({ walletId, encryptedShare, type, encryptor, ...keys }: Backup) =>
  keyReference({
    walletId,
    encryptedShare,
    type,
    encryptor,
    recoveryPublicKeyId: keys.recoveryPublicKeyId ?? null,
    biometricPublicKey: keys.biometricPublicKey ?? null,
    passwordId: keys.passwordId ?? null,
  })

/**
 * A device of the user signed it, under a certificate of the root key: a writer of the database could otherwise put a
 * share of their own in its place. Only a client without a device key may add an unsigned one, and only to a wallet
 * without a root key.
 */
const requireSigned = Effect.fnUntraced(function* (
  { session, recovery }: Recovering,
  wallet: ActiveWallet,
  share: KeyShare,
) {
  const { deviceSignature, certificate, userId } = share
  const isPublicClients = !session.deviceSignsRequests && wallet.rootPublicKey === null && recovery === undefined
  if (deviceSignature === null && certificate === null && isPublicClients) return share
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const current = wallet.rootPublicKey ?? user?.rootPublicKey
  const root = fromHex((recovery === undefined ? current : recovery.credential?.rootPublicKey) ?? '', 32)
  const signature = fromHex(deviceSignature ?? '', DeviceKey.signatureLength)
  const certified = fromHex(certificate ?? '')
  if (root === undefined || signature === undefined || certified === undefined) return yield* new InvalidKeyShare()
  const { ed25519, p256 } = yield* Signatures
  const opened = RootKey.openCertificate(root, certified, ed25519)
  if (Result.isFailure(opened)) return yield* new InvalidKeyShare()
  const device = opened.success
  const message = DeviceKey.backupMessage({
    userId,
    walletId: share.walletId,
    shareId: hexToBytes(share.shareId),
    publicKey: hexToBytes(wallet.publicKey),
    encryptor: share.encryptor,
    keyRef: share.keyRef,
    encryptedShare: share.encryptedShare,
    encryptedKey: share.encryptedKey ?? undefined,
  })
  const isSigned =
    device.userId === userId &&
    device.partnerId === session.partnerId &&
    p256(device.devicePublicKey, message, signature)
  return isSigned ? share : yield* new InvalidKeyShare()
})

/** The key that the backup is encrypted to is the user's own. */
const requireKey = Effect.fnUntraced(function* (
  userId: string,
  recovery: RecoveryRecord | undefined,
  encryptor: Encryptor,
  keyRef: string,
) {
  switch (encryptor) {
    case 'PASSWORD':
      yield* ownPassword(userId, keyRef, recovery)
      return
    case 'BIOMETRICS':
      yield* ownPasskey(userId, keyRef, recovery)
      return
    case 'RECOVERY': {
      const keys = yield* recoveryKeysOf(userId, recovery)
      if (!keys.some(({ id }) => id === keyRef)) return yield* new NotFound()
    }
  }
})

export const ownPassword = Effect.fnUntraced(function* (userId: string, passwordId: string, recovery?: RecoveryRecord) {
  const password = Option.getOrUndefined(yield* (yield* Passwords).find(passwordId))
  if (password?.userId !== userId || !isUsableIn(recovery, password)) return yield* new NotFound()
  const { completion } = password
  return completion === null ? yield* new NotFound() : { ...password, completion }
})

const ownPasskey = Effect.fnUntraced(function* (userId: string, biometricPublicKey: string, recovery?: RecoveryRecord) {
  const passkeys = yield* (yield* Passkeys).ofUser(userId)
  const owned = passkeys.some(
    (passkey) => passkey.completion?.sigDerivedPublicKey === biometricPublicKey && isUsableIn(recovery, passkey),
  )
  if (!owned) return yield* new NotFound()
})

/** An export page may read the same backups; it leaves no shares. */
const readingPage = (userId: string) => pageAtWork(userId, ['login-password', 'login-passkey', 'export'])

const backupsTo = Effect.fnUntraced(function* (
  userId: string,
  partnerId: string,
  encryptor: Encryptor,
  keyRef: string,
) {
  const keyShares = yield* KeyShares
  const found: { readonly wallet: ActiveWallet; readonly share: KeyShare }[] = []
  for (const wallet of (yield* (yield* Wallets).ofUser(userId, partnerId)).filter(hasKey)) {
    const stored = yield* keyShares.ofWallet(wallet.id, wallet.shareId)
    const shares = stored.filter((one) => one.encryptor === encryptor && one.keyRef === keyRef)
    found.push(...shares.map((share) => ({ wallet, share })))
  }
  return found
})

const isEncryptor = (encryptor: string): encryptor is Encryptor => encryptors.some((name) => name === encryptor)

const isWireEncryptor = (text: string): boolean => wireEncryptors.some((name) => name === text)

/** A field is missing, wrong or too large, or no device of the user signed it. */
export class InvalidKeyShare extends Data.TaggedError('InvalidKeyShare') {
  override readonly message = 'invalid key share'
}

/** A session alone is not enough. */
export class StepUpRequired extends Data.TaggedError('StepUpRequired') {
  override readonly message = 'a step-up is required'
}
