/** Users by e-mail, and the code that proves the mailbox (flows 3.1 to 3.3). */
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { toWire, wireAuthMethods, type WireAuthMethod } from '../model/Credential.ts'
import * as Identity from '../model/Identity.ts'
import { displayName } from '../model/Provider.ts'
import { Caller } from './Caller.ts'
import { NotFound } from './NotFound.ts'
import { callersPartner, find as findPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Codes } from './ports/Codes.ts'
import { Deployment } from './ports/Deployment.ts'
import { Mail } from './ports/Mail.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { RateLimits, TooManyAttempts, type Limit } from './ports/RateLimits.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { isReady } from './Recovery.ts'
import type * as Session from './Session.ts'
import { callersSession, OtherAccount, provenCaller, sessionOf, startingOrNewSession } from './sessions.ts'

export const limits = {
  /** Flows 3.2. */
  codeLife: 10 * 60_000,
  codeTries: 5,
  codeDigits: 6,
  /** So many codes a day to one address keep a guess below one in ten thousand (security T11). */
  codes: { burst: 10, perMs: 2.4 * 60 * 60_000 },
  /** Codes and sign-ups that one address of the network may ask for, whosever they are (security 2, R6). */
  senders: { burst: 30, perMs: 2 * 60_000 },
  /** Questions about who has an account, from one address of the network (security 2, R8). */
  questions: { burst: 60, perMs: 6_000 },
} as const

/**
 * A user of this identity, and a code to its mailbox that is bound to this session. Somebody with a complete
 * credential is no longer made by a mailbox alone (flows A13).
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
  if (user?.hasCredential === true) {
    const userId = yield* strangerId('user', identity)
    yield* identify(session, userId, identity, yield* unguessable)
    yield* sendNotice(session, identity)
    return userId
  }
  const id = yield* (yield* SecureRandom).uuid
  const now = yield* Clock.currentTimeMillis
  const found = user ?? (yield* (yield* Users).findOrCreate({ id, identity, now }))
  const code = yield* (yield* SecureRandom).digits(limits.codeDigits)
  yield* identify(session, found.id, identity, code)
  yield* sendCode(session, identity, code)
  return found.id
})

/** Whether somebody can log in with it. In strict mode the answer is always the same (security 1.2 E). */
export const checkUserExists = Effect.fn('users.checkUserExists')(function* (auth: Identity.AuthObject) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth)))
  const partner = yield* callersPartner
  yield* allowQuestion('exists')
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  return partner.strict || user?.hasCredential === true
})

/** Takes a try first, then compares; a code is right once, and verified already is verified (flows 3.3). */
export const verifyEmail = Effect.fn('users.verifyEmail')(function* (userId: string, verificationCode: string) {
  const session = yield* identifiedSession(userId)
  if (session.userProven) return
  const outcome = yield* (yield* Codes).consume({
    sessionId: session.id,
    userId,
    mac: yield* codeMac(session, userId, verificationCode.trim()),
    now: yield* Clock.currentTimeMillis,
    tries: limits.codeTries,
  })
  if (outcome === 'right') {
    yield* (yield* Transaction).atomically(
      Effect.gen(function* () {
        if (!(yield* (yield* Sessions).verify(session.id, userId))) return yield* new InvalidVerificationCode()
        yield* record('user.verified', session, userId)
      }),
    )
    return
  }
  yield* record('user.code refused', session, userId)
  if (outcome === 'exhausted') return yield* new TooManyAttempts({ retryAfterMs: limits.codeLife })
  return yield* new InvalidVerificationCode()
})

/** Another code; the old one is dead. */
export const resendVerificationCode = Effect.fn('users.resendVerificationCode')(function* (userId: string) {
  const session = yield* identifiedSession(userId)
  const { identity } = session
  if (identity === null || session.state === 'AUTHENTICATED') return yield* new NotFound()
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  const partner = yield* findPartner(session.partnerId)
  yield* allowSender
  if (user?.hasCredential === true && partner?.strict !== true) return yield* new UserAlreadyExists()
  yield* allowCode(identity)
  if (user?.hasCredential === true) {
    yield* replaceCode(session, userId, yield* unguessable)
    return yield* sendNotice(session, identity)
  }
  const code = yield* (yield* SecureRandom).digits(limits.codeDigits)
  yield* replaceCode(session, userId, code)
  yield* sendCode(session, identity, code)
})

