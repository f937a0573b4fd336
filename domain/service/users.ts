/**
 * Users by e-mail (domain/service/README.md#users), and the code that proves the mailbox
 * (domain/service/README.md#verification-codes).
 */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { toWire, wireAuthMethods, type WireAuthMethod } from '../model/Credential.ts'
import * as Identity from '../model/Identity.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { callersPartner, find as findPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Codes } from './ports/Codes.ts'
import { Deployment } from './ports/Deployment.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { RateLimits, TooManyAttempts } from './ports/RateLimits.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { Rates } from './rates.ts'
import { isReady } from './Recovery.ts'
import type * as Session from './Session.ts'
import { callersSession, OtherAccount, provenCaller, sessionOf, startingOrNewSession } from './sessions.ts'
import { sendCode, sendNotice } from './userMessages.ts'

export const userLimits = {
  codeLife: 10 * 60_000,
  codeTries: 5,
  codeDigits: 6,
} as const

/**
 * A user of this identity, and a code to its mailbox that is bound to this session. With a complete credential no code
 * is sent: otherwise the mailbox alone would be enough to add another one. In strict mode the answer does not tell.
 */
export const createUser = Effect.fn('users.createUser')(function* (auth: Identity.AuthObject) {
  const identity = yield* mailable(auth)
  const partner = yield* callersPartner
  yield* allowSender
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  if (user?.hasCredential === true && !partner.strict) return yield* new UserAlreadyExists()
  yield* allowCode(identity)
  const session = yield* startingOrNewSession
  yield* refuseOtherAccount(session, user?.id)
  yield* allowMail('code', true)
  const id = yield* (yield* SecureRandom).uuid
  const now = yield* Clock.currentTimeMillis
  // Also with an account, so that the time which the answer takes does not tell.
  const found = yield* (yield* Users).findOrCreate({ id, identity, now })
  if (user?.hasCredential === true) {
    const userId = yield* strangerId('user', identity)
    yield* setUser(session, userId, identity, yield* unguessable, yield* noticeTo(session, identity))
    return userId
  }
  const code = yield* (yield* SecureRandom).digits(userLimits.codeDigits)
  yield* setUser(session, found.id, identity, code, yield* codeTo(session, identity, code))
  return found.id
})

/** Whether there is an account to log in to with this identity. In strict mode always true. */
export const checkUserExists = Effect.fn('users.checkUserExists')(function* (auth: Identity.AuthObject) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth)))
  const partner = yield* callersPartner
  yield* allowQuestion('exists')
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  return partner.strict || user?.hasCredential === true
})

/** Takes a try first, then compares. A code is valid once; a session that is proven already is not asked again. */
export const verifyEmail = Effect.fn('users.verifyEmail')(function* (userId: string, verificationCode: string) {
  const session = yield* identifiedSession(userId)
  if (session.userProven) return
  const outcome = yield* (yield* Codes).consume({
    sessionId: session.id,
    userId,
    mac: yield* codeMac(session, userId, verificationCode.trim()),
    now: yield* Clock.currentTimeMillis,
    tries: userLimits.codeTries,
  })
  if (outcome === 'right') {
    yield* (yield* Transaction).atomically(
      Effect.gen(function* () {
        if (!(yield* (yield* Sessions).verify(session.id, userId))) return yield* new InvalidVerificationCode()
        yield* (yield* Users).setVerified(userId)
        yield* record('user.verified', session, userId)
      }),
    )
    return
  }
  yield* record('user.code refused', session, userId)
  if (outcome === 'exhausted') return yield* new TooManyAttempts({ retryAfterMs: userLimits.codeLife })
  return yield* new InvalidVerificationCode()
})

/** Sends another code; the old one is no longer valid. */
export const resendVerificationCode = Effect.fn('users.resendVerificationCode')(function* (userId: string) {
  const session = yield* identifiedSession(userId)
  const { identity } = session
  if (identity === null || session.state === 'AUTHENTICATED') return yield* new NotFound()
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  const partner = yield* findPartner(session.partnerId)
  yield* allowSender
  if (user?.hasCredential === true && partner?.strict !== true) return yield* new UserAlreadyExists()
  yield* allowCode(identity)
  yield* allowMail('code', true)
  const { atomically } = yield* Transaction
  if (user?.hasCredential === true) {
    const sending = yield* noticeTo(session, identity)
    return yield* atomically(Effect.andThen(replaceCode(session, userId, yield* unguessable), sending))
  }
  const code = yield* (yield* SecureRandom).digits(userLimits.codeDigits)
  const sending = yield* codeTo(session, identity, code)
  yield* atomically(Effect.andThen(replaceCode(session, userId, code), sending))
})

