/** Passkeys as credentials (flows 4, 6.3k, 6.4k). The user handle never comes here: it may be what wraps. */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { challengeOf } from '../crypto/Export.ts'
import type { PasskeyVariant } from '../crypto/PasskeyKeys.ts'
import { identityForHints, type Platform } from '../model/Credential.ts'
import * as Identity from '../model/Identity.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import * as challenges from './challenges.ts'
import { maximumPasskeys, pendingLife, type Passkey, type PasskeyCompletion } from './Credential.ts'
import { recipientOf } from './exports.ts'
import { InvalidCredential } from './InvalidCredential.ts'
import { NotFound } from './NotFound.ts'
import * as Opening from './Opening.ts'
import * as openings from './openings.ts'
import { rpIdOf } from './Partner.ts'
import { callersPartner } from './partners.ts'
import { ActiveShares } from './ports/ActiveShares.ts'
import { Audit } from './ports/Audit.ts'
import type { ChallengeHolder } from './ports/Challenges.ts'
import { Deployment } from './ports/Deployment.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { PasskeyVerifier } from './ports/PasskeyVerifier.ts'
import { TooManyAttempts } from './ports/RateLimits.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { isUsableIn } from './Recovery.ts'
import * as rootSignatures from './rootSignatures.ts'
import * as Session from './Session.ts'
import * as sessions from './sessions.ts'
import * as users from './users.ts'

