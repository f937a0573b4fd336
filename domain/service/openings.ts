/**
 * Openings of portal pages (flows 2): the page gets an opening and a secret; the host that it was opened by gets a
 * ticket for it; the two together get the page its token. What the page does there is committed once, or redeemed by
 * the page that the session's origin registered.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import * as Opener from '../crypto/Opener.ts'
import { defaultKdf } from '../crypto/PasswordKeys.ts'
import * as RootKey from '../crypto/RootKey.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import { toWire, type WireAuthMethod } from '../model/Credential.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { Caller } from './Caller.ts'
import * as challenges from './challenges.ts'
import * as Commit from './Commit.ts'
import { pepperPlace } from './Credential.ts'
import { exportable, keepRecipient, type RecipientToKeep } from './exports.ts'
import { InvalidCredential } from './InvalidCredential.ts'
import { NotFound } from './NotFound.ts'
import * as Opening from './Opening.ts'
import * as Partner from './Partner.ts'
import { callersPartner, OriginNotAllowed } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Deployment } from './ports/Deployment.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Openings, type Entrance } from './ports/Openings.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { TooManyAttempts } from './ports/RateLimits.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { Reply } from './ports/Reply.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import { isReady, type Recovery } from './Recovery.ts'
import * as Session from './Session.ts'
import { callersSession, OtherAccount } from './sessions.ts'
import type { User } from './User.ts'
import { UserAlreadyExists } from './users.ts'
import { waitFor } from './waiting.ts'

/** The live portal token of a text. */
export const fromToken = Effect.fn('openings.fromToken')(function* (token: string) {
  const now = yield* Clock.currentTimeMillis
  const found = yield* (yield* Openings).findByToken(yield* tokenMac(token))
  return found.pipe(
    Option.filter((opening) => Opening.isTokenAlive(opening, now)),
    Option.map(Opening.tokenOf),
  )
})

export type Visit = {
  readonly sessionId?: string | undefined
  readonly userId?: string | undefined
  readonly page: Opener.Page
  readonly record?: string | undefined
}

/** A portal page begins (flows 2.2). */
export const createOpening = Effect.fn('openings.createOpening')(function* (visit: Visit) {
  const partner = yield* callersPartner
  const portalOrigin = yield* callingPortal(partner)
  const now = yield* Clock.currentTimeMillis
  const subject = yield* subjectOf(visit)
  const session = Option.getOrUndefined(yield* (yield* Sessions).find(subject.sessionId))
  if (session === undefined || session.partnerId !== partner.id) return yield* new NotFound()
  if (!Session.isLive(session, now) || !Session.startsThings(session)) return yield* new LinkExpired()
  if (subject.record !== undefined && !isUsable(subject.record, session, visit, now)) return yield* new LinkExpired()
  if (visit.page === 'export') {
    if (visit.userId !== undefined && visit.userId !== session.userId) return yield* new NotFound()
    yield* exportable(session, visit.record ?? '')
  }

  const random = yield* SecureRandom
  const id = yield* random.uuid
  const secret = bytesToHex(yield* random.bytes(32))
  const opening = {
    id,
    sessionId: session.id,
    partnerId: partner.id,
    page: visit.page,
    recordId: visit.record ?? null,
    portalOrigin,
    userId: subject.record?.userId ?? null,
    secretHash: yield* secretMac(secret),
    now,
    expiresAt: now + Opening.limits.life,
  }
  const openings = yield* Openings
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      const open = (yield* openings.ofSession(session.id, now)).filter(
        (other) => other.state === 'OPEN' && Opening.isPagePresent(other, now),
      )
      if (open.length >= Opening.limits.open) {
        return yield* new TooManyAttempts({ retryAfterMs: Opening.limits.silence })
      }
      yield* openings.create(opening)
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

/** Whether the page is still there, for the host that sees its handle closed (flows 2.8, A15). */
export const getOpening = Effect.fn('openings.getOpening')(function* (openingId: string) {
  const session = yield* callersSession
  const look = Effect.gen(function* () {
    const opening = yield* ownOpening(openingId, session)
    return Opening.isPagePresent(opening, yield* Clock.currentTimeMillis) ? ('LIVE' as const) : ('CLOSED' as const)
  })
  return yield* waitFor(look, (state) => state === 'CLOSED')
})

/** The host's own page says that this opening is its own (flows 2.5). */
export const createOpeningTicket = Effect.fn('openings.createOpeningTicket')(function* (
  openingId: string,
  visit: Pick<Visit, 'page' | 'record'>,
) {
  const session = yield* callersSession
  const { device } = yield* Caller
  if (!session.deviceSignsRequests || !device) return yield* new OpenerNotProven()
  const openings = yield* Openings
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      const opening = yield* ownOpening(openingId, session)
      if (opening.page !== visit.page || opening.recordId !== (visit.record ?? null)) return yield* new NotFound()
      const now = yield* Clock.currentTimeMillis
      if (!Opening.isLive(opening, now)) return yield* new LinkExpired()
      const again = opening.state === 'TICKETED' && Opening.isTicketAlive(opening, now)
      if (!again && !(yield* openings.ticket(opening.id, session.id, now))) return yield* new LinkExpired()
      return yield* ticketOf(opening)
    }),
  )
})

