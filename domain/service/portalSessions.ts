/**
 * Portal sessions (domain/service/README.md#portal-sessions): the page gets an id and a secret, and keeps its portal
 * session alive with heartbeats until it closes. `handshakes.ts` gives the page its token, `commits.ts` commits what it
 * does.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import type * as Opener from '../crypto/Opener.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import { exportable } from './exports.ts'
import { NotFound } from './NotFound.ts'
import * as PortalSession from './PortalSession.ts'
import * as Partner from './Partner.ts'
import { callersPartner, OriginNotAllowed } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Deployment } from './ports/Deployment.ts'
import { topicOf } from './ports/Notifications.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { TooManyAttempts } from './ports/RateLimits.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { proven, reviewable } from './provenPending.ts'
import * as Session from './Session.ts'
import { callersSession, lockSession } from './sessions.ts'
import { UserFrozen } from './User.ts'
import { waitFor } from './waiting.ts'

/** The portal session of a token, while the token is alive. */
export const fromToken = Effect.fn('portalSessions.fromToken')(function* (token: string) {
  const now = yield* Clock.currentTimeMillis
  const found = yield* (yield* PortalSessions).findByToken(yield* tokenMac(token))
  return found.pipe(
    Option.filter((portalSession) => PortalSession.isTokenAlive(portalSession, now)),
    Option.map(PortalSession.tokenOf),
  )
})

export type PortalSessionRequest = {
  readonly sessionId?: string | undefined
  readonly userId?: string | undefined
  readonly page: Opener.Page
  readonly record?: string | undefined
}

/** Begins a portal session. */
export const createOpening = Effect.fn('portalSessions.createOpening')(function* (request: PortalSessionRequest) {
  const partner = yield* callersPartner
  const portalOrigin = yield* callingPortal(partner)
  const now = yield* Clock.currentTimeMillis
  const subject = yield* subjectOf(request)
  const session = Option.getOrUndefined(yield* (yield* Sessions).find(subject.sessionId))
  if (session === undefined || session.partnerId !== partner.id) return yield* new NotFound()
  if (session.delegation !== null) return yield* new NotFound()
  if (!Session.isLive(session, now) || !Session.startsThings(session)) return yield* new LinkExpired()
  if (subject.record !== undefined && !isUsable(subject.record, session, request, now)) return yield* new LinkExpired()
  const isOfOther = request.userId !== undefined && request.userId !== session.userId
  if (PortalSession.isForOwnUser(request.page) && isOfOther) return yield* new NotFound()
  if (request.page === 'export') yield* exportable(session, request.record ?? '')
  if (request.page === 'review') yield* reviewable(session, request.record ?? '')

  const random = yield* SecureRandom
  const id = yield* random.uuid
  const secret = bytesToHex(yield* random.bytes(32))
  const portalSession = {
    id,
    sessionId: session.id,
    partnerId: partner.id,
    page: request.page,
    recordId: request.record ?? null,
    portalOrigin,
    userId: request.page === 'review' ? session.userId : (subject.record?.userId ?? null),
    secretHash: yield* secretMac(secret),
    now,
    expiresAt: now + PortalSession.portalSessionLimits.life,
  }
  const portalSessions = yield* PortalSessions
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* Effect.mapError(lockSession(session.id), () => new LinkExpired())
      const open = (yield* portalSessions.ofSession(session.id, now)).filter(
        (other) => other.state === 'OPEN' && PortalSession.isPagePresent(other, now),
      )
      if (open.length >= PortalSession.portalSessionLimits.open) {
        return yield* new TooManyAttempts({ retryAfterMs: PortalSession.portalSessionLimits.silence })
      }
      yield* portalSessions.create(portalSession)
    }),
  )
  return {
    openingId: id,
    openingSecret: secret,
    mode: session.deviceSignsRequests ? ('opener' as const) : ('ask' as const),
    session,
    partner,
    returnUrl: session.origin === null ? null : Partner.returnUrl(partner, session.origin),
  }
})