/** A PENDING record (flows 4), for a user who is proven and has no credential yet. */
export const createPasskey = Effect.fn('passkeys.createPasskey')(function* (userId: string, type: Platform) {
  const session = yield* sessions.provenSession(userId)
  if (!Session.startsThings(session)) return yield* new NoSignedInUser()
  const passkeys = yield* Passkeys
  const id = yield* (yield* SecureRandom).uuid
  const now = yield* Clock.currentTimeMillis
  const { partnerId } = session
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      const recovery = yield* users.refuseSecondCredential(userId, session.id)
      // A recovery ends those that were lost.
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

/** In a recovery only the one that it made. */
const visible = Effect.gen(function* () {
  const { recovery } = yield* Caller
  if (recovery?.state === 'READY') return (passkey: Passkey) => isUsableIn(recovery, passkey)
  return ({ status }: Passkey) => status === 'PENDING' || status === 'COMPLETE'
})

export type ShownPasskey = Omit<Passkey, 'completion'> & {
  readonly completion: (Pick<PasskeyCompletion, 'credentialId'> & Partial<PasskeyCompletion>) | null
}

/** A page that makes a credential sees which passkeys are there, so that it makes none twice, and none of their keys. */
const asShown = Effect.map(Caller, ({ portal }) => {
  const makesOne = portal?.page === 'create-passkey' || portal?.page === 'create-password'
  return ({ completion, ...record }: Passkey): ShownPasskey => ({
    ...record,
    completion: makesOne && completion !== null ? { credentialId: completion.credentialId } : completion,
  })
})

/** What completes a record (flows 4.8), as the wire has it. */
export type PasskeyToComplete = rootSignatures.RootFieldsToCheck & {
  readonly status?: string | undefined
  /** The credential id. */
  readonly publicKey?: string | undefined
  readonly clientDataJSON?: string | undefined
  readonly attestationObject?: string | undefined
  readonly variant?: PasskeyVariant | undefined
}

/** The commit of the page create-passkey (flows 4.8): record, root key and session, all or nothing. */
export const updatePasskey = Effect.fn('passkeys.updatePasskey')(function* (
  userId: string,
  passkeyId: string,
  body: PasskeyToComplete,
) {
  const portal = yield* openings.portalOf(['create-passkey'], passkeyId)
  if (portal.userId !== userId) return yield* new NotFound()
  if (yield* openings.isCommittedBy(portal.openingId, body)) return
  const passkey = Option.getOrUndefined(yield* (yield* Passkeys).find(passkeyId))
  if (passkey === undefined || passkey.userId !== userId) return yield* new NotFound()
  const now = yield* Clock.currentTimeMillis
  if (passkey.status !== 'PENDING' || now > passkey.expiresAt) return yield* new openings.LinkExpired()
  const session = yield* openings.sessionOfPortal(portal)

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
  const rpId = rpIdOf(portal.portalOrigin)
  const registered = yield* (yield* PasskeyVerifier)
    .register({ challenge, origin: portal.portalOrigin, rpId }, { credentialId, clientDataJSON, attestationObject })
    .pipe(Effect.mapError(() => new InvalidCredential()))
  const wrapped = Option.getOrUndefined(yield* (yield* EncryptedWalletPrivateKeys).ofPasskey(passkeyId))
  // The page stores it before it completes the record: a passkey without it could not log in.
  if (wrapped?.biometricPublicKey !== sigDerivedPublicKey) return yield* new InvalidCredential()

  const { authenticatorKey, aaguid, counter } = registered
  const completion = { ...root, credentialId, sigDerivedPublicKey, authenticatorKey, aaguid, counter, rpId, variant }
  yield* openings.commit(
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

/**
 * A challenge for the page's opening (flows 6.3k), which voids the one before: password pages try again with it as
 * well.
 */
export const getPasskeyChallenge = Effect.fn('passkeys.getPasskeyChallenge')(function* (auth: Identity.AuthObject) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* new NoSignedInUser()
  if (!Opening.isAtWork(portal)) return yield* new openings.LinkExpired()
  const partner = yield* callersPartner
  const isNamed = Object.values(auth).some(Identity.isPresent)
  if (isNamed) yield* users.allowQuestion('passkeys')
  const identity = isNamed ? yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth))) : undefined
  // In strict mode nobody's passkeys are named: resident ones are found without.
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

/** Whoever holds the passkey gets what its record holds (flows 6.4k). The challenge is gone first. */
export const verifyPasskey = Effect.fn('passkeys.verifyPasskey')(function* (proof: PasskeyProof) {
  const portal = yield* openings.portalOf(['login-passkey', 'export'])
  if (!Opening.isAtWork(portal)) return yield* new openings.LinkExpired()
  const session = yield* openings.sessionOfPortal(portal, proof.sessionLookupId)
  const holder = { openingId: portal.openingId }
  const passkey = yield* assert(holder, portal.portalOrigin, proof, yield* recipientOf(portal))
  const { userId, completion } = passkey
  if (!openings.isWhoMayVerify(portal, session, userId)) {
    yield* refused(holder, passkey.id)
    return yield* new UnknownPasskey()
  }
  if (proof.newDeviceSessionLookupId !== undefined) {
    yield* sessions.newDevice({ lookupId: proof.newDeviceSessionLookupId, partnerId: portal.partnerId, userId })
  }
  const wrapped = Option.getOrUndefined(yield* (yield* EncryptedWalletPrivateKeys).ofPasskey(passkey.id))
  if (wrapped === undefined) return yield* new InvalidCredential()
  yield* openings.verify(portal, userId)
  return {
    userId,
    credentialId: passkey.id,
    sigDerivedPublicKey: completion.sigDerivedPublicKey,
    ewpk: wrapped.encryptedPrivateKey,
    rootPublicKey: completion.rootPublicKey,
    wrappedRootKey: completion.wrappedRootKey,
    variant: completion.variant,
    activeShares: yield* (yield* ActiveShares).ofUser(userId, portal.partnerId),
  }
})

/** Confirms that a proven user holds the passkey. It authenticates nobody: only a commit does (flows A6). */
export const verifyUserPasskey = Effect.fn('passkeys.verifyUserPasskey')(function* (
  userId: string,
  proof: {
    readonly publicKey?: string | undefined
    readonly signature: PasskeyProof['signature'] | { readonly r: string; readonly s: string }
  },
) {
  const holder = yield* sessions.provenCaller(userId)
  const { publicKey, signature } = proof
  // The mobile form says nothing of where and for what it was made.
  if (publicKey === undefined || 'r' in signature) return yield* new UnknownPasskey()
  const passkey = yield* assert(holder, yield* callingOrigin, { publicKey, signature })
  if (passkey.userId !== userId) return yield* new UnknownPasskey()
})

/** Where this identity's passkeys were made, roughly; in strict mode nowhere (security 1.2 E). */
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

type Completed = Passkey & { readonly completion: NonNullable<Passkey['completion']> }

/** The passkey whose assertion over the holder's challenge, and the page's own key if it has one, verifies, counted. */
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
  const ceremony = { challenge, origin: portalOrigin, rpId: rpIdOf(portalOrigin) }
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

const isCompleted = (passkey: Passkey): passkey is Completed => passkey.completion !== null

/** Only passkeys that work on this portal's host. */
const credentialIdsOf = Effect.fnUntraced(function* (userId: string | undefined, portalOrigin: string) {
  if (userId === undefined) return []
  const rpId = rpIdOf(portalOrigin)
  const own = yield* (yield* Passkeys).ofUser(userId)
  return own.flatMap(({ status, completion }) =>
    status === 'COMPLETE' && completion?.rpId === rpId ? [completion.credentialId] : [],
  )
})

/** Passkeys are made and used on the portal's own pages. */
const callingOrigin = Effect.gen(function* () {
  const { portal } = yield* Caller
  return portal?.portalOrigin ?? (yield* Deployment).portalOrigin
})

const refused = (holder: ChallengeHolder, subject: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event: 'passkey.refused', subject, detail: { ...holder } }))

/** The assertion does not verify, or nobody has this passkey. */
export class UnknownPasskey extends Data.TaggedError('UnknownPasskey') {
  override readonly message = 'unknown passkey'
}
