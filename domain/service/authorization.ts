/**
 * Who may call what (security 2; flows, notation). The contract says by which principal and whether the device signs; the
 * table below says how far a session has to be and whether `{userId}` has to be the caller. It is total over the contract,
 * and nothing reaches a handler but through here. What a flow alone can know (whose wallet, which record) the flow checks.
 */
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { ApiKeyRequired } from '../model/Partner.ts'
import { NoSignedInUser, states, type State } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { allowsNoOrigin, allowsUnprovenClients, portalOrigins } from './Partner.ts'
import { OriginNotAllowed } from './partners.ts'
import { Deployment } from './ports/Deployment.ts'
import type { Recovery } from './Recovery.ts'

export type Needs = {
  /** How far a host's session has to be. */
  readonly session: State
  /** Whether `{userId}` is the caller; `owner`: or the partner, for a wallet that nobody claimed (facts 1.4). */
  readonly user?: 'own' | 'owner'
  /** A recovery that is finished may ask for its end again. */
  readonly recovery?: 'ready or finished'
}

const anySession: Needs = { session: 'NEW' }
const identified: Needs = { session: 'IDENTIFIED', user: 'own' }
const verified: Needs = { session: 'VERIFIED', user: 'own' }
const signedIn: Needs = { session: 'AUTHENTICATED' }
const own: Needs = { session: 'AUTHENTICATED', user: 'own' }
const owner: Needs = { session: 'AUTHENTICATED', user: 'owner' }

export const needs: { readonly [Id in OperationId]: Needs } = {
  createUser: anySession,
  checkUserExists: anySession,
  verifyTelegram: anySession,
  getSupportedAuthMethods: anySession,
  loginExternalWallet: anySession,
  getUser: own,
  deleteUser: own,
  verifyEmail: identified,
  verifyIdentifier: identified,
  verifyExternalWallet: identified,
  listOAuthAccounts: own,
  resendVerificationCode: identified,
  resendVerificationCodeByPhone: identified,
  login: anySession,
  verifyLoginEmail: anySession,
  touchSession: anySession,
  getSessionOrigin: anySession,
  registerSessionKeys: anySession,
  keepSessionAlive: own,
  logout: anySession,
  createOpening: anySession,
  getOpening: anySession,
  createOpeningTicket: anySession,
  createOpeningToken: anySession,
  beatOpening: anySession,
  closeOpening: anySession,
  redeemOpening: anySession,
  createPasskey: verified,
  listPasskeys: own,
  getUserPasskeyChallenge: own,
  verifyUserPasskey: own,
  getPasskey: verified,
  updatePasskey: own,
  getPasskeyLocationHints: anySession,
  getPasskeyChallenge: anySession,
  verifyPasskey: anySession,
  listPasswords: anySession,
  createPassword: verified,
  updatePassword: own,
  verifyPassword: anySession,
  listWallets: own,
  createWallet: own,
  listAllWallets: own,
  setWallets: own,
  getWalletBalance: own,
  getCapsuleShare: own,
  distributeCapsuleShare: own,
  downloadBackupKit: own,
  acceptScopes: own,
  listPregenWallets: anySession,
  createPregenWallet: anySession,
  claimPregenWallets: signedIn,
  updatePregenWallet: anySession,
  sendTransaction: owner,
  signTransaction: owner,
  signMessage: owner,
  refreshKeys: own,
  getRefreshDone: owner,
  getPendingTransaction: own,
  denyPendingTransaction: own,
  acceptPendingTransaction: own,
  listWalletKeyShares: own,
  createWalletKeyShares: own,
  createKeyShares: own,
  listPasskeyKeyShares: own,
  listPasswordKeyShares: own,
  listTemporaryShares: own,
  createTemporaryShares: own,
  deleteTemporaryShares: own,
  listRecoveryPublicKeys: own,
  createRecoveryPublicKeys: own,
  createEncryptedWalletPrivateKey: own,
  listEncryptedWalletPrivateKeys: own,
  getEncryptedWalletPrivateKey: anySession,
  createTemporaryTransmission: anySession,
  getTemporaryTransmission: anySession,
  startRecovery: anySession,
  verifyRecovery: anySession,
  cancelRecovery: anySession,
  initRecovery: anySession,
  verifyRecoveryEmail: anySession,
  verifyRecoveryIdentifier: anySession,
  finishRecovery: { ...own, recovery: 'ready or finished' },
  listRecoveryKeyShares: own,
  getTwoFactorStatus: own,
  setupTwoFactor: own,
  enableTwoFactor: own,
  verifyTwoFactor: anySession,
  initFarcaster: anySession,
  getFarcasterStatus: anySession,
  startOAuth: anySession,
  getPartner: anySession,
  getConversionRate: anySession,
  getGasEstimate: anySession,
  getGasOracle: anySession,
  getOnRampConfig: anySession,
  createWalletPurchase: own,
  getWalletPurchase: own,
  updateWalletPurchase: own,
  createExternalWalletPurchase: own,
  getExternalWalletPurchase: own,
  updateExternalWalletPurchase: own,
  signWalletMoonpayUrl: own,
  signExternalWalletMoonpayUrl: own,
  generateOffRamp: own,
  sendOffRamp: own,
  exchangeFrame: signedIn,
  reportSdkError: anySession,
  reportReactSdkUse: anySession,
  getPrimeWorker: anySession,
  getMpcModule: anySession,
  getMpcWorkerBundle: anySession,
}

