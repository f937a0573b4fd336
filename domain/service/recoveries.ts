/**
 * Recoveries with the recovery secret (domain/service/README.md#recovery). A mailed code gives a session of our own
 * page the ciphertexts under the user's recovery key, and the right to make a credential, a recovery key and new shares
 * beside the current ones. New shares take the secret, which opens the ciphertexts. Only when all wallets have new
 * shares, or stay behind by the word of that secret, do they replace what was lost, all at once.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Identity from '../model/Identity.ts'
import { Caller } from './Caller.ts'
import { giveUp } from './endedRecoveries.ts'
import { tellCallersPartner } from './events.ts'
import { find as findPartner, OriginNotAllowed } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Codes } from './ports/Codes.ts'
import { Deployment } from './ports/Deployment.ts'
import { TooManyAttempts } from './ports/RateLimits.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { Reply } from './ports/Reply.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { Wallets } from './ports/Wallets.ts'
import { isForgotten } from './protocol/walletStatus.ts'
import { isFinished, isGoingOn, isReady, recoveryLimits } from './Recovery.ts'
import type { SessionRecord } from './Session.ts'
import {
  callersSession,
  findByToken,
  lockSession,
  OtherAccount,
  startingOrNewSession,
  startingSession,
} from './sessions.ts'
import { sendCode, sendNotice } from './userMessages.ts'
import * as users from './users.ts'
import { hasKey, type WalletRecord } from './Wallet.ts'

/** The session's recovery, if it is READY. Its session is then VERIFIED, and no other session of the user has one. */
export const readyOf = Effect.fnUntraced(function* (session: SessionRecord) {
  if (session.state !== 'VERIFIED') return undefined
  const now = yield* Clock.currentTimeMillis
  const found = Option.getOrUndefined(yield* (yield* Recoveries).find(session.id))
  return found !== undefined && isReady(found, now) && found.userId === session.userId ? found : undefined
})

/** The recovery that ended the session of this token, so that its answer can be asked for again. */
export const finishedBy = Effect.fn('recoveries.finishedBy')(function* (token: string) {
  const session = Option.getOrUndefined(yield* findByToken(token))
  if (session?.state !== 'CLOSED') return Option.none()
  const now = yield* Clock.currentTimeMillis
  return Option.filter(yield* (yield* Recoveries).find(session.id), (recovery) => isFinished(recovery, now))
})

/**
 * Mails a code that is bound to this session. An identity without an account or credential gets no mail; neither the
 * answer nor its time tells. Recovery by phone is not offered.
 */
export const startRecovery = Effect.fn('recoveries.startRecovery')(function* (auth: Identity.AuthObject) {
  yield* requireOwnPage
  yield* users.allowSender
  const identity = yield* Effect.catchTag(users.mailable(auth), 'PhoneNotOffered', () => Effect.succeed(undefined))
  if (identity === undefined) return
  yield* users.allowCode(identity, 'recovery code')
  const session = yield* startingOrNewSession
  if (session.state === 'AUTHENTICATED') return yield* new OtherAccount()
  const user = yield* recoverable(identity)
  yield* users.allowMail('recovery code', user !== undefined)
  const userId = user?.id ?? (yield* users.strangerId('recovery', identity))
  const digits = (yield* SecureRandom).digits(users.userLimits.codeDigits)
  const code = yield* user === undefined ? users.unguessable : digits
  const now = yield* Clock.currentTimeMillis
  const expiresAt = now + users.userLimits.codeLife
  const told = yield* codeMail(session, user === undefined ? unsentCode : code)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* lockSession(session.id)
      const recoveries = yield* Recoveries
      const before = Option.getOrUndefined(yield* recoveries.find(session.id))
      if (before?.state === 'READY') {
        yield* (yield* Users).lock(before.userId)
        yield* giveUp([before], 'CANCELLED')
      }
      yield* recoveries.begin({ sessionId: session.id, userId, createdAt: now, expiresAt })
      const mac = yield* codeMac(session, userId, code)
      yield* (yield* Codes).replace({ sessionId: session.id, userId, mac, expiresAt })
      yield* sendCode(session.id, identity, { ...told, expiresAt, isSent: user !== undefined })
      yield* record('recovery.started', session, user?.id)
    }),
  )
})

