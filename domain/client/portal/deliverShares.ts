import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import type { Success } from '../../../generated/handlers.ts'
import type { HybridEncryption } from '../../crypto/Hybrid.ts'
import type { ResultWallet } from '../../crypto/Opener.ts'
import * as Wrap from '../../crypto/Wrap.ts'
import * as ShareText from '../../mpc/ShareText.ts'
import * as Address from '../../model/Address.ts'
import { BackupDecryptionFailed } from '../../model/KeyShare.ts'
import { messageKeyBytes } from '../../model/Limits.ts'
import { typeOf } from '../../model/Wallet.ts'
import * as CurrentWalletIds from '../../model/CurrentWalletIds.ts'
import { originOf } from '../../model/Url.ts'
import * as RedirectSeal from '../redirectSeal.ts'
import { insistently } from '../runProtocol.ts'
import { Api } from '../ports/Api.ts'
import { report } from '../ports/Progress.ts'
import { Random } from '../ports/Random.ts'
import { Rsa } from '../ports/Rsa.ts'
import { Settings } from '../ports/Settings.ts'
import { BackupRefused, checkBackup, type ActiveShare, type Backup, type Credential } from './checkBackup.ts'
import { leave, type PortalSession } from './portalSession.ts'
import type { Unwrapped } from './unwrapKeys.ts'
import { certify } from './certify.ts'

type Listed = Success<'listWallets'>['wallets'][number]

type Delivery = {
  readonly shareText: Redacted.Redacted
  readonly listed: Listed
  readonly wallet: ResultWallet
}

/**
 * Opens the backups, checks each, and leaves the shares for the session, encrypted to its proven login key. A backup
 * that fails is left out and its wallet named. `setWallets` is the commit (domain/client/README.md#login).
 */
export const deliverShares = Effect.fn('keyShares.deliverShares')(function* (
  portalSession: PortalSession,
  unwrapped: Unwrapped,
) {
  const { userId } = unwrapped
  const { recipient } = portalSession
  if (recipient === undefined) return yield* new BackupDecryptionFailed()
  yield* report({ step: 'opening-backups' })
  const api = yield* Api
  const { wallets } = yield* api.call('listWallets', { path: { userId }, query: {} })
  const keyShares = yield* listBackups(unwrapped)
  const found = yield* Effect.forEach(unwrapped.activeShares, (active) =>
    openWallet(portalSession, unwrapped, {
      active,
      listed: wallets.find(({ id }) => id === active.walletId),
      backups: keyShares.filter(({ walletId }) => walletId === active.walletId),
    }),
  )
  const deliveries = found.flatMap((delivery) => delivery ?? [])
  const isDelivered = (id: string) => deliveries.some(({ wallet }) => wallet.walletId === id)
  const missing = unwrapped.activeShares.map(({ walletId }) => walletId).filter((id) => !isDelivered(id))

  yield* report({ step: 'delivering' })
  const shares = yield* Effect.forEach(deliveries, (delivery) => encryptTo(recipient, portalSession, delivery))
  if (shares.length > 0) {
    yield* insistently(api.call('createTemporaryShares', { path: { userId }, body: { shares } }))
  }
  const { deviceCertificate, sealedResult } = yield* certify(portalSession, unwrapped.root.seed, {
    userId,
    credentialId: unwrapped.credential.recordId,
    wallets: deliveries.map(({ wallet }) => wallet),
    missing,
  })
  yield* report({ step: 'committing' })
  yield* insistently(
    api.call('setWallets', {
      path: { userId },
      body: {
        walletIds: deliveries.reduce<CurrentWalletIds.CurrentWalletIds>(
          (ids, { listed }) => CurrentWalletIds.add(ids, typeOf(listed), listed.id),
          {},
        ),
        needsWallet: deliveries.length === 0,
        sessionLookupId: portalSession.sessionLookupId,
        missing,
        ...(deviceCertificate === undefined ? {} : { deviceCertificate }),
        ...(sealedResult === undefined ? {} : { sealedResult }),
      },
    }),
  )
  yield* leave(portalSession, 'login', sealedResult)
  return { missing }
})

/** The ciphertexts for this credential. */
export const listBackups = Effect.fn('keyShares.listBackups')(function* (unwrapped: Unwrapped) {
  const api = yield* Api
  const path = { userId: unwrapped.userId }
  const keyRef = keyRefOf(unwrapped)
  const { keyShares } =
    unwrapped.credential.kind === 'PASSWORD'
      ? yield* api.call('listPasswordKeyShares', { path, query: { passwordId: keyRef } })
      : yield* api.call('listPasskeyKeyShares', { path, query: { publicKey: keyRef } })
  return keyShares
})