/** Lets the caller through to the operation, or refuses. `userId`: the path's, where it has one. */
export const authorize = Effect.fn('authorization.authorize')(function* (id: OperationId, userId: string | undefined) {
  const operation: Operation = operations[id]
  const caller = yield* Caller
  const deployment = yield* Deployment
  const principal = principalOf(operation, needs[id], caller)
  if (principal === undefined) return yield* takesTokens(operation) ? new NoSignedInUser() : new ApiKeyRequired()
  if (needsApiKey(operation, principal) && !caller.apiKey) return yield* new ApiKeyRequired()
  if (!isFromItsPage(principal, caller, deployment)) return yield* new OriginNotAllowed()
  if (userId !== undefined && !isUserOf(needs[id], principal, caller, userId)) return yield* new NotFound()
  if (operation.device === true && !isSigned(principal, caller, deployment)) return yield* new DeviceSignatureRequired()
})

/** By what right the caller comes: a recovery, a session, a page's token, a key of its server or its page, or none. */
type Principal = 'R' | 'S' | 'P' | 'SK' | 'K' | 'pub'

const principalOf = (operation: Operation, { session, recovery }: Needs, caller: Caller): Principal | undefined => {
  const { principals } = operation
  if (principals.includes('R') && mayRecover(caller.recovery, recovery)) return 'R'
  if (principals.includes('S') && caller.session !== undefined && isFarEnough(caller.session.state, session)) return 'S'
  if (principals.includes('P') && caller.portal !== undefined) return 'P'
  if (principals.includes('SK') && caller.secretKey) return 'SK'
  if (principals.includes('pub')) return 'pub'
  return !takesTokens(operation) && caller.apiKey ? 'K' : undefined
}

const mayRecover = (recovery: Recovery | undefined, needed: Needs['recovery']): boolean =>
  recovery?.state === 'READY' || (recovery?.state === 'FINISHED' && needed === 'ready or finished')

/** `S`, `P` and `R` are tokens; where one of them is named, a key alone does not do. */
const takesTokens = ({ principals }: Operation): boolean =>
  principals.some((principal) => principal === 'S' || principal === 'P' || principal === 'R')

const needsApiKey = ({ principals }: Operation, principal: Principal): boolean =>
  principals.includes('K') && (principal === 'S' || principal === 'P' || principal === 'R')

const isFarEnough = (state: State, needed: State): boolean =>
  state !== 'CLOSED' && states.indexOf(state) >= states.indexOf(needed)

/**
 * A session's calls come from the page that began it, a portal token's from the portal, a recovery's from our page for
 * it, a key's from that one or a page of the partner. Without an `Origin` comes a server or a test, if the partner lets
 * it (flows 1, design 8.10).
 */
const isFromItsPage = (principal: Principal, caller: Caller, deployment: Deployment['Service']): boolean => {
  const { origin, partner, session } = caller
  if (principal === 'pub' || principal === 'SK') return true
  if (partner === undefined) return false
  if (origin === undefined) return allowsNoOrigin(partner, deployment.environment)
  if (origin === 'null') return false
  if (principal === 'S') return origin === session?.origin
  if (principal === 'R') return origin === deployment.connectOrigin
  const ofPortal = portalOrigins(partner, deployment.portalOrigin).includes(origin)
  if (principal === 'P') return ofPortal
  return ofPortal || origin === deployment.connectOrigin || partner.origins.includes(origin)
}

const isUserOf = ({ user }: Needs, principal: Principal, caller: Caller, userId: string): boolean => {
  if (user === undefined) return true
  const partnerOwns = user === 'owner' && userId === caller.partner?.id
  if (principal === 'SK') return partnerOwns
  if (principal === 'R') return userId === caller.recovery?.userId
  return partnerOwns || userId === (principal === 'P' ? caller.portal?.userId : caller.session?.userId)
}

/**
 * A session that registered a device key signs, as every recovery's did; one of a client that has none passes where such
 * clients do (flows 1.3).
 */
const isSigned = (principal: Principal, caller: Caller, deployment: Deployment['Service']): boolean => {
  if (caller.device || (principal !== 'S' && principal !== 'R')) return true
  if (principal === 'R') return false
  if (caller.session?.deviceSignsRequests !== false || caller.partner === undefined) return false
  return allowsUnprovenClients(caller.partner, deployment.environment)
}

/** Marked +D, and without a valid signature of the session's device key. */
export class DeviceSignatureRequired extends Data.TaggedError('DeviceSignatureRequired') {
  override readonly message = 'device signature required'
}
