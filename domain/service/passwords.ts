/**
 * Passwords as credentials (flows 3.4 to 3.8, 6.3p, 6.4p). The service never sees one, nor anything in plain that
 * tests a guess.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as PasswordKeys from '../crypto/PasswordKeys.ts'
import * as Identity from '../model/Identity.ts'
import { NoSignedInUser } from '../model/Session.ts'
import * as challenges from './challenges.ts'
import { pendingLife, pepperPlace, verifierPlace, type Password } from './Credential.ts'
import { provenKey } from './exports.ts'
import { InvalidCredential } from './InvalidCredential.ts'
import { NotFound } from './NotFound.ts'
import * as Opening from './Opening.ts'
import * as openings from './openings.ts'
import { hostOf } from './Partner.ts'
import { ActiveShares } from './ports/ActiveShares.ts'
import { Audit } from './ports/Audit.ts'
import { Passwords } from './ports/Passwords.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault } from './ports/Vault.ts'
import { isUsableIn } from './Recovery.ts'
import * as rootSignatures from './rootSignatures.ts'
import * as Session from './Session.ts'
import * as sessions from './sessions.ts'
import * as users from './users.ts'

/** Five tries per 15 minutes and record, strangers' decoys too (flows 6.4p). */
export const tries = { burst: 5, perMs: 3 * 60_000 } as const

/** A PENDING record with a pepper of its own, for a user who is proven and has no credential yet (flows 3.4). */
export const createPassword = Effect.fn('passwords.createPassword')(function* (userId: string) {
  const session = yield* sessions.provenSession(userId)
  if (!Session.startsThings(session)) return yield* new NoSignedInUser()
  const random = yield* SecureRandom
  const id = yield* random.uuid
  const pepper = yield* random.bytes(PasswordKeys.pepperLength)
  const salt = bytesToHex(yield* random.bytes(PasswordKeys.saltLength))
  const sealedPepper = yield* (yield* Vault).seal(pepperPlace(id), pepper)
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      yield* users.refuseSecondCredential(userId, session.id)
      yield* (yield* Passwords).create({
        id,
        userId,
        partnerId: session.partnerId,
        sessionId: session.id,
        salt,
        sealedPepper,
        now,
        expiresAt: now + pendingLife,
      })
    }),
  )
  return { id, partnerId: session.partnerId }
})

/**
 * Before login id, salt and parameters only; whoever has no password has stable decoys instead. A user sees the own
 * ones in full (flows 6.3p), in a recovery only the one that it made.
 */
export const listPasswords = Effect.fn('passwords.listPasswords')(function* (auth: Identity.AuthObject) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObjectOrUserId(auth)))
  const passwords = yield* Passwords
  if (identity.kind === 'userId') {
    const { recovery } = yield* sessions.recoveringSessionOf(identity.userId)
    if (recovery === undefined) return (yield* passwords.ofUser(identity.userId)).flatMap(inFull)
    const made = Option.toArray(yield* passwords.find(recovery.credential?.id ?? ''))
    return made.filter((password) => isUsableIn(recovery, password)).flatMap(inFull)
  }
  yield* users.allowQuestion('passwords')
  const user = yield* users.userOf(identity)
  const own = yield* passwords.ofUser(user?.id ?? '')
  const decoy = yield* decoyOf(identity)
  return own.length === 0 ? [decoy] : own.flatMap(beforeLogin)
})

export type PasswordProof = {
  readonly passwordId: string
  /** hex(32) */
  readonly publicKey: string
  /** hex(64) */
  readonly signature: string
  readonly sessionLookupId?: string | undefined
  readonly newDeviceSessionLookupId?: string | undefined
}

/**
 * Whoever knows the password gets what its record holds (flows 6.4p). The challenge is gone first, then a try; the same
 * work is done for a record that does not exist.
 */
export const verifyPassword = Effect.fn('passwords.verifyPassword')(function* (proof: PasswordProof) {
  const portal = yield* openings.portalOf(['login-password', 'export'])
  if (!Opening.isAtWork(portal)) return yield* new openings.LinkExpired()
  const session = yield* openings.sessionOfPortal(portal, proof.sessionLookupId)
  const challenge = yield* challenges.consume({ openingId: portal.openingId })
  yield* (yield* RateLimits).take('password', proof.passwordId, tries)

  const found = yield* (yield* Passwords).find(proof.passwordId)
  const password = Option.getOrUndefined(Option.filter(found, ({ status }) => status === 'COMPLETE'))
  const verifier = yield* verifierOf(password, proof.passwordId)
  const publicKey = fromHex(proof.publicKey, 32) ?? new Uint8Array(32)
  const isSigned = PasswordKeys.isPasswordProof(
    publicKey,
    {
      portalHost: hostOf(portal.portalOrigin),
      partnerId: portal.partnerId,
      sessionId: session.id,
      openingId: portal.openingId,
      passwordId: proof.passwordId,
      loginKeyThumbprint: yield* provenKey(portal, session),
      challenge: challenge ?? new Uint8Array(32),
    },
    fromHex(proof.signature, 64) ?? new Uint8Array(64),
  )
  const isKnown = equal(verifier, publicKey) && isSigned && challenge !== undefined
  const isRight = isKnown && openings.isWhoMayVerify(portal, session, password?.userId ?? '')
  if (!isRight || password?.completion === null || password === undefined) {
    yield* refused(portal, proof.passwordId)
    return yield* new InvalidPassword()
  }
  yield* (yield* RateLimits).clear('password', proof.passwordId)
  if (proof.newDeviceSessionLookupId !== undefined) {
    const { partnerId } = portal
    yield* sessions.newDevice({ lookupId: proof.newDeviceSessionLookupId, partnerId, userId: password.userId })
  }
  yield* openings.verify(portal, password.userId)
  const pepper = yield* Effect.orDie((yield* Vault).open(pepperPlace(password.id), password.sealedPepper))
  return {
    userId: password.userId,
    credentialId: password.id,
    sigDerivedPublicKey: password.completion.sigDerivedPublicKey,
    ewpk: password.completion.encryptedWalletPrivateKey,
    rootPublicKey: password.completion.rootPublicKey,
    wrappedRootKey: password.completion.wrappedRootKey,
    pepper: bytesToHex(pepper),
    activeShares: yield* (yield* ActiveShares).ofUser(password.userId, portal.partnerId),
  }
})

