import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import * as Ecies from '../crypto/Ecies.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import * as ShareText from '../mpc/ShareText.ts'
import { BackupEncryptionFailed, backupType, type Encryptor } from '../model/KeyShare.ts'
import { messageKeyBytes } from '../model/Limits.ts'
import type { WalletType } from '../model/WalletTypes.ts'
import { Api } from './ports/Api.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { report } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import { Rsa } from './ports/Rsa.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { thisDevice } from './runProtocol.ts'
import { signedRecovery } from './certifiedKeys.ts'

/** A key to which the share is encrypted, once the user's root key has signed it. */
type Recipient = {
  readonly encryptor: Encryptor
  /** The field of the backup that names the key, and its value. */
  readonly reference:
    { readonly biometricPublicKey: string } | { readonly passwordId: string } | { readonly recoveryPublicKeyId: string }
  readonly keyRef: string
  /** pemhex, or for RECOVERY the 64-byte point in hex. */
  readonly publicKey: string
}

/**
 * Encrypts the user's shares of these wallets to every credential and recovery key of the user and stores the
 * ciphertexts at the service (domain/client/README.md#backups). Keys that the root key did not sign are skipped; if
 * none is left, nothing is stored.
 */
export const backUp = Effect.fn('keyShares.backUp')(function* (userId: string, wallets: readonly Backed[]) {
  if (wallets.length === 0) return
  const shares = yield* ShareStore
  const texts = yield* Effect.forEach(wallets, ({ walletId, type }) =>
    Effect.gen(function* () {
      yield* report({ step: 'backing-up', ...(type === undefined ? {} : { type }) })
      const held = yield* shares.find(walletId)
      return Option.isSome(held) ? held.value.shareText : yield* new BackupEncryptionFailed()
    }),
  )
  const schemes = yield* storeBackups(userId, texts)
  const api = yield* Api
  const distribute = Effect.fnUntraced(function* ({ walletId, type }: Backed) {
    yield* report({ step: 'distributing', ...(type === undefined ? {} : { type }) })
    const useDKLS = schemes.get(walletId) === 'DKLS'
    yield* api.call('distributeCapsuleShare', { path: { userId, walletId }, body: { useDKLS } })
    yield* shares.backedUp(walletId)
  })
  yield* Effect.forEach(wallets, distribute, { concurrency: 'unbounded' })
})

/** A wallet whose share is on this device, and its type for the progress listener. */
type Backed = { readonly walletId: string; readonly type?: WalletType }

/**
 * Stores backups of these share texts, which need not be the active ones yet: a refresh backs its new share up first.
 * Of each wallet all backups are stored or none; of several wallets as many as got an answer. Answers the wallets'
 * schemes.
 */
export const storeBackups = Effect.fn('keyShares.storeBackups')(function* (
  userId: string,
  shareTexts: readonly Redacted.Redacted[],
) {
  const keys = yield* listKeys(userId)
  const backups = yield* Effect.forEach(shareTexts, (shareText) => backupsOf(userId, shareText, keys))
  const api = yield* Api
  for (const keyShares of batchesOf(backups.map((backup) => backup.keyShares))) {
    yield* api.call('createKeyShares', { path: { userId }, body: { keyShares } })
  }
  return new Map(backups.map(({ walletId, scheme }) => [walletId, scheme]))
})

/** A body may have 256 KiB. One of this length leaves room for the largest wallet: some 30 backups of 6 KiB. */
const batchLength = 192 * 1024

/** Fills each body with as many wallets as fit. The backups of one wallet are never split. */
const batchesOf = <A>(wallets: readonly (readonly A[])[]): readonly (readonly A[])[] => {
  const batches: A[][] = []
  let length = batchLength
  for (const backups of wallets) {
    const added = JSON.stringify(backups).length
    if (length + added > batchLength) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(...backups)
    length += added
  }
  return batches
}

/** The ciphertexts of one share, signed by this device. */
const backupsOf = Effect.fn('keyShares.backupsOf')(function* (
  userId: string,
  shareText: Redacted.Redacted,
  keys: readonly RecipientKey[],
) {
  const { share, partnerId } = yield* Effect.mapError(
    Effect.fromResult(ShareText.open(shareText)),
    () => new BackupEncryptionFailed(),
  )
  const recipients = yield* signedRecipients(keys, share.rootPublicKey)
  if (recipients.length === 0) return yield* new BackupEncryptionFailed()
  const { session, key } = yield* thisDevice
  const { walletId, scheme } = share
  const keyShares = yield* Effect.forEach(recipients, (recipient) =>
    Effect.gen(function* () {
      const sealed = yield* seal(recipient, shareText)
      const message = DeviceKey.backupMessage({
        userId,
        walletId,
        shareId: share.shareId,
        publicKey: share.publicKey,
        encryptor: recipient.encryptor,
        keyRef: recipient.keyRef,
        ...sealed,
      })
      return {
        walletId,
        ...sealed,
        type: backupType,
        encryptor: recipient.encryptor,
        ...recipient.reference,
        ...(partnerId === '' ? {} : { partnerId }),
        shareId: bytesToHex(share.shareId),
        epoch: share.epoch,
        deviceSignature: bytesToHex(yield* (yield* DeviceKeys).sign(session.sessionId, message)),
        ...(key.certification === undefined ? {} : { certificate: key.certification.certificate }),
      }
    }),
  )
  return { walletId, scheme, keyShares }
})