export type TokenRequest = RecipientToKeep & {
  readonly openingSecret: string
  readonly ticket?: string | undefined
  readonly redirect?: boolean | undefined
  readonly redeemHash?: string | undefined
  readonly asked?: boolean | undefined
  /** The login key of the address, for clients that did not register one. */
  readonly loginPublicKey?: string | undefined
}

/** The page gets its token: once, and only one of the three ways (flows 2.7). */
export const createOpeningToken = Effect.fn('openings.createOpeningToken')(function* (
  openingId: string,
  request: TokenRequest,
) {
  const openings = yield* Openings
  const sessions = yield* Sessions
  const partner = yield* callersPartner
  const token = yield* (yield* SecureRandom).token
  const now = yield* Clock.currentTimeMillis
  const entered = yield* (yield* Transaction)
    .atomically(
      Effect.gen(function* () {
        const known = yield* withSecret(openingId, request.openingSecret, new OpenerNotProven())
        if (known.partnerId !== partner.id) return yield* new NotFound()
        const session = Option.getOrUndefined(yield* sessions.lock(known.sessionId))
        const opening = Option.getOrUndefined(yield* openings.lock(openingId))
        if (session === undefined || opening === undefined) return yield* new LinkExpired()
        if (!Session.isLive(session, now) || !Opening.isLive(opening, now)) return yield* new LinkExpired()
        const entrance = yield* entranceOf(opening, session, partner, request, now)
        if (opening.page === 'export') {
          const ticket = hexToBytes(yield* ticketOf(opening))
          if (!(yield* keepRecipient(opening, session, ticket, request))) return yield* new OpenerNotProven()
        }
        if (entrance.variant === 'ask' && Opening.isLoginPage(opening.page)) {
          yield* bindLoginKey(session, request.loginPublicKey)
        }
        if (!(yield* openings.enter(opening.id, entrance, yield* tokenMac(token)))) return yield* new OpenerNotProven()
        return { opening, session }
      }),
    )
    .pipe(Effect.tapError((refusal) => (refusal._tag === 'OpenerNotProven' ? mismatch(openingId) : Effect.void)))

  yield* (yield* Reply).setSessionToken(token)
  return {
    sessionLookupId: entered.session.lookupId,
    identity: yield* identityFor(entered.opening, entered.session),
    challenge: bytesToHex(yield* challenges.give({ openingId })),
    /** By which the page dates the certificate of the host's device. */
    serverTime: now,
    password: yield* passwordSecrets(entered.opening),
    exporting: yield* exportingOf(entered.opening, entered.session),
  }
})

/** The page is there (flows 2.8). */
export const beatOpening = Effect.fn('openings.beatOpening')(function* (openingId: string, openingSecret: string) {
  const opening = yield* withSecret(openingId, openingSecret, new NotFound())
  const now = yield* Clock.currentTimeMillis
  if (!Opening.isLive(opening, now)) return yield* new LinkExpired()
  yield* (yield* Openings).beat(opening.id, now)
})

/** The page goes away, or reloads. One that got a wrong answer from its opener stops for good (flows 2.6). */
export const closeOpening = Effect.fn('openings.closeOpening')(function* (
  openingId: string,
  openingSecret: string,
  reason?: 'opener-mismatch',
) {
  const openings = yield* Openings
  const opening = yield* withSecret(openingId, openingSecret, new NotFound())
  if (reason === undefined) return yield* openings.askClose(opening.id, yield* Clock.currentTimeMillis)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      if (!(yield* openings.end(opening.id))) return
      const { partnerId, sessionId } = opening
      yield* (yield* Audit).record({ event: 'opener.mismatch', partnerId, sessionId, subject: opening.id })
    }),
  )
})