/** The user's own record. A host page gets the identity masked, a portal page in full. */
export const getUser = Effect.fn('users.getUser')(function* (userId: string) {
  const { portal } = yield* Caller
  yield* portal === undefined ? sessionOf(userId) : provenCaller(userId)
  const user = yield* Effect.fromOption(yield* (yield* Users).find(userId), () => new NotFound())
  const auth = Identity.toAuthObject(user.identity)
  return { userId, identity: portal === undefined ? masked(auth) : auth }
})

/** How this identity can log in: not at all without an account; in strict mode always by every method. */
export const getSupportedAuthMethods = Effect.fn('users.getSupportedAuthMethods')(function* (
  auth: Identity.AuthObject,
) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObjectOrUserId(auth)))
  const partner = yield* callersPartner
  yield* allowQuestion('supported auth methods')
  if (partner.strict) return wireAuthMethods
  const user = yield* userOf(identity)
  if (user === undefined) return []
  const passwords = yield* (yield* Passwords).ofUser(user.id)
  const passkeys = yield* (yield* Passkeys).ofUser(user.id)
  const methods: WireAuthMethod[] = []
  if (passwords.length > 0) methods.push(toWire('PASSWORD'))
  if (passkeys.some(({ status }) => status === 'COMPLETE')) methods.push(toWire('PASSKEY'))
  return methods
})

/** The user of an identity. One that names a user id is answered only to a session of that user. */
export const userOf = Effect.fn('users.userOf')(function* (identity: Identity.Identity) {
  const users = yield* Users
  if (identity.kind !== 'userId') return Option.getOrUndefined(yield* users.findByIdentity(identity))
  yield* sessionOf(identity.userId)
  return Option.getOrUndefined(yield* users.find(identity.userId))
})

/** Keeps the first character and, of an e-mail address, the domain. */
export const masked = (auth: Identity.AuthObject): Identity.AuthObject =>
  Object.fromEntries(
    Object.entries(auth).map(([field, value]) => [field, String(value).replace(/^(.)[^@]*/u, '$1***')]),
  )

/** An id for an identity without an account: always the same, and in the form of a user's. */
export const strangerId = Effect.fn('users.strangerId')(function* (purpose: string, identity: Identity.Identity) {
  const { mac } = yield* Vault
  const hex = mac(`stranger's ${purpose}`, Identity.key(Identity.normalized(identity)))
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? '8'
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
})

/** Limits how often one network asks about accounts. */
export const allowQuestion = Effect.fn('users.allowQuestion')(function* (bucket: string) {
  const { network } = yield* Caller
  yield* (yield* RateLimits).take(bucket, network, (yield* Rates).R8)
})

/**
 * A user with a complete credential gets a further one only by a recovery. Answers that recovery, read after its
 * session is locked.
 */
export const refuseSecondCredential = Effect.fn('users.refuseSecondCredential')(function* (
  userId: string,
  sessionId: string,
) {
  const user = yield* Effect.fromOption(yield* (yield* Users).find(userId), () => new NotFound())
  if (!user.hasCredential) return undefined
  const now = yield* Clock.currentTimeMillis
  const recovery = Option.getOrUndefined(yield* (yield* Recoveries).find(sessionId))
  const mayRecover =
    recovery !== undefined && isReady(recovery, now) && recovery.userId === userId && recovery.credential === null
  return mayRecover ? recovery : yield* new UserAlreadyExists()
})

/** An identity to which a code can be sent: an e-mail address. Phones are not offered. */
export const mailable = Effect.fnUntraced(function* (auth: Identity.AuthObject) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth)))
  if (identity.kind === 'phone') return yield* new PhoneNotOffered()
  if (identity.kind !== 'email' || !isMailbox(identity.email)) return yield* new Identity.InvalidAuthObject()
  return Identity.normalized(identity)
})

/** RFC 5321: at most 64 octets before the @ and 254 in all. Only the mail server knows whether it exists. */
const isMailbox = (email: string) =>
  email.length <= 254 && /^[^\s@<>,;:"()[\]\\]{1,64}@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+$/u.test(email)

const refuseOtherAccount = Effect.fnUntraced(function* (session: Session.SessionRecord, userId: string | undefined) {
  if (session.userProven && session.userId !== userId) return yield* new OtherAccount()
})

const setUser = Effect.fnUntraced(function* <R>(
  session: Session.SessionRecord,
  userId: string,
  identity: Identity.Identity,
  code: string,
  sending: Effect.Effect<void, never, R>,
) {
  const sessions = yield* Sessions
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = Option.getOrUndefined(yield* sessions.lock(session.id))
      if (locked === undefined || locked.state === 'CLOSED') return yield* new NotFound()
      yield* refuseOtherAccount(locked, userId)
      if (!locked.userProven) yield* sessions.setUser(session.id, userId, identity)
      yield* replaceCode(session, userId, code)
      yield* sending
      yield* record('user.identified', session, userId)
    }),
  )
})