/** What completes a record (flows 3.8), as the wire has it. */
export type PasswordToComplete = rootSignatures.RootFieldsToCheck & {
  readonly status?: string | undefined
  readonly salt?: string | undefined
  readonly kdf?: PasswordKeys.Kdf | undefined
  readonly authPublicKey?: string | undefined
  readonly encryptedWalletPrivateKey?: string | undefined
  readonly encryptionKeyHash?: string | undefined
}

/** The commit of the page create-password (flows 3.8): record, root key and session, all or nothing. */
export const updatePassword = Effect.fn('passwords.updatePassword')(function* (
  userId: string,
  passwordId: string,
  body: PasswordToComplete,
) {
  const portal = yield* openings.portalOf(['create-password'], passwordId)
  if (portal.userId !== userId) return yield* new NotFound()
  // Read before the opening: where an equal request beside this one commits between the two reads, the opening says so.
  const password = Option.getOrUndefined(yield* (yield* Passwords).find(passwordId))
  if (yield* openings.isCommittedBy(portal.openingId, body)) return
  if (password === undefined || password.userId !== userId) return yield* new NotFound()
  const now = yield* Clock.currentTimeMillis
  if (password.status !== 'PENDING' || now > password.expiresAt) return yield* new openings.LinkExpired()
  const session = yield* openings.sessionOfPortal(portal)

  const { kdf, salt, authPublicKey, encryptedWalletPrivateKey, encryptionKeyHash } = body
  const signed = yield* rootSignatures.check(body, session, { kind: 'PASSWORD', userId, recordId: passwordId })
  const isWhole =
    body.status === 'COMPLETE' &&
    kdf !== undefined &&
    PasswordKeys.isAcceptableKdf(kdf) &&
    isHex(salt, PasswordKeys.saltLength) &&
    isHex(authPublicKey, 32) &&
    isHex(encryptionKeyHash, 32) &&
    encryptedWalletPrivateKey !== undefined
  if (!isWhole) return yield* new InvalidCredential()

  const sealedVerifier = yield* (yield* Vault).seal(verifierPlace(passwordId), hexToBytes(authPublicKey))
  const { root, recoverySignature, deviceCertificate, sealedResult, sigDerivedPublicKey } = signed
  const completion = {
    ...root,
    sigDerivedPublicKey,
    salt,
    kdf,
    encryptedWalletPrivateKey,
    encryptionKeyHash,
    sealedVerifier,
  }
  yield* openings.commit(
    portal.openingId,
    {
      userId,
      currentWalletIds: {},
      needsWallet: true,
      deviceCertificate,
      sealedResult,
      credential: { kind: 'PASSWORD', id: passwordId, completion, recoverySignature },
    },
    body,
  )
})

const beforeLogin = ({ id, completion }: Password) =>
  completion === null ? [] : [{ id, salt: completion.salt, kdf: completion.kdf }]

const inFull = (password: Password) => {
  const { completion } = password
  if (completion === null) return []
  const { salt, kdf, sigDerivedPublicKey, rootPublicKey, rootSignature } = completion
  const { id, userId } = password
  return [{ id, userId, status: 'COMPLETE' as const, salt, kdf, sigDerivedPublicKey, rootPublicKey, rootSignature }]
}

/** The same for ever for the same identity, and of the form of a true one (flows 6.3p). */
const decoyOf = Effect.fnUntraced(function* (identity: Identity.Identity) {
  const id = yield* users.strangerId('password', identity)
  const salt = (yield* Vault).mac("stranger's salt", id).slice(0, 2 * PasswordKeys.saltLength)
  return { id, salt, kdf: PasswordKeys.defaultKdf }
})

/** The stored verifier, or one that no password yields. */
const verifierOf = Effect.fnUntraced(function* (password: Password | undefined, passwordId: string) {
  const vault = yield* Vault
  const sealed = password?.completion?.sealedVerifier
  if (sealed === undefined) return hexToBytes(vault.mac("stranger's verifier", passwordId))
  return yield* Effect.orDie(vault.open(verifierPlace(passwordId), sealed))
})

const refused = (portal: Opening.PortalToken, passwordId: string) =>
  Effect.flatMap(Audit, (audit) =>
    audit.record({
      event: 'password.refused',
      partnerId: portal.partnerId,
      sessionId: portal.sessionId,
      subject: passwordId,
    }),
  )

const isHex = (text: string | undefined, length: number): text is string =>
  text !== undefined && fromHex(text, length) !== undefined

/** The proof of the password does not verify. */
export class InvalidPassword extends Data.TaggedError('InvalidPassword') {
  override readonly message = 'invalid password'
}