export type Redemption = {
  readonly proof: string
  readonly deviceCertificate?: string | undefined
}

/**
 * The registered page brings the code back that only it was handed: what waited is committed now (flows 2, redirect). The
 * page of the portal could not ask the host for its device key, so it hands the certificate in to nobody but the host,
 * who finds its own key in the sealed result before it brings the certificate in a second call.
 */
export const redeemOpening = Effect.fn('openings.redeemOpening')(function* (
  openingId: string,
  { proof, deviceCertificate }: Redemption,
) {
  const session = yield* callersSession
  const { device } = yield* Caller
  if (!session.deviceSignsRequests || !device) return yield* new OpenerNotProven()
  const openings = yield* Openings
  const bytes = fromHex(proof, 32)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      const opening = yield* ownOpening(openingId, session)
      const redeemHash = opening.redeemHash === null ? undefined : hexToBytes(opening.redeemHash)
      if (bytes === undefined || redeemHash === undefined) return yield* new OpenerNotProven()
      if (!equal(Opener.redeemHash(bytes), redeemHash)) return yield* new OpenerNotProven()
      if (opening.state === 'REDEEMED') return yield* certify(session, deviceCertificate)
      if (!Opening.isLive(opening, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
      const sealed = Option.getOrUndefined(yield* openings.deferredCommit(opening.id))
      if (sealed === undefined) return yield* new LinkExpired()
      const deferred = yield* Effect.orDie((yield* Vault).open(commitPlace(opening.id), sealed))
      yield* apply(opening, Commit.decode(deferred))
      if (!(yield* openings.redeem(opening.id))) return yield* new LinkExpired()
    }),
  )
})

/**
 * The commit of a page (flows 3.8, 4.8, 6.9). Record, user, session and opening change together, or, where the host is
 * to redeem it first, nothing changes but the opening. `body` is what was asked for: the same again has no effect.
 */
export const commit = Effect.fn('openings.commit')(function* (
  openingId: string,
  what: Commit.Commit,
  body: unknown = what,
) {
  const openings = yield* Openings
  const sessions = yield* Sessions
  const failpoints = yield* Failpoints
  const commitMac = yield* macOfBody(body)
  yield* failpoints.reach('opening.commit.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const known = Option.getOrUndefined(yield* openings.find(openingId))
      yield* sessions.lock(known?.sessionId ?? '')
      const opening = Option.getOrUndefined(yield* openings.lock(openingId))
      if (opening === undefined) return yield* new LinkExpired()
      if (opening.commitMac !== null) return opening.commitMac === commitMac ? undefined : yield* new Conflict()
      if (!Opening.isLive(opening, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
      if (opening.userId !== what.userId) return yield* new NotFound()
      if (opening.variant === 'redirect') {
        yield* check(opening, what)
        const sealed = yield* (yield* Vault).seal(commitPlace(opening.id), Commit.encode(what))
        if (!(yield* openings.defer(opening.id, commitMac, sealed))) return yield* new LinkExpired()
        return
      }
      yield* apply(opening, what)
      if (!(yield* openings.commit(opening.id, commitMac))) return yield* new LinkExpired()
    }),
  )
  yield* failpoints.reach('opening.commit.after')
})

/** The caller's portal token, for one of these pages and, where given, this record. */
export const portalOf = Effect.fn('openings.portalOf')(function* (pages: readonly Opener.Page[], record?: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return yield* new NoSignedInUser()
  const isScoped = pages.includes(portal.page) && (record === undefined || portal.record === record)
  return isScoped ? portal : yield* new NotFound()
})

/** The live session that the page works for; where the body names one, it has to be that. */
export const sessionOfPortal = Effect.fn('openings.sessionOfPortal')(function* (
  portal: Opening.PortalToken,
  lookupId?: string,
) {
  const session = Option.getOrUndefined(yield* (yield* Sessions).find(portal.sessionId))
  if (session === undefined || !Session.isLive(session, yield* Clock.currentTimeMillis)) return yield* new LinkExpired()
  return lookupId === undefined || lookupId === session.lookupId ? session : yield* new NotFound()
})