const seal = Effect.fn('keyShares.seal')(function* (recipient: Recipient, shareText: Redacted.Redacted) {
  const random = yield* Random
  if (recipient.encryptor === 'RECOVERY') {
    return {
      encryptedShare: Ecies.seal({
        publicKey: hexToBytes(recipient.publicKey),
        plaintext: Redacted.value(shareText),
        ephemeralSecret: yield* random.bytes(32),
        iv: yield* random.bytes(16),
      }),
    }
  }
  const messageKey = yield* random.bytes(messageKeyBytes)
  const { encryptedMessageHex, encryptedKeyHex } = yield* (yield* Rsa)
    .encrypt(recipient.publicKey, { plaintext: shareText, messageKey })
    .pipe(Effect.mapError(() => new BackupEncryptionFailed()))
  return { encryptedShare: encryptedMessageHex, encryptedKey: encryptedKeyHex }
})

/** The user's credentials and recovery keys as the service lists them. */
const listKeys = Effect.fn('keyShares.listKeys')(function* (userId: string) {
  const api = yield* Api
  const lists = [
    Effect.map(api.call('listPasskeys', { path: { userId } }), ({ keys }) =>
      keys.flatMap(({ id, publicKey, sigDerivedPublicKey, rootSignature }) =>
        publicKey && sigDerivedPublicKey ? [passkeyRecipient(userId, id, sigDerivedPublicKey, rootSignature)] : [],
      ),
    ),
    Effect.map(api.call('listPasswords', { query: { userId } }), ({ passwords }) =>
      passwords.flatMap(({ id, status, sigDerivedPublicKey, rootSignature }) =>
        status === 'COMPLETE' && sigDerivedPublicKey
          ? [passwordRecipient(userId, id, sigDerivedPublicKey, rootSignature)]
          : [],
      ),
    ),
    Effect.map(listRecoveryKeys(userId), (keys) =>
      keys.map(({ id, publicKey, rootSignature }) => recoveryRecipient(userId, id, publicKey, rootSignature)),
    ),
  ]
  return (yield* Effect.all(lists, { concurrency: 'unbounded' })).flat()
})

/** Those of the keys that the root key signed. */
const signedRecipients = Effect.fn('keyShares.signedRecipients')(function* (
  keys: readonly RecipientKey[],
  root: Uint8Array,
) {
  const signedOnes = keys.filter(({ signed, signature }) => {
    const bytes = signature === undefined ? undefined : fromHex(signature)
    return signed !== undefined && bytes !== undefined && RootKey.isSignedRecipient(root, signed, bytes)
  })
  if (signedOnes.length < keys.length) {
    yield* Effect.logWarning(`${keys.length - signedOnes.length} keys are not signed by the root key and get no backup`)
  }
  return signedOnes.map(({ recipient }) => recipient)
})

/** A key as the service lists it, and what the root key must have signed for it to count. */
type RecipientKey = {
  readonly recipient: Recipient
  readonly signed: RootKey.Recipient | undefined
  readonly signature: string | undefined
}

const passkeyRecipient = (
  userId: string,
  recordId: string,
  pemHex: string,
  signature: string | undefined,
): RecipientKey => ({
  recipient: {
    encryptor: 'BIOMETRICS',
    reference: { biometricPublicKey: pemHex },
    keyRef: pemHex,
    publicKey: pemHex,
  },
  signed: credential('BIOMETRICS', userId, recordId, pemHex),
  signature,
})

const passwordRecipient = (
  userId: string,
  recordId: string,
  pemHex: string,
  signature: string | undefined,
): RecipientKey => ({
  recipient: { encryptor: 'PASSWORD', reference: { passwordId: recordId }, keyRef: recordId, publicKey: pemHex },
  signed: credential('PASSWORD', userId, recordId, pemHex),
  signature,
})

const recoveryRecipient = (
  userId: string,
  id: string,
  publicKey: string,
  signature: string | undefined,
): RecipientKey => {
  const bytes = fromHex(publicKey)
  return {
    recipient: { encryptor: 'RECOVERY', reference: { recoveryPublicKeyId: id }, keyRef: id, publicKey },
    signed: bytes === undefined ? undefined : { kind: 'RECOVERY', userId, publicKey: bytes },
    signature,
  }
}

const credential = (
  kind: RootKey.CredentialKind,
  userId: string,
  recordId: string,
  pemHex: string,
): RootKey.Recipient | undefined => {
  const publicKey = RsaKey.publicPem(pemHex)
  return publicKey === undefined ? undefined : { kind, userId, recordId, publicKey }
}

/**
 * The recovery keys of the user. The one made at sign-up is handed in while the service lacks it. Wallets that were
 * backed up without it, by any device, are noted before that: the service does not tell afterwards which they are.
 */
export const listRecoveryKeys = Effect.fn('keyShares.listRecoveryKeys')(function* (userId: string) {
  const api = yield* Api
  const { recoveryPublicKeys } = yield* api.call('listRecoveryPublicKeys', { path: { userId } })
  const pending = Option.getOrUndefined(yield* signedRecovery(userId))
  const isThere = recoveryPublicKeys.some(({ publicKey }) => publicKey === pending?.publicKey)
  if (pending === undefined || isThere) return recoveryPublicKeys
  const shares = yield* ShareStore
  const unstored = yield* shares.backupPending
  const lackingBackup = (yield* shares.list)
    .filter((share) => share.userId === userId && !unstored.includes(share.walletId))
    .map(({ walletId }) => walletId)
  yield* shares.pendingRecovery.set({ ...pending, lackingBackup })
  const answer = yield* api.call('createRecoveryPublicKeys', {
    path: { userId },
    body: { publicKeys: [pending.publicKey], rootSignatures: [pending.signature] },
  })
  return answer.recoveryPublicKeys
})
