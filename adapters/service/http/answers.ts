/**
 * The bodies of answers, from what the flows return. Their types are inferred: one typed as the contract's own answer
 * would hide the fields that are not served (openapi/README.md#answers).
 */
import { base64 } from '@scure/base'
import type * as Effect from 'effect/Effect'
import { toAuthObject } from '../../../domain/model/Identity.ts'
import * as WalletTypes from '../../../domain/model/WalletTypes.ts'
import type { Delegation } from '../../../domain/service/Delegation.ts'
import type { listDelegations } from '../../../domain/service/delegations.ts'
import type { createOpeningToken } from '../../../domain/service/handshakes.ts'
import type { PartnerRecord } from '../../../domain/service/Partner.ts'
import type { getPasskeyChallenge, ShownPasskey } from '../../../domain/service/passkeys.ts'
import type { contentOf } from '../../../domain/service/policy/content.ts'
import { awaitedOf, type PendingTransaction } from '../../../domain/service/PendingTransaction.ts'
import type { createOpening } from '../../../domain/service/portalSessions.ts'
import type { EncryptedWalletPrivateKey } from '../../../domain/service/ports/EncryptedWalletPrivateKeys.ts'
import type { KeyShare } from '../../../domain/service/ports/KeyShares.ts'
import type { JwtPublicKey } from '../../../domain/service/ports/Jwts.ts'
import type { RecoveryPublicKeyRow } from '../../../domain/service/ports/RecoveryPublicKeys.ts'
import type { TemporaryShareRow } from '../../../domain/service/ports/TemporaryShares.ts'
import type { verifyRecovery } from '../../../domain/service/recoveries.ts'
import type { verifySessionJwt } from '../../../domain/service/sessionJwts.ts'
import type { touchSession } from '../../../domain/service/sessions.ts'
import type { WalletRecord } from '../../../domain/service/Wallet.ts'
import type { ListedWallet } from '../../../domain/service/wallets.ts'

type Returned<Flow extends (...input: never) => unknown> = Effect.Success<ReturnType<Flow>>

type ReviewContent = ReturnType<typeof contentOf>

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> }

/** The fields that have a value: absent ones are omitted from an answer, not sent as null. */
export const present = <const Fields extends Readonly<Record<string, unknown>>>(fields: Fields): Present<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<Fields>

/**
 * The answer of touch. Supported wallet types are an array, and `userId` is omitted without a user, as public clients
 * expect.
 */
export const touched = (touch: Returned<typeof touchSession>) => ({
  isAuthenticated: touch.isAuthenticated,
  sessionId: touch.session.id,
  sessionLookupId: touch.session.lookupId,
  partnerId: touch.session.partnerId,
  currentWalletIds: touch.currentWalletIds,
  needsWallet: touch.needsWallet,
  supportedWalletTypes: WalletTypes.toTouch(touch.supportedWalletTypes),
  cosmosPrefix: touch.cosmosPrefix,
  serverTime: touch.serverTime,
  operator: { name: touch.operatorName },
  ...present({
    userId: touch.userId,
    email: touch.identity?.kind === 'email' ? touch.identity.email : undefined,
    openingResult: touch.openingResult,
    delegation: touch.delegation === null ? null : delegated(touch.delegation),
  }),
})

const delegated = ({ scope, expiresAt }: Delegation) => ({ scope, expiresAt })

export const delegations = (found: Returned<typeof listDelegations>) => ({
  delegations: found.map(({ id, scope, isOwn, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    scope,
    isOwn,
    createdAt: time(createdAt),
    lastUsedAt: time(lastUsedAt),
    expiresAt: time(expiresAt),
  })),
})

export const verifiedSession = ({ session, userId, wallets }: Returned<typeof verifySessionJwt>) => {
  const { lookupId: sessionLookupId, origin, authenticatedBy: authMethod, authenticatedAt } = session
  return {
    userId,
    sessionLookupId,
    wallets,
    ...present({ origin, authMethod, authenticatedAt: authenticatedAt === null ? null : time(authenticatedAt) }),
  }
}

/** RFC 7517. */
export const jwk = ({ kid, x, y }: JwtPublicKey) =>
  ({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid, x, y }) as const

export const begun = (portalSession: Returned<typeof createOpening>) => {
  const { openingId, openingSecret, mode, partner, session, returnUrl } = portalSession
  const { origin, loginPublicKey, devicePublicKey, recoveryPublicKey } = session
  return {
    openingId,
    openingSecret,
    mode,
    partner: publicPartner(partner),
    ...present({ origin, loginPublicKey, devicePublicKey, recoveryPublicKey, returnUrl }),
  }
}

/** Its content is what `contentOf` made: a proof in the row covers it (domain/service/PendingTransaction.ts). */
export const pendingTransaction = (pending: PendingTransaction) => {
  const { id, walletId, origin, contentHash, expiresAt, stepUp, content } = pending
  return {
    id,
    status: statusOf(pending.state),
    walletId,
    contentHash,
    expiresAt,
    stepUp,
    by: awaitedOf(pending),
    payload: JSON.parse(content) as ReviewContent,
    ...present({ origin }),
  }
}

/** What was denied is answered as missing. */
const statusOf = (state: PendingTransaction['state']) => (state === 'DENIED' ? ('PENDING' as const) : state)

export const entered = (portalSession: Returned<typeof createOpeningToken>) => {
  const { sessionLookupId, identity, challenge, serverTime, password, exporting } = portalSession
  return {
    sessionLookupId,
    challenge,
    serverTime,
    ...password,
    ...exporting,
    ...(identity === null ? {} : { identity: present(toAuthObject(identity)) }),
  }
}

