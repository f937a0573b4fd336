/**
 * Passkeys as credentials (domain/service/README.md#passkeys). The user handle never comes here, because it can be what
 * wraps the keys.
 */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { challengeOf } from '../crypto/Export.ts'
import type { PasskeyVariant } from '../crypto/PasskeyKeys.ts'
import { identityForHints, type Platform } from '../model/Credential.ts'
import * as Identity from '../model/Identity.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { relyingPartyOf } from '../model/Url.ts'
import { Caller } from './Caller.ts'
import * as challenges from './challenges.ts'
import {
  InvalidCredential,
  maximumPasskeys,
  type PasskeyCompletion,
  type PasskeyRecord,
  pendingLife,
} from './Credential.ts'
import { recipientOf } from './exports.ts'
import { NotFound } from './NotFound.ts'
import * as PortalSession from './PortalSession.ts'
import * as commits from './commits.ts'
import * as portalSessions from './portalSessions.ts'
import { callersPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import type { ChallengeHolder } from './ports/Challenges.ts'
import { Deployment } from './ports/Deployment.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { PasskeyVerifier } from './ports/PasskeyVerifier.ts'
import { TooManyAttempts } from './ports/RateLimits.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { isUsableIn } from './Recovery.ts'
import * as rootSignatures from './rootSignatures.ts'
import * as Session from './Session.ts'
import * as sessions from './sessions.ts'
import * as users from './users.ts'
import { activeShares } from './wallets.ts'

/** A PENDING record for a proven user who has no credential yet or recovers. */
export const createPasskey = Effect.fn('passkeys.createPasskey')(function* (userId: string, type: Platform) {
  const session = yield* sessions.provenSession(userId)
  if (!Session.startsThings(session)) return yield* new NoSignedInUser()
  const passkeys = yield* Passkeys
  const id = yield* (yield* SecureRandom).uuid
  const now = yield* Clock.currentTimeMillis
  const { partnerId } = session
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* sessions.lockSession(session.id)
      const recovery = yield* users.refuseSecondCredential(userId, session.id)
      // A recovery revokes all others.
      const counted = (yield* passkeys.ofUser(userId)).filter(
        ({ status, sessionId }) => status !== 'REVOKED' && (recovery === undefined || sessionId === session.id),
      )
      if (counted.length >= maximumPasskeys) return yield* new TooManyAttempts({ retryAfterMs: pendingLife })
      yield* passkeys.create({ id, userId, partnerId, sessionId: session.id, type, now, expiresAt: now + pendingLife })
    }),
  )
  return { id, partnerId }
})

export const listPasskeys = Effect.fn('passkeys.listPasskeys')(function* (userId: string) {
  yield* sessions.provenCaller(userId)
  const [isVisible, shown] = [yield* visible, yield* asShown]
  return (yield* (yield* Passkeys).ofUser(userId)).filter(isVisible).map(shown)
})

export const getPasskey = Effect.fn('passkeys.getPasskey')(function* (userId: string, passkeyId: string) {
  yield* sessions.provenCaller(userId)
  const passkey = Option.getOrUndefined(yield* (yield* Passkeys).find(passkeyId))
  const [isVisible, shown] = [yield* visible, yield* asShown]
  return passkey?.userId === userId && isVisible(passkey) ? shown(passkey) : yield* new NotFound()
})

/** Which passkeys the caller sees: in a recovery only the one that it made. */
const visible = Effect.gen(function* () {
  const { recovery } = yield* Caller
  if (recovery?.state === 'READY') return (passkey: PasskeyRecord) => isUsableIn(recovery, passkey)
  return ({ status }: PasskeyRecord) => status === 'PENDING' || status === 'COMPLETE'
})

export type ShownPasskey = Omit<PasskeyRecord, 'completion'> & {
  readonly completion: (Pick<PasskeyCompletion, 'credentialId'> & Partial<PasskeyCompletion>) | null
}

/** A page that makes a credential gets the ids of existing passkeys, to make none twice, and none of their keys. */
const asShown = Effect.map(Caller, ({ portal }) => {
  const makesOne = portal?.page === 'create-passkey' || portal?.page === 'create-password'
  return ({ completion, ...record }: PasskeyRecord): ShownPasskey => ({
    ...record,
    completion: makesOne && completion !== null ? { credentialId: completion.credentialId } : completion,
  })
})

/** What completes a record, as the wire has it. */
export type PasskeyToComplete = rootSignatures.RootFieldsToCheck & {
  readonly status?: string | undefined
  /** The credential id. */
  readonly publicKey?: string | undefined
  readonly clientDataJSON?: string | undefined
  readonly attestationObject?: string | undefined
  readonly variant?: PasskeyVariant | undefined
}