/** The page's user is proven: from now on it may read what is theirs, and commit (flows 6.4). */
export const verify = Effect.fn('openings.verify')(function* (portal: Opening.PortalToken, userId: string) {
  const { openingId, sessionId, partnerId, page } = portal
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* (yield* Openings).verify(openingId, userId, now))) return yield* new LinkExpired()
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

/** Whether the opening was committed by this body before; by another one it is refused. */
export const isCommittedBy = Effect.fn('openings.isCommittedBy')(function* (openingId: string, body: unknown) {
  const opening = Option.getOrUndefined(yield* (yield* Openings).find(openingId))
  if (opening === undefined || opening.commitMac === null) return false
  return opening.commitMac === (yield* macOfBody(body)) || (yield* new Conflict())
})

/** Whether the commit may happen, as far as it can be told before it does. */
const check = Effect.fnUntraced(function* (opening: Opening.Opening, what: Commit.Commit) {
  const session = Option.getOrUndefined(yield* (yield* Sessions).lock(opening.sessionId))
  const now = yield* Clock.currentTimeMillis
  if (session === undefined || !Session.isLive(session, now)) return yield* new LinkExpired()
  if (session.userProven && session.userId !== what.userId) return yield* new OtherAccount()
  const user = Option.getOrThrow(yield* (yield* Users).lock(what.userId))
  // What a page showed before a recovery ended is worth nothing after it.
  if (user.recoveredAt !== null && opening.createdAt <= user.recoveredAt) return yield* new LinkExpired()
  const recovery = what.credential === null ? undefined : yield* recoveryOf(session, now)
  if (what.credential !== null && user.hasCredential) yield* checkRecovery(opening, what.credential, user, recovery)
  const rootPublicKey = what.credential?.completion.rootPublicKey ?? user.rootPublicKey
  yield* checkCertificate(session, opening, what, rootPublicKey, now)
  return { session, recovery, now }
})

/** A further credential takes a recovery, which makes one, under a root key of its own (flows 10.5). */
const checkRecovery = Effect.fnUntraced(function* (
  opening: Opening.Opening,
  { completion }: Commit.CredentialCommit,
  user: User,
  recovery: Recovery | undefined,
) {
  if (recovery?.userId !== user.id || recovery.credential !== null) return yield* new UserAlreadyExists()
  const isNew = completion.rootPublicKey !== user.rootPublicKey
  if (opening.variant === 'ask' || !isNew) return yield* new InvalidCredential()
})

const recoveryOf = Effect.fnUntraced(function* (session: Session.Session, now: number) {
  const found = yield* (yield* Recoveries).find(session.id)
  return Option.getOrUndefined(Option.filter(found, (recovery) => isReady(recovery, now)))
})

/** Of the commits, only that of a page with a proven opener carries the certificate of the host's device (flows 2). */
const checkCertificate = Effect.fnUntraced(function* (
  session: Session.Session,
  opening: Opening.Opening,
  { userId, deviceCertificate }: Commit.Commit,
  rootPublicKey: string | null,
  now: number,
) {
  if (opening.variant === 'opener') return yield* requireCertificate(session, userId, deviceCertificate, rootPublicKey, now)
  const isAsked = opening.variant === 'ask'
  if (deviceCertificate !== null || (isAsked && session.deviceSignsRequests)) return yield* new InvalidCredential()
})

/** The certificate that the host brings after a redirect; another than the session's is none. */
const certify = Effect.fnUntraced(function* (known: Session.Session, deviceCertificate: string | undefined) {
  if (deviceCertificate === undefined) return
  const sessions = yield* Sessions
  const session = Option.getOrUndefined(yield* sessions.find(known.id))
  if (session === undefined || session.userId === null) return yield* new LinkExpired()
  const user = Option.getOrThrow(yield* (yield* Users).find(session.userId))
  const now = yield* Clock.currentTimeMillis
  const recovery = session.state === 'VERIFIED' ? yield* recoveryOf(session, now) : undefined
  const rootPublicKey = recovery === undefined ? user.rootPublicKey : recovery.credential?.rootPublicKey
  yield* requireCertificate(session, session.userId, deviceCertificate, rootPublicKey ?? null, now)
  if (!(yield* sessions.certify(session.id, deviceCertificate))) return yield* new Conflict()
})