/** The user's own record. A host page sees who it is only as far as its user would recognise. */
export const getUser = Effect.fn('users.getUser')(function* (userId: string) {
  const { portal } = yield* Caller
  yield* portal === undefined ? sessionOf(userId) : provenCaller(userId)
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId)) ?? (yield* new NotFound())
  const auth = Identity.toAuthObject(user.identity)
  return { userId, identity: portal === undefined ? masked(auth) : auth }
})

/** How this identity can log in; a stranger by no way, and in strict mode everybody by all of them. */
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

/** The user of an identity; one that names a user id is answered only to that user. */
export const userOf = Effect.fn('users.userOf')(function* (identity: Identity.Identity) {
  const users = yield* Users
  if (identity.kind !== 'userId') return Option.getOrUndefined(yield* users.findByIdentity(identity))
  yield* sessionOf(identity.userId)
  return Option.getOrUndefined(yield* users.find(identity.userId))
})

/** The first character and, of an e-mail, the domain. */
const masked = (auth: Identity.AuthObject): Identity.AuthObject =>
  Object.fromEntries(
    Object.entries(auth).map(([field, value]) => [field, String(value).replace(/^(.)[^@]*/u, '$1***')]),
  )

/** An id that a stranger has for good, and that nobody can tell from a user's (security 1.2 E). */
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

/** Asks for patience of whoever asks about accounts too often. */
export const allowQuestion = Effect.fn('users.allowQuestion')(function* (bucket: string) {
  const { ip } = yield* Caller
  yield* (yield* RateLimits).take(bucket, ip, yield* lenient(limits.questions))
})

/**
 * A user who has a complete credential gets a further one by a step-up or a recovery only (flows A13). Answers that
 * recovery, as it is now that its session is locked.
 */
export const refuseSecondCredential = Effect.fn('users.refuseSecondCredential')(function* (
  userId: string,
  sessionId: string,
) {
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  if (user === undefined) return yield* new NotFound()
  if (!user.hasCredential) return undefined
  const now = yield* Clock.currentTimeMillis
  const recovery = Option.getOrUndefined(yield* (yield* Recoveries).find(sessionId))
  const mayRecover =
    recovery !== undefined && isReady(recovery, now) && recovery.userId === userId && recovery.credential === null
  return mayRecover ? recovery : yield* new UserAlreadyExists()
})

/** An identity to which a code can be sent: of the two that the call takes, only the e-mail can for now. */
export const mailable = Effect.fnUntraced(function* (auth: Identity.AuthObject) {
  const identity = yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth)))
  if (identity.kind === 'phone') return yield* new PhoneNotOffered()
  if (identity.kind !== 'email' || !isMailbox(identity.email)) return yield* new Identity.InvalidAuthObject()
  return Identity.normalized(identity)
})

/** RFC 5321: at most 64 octets before the @ and 254 altogether. Whether it takes mail, the mail server tells. */
const isMailbox = (email: string) =>
  email.length <= 254 && /^[^\s@<>,;:"()[\]\\]{1,64}@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+$/u.test(email)

const refuseOtherAccount = Effect.fnUntraced(function* (session: Session.Session, userId: string | undefined) {
  if (session.userProven && session.userId !== userId) return yield* new OtherAccount()
})

const identify = Effect.fnUntraced(function* (
  session: Session.Session,
  userId: string,
  identity: Identity.Identity,
  code: string,
) {
  const sessions = yield* Sessions
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const locked = Option.getOrUndefined(yield* sessions.lock(session.id))
      if (locked === undefined || locked.state === 'CLOSED') return yield* new NotFound()
      yield* refuseOtherAccount(locked, userId)
      if (!locked.userProven) yield* sessions.identify(session.id, userId, identity)
      yield* replaceCode(session, userId, code)
      yield* record('user.identified', session, userId)
    }),
  )
})