/** The commit of the page create-passkey: record, root key and session change together. */
export const updatePasskey = Effect.fn('passkeys.updatePasskey')(function* (
  userId: string,
  passkeyId: string,
  body: PasskeyToComplete,
) {
  const portal = yield* portalSessions.portalOf(['create-passkey'], passkeyId)
  if (portal.userId !== userId) return yield* new NotFound()
  if (yield* commits.isCommittedBy(portal.openingId, body)) return
  const passkey = Option.getOrUndefined(yield* (yield* Passkeys).find(passkeyId))
  if (passkey === undefined || passkey.userId !== userId) return yield* new NotFound()
  const now = yield* Clock.currentTimeMillis
  if (passkey.status !== 'PENDING' || now > passkey.expiresAt) return yield* new portalSessions.LinkExpired()
  const session = yield* portalSessions.sessionOfPortal(portal)

  const { publicKey: credentialId, clientDataJSON, attestationObject, variant } = body
  const challenge = yield* challenges.consume({ openingId: portal.openingId })
  const isWhole =
    body.status === 'COMPLETE' &&
    credentialId !== undefined &&
    clientDataJSON !== undefined &&
    attestationObject !== undefined &&
    variant !== undefined &&
    challenge !== undefined
  if (!isWhole) return yield* new InvalidCredential()
  const credential = { kind: 'BIOMETRICS', userId, recordId: passkeyId } as const
  const { root, recoverySignature, deviceCertificate, sealedResult, sigDerivedPublicKey } = yield* rootSignatures.check(
    body,
    session,
    credential,
  )
  const rpId = relyingPartyOf(portal.portalOrigin)
  const registered = yield* (yield* PasskeyVerifier)
    .register({ challenge, origin: portal.portalOrigin, rpId }, { credentialId, clientDataJSON, attestationObject })
    .pipe(Effect.mapError(() => new InvalidCredential()))
  const { authenticatorKey, aaguid, counter } = registered
  const completion = { ...root, credentialId, sigDerivedPublicKey, authenticatorKey, aaguid, counter, rpId, variant }
  yield* commits.commit(
    portal.openingId,
    {
      userId,
      currentWalletIds: {},
      needsWallet: true,
      deviceCertificate,
      sealedResult,
      credential: { kind: 'BIOMETRICS', id: passkeyId, completion, recoverySignature },
    },
    body,
  )
})

/** A challenge for the caller's portal session, which voids the one before. Password pages use it to try again. */
export const getPasskeyChallenge = Effect.fn('passkeys.getPasskeyChallenge')(function* (auth: Identity.AuthObject) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* new NoSignedInUser()
  if (!PortalSession.isAtWork(portal)) return yield* new portalSessions.LinkExpired()
  const partner = yield* callersPartner
  const isNamed = Object.values(auth).some(Identity.isPresent)
  if (isNamed) yield* users.allowQuestion('passkeys')
  const identity = isNamed ? yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth))) : undefined
  // In strict mode no passkey is named: discoverable ones are found without.
  const user = identity === undefined || partner.strict ? undefined : yield* users.userOf(identity)
  return {
    challenge: yield* challenges.give({ openingId: portal.openingId }),
    allowed: yield* credentialIdsOf(user?.id, portal.portalOrigin),
  }
})

/** The same for a user who is proven. */
export const getUserPasskeyChallenge = Effect.fn('passkeys.getUserPasskeyChallenge')(function* (userId: string) {
  const holder = yield* sessions.provenCaller(userId)
  return { challenge: yield* challenges.give(holder), allowed: yield* credentialIdsOf(userId, yield* callingOrigin) }
})

export type PasskeyProof = {
  /** The credential id. */
  readonly publicKey: string
  readonly signature: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
  readonly sessionLookupId?: string | undefined
  readonly newDeviceSessionLookupId?: string | undefined
}

/** Answers what the record holds to a caller that holds the passkey. The challenge is consumed first. */
export const verifyPasskey = Effect.fn('passkeys.verifyPasskey')(function* (proof: PasskeyProof) {
  const portal = yield* portalSessions.portalOf(['login-passkey', 'export', 'review'])
  if (!PortalSession.isAtWork(portal)) return yield* new portalSessions.LinkExpired()
  const session = yield* portalSessions.sessionOfPortal(portal, proof.sessionLookupId)
  const holder = { openingId: portal.openingId }
  const passkey = yield* assert(holder, portal.portalOrigin, proof, yield* recipientOf(portal))
  const { userId, completion } = passkey
  if (!portalSessions.isWhoMayVerify(portal, session, userId)) {
    yield* refused(holder, passkey.id)
    return yield* new UnknownPasskey()
  }
  if (proof.newDeviceSessionLookupId !== undefined) {
    yield* sessions.newDevice({ lookupId: proof.newDeviceSessionLookupId, partnerId: portal.partnerId, userId })
  }
  const wrapped = Option.getOrUndefined(yield* (yield* EncryptedWalletPrivateKeys).ofPasskey(passkey.id))
  if (wrapped === undefined) return yield* new InvalidCredential()
  yield* portalSessions.verify(portal, userId)
  return {
    userId,
    credentialId: passkey.id,
    sigDerivedPublicKey: completion.sigDerivedPublicKey,
    ewpk: wrapped.encryptedPrivateKey,
    rootPublicKey: completion.rootPublicKey,
    wrappedRootKey: completion.wrappedRootKey,
    variant: completion.variant,
    activeShares: yield* activeShares(userId, portal.partnerId),
  }
})

