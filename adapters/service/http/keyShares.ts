import * as Effect from 'effect/Effect'
import type { HandlersOf, Input } from '../../../generated/handlers.ts'
import * as encryptedWalletPrivateKeys from '../../../domain/service/encryptedWalletPrivateKeys.ts'
import * as flows from '../../../domain/service/keyShares.ts'
import * as recoveryPublicKeys from '../../../domain/service/recoveryPublicKeys.ts'
import * as temporaryShares from '../../../domain/service/temporaryShares.ts'
import type { EncryptedWalletPrivateKey } from '../../../domain/service/ports/EncryptedWalletPrivateKeys.ts'
import type { KeyShare } from '../../../domain/service/ports/KeyShares.ts'
import type { RecoveryPublicKeyRow } from '../../../domain/service/ports/RecoveryPublicKeys.ts'
import type { WalletRecord } from '../../../domain/service/Wallet.ts'
import type { Incoming } from './Incoming.ts'

export const keyShares = {
  createKeyShares: ({ path, body }: Input<'createKeyShares'>) =>
    Effect.as(flows.createKeyShares(path.userId, body.keyShares), {}),
  createWalletKeyShares: ({ path, body }: Input<'createWalletKeyShares'>) => {
    const { walletId } = path
    const ofWallet = body.keyShares.map((keyShare) => ({ ...keyShare, walletId }))
    return Effect.as(flows.createKeyShares(path.userId, ofWallet), {})
  },
  listWalletKeyShares: ({ path, query }: Input<'listWalletKeyShares'>) =>
    Effect.map(flows.listWalletKeyShares(path.userId, path.walletId, query), walletKeySharesAnswer),
  listPasskeyKeyShares: ({ path, query }: Input<'listPasskeyKeyShares'>) =>
    Effect.map(flows.listPasskeyKeyShares(path.userId, query.publicKey), keySharesAnswer),
  listPasswordKeyShares: ({ path, query }: Input<'listPasswordKeyShares'>) =>
    Effect.map(flows.listPasswordKeyShares(path.userId, query.passwordId), keySharesAnswer),
  createTemporaryShares: ({ path, body }: Input<'createTemporaryShares'>) =>
    Effect.as(temporaryShares.createTemporaryShares(path.userId, body.shares), {}),
  listTemporaryShares: ({ path, query }: Input<'listTemporaryShares'>) =>
    Effect.map(temporaryShares.listTemporaryShares(path.userId, query.sessionLookupId), (released) => ({
      temporaryShares: released.map(({ userId, walletId, encryptedShare, encryptedKey }) => ({
        userId,
        walletId,
        encryptedShare,
        ...(encryptedKey === null ? {} : { encryptedKey }),
      })),
    })),
  deleteTemporaryShares: ({ path, query }: Input<'deleteTemporaryShares'>) =>
    Effect.as(temporaryShares.deleteTemporaryShares(path.userId, query.sessionLookupId), {}),
  createRecoveryPublicKeys: ({ path, body }: Input<'createRecoveryPublicKeys'>) =>
    Effect.map(
      recoveryPublicKeys.createRecoveryPublicKeys(path.userId, body.publicKeys, body.rootSignatures),
      recoveryPublicKeysAnswer,
    ),
  listRecoveryPublicKeys: ({ path }: Input<'listRecoveryPublicKeys'>) =>
    Effect.map(recoveryPublicKeys.listRecoveryPublicKeys(path.userId), recoveryPublicKeysAnswer),
  createEncryptedWalletPrivateKey: ({ path, body }: Input<'createEncryptedWalletPrivateKey'>) =>
    Effect.map(encryptedWalletPrivateKeys.createEncryptedWalletPrivateKey(path.userId, body), (stored) => ({
      encryptedWalletPrivateKey: privateKeyEntity(stored),
    })),
  listEncryptedWalletPrivateKeys: ({ path }: Input<'listEncryptedWalletPrivateKeys'>) =>
    Effect.map(
      encryptedWalletPrivateKeys.listEncryptedWalletPrivateKeys(path.userId, path.encryptionKeyHash),
      (stored) => ({
        encryptedPrivateKeys: stored.map(privateKeyEntity),
      }),
    ),
  getEncryptedWalletPrivateKey: ({ query }: Input<'getEncryptedWalletPrivateKey'>) =>
    Effect.map(encryptedWalletPrivateKeys.getEncryptedWalletPrivateKey(query.passwordId), (stored) => ({
      encryptedWalletPrivateKey: privateKeyEntity(stored),
    })),
} satisfies Partial<HandlersOf<'keyShares', Incoming, unknown>>

type Stored = { readonly wallet: WalletRecord; readonly share: KeyShare }

/** All of them, and the newest one in a field of its own. */
export const walletKeySharesAnswer = (stored: readonly Stored[]) => {
  const [newest, ...others] = stored.map(keyShareEntity)
  return newest === undefined ? { keyShares: [] } : { keyShare: newest, keyShares: [newest, ...others] }
}

const keySharesAnswer = (stored: readonly Stored[]) => ({
  keyShares: stored.map(keyShareEntity),
})

const keyShareEntity = ({ wallet, share }: Stored) => ({
  walletId: wallet.id,
  walletScheme: wallet.scheme,
  encryptedShare: share.encryptedShare,
  ...(share.encryptedKey === null ? {} : { encryptedKey: share.encryptedKey }),
  type: 'USER' as const,
  encryptor: share.encryptor,
  ...keyReferenceOf(share),
  partnerId: share.partnerId,
  ...(share.protocolId === null ? {} : { protocolId: share.protocolId }),
  shareId: share.shareId,
  epoch: share.epoch,
  ...(share.deviceSignature === null ? {} : { deviceSignature: share.deviceSignature }),
  ...(share.certificate === null ? {} : { certificate: share.certificate }),
})

/** The one field that names the key, by encryptor. */
const keyReferenceOf = ({ encryptor, keyRef }: KeyShare) => {
  switch (encryptor) {
    case 'PASSWORD':
      return { passwordId: keyRef }
    case 'BIOMETRICS':
      return { biometricPublicKey: keyRef }
    case 'RECOVERY':
      return { recoveryPublicKeyId: keyRef }
  }
}

const recoveryPublicKeysAnswer = (stored: readonly RecoveryPublicKeyRow[]) => ({
  recoveryPublicKeys: stored.map(({ id, publicKey, signature }) => ({
    id,
    publicKey,
    ...(signature === null ? {} : { rootSignature: signature }),
  })),
})

const privateKeyEntity = (key: EncryptedWalletPrivateKey) => ({
  id: key.id,
  userId: key.userId,
  encryptedPrivateKey: key.encryptedPrivateKey,
  encryptionKeyHash: key.encryptionKeyHash,
  ...(key.biometricPublicKey === null ? {} : { biometricPublicKey: key.biometricPublicKey }),
  ...(key.passwordId === null ? {} : { passwordId: key.passwordId }),
})