const replaceCode = Effect.fnUntraced(function* (session: Session.Session, userId: string, code: string) {
  yield* (yield* Codes).replace({
    sessionId: session.id,
    userId,
    mac: yield* codeMac(session, userId, code),
    expiresAt: (yield* Clock.currentTimeMillis) + limits.codeLife,
  })
})

/** A session that was bound to this user by a mailed code. */
const identifiedSession = Effect.fnUntraced(function* (userId: string) {
  const session = yield* callersSession
  return session.userId === userId ? session : yield* new NotFound()
})

const sendCode = Effect.fnUntraced(function* (session: Session.Session, identity: Identity.Identity, code: string) {
  const partner = yield* findPartner(session.partnerId)
  yield* (yield* Mail).send({
    to: Identity.value(identity),
    subject: `Your code for ${partner?.displayName ?? displayName}`,
    text:
      `Your verification code is ${code}. It was asked for ${placeOf(session)} and is valid for ten minutes.\n\n` +
      'If you did not ask for it, do nothing and show it to nobody.\n',
    code,
  })
})

/** To the owner of an account that somebody tries to make again, where nobody else may learn that it is there. */
const sendNotice = Effect.fnUntraced(function* (session: Session.Session, identity: Identity.Identity) {
  const partner = yield* findPartner(session.partnerId)
  yield* (yield* Mail).send({
    to: Identity.value(identity),
    subject: `You have an account for ${partner?.displayName ?? displayName}`,
    text:
      `Somebody tried to sign up with this address ${placeOf(session)}. You have an account: log in with your ` +
      'password or passkey.\n\nIf it was not you, do nothing.\n',
  })
})

export const placeOf = ({ origin }: Session.Session) => (origin === null ? 'by a server' : `at ${origin}`)

export const allowSender = Effect.gen(function* () {
  const { ip } = yield* Caller
  yield* (yield* RateLimits).take('code sender', ip, yield* lenient(limits.senders))
})

/**
 * One purpose uses up nothing of the other's: whoever asks to recover an address keeps nobody from signing up with it.
 * Only one of the two has codes that can be guessed, by whether there is a credential.
 */
export const allowCode = Effect.fnUntraced(function* (
  identity: Identity.Identity,
  bucket: 'code' | 'recovery code' = 'code',
) {
  yield* (yield* RateLimits).take(bucket, Identity.key(identity), yield* lenient(limits.codes))
})

/** On a developer's machine everybody comes from one address and signs up all day. */
const lenient = Effect.fnUntraced(function* (limit: Limit) {
  const { environment } = yield* Deployment
  return environment === 'DEV' ? { burst: limit.burst * 100, perMs: limit.perMs / 100 } : limit
})

/** A code that nobody was sent and nobody can type. */
export const unguessable = Effect.flatMap(SecureRandom, ({ token }) => token)

const codeMac = (session: Session.Session, userId: string, code: string) =>
  Effect.map(Vault, ({ mac }) => mac('verification code', JSON.stringify([session.id, userId, code])))

const record = (event: string, session: Session.Session, userId: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event, partnerId: session.partnerId, sessionId: session.id, userId }))

/** The code is wrong, used, too old, or another session's. */
export class InvalidVerificationCode extends Data.TaggedError('InvalidVerificationCode') {
  override readonly message = 'invalid verification code'
}

/** The user has a complete credential. A further one takes a step-up or a recovery. */
export class UserAlreadyExists extends Data.TaggedError('UserAlreadyExists') {
  override readonly message = 'user already exists'
}

/** No message can be sent to a phone yet. */
export class PhoneNotOffered extends Data.TaggedError('PhoneNotOffered') {
  override readonly message = 'sign-up by phone is not offered'
}
