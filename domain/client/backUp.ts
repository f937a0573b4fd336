import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
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

/** A key to which the share is encrypted, once the user's root key vouches for it (flows 5.8). */
type Recipient = {
  readonly encryptor: Encryptor
  /** The field of the backup that names the key, and its value. */
  readonly reference: { readonly biometricPublicKey: string } | { readonly passwordId: string } | { readonly recoveryPublicKeyId: string }
  readonly keyRef: string
  /** pemhex, or for RECOVERY the 64-byte point in hex. */
  readonly publicKey: string
}

/**
 * Encrypts the wallet's share to every credential and recovery key of the user and hands the ciphertexts to the service
 * (flows 5.8 to 5.10). Keys that the root key did not sign are skipped; if none is left, nothing is stored.
 */
export const backUp = Effect.fn('keyShares.backUp')(function* (walletId: string, type?: WalletType) {
  const wallet = type === undefined ? {} : { type }
  yield* report({ step: 'backing-up', ...wallet })
  const shares = yield* ShareStore
  const held = yield* shares.find(walletId)
  if (Option.isNone(held)) return yield* new BackupEncryptionFailed()
  const { shareText, userId } = held.value
  const scheme = yield* storeBackups(userId, shareText)
  yield* report({ step: 'distributing', ...wallet })
  yield* (yield* Api).call('distributeCapsuleShare', {
    path: { userId, walletId },
    body: { useDKLS: scheme === 'DKLS' },
  })
  yield* shares.backedUp(walletId)
})

/** Backups of this share text, which need not be the one that signs yet (flows 9.4). Answers its scheme. */
export const storeBackups = Effect.fn('keyShares.storeBackups')(function* (userId: string, shareText: string) {
  const { share } = yield* Effect.mapError(
    Effect.fromResult(ShareText.open(shareText)),
    () => new BackupEncryptionFailed(),
  )
  const recipients = yield* listRecipients(userId, share.rootPublicKey)
  if (recipients.length === 0) return yield* new BackupEncryptionFailed()
  const { session, key } = yield* thisDevice
  const { walletId } = share
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
        ...(session.partnerId ? { partnerId: session.partnerId } : {}),
        shareId: bytesToHex(share.shareId),
        epoch: share.epoch,
        deviceSignature: bytesToHex(yield* (yield* DeviceKeys).sign(session.sessionId, message)),
        ...(key.certification === undefined ? {} : { certificate: key.certification.certificate }),
      }
    }),
  )
  yield* (yield* Api).call('createKeyShares', { path: { userId }, body: { keyShares } })
  return share.scheme
})

const seal = Effect.fn('keyShares.seal')(function* (recipient: Recipient, shareText: string) {
  const random = yield* Random
  if (recipient.encryptor === 'RECOVERY') {
    return {
      encryptedShare: Ecies.seal({
        publicKey: hexToBytes(recipient.publicKey),
        plaintext: shareText,
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

const listRecipients = Effect.fn('keyShares.listRecipients')(function* (userId: string, root: Uint8Array) {
  const api = yield* Api
  const { keys } = yield* api.call('listPasskeys', { path: { userId } })
  const { passwords } = yield* api.call('listPasswords', { query: { userId } })

  const candidates = [
    ...keys.flatMap(({ id, publicKey, sigDerivedPublicKey, rootSignature }) =>
      publicKey && sigDerivedPublicKey ? [passkeyRecipient(userId, id, sigDerivedPublicKey, rootSignature)] : [],
    ),
    ...passwords.flatMap(({ id, status, sigDerivedPublicKey, rootSignature }) =>
      status === 'COMPLETE' && sigDerivedPublicKey ? [passwordRecipient(userId, id, sigDerivedPublicKey, rootSignature)] : [],
    ),
    ...(yield* listRecoveryKeys(userId)).map(({ id, publicKey, rootSignature }) =>
      recoveryRecipient(userId, id, publicKey, rootSignature),
    ),
  ]
  const vouchedFor = candidates.filter(({ signed, signature }) => {
    const bytes = signature === undefined ? undefined : fromHex(signature)
    return signed !== undefined && bytes !== undefined && RootKey.isSignedRecipient(root, signed, bytes)
  })
  if (vouchedFor.length < candidates.length) {
    yield* Effect.logWarning(`${candidates.length - vouchedFor.length} keys are not signed by the root key and get no backup`)
  }
  return vouchedFor.map(({ recipient }) => recipient)
})

/** A key as the service lists it, and what the root key must have signed for it to count. */
type Candidate = {
  readonly recipient: Recipient
  readonly signed: RootKey.Recipient | undefined
  readonly signature: string | undefined
}

const passkeyRecipient = (userId: string, recordId: string, pemHex: string, signature: string | undefined): Candidate => ({
  recipient: {
    encryptor: 'BIOMETRICS',
    reference: { biometricPublicKey: pemHex },
    keyRef: pemHex,
    publicKey: pemHex,
  },
  signed: credential('BIOMETRICS', userId, recordId, pemHex),
  signature,
})

const passwordRecipient = (userId: string, recordId: string, pemHex: string, signature: string | undefined): Candidate => ({
  recipient: { encryptor: 'PASSWORD', reference: { passwordId: recordId }, keyRef: recordId, publicKey: pemHex },
  signed: credential('PASSWORD', userId, recordId, pemHex),
  signature,
})

const recoveryRecipient = (userId: string, id: string, publicKey: string, signature: string | undefined): Candidate => {
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

/** The recovery keys of the user; the one made at sign-up is handed in while the service lacks it (flows 5.8). */
const listRecoveryKeys = Effect.fn('keyShares.listRecoveryKeys')(function* (userId: string) {
  const api = yield* Api
  const { recoveryPublicKeys } = yield* api.call('listRecoveryPublicKeys', { path: { userId } })
  const pending = Option.getOrUndefined(yield* (yield* ShareStore).pendingRecovery.get)
  const isThere = recoveryPublicKeys.some(({ publicKey }) => publicKey === pending?.publicKey)
  if (pending?.signature === undefined || pending.userId !== userId || isThere) return recoveryPublicKeys
  const answer = yield* api.call('createRecoveryPublicKeys', {
    path: { userId },
    body: { publicKeys: [pending.publicKey], rootSignatures: [pending.signature] },
  })
  return answer.recoveryPublicKeys
})