const replaceCode = Effect.fnUntraced(function* (session: Session.SessionRecord, userId: string, code: string) {
  yield* (yield* Codes).replace({
    sessionId: session.id,
    userId,
    mac: yield* codeMac(session, userId, code),
    expiresAt: (yield* Clock.currentTimeMillis) + userLimits.codeLife,
  })
})

/** The caller's session, if it names this user. */
const identifiedSession = Effect.fnUntraced(function* (userId: string) {
  const session = yield* callersSession
  return session.userId === userId ? session : yield* new NotFound()
})

/** Writes the mail with the code, in the transaction that it is run in. */
const codeTo = Effect.fnUntraced(function* (session: Session.SessionRecord, identity: Identity.Identity, code: string) {
  const partner = yield* findPartner(session.partnerId)
  const { operatorName } = yield* Deployment
  return sendCode(session.id, identity, {
    subject: `Your code for ${partner?.displayName ?? operatorName}`,
    text:
      `Your verification code is ${code}. It was asked for ${originPhrase(session)} and is valid for ten minutes.\n\n` +
      'If you did not ask for it, do nothing and do not show it to anyone.\n',
    code,
    expiresAt: (yield* Clock.currentTimeMillis) + userLimits.codeLife,
    isSent: true,
  })
})

/** In strict mode: tells the owner of an account that a sign-up was tried with it. The caller does not learn of it. */
const noticeTo = Effect.fnUntraced(function* (session: Session.SessionRecord, identity: Identity.Identity) {
  const partner = yield* findPartner(session.partnerId)
  const { operatorName } = yield* Deployment
  const told = {
    subject: `You have an account for ${partner?.displayName ?? operatorName}`,
    text:
      `Somebody tried to sign up with this address ${originPhrase(session)}. You have an account: log in with your ` +
      'password or passkey.\n\nIf it was not you, do nothing.\n',
  }
  return sendNotice(identity, told, session.id)
})

export const originPhrase = ({ origin }: Session.SessionRecord) => (origin === null ? 'by a server' : `at ${origin}`)

export const allowSender = Effect.gen(function* () {
  const { network } = yield* Caller
  yield* (yield* RateLimits).take('code sender', network, (yield* Rates).R6_NETWORK)
})

/**
 * The two purposes have buckets of their own: codes of a recovery do not use up those of a sign-up. Codes of only one
 * of the two can be guessed, depending on whether there is a credential.
 */
type Purpose = 'code' | 'recovery code'

export const allowCode = Effect.fnUntraced(function* (identity: Identity.Identity, bucket: Purpose = 'code') {
  const limits = yield* RateLimits
  const rates = yield* Rates
  const key = Identity.key(identity)
  yield* limits.take(`${bucket} cool-down`, key, rates.R6_COOLDOWN)
  yield* limits.take(`${bucket} of an hour`, key, rates.R6_HOUR)
  yield* limits.take(bucket, key, rates.R6_DAY)
})

/**
 * Counts a mail of the partner that is sent, and for another only asks whether one could be. It comes last: what is refused anyway, or
 * sends nothing, does not use up what all users of a partner share.
 */
export const allowMail = Effect.fnUntraced(function* (bucket: Purpose, isSent: boolean) {
  const { id } = yield* callersPartner
  yield* (yield* RateLimits).take(`${bucket}s of partner`, id, (yield* Rates).R6_PARTNER, isSent ? 1 : 0)
})

/** Takes the place of a code that is not sent: 256 random bits, which cannot be guessed. */
export const unguessable = Effect.flatMap(SecureRandom, ({ token }) => token)

const codeMac = (session: Session.SessionRecord, userId: string, code: string) =>
  Effect.map(Vault, ({ mac }) => mac('verification code', JSON.stringify([session.id, userId, code])))

const record = (event: string, session: Session.SessionRecord, userId: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event, partnerId: session.partnerId, sessionId: session.id, userId }))

/** The code is wrong, used, too old, or another session's. */
export class InvalidVerificationCode extends Data.TaggedError('InvalidVerificationCode') {
  override readonly message = 'invalid verification code'
}

/** The user has a complete credential. A further one takes a recovery. */
export class UserAlreadyExists extends Data.TaggedError('UserAlreadyExists') {
  override readonly message = 'user already exists'
}

/** Messages cannot be sent to a phone. */
export class PhoneNotOffered extends Data.TaggedError('PhoneNotOffered') {
  override readonly message = 'sign-up by phone is not offered'
}
