/**
 * The user's half, as ciphertext: backups to credentials and recovery keys (flows 5.8, 5.9), shares on their way
 * through a login (flows 6.8, 6.11), and the wrapped private keys of credentials. Nothing here can be opened by the
 * service.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import { fromHex } from '../crypto/Hex.ts'
import type { Page } from '../crypto/Opener.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import * as RootKey from '../crypto/RootKey.ts'
import {
  encryptors,
  keyReference,
  owners,
  wireEncryptors,
  type BackupKeyShare,
  type Encryptor,
} from '../model/KeyShare.ts'
import { newDeviceLookupId, NoSignedInUser } from '../model/Session.ts'
import { NoValidWallet } from '../model/WalletSelection.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import * as openings from './openings.ts'
import { isAtWork } from './Opening.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { KeyShares, type KeyShare } from './ports/KeyShares.ts'
import { Openings } from './ports/Openings.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { Refreshes } from './ports/Refreshes.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { TemporaryShares } from './ports/TemporaryShares.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { KeyShareOutOfDate } from './protocol/refusals.ts'
import { isUsableIn, type Recovery } from './Recovery.ts'
import type { Session } from './Session.ts'
import { newDevice, recoveringSessionOf, sessionOf } from './sessions.ts'
import { waitFor } from './waiting.ts'
import { hasKey, type ActiveWallet } from './Wallet.ts'
import { requireOwned, requireOwnedOrRecovered } from './wallets.ts'

export const limits = {
  /** Flows 6.8. */
  temporaryLife: 5 * 60_000,
  shareLength: 64 * 1024,
  /** Security 2, recovery keys. */
  recoveryPublicKeys: 10,
  /** A wrapped RSA-2048 key is some 4 KiB. */
  privateKeyLength: 16 * 1024,
} as const

/** A backup as the wire has it, with what ours adds (flows 5.9). */
export type Backup = Optional<BackupKeyShare> & {
  readonly shareId?: string | undefined
  readonly epoch?: number | undefined
  readonly deviceSignature?: string | undefined
  readonly certificate?: string | undefined
}

/** Fields that may be missing may also be there without a value. */
type Optional<A> = { readonly [K in keyof A]: undefined extends A[K] ? A[K] | undefined : A[K] }

/** Stores all backups, or none. The same again is the same. */
export const createKeyShares = Effect.fn('keyShares.createKeyShares')(function* (
  userId: string,
  backups: readonly Backup[],
) {
  const caller = yield* recoveringSessionOf(userId)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('keyShares.create.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      // No refresh commits between the look at a wallet's sharing and the backup of it; always in one order.
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

/** Backups of one wallet. Those of the recovery key are for a recovery, the others for a session (security 2). */
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

/** What the recovery secret opens (flows 10.3). */
export const listRecoveryKeyShares = Effect.fn('keyShares.listRecoveryKeyShares')(function* (
  userId: string,
  walletId: string,
  query: { readonly type: string; readonly encryptor: string },
) {
  if (query.type !== 'USER' || query.encryptor !== 'RECOVERY') return yield* new InvalidKeyShare()
  return yield* listWalletKeyShares(userId, walletId, query)
})

/**
 * What a verified passkey opens of each wallet of the session's partner, newest first (flows 6.6). The page takes the
 * first that is good: a bad one that was added later hides nothing.
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

export type TemporaryShare = {
  readonly walletId: string
  readonly encryptedShare: string
  readonly encryptedKey?: string | undefined
  readonly sessionLookupId: string
}

/** The page leaves the shares for the session that it works for, and for no other (flows 6.8). */
export const createTemporaryShares = Effect.fn('keyShares.createTemporaryShares')(function* (
  userId: string,
  shares: readonly TemporaryShare[],
) {
  const portal = yield* verifiedPage(userId)
  const session = yield* openings.sessionOfPortal(portal)
  const expiresAt = (yield* Clock.currentTimeMillis) + limits.temporaryLife
  const failpoints = yield* Failpoints
  yield* failpoints.reach('temporaryShares.create.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      for (const { walletId, encryptedShare, encryptedKey, sessionLookupId } of shares) {
        if (sessionLookupId !== session.lookupId) yield* requireNewDevice(sessionLookupId, session.partnerId, userId)
        const wallet = yield* requireOwned(userId, session.partnerId, walletId)
        if (!hasKey(wallet)) return yield* new NoValidWallet()
        const length = encryptedShare.length + (encryptedKey?.length ?? 0)
        if (length > limits.shareLength) return yield* new InvalidKeyShare()
        yield* (yield* TemporaryShares).put({
          sessionLookupId,
          walletId,
          userId,
          openingId: portal.openingId,
          encryptedShare,
          encryptedKey: encryptedKey ?? null,
          expiresAt,
        })
      }
    }),
  )
  yield* failpoints.reach('temporaryShares.create.after')
})