/** For exactly this session's device, under the user's root key. */
const requireCertificate = Effect.fnUntraced(function* (
  session: Session.Session,
  userId: string,
  deviceCertificate: string | null,
  rootPublicKey: string | null,
  now: number,
) {
  const { id, partnerId, origin, devicePublicKey } = session
  const bytes = fromHex(deviceCertificate ?? '')
  if (rootPublicKey === null || devicePublicKey === null || bytes === undefined) return yield* new InvalidCredential()
  const device = {
    userId,
    partnerId,
    origin: origin ?? '',
    sessionId: id,
    devicePublicKey: hexToBytes(devicePublicKey),
  }
  const checked = RootKey.checkCertificate(hexToBytes(rootPublicKey), bytes, device, now)
  if (Result.isFailure(checked)) return yield* new InvalidCredential()
})

const apply = Effect.fnUntraced(function* (opening: Opening.Opening, what: Commit.Commit) {
  const { session, recovery, now } = yield* check(opening, what)
  if (recovery !== undefined && what.credential !== null) return yield* stage(opening, session, what, what.credential)
  if (what.credential !== null) {
    yield* complete(what.userId, what.credential)
    yield* keepRecoveryKey(session, what.userId, what.credential, now)
  }
  yield* (yield* Failpoints).reach('opening.commit.within')
  const authentication = {
    userId: what.userId,
    currentWalletIds: what.currentWalletIds,
    needsWallet: what.needsWallet,
    deviceCertificate: what.deviceCertificate,
    openingResult: what.sealedResult === null ? null : { openingId: opening.id, sealedResult: what.sealedResult },
  }
  if (!(yield* (yield* Sessions).authenticate(session.id, authentication, now))) return yield* new OtherAccount()
  yield* (yield* Audit).record({
    event: 'session.authenticated',
    partnerId: session.partnerId,
    userId: what.userId,
    sessionId: session.id,
    subject: opening.id,
    detail: { page: opening.page, variant: opening.variant },
  })
})

/** The recovery has its credential: it is whole, and good for nothing before the end; nobody is authenticated. */
const stage = Effect.fnUntraced(function* (
  opening: Opening.Opening,
  session: Session.Session,
  { userId, deviceCertificate, sealedResult }: Commit.Commit,
  { kind, id, completion }: Commit.CredentialCommit,
) {
  const isStaged =
    kind === 'PASSWORD'
      ? yield* (yield* Passwords).stage(id, completion)
      : yield* (yield* Passkeys).stage(id, completion)
  const { rootPublicKey } = completion
  const isFirst = yield* (yield* Recoveries).setCredential(session.id, { kind, id, rootPublicKey })
  if (!isStaged || !isFirst) return yield* new Conflict()
  yield* (yield* Failpoints).reach('opening.commit.within')
  const openingResult = sealedResult === null ? null : { openingId: opening.id, sealedResult }
  if (!(yield* (yield* Sessions).equip(session.id, { deviceCertificate, openingResult }))) return yield* new Conflict()
  yield* (yield* Audit).record({
    event: 'recovery.credential made',
    partnerId: session.partnerId,
    userId,
    sessionId: session.id,
    subject: opening.id,
    detail: { page: opening.page, variant: opening.variant },
  })
})

/** One root a user: the first to complete a credential sets it (flows 3.8, two tabs). */
const complete = Effect.fnUntraced(function* (userId: string, credential: Commit.CredentialCommit) {
  const isCompleted =
    credential.kind === 'PASSWORD'
      ? yield* (yield* Passwords).complete(credential.id, credential.completion)
      : yield* (yield* Passkeys).complete(credential.id, credential.completion)
  if (!isCompleted) return yield* new Conflict()
  const isFirst = yield* (yield* Users).setFirstCredential(userId, credential.completion.rootPublicKey)
  if (!isFirst) return yield* new UserAlreadyExists()
})

/**
 * The recovery key that the host made before this page, under the signature that he may never read: he finds it here when he
 * comes back, and whoever makes a wallet meanwhile encrypts to it (flows 5.8, 5.11).
 */
const keepRecoveryKey = Effect.fnUntraced(function* (
  { recoveryPublicKey: publicKey }: Session.Session,
  userId: string,
  { recoverySignature: signature }: Commit.CredentialCommit,
  createdAt: number,
) {
  if (publicKey === null || signature === null) return
  const id = yield* (yield* SecureRandom).uuid
  yield* (yield* RecoveryPublicKeys).add({ id, userId, publicKey, signature, createdAt })
})