/** Stands in the message that an address without an account does not get; it is not the session's code. */
const unsentCode = '0'.repeat(users.userLimits.codeDigits)

/**
 * Takes a try first, then compares. From now on the session is this user's and may recover; other recoveries of the
 * user are cancelled. Already READY: the same answer.
 */
export const verifyRecovery = Effect.fn('recoveries.verifyRecovery')(function* (
  auth: Identity.AuthObject,
  verificationCode: string,
) {
  yield* requireOwnPage
  const session = yield* startingSession
  const now = yield* Clock.currentTimeMillis
  const begun = Option.getOrUndefined(yield* (yield* Recoveries).find(session.id))
  const isNamed = Object.values(auth).some(Identity.isPresent)
  if (begun === undefined || !isGoingOn(begun, now)) return yield* new users.InvalidVerificationCode()
  if (isNamed && (yield* subjectOf(auth)) !== begun.userId) return yield* new users.InvalidVerificationCode()
  const { userId } = begun
  const isAgain = begun.state === 'READY'
  const isProven = session.state === 'VERIFIED' && session.userId === userId
  if (isAgain && !isProven) return yield* new users.InvalidVerificationCode()
  if (!isAgain) {
    const outcome = yield* (yield* Codes).consume({
      sessionId: session.id,
      userId,
      mac: yield* codeMac(session, userId, verificationCode.trim()),
      now,
      tries: users.userLimits.codeTries,
    })
    if (outcome !== 'right') {
      yield* record('recovery.code refused', session, undefined)
      if (outcome === 'exhausted') return yield* new TooManyAttempts({ retryAfterMs: users.userLimits.codeLife })
      return yield* new users.InvalidVerificationCode()
    }
    yield* (yield* Transaction).atomically(makeReady(session, userId, now))
  }
  const { token } = yield* Caller
  if (token !== undefined) yield* (yield* Reply).setSessionToken(Redacted.value(token))
  const wallets = (yield* (yield* Wallets).ofUserEverywhere(userId)).filter(hasKey)
  return { userId, wallets: yield* Effect.forEach(wallets, withPartnerName) }
})

/** For any session of the user, and for the one that began it. The answer does not tell whether there was one. */
export const cancelRecovery = Effect.fn('recoveries.cancelRecovery')(function* () {
  const session = Option.getOrUndefined(yield* Effect.option(callersSession))
  if (session === undefined) return
  const own = Option.getOrUndefined(yield* (yield* Recoveries).find(session.id))
  const isUsers = session.state === 'AUTHENTICATED'
  const userId = isUsers ? session.userId : own?.userId
  if (userId === undefined || userId === null) return
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Users).lock(userId)
      const unfinished = yield* (yield* Recoveries).unfinishedOfUser(userId)
      const ended = unfinished.filter(({ sessionId }) => isUsers || sessionId === session.id)
      yield* giveUp(ended, 'CANCELLED')
      if (ended.length > 0) yield* record('recovery.cancelled', session, isUsers ? userId : undefined)
      if (ended.length > 0 && isUsers) yield* tellCallersPartner('recovery.cancelled', { userId })
    }),
  )
})

/** Ends recoveries that were not finished in time, and deletes old rows. `adapters/service/upkeep.ts` schedules it. */
export const sweep = Effect.fn('recoveries.sweep')(function* () {
  const recoveries = yield* Recoveries
  const now = yield* Clock.currentTimeMillis
  for (const { sessionId, userId } of yield* recoveries.expired(now)) {
    yield* (yield* Transaction).atomically(
      Effect.gen(function* () {
        yield* (yield* Users).lock(userId)
        const found = Option.getOrUndefined(yield* recoveries.find(sessionId))
        if (found !== undefined && !isGoingOn(found, now)) yield* giveUp([found], 'EXPIRED')
      }),
    )
  }
  yield* recoveries.sweep(now - recoveryLimits.kept)
})

/** Recoveries are on our own page: a recovery secret that is typed into a partner's page is the partner's. */
const requireOwnPage = Effect.gen(function* () {
  const { origin } = yield* Caller
  const { connectOrigin } = yield* Deployment
  if (origin !== undefined && origin !== connectOrigin) return yield* new OriginNotAllowed()
})

