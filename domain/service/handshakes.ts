/**
 * Handshakes of portal sessions (domain/service/README.md#portal-sessions): the host that opened the page gets a ticket;
 * the page's secret and the ticket together get the page its token.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import { fromHex } from '../crypto/Hex.ts'
import { defaultKdf } from '../crypto/PasswordKeys.ts'
import * as RsaKey from '../crypto/RsaKey.ts'
import { toWire, type WireAuthMethod } from '../model/Credential.ts'
import { relyingPartyOf } from '../model/Url.ts'
import { Caller } from './Caller.ts'
import * as challenges from './challenges.ts'
import { pepperAssociatedData } from './Credential.ts'
import { exportable, keepRecipient, type RecipientToKeep } from './exports.ts'
import { NotFound } from './NotFound.ts'
import * as PortalSession from './PortalSession.ts'
import {
  LinkExpired,
  OpenerNotProven,
  ownPortalSession,
  tokenMac,
  withSecret,
  type PortalSessionRequest,
} from './portalSessions.ts'
import * as Partner from './Partner.ts'
import { callersPartner } from './partners.ts'
import { Audit } from './ports/Audit.ts'
import { Deployment } from './ports/Deployment.ts'
import { PortalSessions, type Entrance } from './ports/PortalSessions.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Reply } from './ports/Reply.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Sessions } from './ports/Sessions.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Vault } from './ports/Vault.ts'
import * as Session from './Session.ts'
import { callersSession } from './sessions.ts'

/** The ticket, for the session's own device: it says that the session's page opened this portal session. */
export const createOpeningTicket = Effect.fn('portalSessions.createOpeningTicket')(function* (
  openingId: string,
  request: Pick<PortalSessionRequest, 'page' | 'record'>,
) {
  const session = yield* callersSession
  const { device } = yield* Caller
  if (!session.deviceSignsRequests || !device) return yield* new OpenerNotProven()
  const portalSessions = yield* PortalSessions
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Sessions).lock(session.id)
      const portalSession = yield* ownPortalSession(openingId, session)
      if (portalSession.page !== request.page || portalSession.recordId !== (request.record ?? null))
        return yield* new NotFound()
      const now = yield* Clock.currentTimeMillis
      if (!PortalSession.isLive(portalSession, now)) return yield* new LinkExpired()
      const again = portalSession.state === 'TICKETED' && PortalSession.isTicketAlive(portalSession, now)
      if (!again && !(yield* portalSessions.ticket(portalSession.id, session.id, now))) return yield* new LinkExpired()
      return yield* ticketOf(portalSession)
    }),
  )
})

export type TokenRequest = RecipientToKeep & {
  readonly openingSecret: string
  readonly ticket?: string | undefined
  readonly redirect?: boolean | undefined
  readonly redeemHash?: string | undefined
  readonly asked?: boolean | undefined
  /** The login key in the address of the page, for clients that did not register one. */
  readonly loginPublicKey?: string | undefined
}

/** Gives the page its token: once, and by exactly one of three proofs (domain/service/README.md#portal-sessions). */
export const createOpeningToken = Effect.fn('portalSessions.createOpeningToken')(function* (
  openingId: string,
  request: TokenRequest,
) {
  const portalSessions = yield* PortalSessions
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
        const portalSession = Option.getOrUndefined(yield* portalSessions.lock(openingId))
        if (session === undefined || portalSession === undefined) return yield* new LinkExpired()
        if (!Session.isLive(session, now) || !PortalSession.isLive(portalSession, now)) return yield* new LinkExpired()
        const entrance = yield* entranceOf(portalSession, session, partner, request, now)
        if (portalSession.page === 'export') {
          const ticket = hexToBytes(yield* ticketOf(portalSession))
          if (!(yield* keepRecipient(portalSession, session, ticket, request))) return yield* new OpenerNotProven()
        }
        if (entrance.variant === 'ask' && PortalSession.isLoginPage(portalSession.page)) {
          yield* bindLoginKey(session, request.loginPublicKey)
        }
        if (!(yield* portalSessions.enter(portalSession.id, entrance, yield* tokenMac(token))))
          return yield* new OpenerNotProven()
        return { portalSession, session }
      }),
    )
    .pipe(Effect.tapError((refusal) => (refusal._tag === 'OpenerNotProven' ? mismatch(openingId) : Effect.void)))

  yield* (yield* Reply).setSessionToken(token)
  return {
    sessionLookupId: entered.session.lookupId,
    identity: yield* identityFor(entered.portalSession, entered.session),
    challenge: bytesToHex(yield* challenges.give({ openingId })),
    /** The page dates the device certificate by it. */
    serverTime: now,
    password: yield* passwordSecrets(entered.portalSession),
    exporting: yield* provingOf(entered.portalSession, entered.session),
  }
})