/** The record that the page is about, and the session: named, or found by the record where the link names none. */
const subjectOf = Effect.fnUntraced(function* (visit: Visit) {
  if (Opening.isLoginPage(visit.page)) {
    if (visit.sessionId === undefined || visit.record !== undefined) return yield* new NotFound()
    return { sessionId: visit.sessionId, record: undefined }
  }
  if (visit.page === 'export') return { sessionId: visit.sessionId ?? '', record: undefined }
  const record =
    visit.page === 'create-password'
      ? Option.getOrUndefined(yield* (yield* Passwords).find(visit.record ?? ''))
      : visit.page === 'create-passkey'
        ? Option.getOrUndefined(yield* (yield* Passkeys).find(visit.record ?? ''))
        : undefined
  if (record === undefined) return yield* new NotFound()
  return { sessionId: visit.sessionId ?? record.sessionId, record }
})

type Subject = Effect.Success<ReturnType<typeof subjectOf>>

/** The record is PENDING and was made by that session for its user (flows 2.2). */
const isUsable = (record: NonNullable<Subject['record']>, session: Session.Session, visit: Visit, now: number) =>
  record.status === 'PENDING' &&
  now <= record.expiresAt &&
  record.sessionId === session.id &&
  record.userId === session.userId &&
  (visit.userId ?? record.userId) === record.userId

/**
 * The calling page has to be a portal of the partner's; a call without an origin counts as one where those are
 * allowed.
 */
const callingPortal = Effect.fnUntraced(function* (partner: Partner.Partner) {
  const { origin } = yield* Caller
  const { environment, portalOrigin } = yield* Deployment
  const [own = portalOrigin, ...others] = Partner.portalOrigins(partner, portalOrigin)
  if (origin === undefined && Partner.allowsNoOrigin(partner, environment)) return own
  if (origin === undefined || ![own, ...others].includes(origin)) return yield* new OriginNotAllowed()
  return origin
})

const ownOpening = Effect.fnUntraced(function* (openingId: string, session: Session.Session) {
  const opening = Option.getOrUndefined(yield* (yield* Openings).find(openingId))
  return opening?.sessionId === session.id ? opening : yield* new NotFound()
})

/** The opening, for the page that holds its secret. */
const withSecret = Effect.fnUntraced(function* <E>(openingId: string, openingSecret: string, wrong: E) {
  const opening = Option.getOrUndefined(yield* (yield* Openings).find(openingId))
  if (opening === undefined) return yield* new NotFound()
  const isRight = equal(hexToBytes(yield* secretMac(openingSecret)), hexToBytes(opening.secretHash))
  return isRight ? opening : yield* Effect.fail(wrong)
})

const entranceOf = Effect.fnUntraced(function* (
  opening: Opening.Opening,
  session: Session.Session,
  partner: Partner.Partner,
  request: TokenRequest,
  now: number,
) {
  const ways = [request.ticket !== undefined, request.redirect === true, request.asked === true]
  if (opening.page === 'export' && request.ticket === undefined) return yield* new OpenerNotProven()
  if (ways.filter(Boolean).length !== 1) return yield* new OpenerNotProven()
  if (request.asked === true) {
    const { environment } = yield* Deployment
    const mayAsk = Partner.allowsUnprovenClients(partner, environment)
    // A session of ours never falls back to asking, whoever asks.
    if (session.deviceSignsRequests || !mayAsk || opening.state !== 'OPEN') return yield* new OpenerNotProven()
    return { variant: 'ask' } satisfies Entrance
  }
  if (!session.deviceSignsRequests) return yield* new OpenerNotProven()
  if (request.redirect === true) {
    const { redeemHash } = request
    const isForm = redeemHash !== undefined && fromHex(redeemHash, 32) !== undefined
    const hasKey = !Opening.isLoginPage(opening.page) || session.loginPublicKey !== null
    if (!isForm || !hasKey || session.origin === null || opening.state !== 'OPEN') return yield* new OpenerNotProven()
    return { variant: 'redirect', redeemHash } satisfies Entrance
  }
  const ticket = fromHex(request.ticket ?? '', 32)
  const isTicket = ticket !== undefined && equal(ticket, hexToBytes(yield* ticketOf(opening)))
  if (!isTicket || opening.state !== 'TICKETED') return yield* new OpenerNotProven()
  return Opening.isTicketAlive(opening, now) ? ({ variant: 'opener' } satisfies Entrance) : yield* new OpenerNotProven()
})