/** The user of the identity, if they have a complete credential. */
const recoverable = Effect.fnUntraced(function* (identity: Identity.Identity) {
  const user = Option.getOrUndefined(yield* (yield* Users).findByIdentity(identity))
  return user?.hasCredential === true ? user : undefined
})

/** The id of the user with this identity; without one, an id that stands for the identity. */
const subjectOf = Effect.fnUntraced(function* (auth: Identity.AuthObject) {
  const identity = Identity.normalized(yield* Effect.fromResult(Identity.required(Identity.fromAuthObject(auth))))
  const user = yield* recoverable(identity)
  return user?.id ?? (yield* users.strangerId('recovery', identity))
})

/** After a right code: INITIATED -> READY, and the session is this user's. Runs within one transaction. */
const makeReady = Effect.fnUntraced(function* (session: SessionRecord, userId: string, now: number) {
  const [sessions, recoveries] = [yield* Sessions, yield* Recoveries]
  const locked = yield* lockSession(session.id)
  const isOthers = locked.userProven && locked.userId !== userId
  if (locked.state === 'AUTHENTICATED' || isOthers) return yield* new OtherAccount()
  const user = yield* Effect.fromOption(yield* (yield* Users).lock(userId), () => new users.InvalidVerificationCode())
  const others = (yield* recoveries.unfinishedOfUser(userId)).filter(({ sessionId }) => sessionId !== session.id)
  yield* giveUp(others, 'CANCELLED')
  yield* sessions.setUser(session.id, userId, user.identity)
  yield* sessions.verify(session.id, userId)
  yield* sessions.setCertificate(session.id, { deviceCertificate: null, openingResult: null })
  const wallets = yield* (yield* Wallets).ofUserEverywhere(userId)
  const walletIds = wallets.filter(hasKey).map(({ id }) => id)
  const isReadyNow = yield* recoveries.ready(session.id, userId, { walletIds, expiresAt: now + recoveryLimits.life })
  if (!isReadyNow) return yield* new users.InvalidVerificationCode()
  yield* record('recovery.verified', session, userId)
  yield* tellCallersPartner('recovery.verified', { userId })
  yield* sendNotice(user.identity, {
    subject: 'The recovery of your account has begun',
    text:
      `Somebody who reads your mail began to recover your account ${users.originPhrase(session)}. Without your recovery ` +
      'secret nothing of yours can be changed.\n\nIf it was not you, cancel it wherever you are still logged in, and ' +
      `see who else can read your mail.\n${yield* forgottenPhrase(wallets)}`,
  })
})

/**
 * The device that made a forgotten wallet brings it back, but not after a recovery: the root key that certifies that device is
 * replaced then.
 */
const forgottenPhrase = Effect.fnUntraced(function* (wallets: readonly WalletRecord[]) {
  const forgotten = yield* Effect.filter(wallets, isForgotten)
  if (forgotten.length === 0) return ''
  const lines = yield* Effect.forEach(forgotten, (wallet) =>
    Effect.map(withPartnerName(wallet), ({ partnerName }) => `${wallet.type} wallet at ${partnerName}\n`),
  )
  return (
    '\nYour recovery secret does not open what follows, and the recovery ends it. Only the device that made it brings it back: if ' +
    `you still have that device, open its app there before you go on:\n${lines.join('')}`
  )
})

export const withPartnerName = Effect.fnUntraced(function* <A extends WalletRecord>(wallet: A) {
  const { operatorName } = yield* Deployment
  return { wallet, partnerName: (yield* findPartner(wallet.partnerId))?.displayName ?? operatorName }
})

const codeMail = Effect.fnUntraced(function* (session: SessionRecord, code: string) {
  const partner = yield* findPartner(session.partnerId)
  const { operatorName } = yield* Deployment
  return {
    subject: `Your recovery code for ${partner?.displayName ?? operatorName}`,
    text:
      `Your recovery code is ${code}. It was asked for ${users.originPhrase(session)} and is valid for ten minutes.\n\n` +
      'If you did not ask for it, do not show it to anyone, and cancel the recovery wherever you are still logged in.\n',
    code,
  }
})

const codeMac = (session: SessionRecord, userId: string, code: string) =>
  Effect.map(Vault, ({ mac }) => mac('recovery code', JSON.stringify([session.id, userId, code])))

const record = (event: string, session: SessionRecord, userId: string | undefined) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event, partnerId: session.partnerId, sessionId: session.id, userId }))