/**
 * For the session with that lookup id alone, once its opening is committed. With `Prefer: wait` as soon as there are
 * any.
 */
export const listTemporaryShares = Effect.fn('keyShares.listTemporaryShares')(function* (
  userId: string,
  sessionLookupId: string,
) {
  yield* ownLookupId(userId, sessionLookupId)
  const shares = yield* TemporaryShares
  const ask = Effect.gen(function* () {
    const stored = yield* shares.ofLookupId(sessionLookupId, yield* Clock.currentTimeMillis)
    const released: typeof stored[number][] = []
    for (const share of stored) {
      if (share.userId === userId && (yield* isCommitted(share.openingId))) released.push(share)
    }
    return released
  })
  return yield* waitFor(ask, (released) => released.length > 0)
})

/** The host has stored them: nobody needs them here any more (flows 6.12). */
export const deleteTemporaryShares = Effect.fn('keyShares.deleteTemporaryShares')(function* (
  userId: string,
  sessionLookupId: string,
) {
  yield* ownLookupId(userId, sessionLookupId)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('temporaryShares.delete.before')
  yield* (yield* TemporaryShares).remove(sessionLookupId)
  yield* failpoints.reach('temporaryShares.delete.after')
})

/** With the session that they were for. */
export const forgetTemporaryShares = Effect.fn('keyShares.forgetTemporaryShares')(function* (sessionLookupId: string) {
  const shares = yield* TemporaryShares
  yield* shares.remove(sessionLookupId)
  yield* shares.remove(newDeviceLookupId(sessionLookupId))
})

/** Deletes what nobody fetched. The schedule is the composition's. */
export const sweep = Effect.fn('keyShares.sweep')(function* () {
  yield* (yield* TemporaryShares).sweep(yield* Clock.currentTimeMillis)
})

/** Adds keys that are not there yet. None is ever changed; those of a recovery wait for its end. */
export const createRecoveryPublicKeys = Effect.fn('keyShares.createRecoveryPublicKeys')(function* (
  userId: string,
  publicKeys: readonly string[],
  rootSignatures: readonly string[] = [],
) {
  const { recovery } = yield* recoveringSessionOf(userId)
  const keys = yield* RecoveryPublicKeys
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const rootPublicKey = recovery === undefined ? user?.rootPublicKey : recovery.credential?.rootPublicKey
  const createdAt = yield* Clock.currentTimeMillis
  const random = yield* SecureRandom
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      for (const [index, publicKey] of publicKeys.entries()) {
        const signature = rootSignatures[index] ?? null
        const mayBeUnsigned = recovery === undefined
        const isGood = isRecoveryKey(userId, rootPublicKey ?? null, publicKey, signature)
        if (!isGood || (signature === null && !mayBeUnsigned)) return yield* new InvalidRecoveryPublicKey()
        yield* keys.add({ id: yield* random.uuid, userId, publicKey, signature, createdAt }, recovery?.sessionId)
      }
      const stored = yield* recoveryKeysOf(userId, recovery)
      return stored.length > limits.recoveryPublicKeys ? yield* new TooManyRecoveryPublicKeys() : stored
    }),
  )
})

export const listRecoveryPublicKeys = Effect.fn('keyShares.listRecoveryPublicKeys')(function* (userId: string) {
  const { recovery } = yield* recoveringSessionOf(userId)
  return yield* recoveryKeysOf(userId, recovery)
})

/** In a recovery only those that it made. */
const recoveryKeysOf = Effect.fnUntraced(function* (userId: string, recovery: Recovery | undefined) {
  const keys = yield* RecoveryPublicKeys
  return yield* recovery === undefined ? keys.ofUser(userId) : keys.ofRecovery(userId, recovery.sessionId)
})

export type WrappedKey = {
  readonly encryptedWalletPrivateKey: string
  readonly encryptionKeyHash: string
  readonly biometricPublicKey?: string | undefined
  readonly passwordId?: string | undefined
}

/**
 * The page stores the wrapped private key of its record before it completes that (flows 4.8). It belongs to the record
 * alone: nobody finds it in the place of another credential's.
 */