/** Confirms that a proven user holds the passkey. It authenticates no session: only a commit does. */
export const verifyUserPasskey = Effect.fn('passkeys.verifyUserPasskey')(function* (
  userId: string,
  proof: {
    readonly publicKey?: string | undefined
    readonly signature: PasskeyProof['signature'] | { readonly r: string; readonly s: string }
  },
) {
  const holder = yield* sessions.provenCaller(userId)
  const { publicKey, signature } = proof
  // The mobile form is a bare signature, which names neither origin nor challenge.
  if (publicKey === undefined || 'r' in signature) return yield* new UnknownPasskey()
  const passkey = yield* assert(holder, yield* callingOrigin, { publicKey, signature })
  if (passkey.userId !== userId) return yield* new UnknownPasskey()
})

/** The authenticator models (AAGUID) of this identity's passkeys; in strict mode none. */
export const getPasskeyLocationHints = Effect.fn('passkeys.getPasskeyLocationHints')(function* (
  auth: Identity.AuthObject,
) {
  yield* Effect.fromResult(identityForHints(Identity.fromAuthObject(auth)))
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth)))
  const partner = yield* callersPartner
  yield* users.allowQuestion('location hints')
  const user = partner.strict ? undefined : yield* users.userOf(identity)
  const complete = (yield* (yield* Passkeys).ofUser(user?.id ?? '')).filter(({ status }) => status === 'COMPLETE')
  return complete.flatMap(({ completion }) => (completion === null ? [] : [{ aaguid: completion.aaguid }]))
})

type Completed = PasskeyRecord & { readonly completion: NonNullable<PasskeyRecord['completion']> }

/**
 * The passkey whose assertion verifies over the holder's challenge and, on an export page, the page's own key. Counts
 * it.
 */
const assert = Effect.fnUntraced(function* (
  holder: ChallengeHolder,
  portalOrigin: string,
  { publicKey, signature }: Pick<PasskeyProof, 'publicKey' | 'signature'>,
  recipientPublicKey?: Uint8Array,
) {
  const given = yield* challenges.consume(holder)
  const isBare = given === undefined || recipientPublicKey === undefined
  const challenge = isBare ? given : challengeOf(given, recipientPublicKey)
  const passkeys = yield* Passkeys
  const passkey = Option.getOrUndefined(yield* passkeys.findByCredentialId(publicKey))
  if (challenge === undefined || passkey?.status !== 'COMPLETE' || !isCompleted(passkey)) {
    yield* refused(holder, publicKey.slice(0, 64))
    return yield* new UnknownPasskey()
  }
  const ceremony = { challenge, origin: portalOrigin, rpId: relyingPartyOf(portalOrigin) }
  const { counter } = yield* (yield* PasskeyVerifier)
    .assert(ceremony, { credentialId: publicKey, ...signature }, passkey.completion)
    .pipe(
      Effect.tapError(() => refused(holder, passkey.id)),
      Effect.mapError(() => new UnknownPasskey()),
    )
  if (!(yield* passkeys.count(passkey.id, counter))) {
    yield* refused(holder, passkey.id)
    return yield* new UnknownPasskey()
  }
  return passkey
})

const isCompleted = (passkey: PasskeyRecord): passkey is Completed => passkey.completion !== null

/** Only passkeys that work on this portal's host. */
const credentialIdsOf = Effect.fnUntraced(function* (userId: string | undefined, portalOrigin: string) {
  if (userId === undefined) return []
  const rpId = relyingPartyOf(portalOrigin)
  const own = yield* (yield* Passkeys).ofUser(userId)
  return own.flatMap(({ status, completion }) =>
    status === 'COMPLETE' && completion?.rpId === rpId ? [completion.credentialId] : [],
  )
})

/** Passkeys are made and used on portal pages only. */
const callingOrigin = Effect.gen(function* () {
  const { portal } = yield* Caller
  return portal?.portalOrigin ?? (yield* Deployment).portalOrigin
})

const refused = (holder: ChallengeHolder, subject: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event: 'passkey.refused', subject, detail: { ...holder } }))

/** The assertion does not verify, or there is no such passkey. */
export class UnknownPasskey extends Data.TaggedError('UnknownPasskey') {
  override readonly message = 'unknown passkey'
}