/** The key of the address becomes the session's, once (flows 2, ask). */
const bindLoginKey = Effect.fnUntraced(function* (session: Session.Session, loginPublicKey: string | undefined) {
  const thumbprint = RsaKey.loginKeyThumbprint(loginPublicKey ?? '')
  if (loginPublicKey === undefined || thumbprint === undefined) return yield* new LoginKeyMismatch()
  const isBound = yield* (yield* Sessions).bindLoginKey(session.id, loginPublicKey, bytesToHex(thumbprint))
  if (!isBound) return yield* new LoginKeyMismatch()
})

/** What the page shows: the user of its record, or whom the session says it is. */
const identityFor = Effect.fnUntraced(function* (opening: Opening.Opening, session: Session.Session) {
  const userId = opening.page === 'export' ? session.userId : opening.userId
  if (userId === null) return session.identity
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  return user?.identity ?? null
})

/** Only the page that makes a password has its pepper before any verification. */
const passwordSecrets = Effect.fnUntraced(function* (opening: Opening.Opening) {
  if (opening.page !== 'create-password' || opening.recordId === null) return null
  const record = Option.getOrUndefined(yield* (yield* Passwords).find(opening.recordId))
  if (record === undefined) return yield* new LinkExpired()
  const pepper = yield* Effect.orDie((yield* Vault).open(pepperPlace(record.id), record.sealedPepper))
  return { kdf: defaultKdf, pepper: bytesToHex(pepper) }
})

/** Of which wallet an export page shows the key, and with what the session's user can show there who they are. */
const exportingOf = Effect.fnUntraced(function* (opening: Opening.Opening, session: Session.Session) {
  const { userId } = session
  if (opening.page !== 'export' || userId === null) return null
  const { address } = yield* exportable(session, opening.recordId ?? '')
  const rpId = Partner.rpIdOf(opening.portalOrigin)
  const methods: WireAuthMethod[] = []
  if ((yield* (yield* Passwords).ofUser(userId)).length > 0) methods.push(toWire('PASSWORD'))
  const passkeys = yield* (yield* Passkeys).ofUser(userId)
  const isHere = passkeys.some(({ status, completion }) => status === 'COMPLETE' && completion?.rpId === rpId)
  if (isHere) methods.push(toWire('PASSKEY'))
  return { walletAddress: address, authMethods: methods }
})

/** On an export page nobody but the session's own user shows a credential. */
export const isWhoMayVerify = ({ page }: Opening.PortalToken, session: Session.Session, userId: string): boolean =>
  page !== 'export' || session.userId === userId

const mismatch = (openingId: string) =>
  Effect.flatMap(Audit, (audit) => audit.record({ event: 'opener.mismatch', subject: openingId }))

/** The same ticket for the same opening: nothing of it has to be stored. */
export const ticketOf = (opening: Opening.Opening) =>
  Effect.map(Vault, ({ mac }) => mac('opening ticket', `${opening.id} ${opening.sessionId}`))

const secretMac = (secret: string) => Effect.map(Vault, ({ mac }) => mac('opening secret', secret))

const tokenMac = (token: string) => Effect.map(Vault, ({ mac }) => mac('portal token', token))

const macOfBody = (body: unknown) => Effect.map(Vault, ({ mac }) => mac('opening commit', JSON.stringify(body)))

const commitPlace = (openingId: string) => ({ table: 'openings', id: openingId })

/** The opening or its session is over. */
export class LinkExpired extends Data.TaggedError('LinkExpired') {
  override readonly message = 'link expired'
}

/** Nobody showed that the page was opened by the session's own page. */
export class OpenerNotProven extends Data.TaggedError('OpenerNotProven') {
  override readonly message = 'opener not proven'
}

/** The session has another login key than the link. */
export class LoginKeyMismatch extends Data.TaggedError('LoginKeyMismatch') {
  override readonly message = 'login key mismatch'
}

/** It was done before, with another body; or it has changed meanwhile. */
export class Conflict extends Data.TaggedError('Conflict') {
  override readonly message = 'conflict'
}