export const createEncryptedWalletPrivateKey = Effect.fn('keyShares.createEncryptedWalletPrivateKey')(function* (
  userId: string,
  { encryptedWalletPrivateKey, encryptionKeyHash, biometricPublicKey, passwordId }: WrappedKey,
) {
  const portal = yield* pageAtWork(userId, ['create-password', 'create-passkey'])
  const isOfOne = (biometricPublicKey === undefined) !== (passwordId === undefined)
  if (!isOfOne || encryptedWalletPrivateKey.length > limits.privateKeyLength) return yield* new InvalidKeyShare()
  const isOfPasskey = portal.page === 'create-passkey'
  const isOfPage = isOfPasskey ? biometricPublicKey !== undefined : portal.record === passwordId
  if (!isOfPage || portal.record === null) return yield* new NotFound()
  const { record } = portal
  const key = {
    id: yield* (yield* SecureRandom).uuid,
    userId,
    encryptedPrivateKey: encryptedWalletPrivateKey,
    encryptionKeyHash,
    biometricPublicKey: biometricPublicKey ?? null,
    passkeyId: isOfPasskey ? record : null,
    passwordId: passwordId ?? null,
    createdAt: yield* Clock.currentTimeMillis,
  }
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(portal.sessionId)
      const [passwords, passkeys] = [yield* Passwords, yield* Passkeys]
      const status = isOfPasskey
        ? Option.getOrUndefined(yield* passkeys.find(record))?.status
        : Option.getOrUndefined(yield* passwords.find(record))?.status
      if (status !== 'PENDING') return yield* new openings.LinkExpired()
      const isTaken = (yield* passkeys.ofUser(userId)).some(
        ({ status: standing, completion }) =>
          standing === 'COMPLETE' && completion?.sigDerivedPublicKey === biometricPublicKey,
      )
      return isTaken ? yield* new InvalidKeyShare() : yield* (yield* EncryptedWalletPrivateKeys).put(key)
    }),
  )
})

/** By the id or by the hash of the wrapping key (design 8.5). */
export const listEncryptedWalletPrivateKeys = Effect.fn('keyShares.listEncryptedWalletPrivateKeys')(function* (
  userId: string,
  idOrHash: string,
) {
  const { portal } = yield* Caller
  if (portal === undefined) yield* sessionOf(userId)
  else yield* verifiedPage(userId)
  const stored = yield* (yield* EncryptedWalletPrivateKeys).ofUser(userId)
  return stored.filter(({ id, encryptionKeyHash }) => id === idOrHash || encryptionKeyHash === idOrHash)
})

/** What a verified password wraps. */
export const getEncryptedWalletPrivateKey = Effect.fn('keyShares.getEncryptedWalletPrivateKey')(function* (
  passwordId: string,
) {
  const { portal } = yield* Caller
  const { userId } = yield* verifiedPage(portal?.userId ?? '')
  const { completion, createdAt } = yield* ownPassword(userId, passwordId)
  return {
    id: passwordId,
    userId,
    encryptedPrivateKey: completion.encryptedWalletPrivateKey,
    encryptionKeyHash: completion.encryptionKeyHash,
    biometricPublicKey: null,
    passkeyId: null,
    passwordId,
    createdAt,
  }
})

type Recovering = { readonly session: Session; readonly recovery: Recovery | undefined }

/** The backup, if everything that it says is true. */
const checked = Effect.fnUntraced(function* (caller: Recovering, userId: string, backup: Backup) {
  const { session, recovery } = caller
  const wallet = yield* requireOwnedOrRecovered(caller, userId, backup.walletId)
  if (!hasKey(wallet)) return yield* new NoValidWallet()
  const { encryptor, encryptedShare, encryptedKey } = backup
  const keyRef = keyReferenceOf(backup)
  const isWhole =
    keyRef !== undefined &&
    isEncryptor(encryptor) &&
    encryptedShare.length <= limits.shareLength &&
    (encryptor === 'RECOVERY') === (encryptedKey === undefined)
  if (!isWhole) return yield* new InvalidKeyShare()
  yield* requireKey(userId, recovery, encryptor, keyRef)
  const { shareId = wallet.shareId, epoch = wallet.epoch } = backup
  // A recovery backs up only what it makes itself.
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
  return yield* vouched(caller, wallet, share)
})

