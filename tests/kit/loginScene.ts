/**
 * A login on the test clock: the host page of `hostStage`, the service's answers as the flows need them, and a portal
 * page of which only the messages are played. What the page seals and what the service says can be told apart, as an
 * attacker between them would.
 */
import * as Redacted from 'effect/Redacted'
import { generateKeyPairSync } from 'node:crypto'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as OpenerMessages from '../../domain/crypto/Opener.ts'
import * as RootKey from '../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import type { ApiError } from '../../domain/model/ApiError.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'
import type { Success } from '../../generated/handlers.ts'
import { hostOrigin, makeHostStage, type HostStage } from './hostStage.ts'
import { listedWallet } from './listedWallet.ts'
import { makeUserShare } from './userShare.ts'

export const userId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a01'
export const partnerId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a02'
export const sessionId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a03'
export const lookupId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a04'
export const portalOrigin = developmentHosts.portal
const passwordId = '9b0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a05'

const { publicKey: rsaPublic, privateKey: rsaPrivate } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The login pair of every scene. */
export const pair = {
  publicKey: RsaKey.publicPemHex(new Uint8Array(rsaPublic.export({ type: 'pkcs1', format: 'der' }))),
  privateKey: RsaKey.privatePemHex(new Uint8Array(rsaPrivate.export({ type: 'pkcs1', format: 'der' }))),
}

export type Share = ReturnType<typeof makeShare>

/** The user's share of a new wallet. */
export const makeShare = (rootPublicKey: Uint8Array, walletId?: string, epoch?: number) =>
  makeUserShare({ userId, partnerId, rootPublicKey, walletId, epoch })

/** A share as the page's sealed result names it. */
export const named = (share: Share): OpenerMessages.ResultWallet => ({
  walletId: share.walletId,
  address: share.address,
  publicKey: bytesToHex(share.publicKey),
  epoch: 1,
  shareId: bytesToHex(share.shareId),
  shareHash: bytesToHex(ShareText.shareHash(share.shareText)),
})

export const makeLoginScene = () => {
  const seed = randomBytes(32)
  const rootPublicKey = RootKey.publicKeyOf(seed)
  const openingId = crypto.randomUUID()
  let time = 0
  /** The answer of touch, or its failure. */
  let said: Partial<Success<'touchSession'>> | ApiError = {}
  let listed: readonly Share[] = []
  let temporary: Success<'listTemporaryShares'>['temporaryShares'] = []
  let portalSession: 'LIVE' | 'CLOSED' = 'LIVE'
  let shared: Partial<Success<'touchSession'>> | undefined
  let acknowledge = (): ApiError | undefined => undefined

  const stage: HostStage = makeHostStage(
    {
      touchSession: (_, options) => {
        const base: Success<'touchSession'> = {
          isAuthenticated: false,
          sessionId,
          sessionLookupId: lookupId,
          partnerId,
          currentWalletIds: {},
          needsWallet: false,
          supportedWalletTypes: [{ type: 'EVM' }],
          serverTime: time,
        }
        if (options?.session !== undefined) return { ...base, ...shared }
        return '_tag' in said ? said : { ...base, ...said }
      },
      registerSessionKeys: () => ({}),
      getSupportedAuthMethods: () => ({ supportedAuthMethods: ['PASSWORD'] }),
      getPartner: () => ({
        partner: { id: partnerId, displayName: 'Shop', policiesEnabled: false, supportedAuthMethods: ['PASSWORD'] },
      }),
      createOpeningTicket: () => ({ ticket: '11'.repeat(32) }),
      getOpening: () => ({ state: portalSession }),
      listWallets: () => ({ wallets: listed.map((share) => listedWallet(share, { userId, partnerId })) }),
      listTemporaryShares: () => ({ temporaryShares: temporary }),
      deleteTemporaryShares: () => acknowledge() ?? {},
      logout: () => ({}),
    },
    { pair },
  )

  const handshake = (changes: Partial<OpenerMessages.Handshake> = {}): OpenerMessages.Handshake => ({
    v: 1,
    type: 'tandem.hello',
    openingId,
    sessionId,
    page: 'login-password',
    nonce: '22'.repeat(32),
    sealed: '33'.repeat(32) + '00'.repeat(224),
    ...changes,
  })
  const answer = () =>
    stage.posted.map(({ message }) => OpenerMessages.readAnswer(message)).find((read) => read !== undefined)

  /** The page begins the handshake with its opener. */
  const sendsHandshake = () => stage.says({ source: stage.popup, origin: portalOrigin, data: handshake() })

  /** The page's sealed result, under the secret that the host gave it. */
  const seals = (
    wallets: readonly OpenerMessages.ResultWallet[],
    changes: Partial<OpenerMessages.PortalSessionResult> & { readonly secret?: Uint8Array } = {},
  ): string => {
    const { secret = hexToBytes(answer()?.hostSecret ?? ''), ...result } = changes
    const deviceCertificate = bytesToHex(
      RootKey.certifyDevice(seed, {
        userId: result.userId ?? userId,
        partnerId,
        origin: hostOrigin,
        sessionId,
        devicePublicKey: hexToBytes(stage.keys.get(sessionId)?.record.publicKey ?? ''),
        issuedAt: 0,
        expiresAt: Number.MAX_SAFE_INTEGER,
      }),
    )
    return OpenerMessages.sealResult(
      secret,
      openingId,
      {
        userId,
        credentialId: passwordId,
        rootPublicKey: bytesToHex(rootPublicKey),
        deviceCertificate,
        wallets,
        missing: [],
        ...result,
      },
      randomBytes(12),
    )
  }

  /** The page's commit as the service answers it: an authenticated session, its wallets, shares and result. */
  const commits = (
    shares: readonly Share[],
    sealedResult: string,
    delivered: readonly Share[] = shares,
    email = 'Ada@example.com',
  ) => {
    listed = shares
    temporary = delivered.map(({ walletId, shareText }) => ({
      walletId,
      encryptedShare: bytesToHex(new TextEncoder().encode(Redacted.value(shareText))),
      encryptedKey: pair.publicKey,
    }))
    said = {
      isAuthenticated: true,
      userId,
      email,
      needsWallet: shares.length === 0,
      currentWalletIds: { EVM: shares.map(({ walletId }) => walletId) },
      openingResult: { openingId, sealedResult },
    }
  }

  return {
    stage,
    openingId,
    seed,
    rootPublicKey,
    handshake,
    answer,
    sendsHandshake,
    seals,
    commits,
    makeShare: (walletId?: string) => makeShare(rootPublicKey, walletId),
    says: (answer: Partial<Success<'touchSession'>> | ApiError) => {
      said = answer
    },
    lists: (shares: readonly Share[]) => {
      listed = shares
    },
    portalSession: (state: 'LIVE' | 'CLOSED') => {
      portalSession = state
    },
    /** The answer of touch under the token that the tabs share. */
    shares: (answer: Partial<Success<'touchSession'>>) => {
      shared = answer
    },
    /** An effect at the acknowledgement of the shares, and its failure. */
    onAcknowledgement: (happens: () => ApiError | undefined) => {
      acknowledge = happens
    },
    serverTime: (at: number) => {
      time = at
    },
    /** The page's own message, which may be lost. */
    done: (result: OpenerMessages.DoneResult, sealedResult?: string) =>
      stage.says({
        source: stage.popup,
        origin: portalOrigin,
        data: {
          v: 1,
          type: 'tandem.done',
          openingId,
          result,
          ...(sealedResult === undefined ? {} : { sealedResult }),
        } satisfies OpenerMessages.Done,
      }),
  }
}