/** By which of the three proofs the page enters, once it is checked: the ticket, the redirect, or asking its user. */
const entranceOf = Effect.fnUntraced(function* (
  portalSession: PortalSession.PortalSessionRecord,
  session: Session.SessionRecord,
  partner: Partner.PartnerRecord,
  request: TokenRequest,
  now: number,
) {
  const ways = [request.ticket !== undefined, request.redirect === true, request.asked === true]
  if (portalSession.page === 'export' && request.ticket === undefined) return yield* new OpenerNotProven()
  if (ways.filter(Boolean).length !== 1) return yield* new OpenerNotProven()
  if (request.asked === true) {
    const { environment } = yield* Deployment
    const mayAsk = Partner.allowsUnprovenClients(partner, environment)
    // A session with a device key never falls back to asking.
    if (session.deviceSignsRequests || !mayAsk || portalSession.state !== 'OPEN') return yield* new OpenerNotProven()
    return { variant: 'ask' } satisfies Entrance
  }
  if (!session.deviceSignsRequests) return yield* new OpenerNotProven()
  if (request.redirect === true) {
    const { redeemHash } = request
    const isForm = redeemHash !== undefined && fromHex(redeemHash, 32) !== undefined
    const hasKey = !PortalSession.isLoginPage(portalSession.page) || session.loginPublicKey !== null
    if (!isForm || !hasKey || session.origin === null || portalSession.state !== 'OPEN')
      return yield* new OpenerNotProven()
    return { variant: 'redirect', redeemHash } satisfies Entrance
  }
  const ticket = fromHex(request.ticket ?? '', 32)
  const isTicket = ticket !== undefined && equal(ticket, hexToBytes(yield* ticketOf(portalSession)))
  if (!isTicket || portalSession.state !== 'TICKETED') return yield* new OpenerNotProven()
  return PortalSession.isTicketAlive(portalSession, now)
    ? ({ variant: 'opener' } satisfies Entrance)
    : yield* new OpenerNotProven()
})

/** The login key of the address becomes the session's, once (variant `ask`). */
const bindLoginKey = Effect.fnUntraced(function* (session: Session.SessionRecord, loginPublicKey: string | undefined) {
  const thumbprint = RsaKey.loginKeyThumbprint(loginPublicKey ?? '')
  if (loginPublicKey === undefined || thumbprint === undefined) return yield* new LoginKeyMismatch()
  const isBound = yield* (yield* Sessions).bindLoginKey(session.id, loginPublicKey, bytesToHex(thumbprint))
  if (!isBound) return yield* new LoginKeyMismatch()
})

/** The identity that the page shows: of the user of its record, else what the session was given. */
const identityFor = Effect.fnUntraced(function* (
  portalSession: PortalSession.PortalSessionRecord,
  session: Session.SessionRecord,
) {
  const userId = PortalSession.isForOwnUser(portalSession.page) ? session.userId : portalSession.userId
  if (userId === null) return session.identity
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  return user?.identity ?? null
})

/** Only the page that makes a password gets its pepper before any verification. */
const passwordSecrets = Effect.fnUntraced(function* (portalSession: PortalSession.PortalSessionRecord) {
  if (portalSession.page !== 'create-password' || portalSession.recordId === null) return null
  const record = Option.getOrUndefined(yield* (yield* Passwords).find(portalSession.recordId))
  if (record === undefined) return yield* new LinkExpired()
  const pepper = yield* Effect.orDie((yield* Vault).open(pepperAssociatedData(record.id), record.sealedPepper))
  return { kdf: defaultKdf, pepper: bytesToHex(pepper) }
})

/** How the session's user can prove themself on a page for them alone, and in which session; and the wallet of an export. */
const provingOf = Effect.fnUntraced(function* (
  portalSession: PortalSession.PortalSessionRecord,
  session: Session.SessionRecord,
) {
  const { userId } = session
  const { page, recordId } = portalSession
  if (userId === null || !PortalSession.isForOwnUser(page)) return null
  const wallet = page === 'export' ? { walletAddress: (yield* exportable(session, recordId ?? '')).address } : {}
  return { ...wallet, sessionId: session.id, authMethods: yield* methodsOf(portalSession, userId) }
})

const methodsOf = Effect.fnUntraced(function* (portalSession: PortalSession.PortalSessionRecord, userId: string) {
  const rpId = relyingPartyOf(portalSession.portalOrigin)
  const methods: WireAuthMethod[] = []
  if ((yield* (yield* Passwords).ofUser(userId)).length > 0) methods.push(toWire('PASSWORD'))
  const passkeys = yield* (yield* Passkeys).ofUser(userId)
  const isHere = passkeys.some(({ status, completion }) => status === 'COMPLETE' && completion?.rpId === rpId)
  if (isHere) methods.push(toWire('PASSKEY'))
  return methods
})

/** Audits a page that did not prove its opener. */
const mismatch = Effect.fnUntraced(function* (openingId: string) {
  if (Option.isNone(yield* (yield* PortalSessions).find(openingId))) return
  yield* (yield* Audit).record({ event: 'opener.mismatch', subject: openingId })
})

/** A MAC of the ids, so that the ticket itself does not have to be stored. */
export const ticketOf = (portalSession: PortalSession.PortalSessionRecord) =>
  Effect.map(Vault, ({ mac }) => mac('opening ticket', `${portalSession.id} ${portalSession.sessionId}`))

/** The session has another login key than the link. */
export class LoginKeyMismatch extends Data.TaggedError('LoginKeyMismatch') {
  override readonly message = 'login key mismatch'
}