/**
 * Whether the page is present, for a host whose popup handle reads closed: browsers may report that while the page is
 * in use.
 */
export const getOpening = Effect.fn('portalSessions.getOpening')(function* (openingId: string) {
  const session = yield* callersSession
  const look = Effect.gen(function* () {
    const portalSession = yield* ownPortalSession(openingId, session)
    const isPresent = PortalSession.isPagePresent(portalSession, yield* Clock.currentTimeMillis)
    return { isPresent, presentUntil: PortalSession.presentUntil(portalSession) }
  })
  const { isPresent } = yield* waitFor(look, {
    topic: topicOf.portalSession(openingId),
    hasNews: (seen) => !seen.isPresent,
    changesAt: (seen) => seen.presentUntil + 1,
  })
  return isPresent ? ('LIVE' as const) : ('CLOSED' as const)
})

/** The heartbeat of the page. */
export const beatOpening = Effect.fn('portalSessions.beatOpening')(function* (
  openingId: string,
  openingSecret: string,
) {
  const portalSession = yield* withSecret(openingId, openingSecret, new NotFound())
  const now = yield* Clock.currentTimeMillis
  if (!PortalSession.isLive(portalSession, now)) return yield* new LinkExpired()
  yield* (yield* PortalSessions).heartbeat(portalSession.id, now)
})

/**
 * The page closes or reloads. With `opener-mismatch` its opener gave a wrong answer, and the portal session ends for
 * good.
 */
export const closeOpening = Effect.fn('portalSessions.closeOpening')(function* (
  openingId: string,
  openingSecret: string,
  reason?: 'opener-mismatch',
) {
  const portalSessions = yield* PortalSessions
  const portalSession = yield* withSecret(openingId, openingSecret, new NotFound())
  if (reason === undefined) return yield* portalSessions.askClose(portalSession.id, yield* Clock.currentTimeMillis)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      if (!(yield* portalSessions.end(portalSession.id))) return
      const { partnerId, sessionId } = portalSession
      yield* (yield* Audit).record({ event: 'opener.mismatch', partnerId, sessionId, subject: portalSession.id })
    }),
  )
})

/** The caller's portal token, for one of these pages and, where given, this record. */
export const portalOf = Effect.fn('portalSessions.portalOf')(function* (
  pages: readonly Opener.Page[],
  record?: string,
) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* new NoSignedInUser()
  const isScoped = pages.includes(portal.page) && (record === undefined || portal.record === record)
  return isScoped ? portal : yield* new NotFound()
})

/** A login page whose user has proven a credential. */
export const verifiedPage = (userId: string) => pageAtWork(userId, ['login-password', 'login-passkey'])

/** One of these pages, at work for this user. */
export const pageAtWork = Effect.fnUntraced(function* (userId: string, pages: readonly Opener.Page[]) {
  const portal = yield* portalOf(pages)
  if (portal.userId === null) return yield* new NoSignedInUser()
  if (portal.userId !== userId) return yield* new NotFound()
  if (!PortalSession.isAtWork(portal)) return yield* new LinkExpired()
  return { ...portal, userId: portal.userId }
})

/** The live session that the page works for. `lookupId`, if given, has to name it. */
export const sessionOfPortal = Effect.fn('portalSessions.sessionOfPortal')(function* (
  portal: PortalSession.PortalToken,
  lookupId?: string,
) {
  const session = Option.getOrUndefined(yield* (yield* Sessions).find(portal.sessionId))
  if (session === undefined || !Session.isLive(session, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
  return lookupId === undefined || lookupId === session.lookupId ? session : yield* new NotFound()
})

/** The page's user is proven: from now on the page may read what is theirs, and commit. */
export const verify = Effect.fn('portalSessions.verify')(function* (portal: PortalSession.PortalToken, userId: string) {
  const { openingId, sessionId, partnerId, page } = portal
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  if (user?.isFrozen === true) return yield* new UserFrozen()
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* (yield* PortalSessions).verify(openingId, userId, now))) return yield* new LinkExpired()
      const audit = yield* Audit
      yield* audit.record({
        event: 'opening.verified',
        partnerId,
        userId,
        sessionId,
        subject: openingId,
        detail: { page },
      })
    }),
  )
})