/** The public fields of a partner: names and theme, no keys, origins or other settings. */
export const publicPartner = ({
  id,
  displayName,
  portalUrl,
  theme,
  hasPolicy = false,
  supportedAuthMethods,
}: PartnerRecord) => ({
  id,
  displayName,
  policiesEnabled: hasPolicy,
  supportedAuthMethods,
  ...theme,
  ...present({ portalUrl }),
})

export const publicPasskey = ({ id, status, type, partnerId, completion, createdAt }: ShownPasskey) => ({
  id,
  status: status === 'PENDING' ? ('PENDING' as const) : ('COMPLETE' as const),
  type,
  partnerId,
  createdAt: time(createdAt),
  ...present({
    publicKey: completion?.credentialId,
    sigDerivedPublicKey: completion?.sigDerivedPublicKey,
    variant: completion?.variant,
    rootPublicKey: completion?.rootPublicKey,
    rootSignature: completion?.rootSignature,
  }),
})

/** The challenge is base64 text; an empty list is omitted. Public clients expect both. */
export const passkeyChallenge = ({ challenge, allowed }: Returned<typeof getPasskeyChallenge>) => ({
  challenge: base64.encode(challenge),
  ...present({ allowedPublicKeys: allowed.length === 0 ? undefined : allowed }),
})

export const listed = (wallets: readonly ListedWallet[], partners: ReadonlyMap<string, PartnerRecord> = new Map()) => ({
  wallets: wallets.map((wallet) => walletEntity(wallet, partners)),
})

/** A wallet on the wire. It never contains a share or a capsule. */
const walletEntity = (wallet: ListedWallet, partners: ReadonlyMap<string, PartnerRecord>) => {
  const partner = partners.get(wallet.partnerId)
  const lastUsedPartner = partners.get(wallet.lastUsedPartnerId ?? '')
  return {
    id: wallet.id,
    type: wallet.type,
    scheme: wallet.scheme,
    address: wallet.address,
    publicKey: wallet.publicKey,
    name: wallet.name,
    partnerId: wallet.partnerId,
    userId: wallet.userId,
    isPregen: wallet.pregenIdentifier !== null,
    pregenIdentifier: wallet.pregenIdentifier,
    pregenIdentifierType: wallet.pregenIdentifierType,
    keyGenComplete: wallet.address !== null,
    ...(wallet.lacksBackup === true ? { lacksBackup: true } : {}),
    createdAt: time(wallet.createdAt),
    updatedAt: time(wallet.updatedAt),
    lastUsedAt: wallet.lastUsedAt === null ? null : time(wallet.lastUsedAt),
    ...(wallet.cosmosPrefix === null ? {} : { cosmosPrefix: wallet.cosmosPrefix }),
    ...(wallet.lastUsedPartnerId === null ? {} : { lastUsedPartnerId: wallet.lastUsedPartnerId }),
    ...(partner === undefined ? {} : { partner: publicPartner(partner) }),
    ...(lastUsedPartner === undefined ? {} : { lastUsedPartner: publicPartner(lastUsedPartner) }),
  }
}

const time = (ms: number): string => new Date(ms).toISOString()

type Stored = { readonly wallet: WalletRecord; readonly share: KeyShare }

/** All of them, and the newest one in a field of its own. */
export const keySharesOfWallet = (stored: readonly Stored[]) => {
  const [newest, ...others] = stored.map(keyShareEntity)
  return newest === undefined ? { keyShares: [] } : { keyShare: newest, keyShares: [newest, ...others] }
}

export const keySharesOfKey = (stored: readonly Stored[]) => ({ keyShares: stored.map(keyShareEntity) })

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

export const released = (shares: readonly TemporaryShareRow[]) => ({
  temporaryShares: shares.map(({ userId, walletId, encryptedShare, encryptedKey }) => ({
    userId,
    walletId,
    encryptedShare,
    ...(encryptedKey === null ? {} : { encryptedKey }),
  })),
})

export const recoveryPublicKeys = (stored: readonly RecoveryPublicKeyRow[]) => ({
  recoveryPublicKeys: stored.map(({ id, publicKey, signature }) => ({
    id,
    publicKey,
    ...(signature === null ? {} : { rootSignature: signature }),
  })),
})

export const privateKey = (stored: EncryptedWalletPrivateKey) => ({
  encryptedWalletPrivateKey: privateKeyEntity(stored),
})

export const privateKeys = (stored: readonly EncryptedWalletPrivateKey[]) => ({
  encryptedPrivateKeys: stored.map(privateKeyEntity),
})

const privateKeyEntity = (key: EncryptedWalletPrivateKey) => ({
  id: key.id,
  userId: key.userId,
  encryptedPrivateKey: key.encryptedPrivateKey,
  encryptionKeyHash: key.encryptionKeyHash,
  ...(key.biometricPublicKey === null ? {} : { biometricPublicKey: key.biometricPublicKey }),
  ...(key.passwordId === null ? {} : { passwordId: key.passwordId }),
})

export const recovering = ({ userId, wallets }: Returned<typeof verifyRecovery>) => ({
  userId,
  wallets: wallets.map(({ wallet, partnerName }) => ({
    walletId: wallet.id,
    type: wallet.type,
    scheme: wallet.scheme,
    address: wallet.address,
    publicKey: wallet.publicKey,
    epoch: wallet.epoch,
    shareId: wallet.shareId,
    partnerId: wallet.partnerId,
    partnerName,
  })),
})
