/**
 * The operations of the contract, each with the flow that answers it: from the request's parts to the flow's input, and
 * from what it returns to the body of the answer. A missing operation does not compile.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type { Handlers, OperationId } from '../../../generated/handlers.ts'
import type { StaticFile } from '../../../domain/model/PortalFiles.ts'
import type { authorize } from '../../../domain/service/authorization.ts'
import type { Caller } from '../../../domain/service/Caller.ts'
import { getCapsuleShare } from '../../../domain/service/capsuleShares.ts'
import { getCosignerKeys } from '../../../domain/service/cosignerKeys.ts'
import * as commits from '../../../domain/service/commits.ts'
import * as delegations from '../../../domain/service/delegations.ts'
import * as diagnostics from '../../../domain/service/diagnostics.ts'
import * as encryptedWalletPrivateKeys from '../../../domain/service/encryptedWalletPrivateKeys.ts'
import * as handshakes from '../../../domain/service/handshakes.ts'
import type { once } from '../../../domain/service/idempotency.ts'
import * as keyShares from '../../../domain/service/keyShares.ts'
import * as partners from '../../../domain/service/partners.ts'
import * as passkeys from '../../../domain/service/passkeys.ts'
import * as passwords from '../../../domain/service/passwords.ts'
import * as portalSessions from '../../../domain/service/portalSessions.ts'
import type { Reply } from '../../../domain/service/ports/Reply.ts'
import { StaticFiles } from '../../../domain/service/ports/StaticFiles.ts'
import * as pregen from '../../../domain/service/pregen.ts'
import { exchangeFrame } from '../../../domain/service/protocol.ts'
import * as finishedRecoveries from '../../../domain/service/finishedRecoveries.ts'
import * as recoveries from '../../../domain/service/recoveries.ts'
import * as recoveryPublicKeys from '../../../domain/service/recoveryPublicKeys.ts'
import * as refreshes from '../../../domain/service/refreshes.ts'
import * as reviews from '../../../domain/service/reviews.ts'
import * as sessions from '../../../domain/service/sessions.ts'
import * as sessionJwts from '../../../domain/service/sessionJwts.ts'
import { publishedKeys } from '../../../domain/service/signingKeys.ts'
import * as signing from '../../../domain/service/signing.ts'
import * as temporaryShares from '../../../domain/service/temporaryShares.ts'
import * as transmissions from '../../../domain/service/transmissions.ts'
import * as users from '../../../domain/service/users.ts'
import * as wallets from '../../../domain/service/wallets.ts'
import * as answers from './answers.ts'
import type { InvalidRequest } from './message.ts'
import { notBuilt } from './notBuilt.ts'

export const handlers = {
  ...notBuilt,

  // users
  createUser: ({ body }) => Effect.map(users.createUser(identityOf(body)), (userId) => ({ userId })),
  checkUserExists: ({ query }) => Effect.map(users.checkUserExists(query ?? {}), (exists) => ({ exists })),
  verifyEmail: ({ path, body }) => done(users.verifyEmail(path.userId, body.verificationCode)),
  resendVerificationCode: ({ path }) => done(users.resendVerificationCode(path.userId)),
  getUser: ({ path }) =>
    Effect.map(users.getUser(path.userId), ({ userId, identity }) => ({ userId, ...answers.present(identity) })),
  getSupportedAuthMethods: ({ query }) =>
    Effect.map(users.getSupportedAuthMethods(query ?? {}), (supportedAuthMethods) => ({ supportedAuthMethods })),

  // sessions
  touchSession: ({ query }) => Effect.map(sessions.touchSession(query?.regenerate === 'true'), answers.touched),
  getSessionOrigin: ({ path }) =>
    Effect.map(sessions.getSessionOrigin(path.sessionLookupId), (origin) => answers.present({ origin })),
  registerSessionKeys: ({ path, body }) =>
    Effect.map(sessions.registerSessionKeys({ ...body, ...path }), answers.present),
  keepSessionAlive: ({ path }) => done(sessions.keepSessionAlive(path.userId)),
  logout: () => done(sessions.logout()),
  createSessionJwt: ({ path }) => Effect.map(sessionJwts.createSessionJwt(path.userId), (token) => ({ token })),
  verifySessionJwt: ({ body }) => Effect.map(sessionJwts.verifySessionJwt(body.token), answers.verifiedSession),
  getJwks: () => Effect.map(publishedKeys, (keys) => ({ keys: keys.map(answers.jwk) })),

  // delegations
  createDelegation: ({ path, body }) => delegations.createDelegation(path.userId, body),
  listDelegations: ({ path }) => Effect.map(delegations.listDelegations(path.userId), answers.delegations),
  endDelegation: ({ path }) => done(delegations.endDelegation(path.userId, path.delegationId)),

  // portal sessions
  createOpening: ({ body }) => Effect.map(portalSessions.createOpening(body), answers.begun),
  getOpening: ({ path }) => Effect.map(portalSessions.getOpening(path.openingId), (state) => ({ state })),
  createOpeningTicket: ({ path, body }) =>
    Effect.map(handshakes.createOpeningTicket(path.openingId, body), (ticket) => ({ ticket })),
  createOpeningToken: ({ path, body }) =>
    Effect.map(handshakes.createOpeningToken(path.openingId, body), answers.entered),
  beatOpening: ({ path, body }) => done(portalSessions.beatOpening(path.openingId, body.openingSecret)),
  closeOpening: ({ path, body }) => done(portalSessions.closeOpening(path.openingId, body.openingSecret, body.reason)),
  redeemOpening: ({ path, body }) => done(commits.redeemOpening(path.openingId, body)),

  // passkeys
  createPasskey: ({ path, body }) => passkeys.createPasskey(path.userId, body?.type ?? 'WEB'),
  listPasskeys: ({ path }) =>
    Effect.map(passkeys.listPasskeys(path.userId), (keys) => ({ keys: keys.map(answers.publicPasskey) })),
  getPasskey: ({ path }) => Effect.map(passkeys.getPasskey(path.userId, path.passkeyId), answers.publicPasskey),
  updatePasskey: ({ path, body }) => done(passkeys.updatePasskey(path.userId, path.passkeyId, body)),
  getPasskeyChallenge: ({ query }) => Effect.map(passkeys.getPasskeyChallenge(query ?? {}), answers.passkeyChallenge),
  getUserPasskeyChallenge: ({ path }) =>
    Effect.map(passkeys.getUserPasskeyChallenge(path.userId), answers.passkeyChallenge),
  verifyPasskey: ({ body }) => passkeys.verifyPasskey(body),
  verifyUserPasskey: ({ path, body: { publicKey, signature } }) =>
    done(passkeys.verifyUserPasskey(path.userId, { publicKey, signature })),
  getPasskeyLocationHints: ({ query }) =>
    Effect.map(passkeys.getPasskeyLocationHints(query ?? {}), (hints) => ({ hints })),

  // passwords
  createPassword: ({ path }) => passwords.createPassword(path.userId),
  listPasswords: ({ query }) =>
    Effect.map(passwords.listPasswords(query ?? {}), (list: readonly passwords.ListedPassword[]) => ({
      passwords: list,
    })),
  updatePassword: ({ path, body }) => done(passwords.updatePassword(path.userId, path.passwordId, body)),
  verifyPassword: ({ body }) => passwords.verifyPassword(body),

  // wallets
  createWallet: ({ path, body }) =>
    Effect.map(wallets.createWallet(path.userId, body), ({ cosigner, ...created }) => ({
      ...created,
      cosigner: { name: cosigner.name, publicKey: bytesToHex(cosigner.publicKey) },
    })),
  listWallets: ({ path, query }) =>
    Effect.flatMap(wallets.listWallets(path.userId), (listed) =>
      query?.includePartnerData === 'true'
        ? Effect.map(wallets.partnersOf(listed), (ofListed) => answers.listed(listed, ofListed))
        : Effect.succeed(answers.listed(listed)),
    ),
  listAllWallets: ({ path }) => Effect.map(wallets.listAllWallets(path.userId), (listed) => answers.listed(listed)),
  setWallets: ({ path, body }) => done(wallets.setWallets(path.userId, body)),
  getCapsuleShare: ({ path }) => Effect.map(getCapsuleShare(path.userId, path.walletId), (share) => ({ share })),
  distributeCapsuleShare: ({ path }) => done(wallets.distributeCapsuleShare(path.userId, path.walletId)),
  listPregenWallets: ({ query }) =>
    Effect.map(pregen.listPregenWallets(query?.ids ?? {}), (listed) => answers.listed(listed)),

  // The co-signer's frames: signing, key generation, device enrolment and refresh of the SDK.
  exchangeFrame: ({ body }) => exchangeFrame(body),
  getCosignerKeys,
  refreshKeys: ({ path }) => refreshes.refreshKeys(path.userId, path.walletId),
  getRefreshDone: ({ path, query }) => refreshes.getRefreshDone(path.userId, path.walletId, query?.protocolId),

  // The path of public clients of the contract, which say here what their frames sign. The SDK signs by exchangeFrame.
  signMessage: ({ path, body }) => Effect.map(signing.signMessage(path.userId, path.walletId, body), signed),
  signTransaction: ({ path, body }) => Effect.map(signing.signTransaction(path.userId, path.walletId, body), signed),
  sendTransaction: ({ path, body }) => Effect.map(signing.sendTransaction(path.userId, path.walletId, body), sent),

  // reviews
  getPendingTransaction: ({ path: { userId, pendingTransactionId } }) =>
    Effect.map(reviews.getPendingTransaction(userId, pendingTransactionId), answers.pendingTransaction),
  acceptPendingTransaction: ({ path: { userId, pendingTransactionId }, body }) =>
    done(reviews.acceptPendingTransaction(userId, pendingTransactionId, body ?? {})),
  denyPendingTransaction: ({ path: { userId, pendingTransactionId } }) =>
    done(reviews.denyPendingTransaction(userId, pendingTransactionId)),
  getPendingTransactionToDecide: ({ path: { pendingTransactionId } }) =>
    Effect.map(reviews.getPendingTransactionToDecide(pendingTransactionId), answers.pendingTransaction),
  decidePendingTransaction: ({ path: { pendingTransactionId }, body: { jws } }) =>
    done(reviews.decidePendingTransaction(pendingTransactionId, jws)),

  // key shares
  createKeyShares: ({ path, body }) => done(keyShares.createKeyShares(path.userId, body.keyShares)),
  createWalletKeyShares: ({ path: { userId, walletId }, body }) =>
    done(
      keyShares.createKeyShares(
        userId,
        body.keyShares.map((keyShare) => ({ ...keyShare, walletId })),
      ),
    ),
  listWalletKeyShares: ({ path, query }) =>
    Effect.map(keyShares.listWalletKeyShares(path.userId, path.walletId, query), answers.keySharesOfWallet),
  listPasskeyKeyShares: ({ path, query }) =>
    Effect.map(keyShares.listPasskeyKeyShares(path.userId, query.publicKey), answers.keySharesOfKey),
  listPasswordKeyShares: ({ path, query }) =>
    Effect.map(keyShares.listPasswordKeyShares(path.userId, query.passwordId), answers.keySharesOfKey),
  createTemporaryShares: ({ path, body }) => done(temporaryShares.createTemporaryShares(path.userId, body.shares)),
  listTemporaryShares: ({ path, query }) =>
    Effect.map(temporaryShares.listTemporaryShares(path.userId, query.sessionLookupId), answers.released),
  deleteTemporaryShares: ({ path, query }) =>
    done(temporaryShares.deleteTemporaryShares(path.userId, query.sessionLookupId)),
  createRecoveryPublicKeys: ({ path, body: { publicKeys, rootSignatures } }) =>
    Effect.map(
      recoveryPublicKeys.createRecoveryPublicKeys(path.userId, publicKeys, rootSignatures),
      answers.recoveryPublicKeys,
    ),
  listRecoveryPublicKeys: ({ path }) =>
    Effect.map(recoveryPublicKeys.listRecoveryPublicKeys(path.userId), answers.recoveryPublicKeys),
  createEncryptedWalletPrivateKey: ({ path, body }) =>
    Effect.map(encryptedWalletPrivateKeys.createEncryptedWalletPrivateKey(path.userId, body), answers.privateKey),
  listEncryptedWalletPrivateKeys: ({ path: { userId, encryptionKeyHash } }) =>
    Effect.map(
      encryptedWalletPrivateKeys.listEncryptedWalletPrivateKeys(userId, encryptionKeyHash),
      answers.privateKeys,
    ),
  getEncryptedWalletPrivateKey: ({ query }) =>
    Effect.map(encryptedWalletPrivateKeys.getEncryptedWalletPrivateKey(query.passwordId), answers.privateKey),

  // recovery
  startRecovery: ({ body: { email } }) => done(recoveries.startRecovery({ email })),
  initRecovery: ({ body }) => done(recoveries.startRecovery(identityOf(body))),
  verifyRecovery: ({ body: { email, verificationCode } }) =>
    Effect.map(recoveries.verifyRecovery({ email }, verificationCode), answers.recovering),
  verifyRecoveryEmail: ({ body: { email, verificationCode } }) =>
    Effect.map(recoveries.verifyRecovery({ email }, verificationCode), answers.recovering),
  cancelRecovery: () => done(recoveries.cancelRecovery()),
  listRecoveryKeyShares: ({ path, query }) =>
    Effect.map(keyShares.listRecoveryKeyShares(path.userId, path.walletId, query), answers.keySharesOfWallet),
  completeRecovery: ({ path, body }) => done(finishedRecoveries.completeRecovery(path.userId, body)),
  finishRecovery: ({ path }) => done(finishedRecoveries.finishRecovery(path.userId, path.walletId)),

  // Short links carry the user id for their reader. The request's own is unproven and not stored.
  createTemporaryTransmission: ({ body }) =>
    Effect.map(transmissions.createTemporaryTransmission(body.message), (id) => ({ id })),
  getTemporaryTransmission: ({ path }) =>
    Effect.map(transmissions.getTemporaryTransmission(path.transmissionId), (message) => ({ message })),

  // partners, static files, failures of the SDK
  getPartner: ({ path }) =>
    Effect.map(partners.getPartner(path.partnerId), (partner) => ({ partner: answers.publicPartner(partner) })),
  getPrimeWorker: () => script('prime.worker.min.js'),
  getMpcModule: () => read('main.wasm'),
  getMpcWorkerBundle: () => script('mpcWorker-bundle.js'),
  reportSdkError: ({ body }) => done(diagnostics.reportSdkError(body)),
} satisfies Handlers<unknown>

/** Success without fields. */
const done = <E, R>(flow: Effect.Effect<unknown, E, R>) => Effect.as(flow, {})

type IdentityFields = {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly countryCode?: string | undefined
}

/** The identity's fields of the body, without the settings of the mail beside them. */
const identityOf = ({ email, phone, countryCode }: IdentityFields) => ({ email, phone, countryCode })

/** Success without fields, the signature once the service knows it, or what it is held for. */
const signed = ({ signature, pendingTransactionId }: signing.Answer) =>
  answers.present({ signature, pendingTransactionId })

/** The same, or the hash of a transaction that was passed on. */
const sent = ({ signature, pendingTransactionId, txHash }: signing.Answer) =>
  answers.present({ signature, pendingTransactionId, txHash })

const read = (file: StaticFile) => Effect.flatMap(StaticFiles, (files) => files.read(file))

const script = (file: StaticFile) => Effect.map(read(file), (bytes) => new TextDecoder().decode(bytes))

type Flow = ReturnType<(typeof handlers)[OperationId] | typeof authorize | typeof once<never, never>>

/** Every refusal of a request. */
export type Refusal = Effect.Error<Flow> | InvalidRequest

/** The services that the flows require of their process. `Caller` and `Reply` are provided with each request. */
export type Services = Exclude<Effect.Services<Flow>, Caller | Reply>
