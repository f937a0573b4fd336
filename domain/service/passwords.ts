/**
 * Passwords as credentials (domain/service/README.md#passwords). The service never receives one, nor anything in plain
 * that tests a guess.
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
import { hostOf } from '../model/Url.ts'
import * as challenges from './challenges.ts'
import {
  InvalidCredential,
  type PasswordRecord,
  pendingLife,
  pepperAssociatedData,
  verifierAssociatedData,
} from './Credential.ts'
import { provenKey } from './exports.ts'
import { NotFound } from './NotFound.ts'
import { deviceTokenFor, takeTry } from './passwordTries.ts'
import * as PortalSession from './PortalSession.ts'
import * as commits from './commits.ts'
import * as portalSessions from './portalSessions.ts'
import { Audit } from './ports/Audit.ts'
import { Passwords } from './ports/Passwords.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Vault } from './ports/Vault.ts'
import { isUsableIn } from './Recovery.ts'
import * as rootSignatures from './rootSignatures.ts'
import * as Session from './Session.ts'
import * as sessions from './sessions.ts'
import * as users from './users.ts'
import { activeShares } from './wallets.ts'

/** A PENDING record with its own pepper, for a proven user who has no credential yet or recovers. */
export const createPassword = Effect.fn('passwords.createPassword')(function* (userId: string) {
  const session = yield* sessions.provenSession(userId)
  if (!Session.startsThings(session)) return yield* new NoSignedInUser()
  const random = yield* SecureRandom
  const id = yield* random.uuid
  const pepper = yield* random.bytes(PasswordKeys.pepperLength)
  const salt = bytesToHex(yield* random.bytes(PasswordKeys.saltLength))
  const sealedPepper = yield* (yield* Vault).seal(pepperAssociatedData(id), pepper)
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* sessions.lockSession(session.id)
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
 * Before login: id, salt and parameters only; an identity without a password gets a stable decoy. Users get their own
 * in full, in a recovery only the one that it made.
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
  /** That of an earlier login to this record in the same browser. */
  readonly deviceToken?: string | undefined
}

/**
 * Answers what the record holds to a caller that knows the password. The challenge is consumed first, then a try is
 * taken; a record that does not exist costs the same work.
 */
export const verifyPassword = Effect.fn('passwords.verifyPassword')(function* (proof: PasswordProof) {
  const portal = yield* portalSessions.portalOf(['login-password', 'export', 'review'])
  if (!PortalSession.isAtWork(portal)) return yield* new portalSessions.LinkExpired()
  const session = yield* portalSessions.sessionOfPortal(portal, proof.sessionLookupId)
  const challenge = yield* challenges.consume({ openingId: portal.openingId })
  const restoreTries = yield* takeTry(proof.passwordId, proof.deviceToken)

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
  const isRight = isKnown && portalSessions.isWhoMayVerify(portal, session, password?.userId ?? '')
  if (!isRight || password?.completion === null || password === undefined) {
    yield* refused(portal, proof.passwordId)
    return yield* new InvalidPassword()
  }
  yield* restoreTries
  if (proof.newDeviceSessionLookupId !== undefined) {
    const { partnerId } = portal
    yield* sessions.newDevice({ lookupId: proof.newDeviceSessionLookupId, partnerId, userId: password.userId })
  }
  yield* portalSessions.verify(portal, password.userId)
  const pepper = yield* Effect.orDie((yield* Vault).open(pepperAssociatedData(password.id), password.sealedPepper))
  return {
    userId: password.userId,
    credentialId: password.id,
    sigDerivedPublicKey: password.completion.sigDerivedPublicKey,
    ewpk: password.completion.encryptedWalletPrivateKey,
    rootPublicKey: password.completion.rootPublicKey,
    wrappedRootKey: password.completion.wrappedRootKey,
    pepper: bytesToHex(pepper),
    activeShares: yield* activeShares(password.userId, portal.partnerId),
    deviceToken: yield* deviceTokenFor(password.id, proof.deviceToken, portal.openingId),
  }
})

/** What completes a record, as the wire has it. */
export type PasswordToComplete = rootSignatures.RootFieldsToCheck & {
  readonly status?: string | undefined
  readonly salt?: string | undefined
  readonly kdf?: PasswordKeys.Kdf | undefined
  readonly authPublicKey?: string | undefined
  readonly encryptedWalletPrivateKey?: string | undefined
  readonly encryptionKeyHash?: string | undefined
}

/** The commit of the page create-password: record, root key and session change together. */
export const updatePassword = Effect.fn('passwords.updatePassword')(function* (
  userId: string,
  passwordId: string,
  body: PasswordToComplete,
) {
  const portal = yield* portalSessions.portalOf(['create-password'], passwordId)
  if (portal.userId !== userId) return yield* new NotFound()
  // Read before the portal session: if an equal request commits between the two reads, the portal session shows it.
  const password = Option.getOrUndefined(yield* (yield* Passwords).find(passwordId))
  if (yield* commits.isCommittedBy(portal.openingId, body)) return
  if (password === undefined || password.userId !== userId) return yield* new NotFound()
  const now = yield* Clock.currentTimeMillis
  if (password.status !== 'PENDING' || now > password.expiresAt) return yield* new portalSessions.LinkExpired()
  const session = yield* portalSessions.sessionOfPortal(portal)

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

  const sealedVerifier = yield* (yield* Vault).seal(verifierAssociatedData(passwordId), hexToBytes(authPublicKey))
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
  yield* commits.commit(
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

const beforeLogin = ({ id, completion }: PasswordRecord) =>
  completion === null ? [] : [{ id, salt: completion.salt, kdf: completion.kdf }]

const inFull = (password: PasswordRecord) => {
  const { completion } = password
  if (completion === null) return []
  const { salt, kdf, sigDerivedPublicKey, rootPublicKey, rootSignature } = completion
  const { id, userId } = password
  return [{ id, userId, status: 'COMPLETE' as const, salt, kdf, sigDerivedPublicKey, rootPublicKey, rootSignature }]
}

/** Before a login only what deriving the key takes; inference from the flow would drop the other fields. */
export type ListedPassword = ReturnType<typeof beforeLogin>[number] & Partial<ReturnType<typeof inFull>[number]>

/** Always the same for the same identity, and in the form of a real one. */
const decoyOf = Effect.fnUntraced(function* (identity: Identity.Identity) {
  const id = yield* users.strangerId('password', identity)
  const salt = (yield* Vault).mac("stranger's salt", id).slice(0, 2 * PasswordKeys.saltLength)
  return { id, salt, kdf: PasswordKeys.defaultKdf }
})

/**
 * The stored verifier, or one that no password yields. That one is made and sealed in both cases, and one of both is opened, so that
 * the time does not tell whether there is a record.
 */
const verifierOf = Effect.fnUntraced(function* (password: PasswordRecord | undefined, passwordId: string) {
  const { mac, open, seal } = yield* Vault
  const of = verifierAssociatedData(passwordId)
  const invented = yield* seal(of, hexToBytes(mac("stranger's verifier", passwordId)))
  return yield* Effect.orDie(open(of, password?.completion?.sealedVerifier ?? invented))
})

const refused = (portal: PortalSession.PortalToken, passwordId: string) =>
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