/** A backup of the sharing that a refresh of this session is about to make (flows 9.4). */
const isStaged = Effect.fnUntraced(function* (session: Session, wallet: ActiveWallet, epoch: number) {
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
 * A device of the user answers for it, by a certificate of the root key (flows A4). Only a client without a device key
 * adds one that nobody answers for, and only to a wallet that has no root key.
 */
const vouched = Effect.fnUntraced(function* ({ session, recovery }: Recovering, wallet: ActiveWallet, share: KeyShare) {
  const { deviceSignature, certificate, userId } = share
  const isPublicClients = !session.deviceSignsRequests && wallet.rootPublicKey === null && recovery === undefined
  if (deviceSignature === null && certificate === null && isPublicClients) return share
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const standing = wallet.rootPublicKey ?? user?.rootPublicKey
  const root = fromHex((recovery === undefined ? standing : recovery.credential?.rootPublicKey) ?? '', 32)
  const signature = fromHex(deviceSignature ?? '', DeviceKey.signatureLength)
  const certified = fromHex(certificate ?? '')
  if (root === undefined || signature === undefined || certified === undefined) return yield* new InvalidKeyShare()
  const opened = RootKey.openCertificate(root, certified)
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
  const isVouched =
    device.userId === userId &&
    device.partnerId === session.partnerId &&
    DeviceKey.verify(device.devicePublicKey, message, signature)
  return isVouched ? share : yield* new InvalidKeyShare()
})

/** The key that the backup is encrypted to is one of the user's own (flows 5.9). */
const requireKey = Effect.fnUntraced(function* (
  userId: string,
  recovery: Recovery | undefined,
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

const ownPassword = Effect.fnUntraced(function* (userId: string, passwordId: string, recovery?: Recovery) {
  const password = Option.getOrUndefined(yield* (yield* Passwords).find(passwordId))
  if (password?.userId !== userId || !isUsableIn(recovery, password)) return yield* new NotFound()
  const { completion } = password
  return completion === null ? yield* new NotFound() : { ...password, completion }
})

const ownPasskey = Effect.fnUntraced(function* (userId: string, biometricPublicKey: string, recovery?: Recovery) {
  const passkeys = yield* (yield* Passkeys).ofUser(userId)
  const owned = passkeys.some(
    (passkey) => passkey.completion?.sigDerivedPublicKey === biometricPublicKey && isUsableIn(recovery, passkey),
  )
  if (!owned) return yield* new NotFound()
})

/** A login page at work, whose user proved a credential to it (flows 6.6). */
const verifiedPage = (userId: string) => pageAtWork(userId, ['login-password', 'login-passkey'])

/** An export page may read the same backups, and leaves no shares for anybody. */
const readingPage = (userId: string) => pageAtWork(userId, ['login-password', 'login-passkey', 'export'])

const pageAtWork = Effect.fnUntraced(function* (userId: string, pages: readonly Page[]) {
  const portal = yield* openings.portalOf(pages)
  if (portal.userId === null) return yield* new NoSignedInUser()
  if (portal.userId !== userId) return yield* new NotFound()
  if (!isAtWork(portal)) return yield* new openings.LinkExpired()
  return { ...portal, userId: portal.userId }
})

const ownLookupId = Effect.fnUntraced(function* (userId: string, sessionLookupId: string) {
  const { lookupId } = yield* sessionOf(userId)
  const isOwn = sessionLookupId === lookupId || sessionLookupId === newDeviceLookupId(lookupId)
  return isOwn ? sessionLookupId : yield* new NotFound()
})

/** Shares for a new device go to a session that is its user's already, under a lookup id that says so (flows A16). */
const requireNewDevice = Effect.fnUntraced(function* (sessionLookupId: string, partnerId: string, userId: string) {
  const device = yield* newDevice({ lookupId: sessionLookupId, partnerId, userId })
  if (sessionLookupId !== newDeviceLookupId(device.lookupId)) return yield* new NotFound()
})

const isCommitted = Effect.fnUntraced(function* (openingId: string) {
  return Option.exists(
    yield* (yield* Openings).find(openingId),
    ({ state }) => state === 'COMMITTED' || state === 'REDEEMED',
  )
})

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

const isRecoveryKey = (
  userId: string,
  rootPublicKey: string | null,
  publicKey: string,
  signature: string | null,
): boolean => {
  const bytes = fromHex(publicKey, 64)
  if (bytes === undefined || !RecoverySecret.isPublicKey(bytes)) return false
  if (signature === null) return true
  const root = fromHex(rootPublicKey ?? '', 32)
  const signed = fromHex(signature, 64)
  const recipient = { kind: 'RECOVERY', userId, publicKey: bytes } as const
  return root !== undefined && signed !== undefined && RootKey.isSignedRecipient(root, recipient, signed)
}

const isEncryptor = (encryptor: string): encryptor is Encryptor => encryptors.some((name) => name === encryptor)

const isWireEncryptor = (text: string): boolean => wireEncryptors.some((name) => name === text)

/** A field too few or too large, or nobody vouches for it. */
export class InvalidKeyShare extends Data.TaggedError('InvalidKeyShare') {
  override readonly message = 'invalid key share'
}

/** Not a point on the curve, or not what the root key signed. */
export class InvalidRecoveryPublicKey extends Data.TaggedError('InvalidRecoveryPublicKey') {
  override readonly message = 'invalid recovery public key'
}

export class TooManyRecoveryPublicKeys extends Data.TaggedError('TooManyRecoveryPublicKeys') {
  override readonly message = 'too many recovery public keys'
}

/** A session alone does not suffice (flows 12). */
export class StepUpRequired extends Data.TaggedError('StepUpRequired') {
  override readonly message = 'a step-up is required'
}