/** The record that the page is about, and its session: the one that is named, else that of the record. */
const subjectOf = Effect.fnUntraced(function* (request: PortalSessionRequest) {
  if (PortalSession.isLoginPage(request.page)) {
    if (request.sessionId === undefined || request.record !== undefined) return yield* new NotFound()
    return { sessionId: request.sessionId, record: undefined }
  }
  if (request.page === 'export') return { sessionId: request.sessionId ?? '', record: undefined }
  if (request.page === 'review') {
    const pending = Option.getOrUndefined(yield* proven(request.record ?? ''))
    return { sessionId: request.sessionId ?? pending?.sessionId ?? '', record: undefined }
  }
  const record =
    request.page === 'create-password'
      ? Option.getOrUndefined(yield* (yield* Passwords).find(request.record ?? ''))
      : request.page === 'create-passkey'
        ? Option.getOrUndefined(yield* (yield* Passkeys).find(request.record ?? ''))
        : undefined
  if (record === undefined) return yield* new NotFound()
  return { sessionId: request.sessionId ?? record.sessionId, record }
})

type Subject = Effect.Success<ReturnType<typeof subjectOf>>

/** The record is PENDING and was made by that session for its user. */
const isUsable = (
  record: NonNullable<Subject['record']>,
  session: Session.SessionRecord,
  request: PortalSessionRequest,
  now: number,
) =>
  record.status === 'PENDING' &&
  now <= record.expiresAt &&
  record.sessionId === session.id &&
  record.userId === session.userId &&
  (request.userId ?? record.userId) === record.userId

/**
 * The calling page has to be a portal of the partner's; a call without an origin counts as one where those are
 * allowed.
 */
const callingPortal = Effect.fnUntraced(function* (partner: Partner.PartnerRecord) {
  const { origin } = yield* Caller
  const { environment, portalOrigin } = yield* Deployment
  const [own = portalOrigin, ...others] = Partner.portalOrigins(partner, portalOrigin)
  if (origin === undefined && Partner.allowsNoOrigin(partner, environment)) return own
  if (origin === undefined || ![own, ...others].includes(origin)) return yield* new OriginNotAllowed()
  return origin
})

export const ownPortalSession = Effect.fnUntraced(function* (openingId: string, session: Session.SessionRecord) {
  const portalSession = Option.getOrUndefined(yield* (yield* PortalSessions).find(openingId))
  return portalSession?.sessionId === session.id ? portalSession : yield* new NotFound()
})

/** The portal session, for the page that holds its secret. A missing one is refused like a wrong secret. */
export const withSecret = Effect.fnUntraced(function* <E>(openingId: string, openingSecret: string, wrong: E) {
  const portalSession = Option.getOrUndefined(yield* (yield* PortalSessions).find(openingId))
  const secretHash = portalSession?.secretHash ?? (yield* secretMac(openingId))
  const isRight = equal(hexToBytes(yield* secretMac(openingSecret)), hexToBytes(secretHash))
  return isRight && portalSession !== undefined ? portalSession : yield* Effect.fail(wrong)
})

export const isWhoMayVerify = (
  { page }: PortalSession.PortalToken,
  session: Session.SessionRecord,
  userId: string,
): boolean => !PortalSession.isForOwnUser(page) || session.userId === userId

const secretMac = (secret: string) => Effect.map(Vault, ({ mac }) => mac('opening secret', secret))

export const tokenMac = (token: string) => Effect.map(Vault, ({ mac }) => mac('portal token', token))

/** The portal session, its session or its record is over. */
export class LinkExpired extends Data.TaggedError('LinkExpired') {
  override readonly message = 'link expired'
}

/** Nothing shows that the session's own page opened this page. */
export class OpenerNotProven extends Data.TaggedError('OpenerNotProven') {
  override readonly message = 'opener not proven'
}