/** How backups name their credential: a password by its record id, a passkey by its RSA public key. */
const keyRefOf = ({ credential: { kind, recordId, publicKey } }: Unwrapped): string =>
  kind === 'PASSWORD' ? recordId : publicKey

const openWallet = Effect.fn('keyShares.openWallet')(function* (
  portalSession: PortalSession,
  unwrapped: Unwrapped,
  { active, listed, backups }: { active: ActiveShare; listed: Listed | undefined; backups: readonly Backup[] },
) {
  if (listed === undefined) return undefined
  const found = yield* openShare(portalSession, unwrapped, active, backups)
  return found && toDelivery(listed, found.shareText, found.opened)
})

/** The first backup of the wallet that opens and passes every check, or nothing. */
export const openShare = Effect.fn('keyShares.openShare')(function* (
  portalSession: PortalSession,
  unwrapped: Unwrapped,
  active: ActiveShare,
  backups: readonly Backup[],
) {
  const credential: Credential = {
    userId: unwrapped.userId,
    partnerId: portalSession.partner.id,
    connectOrigin: originOf((yield* Settings).hosts.connect),
    encryptor: unwrapped.credential.kind,
    keyRef: keyRefOf(unwrapped),
    rootPublicKey: unwrapped.rootPublicKey,
    // A proven host runs our SDK, which signs every backup: an unsigned one may be of a writer of the database.
    strict: portalSession.admission.kind === 'asked' ? unwrapped.root.strict : [portalSession.partner.id],
  }
  for (const backup of backups) {
    const found = yield* openBackup(unwrapped.privateKey, backup, active).pipe(
      Effect.flatMap(({ shareText, opened }) =>
        Effect.map(Effect.fromResult(checkBackup(backup, active, opened, credential)), () => ({ shareText, opened })),
      ),
      Effect.catchTag('BackupRefused', ({ walletId, reason }) =>
        Effect.as(Effect.logWarning(`a backup of wallet ${walletId} is left out: ${reason}`), undefined),
      ),
    )
    if (found !== undefined) return found
  }
  return undefined
})

const openBackup = Effect.fn('keyShares.openBackup')(function* (
  privateKey: Redacted.Redacted,
  backup: Backup,
  { walletId }: ActiveShare,
) {
  const envelope: HybridEncryption = {
    encryptedMessageHex: backup.encryptedShare,
    encryptedKeyHex: backup.encryptedKey ?? '',
  }
  const refused = () => new BackupRefused({ walletId, reason: 'not readable' })
  const shareText = yield* Effect.mapError((yield* Rsa).decrypt(privateKey, envelope), refused)
  const opened = yield* Effect.fromResult(Result.mapError(ShareText.open(shareText), refused))
  return { shareText, opened }
})

/** The address is computed from the share's own public key; the service's list is not trusted for it. */
const toDelivery = (listed: Listed, shareText: Redacted.Redacted, { share }: ShareText.UserShare): Delivery => ({
  shareText,
  listed,
  wallet: {
    walletId: share.walletId,
    address: Address.fromPublicKey(typeOf(listed), share.publicKey, listed.cosmosPrefix),
    publicKey: bytesToHex(share.publicKey),
    epoch: share.epoch,
    shareId: bytesToHex(share.shareId),
    shareHash: bytesToHex(ShareText.shareHash(shareText)),
  },
})

const encryptTo = Effect.fn('keyShares.encryptTo')(function* (
  recipient: string,
  { admission, openingId, sessionLookupId }: PortalSession,
  { shareText, wallet: { walletId } }: Delivery,
) {
  const random = yield* Random
  const messageKey = yield* random.bytes(messageKeyBytes)
  const sealed = yield* (yield* Rsa).encrypt(recipient, { plaintext: shareText, messageKey })
  const { encryptedMessageHex, encryptedKeyHex: encryptedKey } = sealed
  if (admission.kind !== 'redirect') {
    return { walletId, encryptedShare: encryptedMessageHex, encryptedKey, sessionLookupId }
  }
  const context = { code: admission.secret, openingId, walletId }
  const encryptedShare = RedirectSeal.seal(context, encryptedMessageHex, yield* random.bytes(Wrap.ivLength))
  return { walletId, encryptedShare, encryptedKey, sessionLookupId }
})
