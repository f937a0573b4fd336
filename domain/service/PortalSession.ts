/**
 * A portal session: one visit to a portal page (domain/service/README.md#portal-sessions). It holds the user who was
 * verified there; session and record change only at its commit.
 */
import type { Page } from '../crypto/Opener.ts'
import type { AuthMethod } from '../model/Credential.ts'
import { isInTime } from './clocks.ts'

export type PortalSessionState =
  'OPEN' | 'TICKETED' | 'TOKEN' | 'VERIFIED' | 'COMMITTED' | 'DEFERRED' | 'REDEEMED' | 'CLOSED'

/**
 * How the page learns that its opener is the session's own page: by proof, by a return to the registered page, or by
 * asking the user.
 */
export type Variant = 'opener' | 'redirect' | 'ask'

export type PortalSessionRecord = {
  readonly id: string
  readonly sessionId: string
  readonly partnerId: string
  readonly page: Page
  readonly recordId: string | null
  /** The origin of the page itself: its passkeys are bound to its host. */
  readonly portalOrigin: string
  readonly state: PortalSessionState
  readonly variant: Variant
  /** For login and export pages only once VERIFIED; for the others from the beginning. */
  readonly userId: string | null
  readonly secretHash: string
  readonly redeemHash: string | null
  /** MAC of the body that committed it: the same body again gets the same answer, another one is refused. */
  readonly commitMac: string | null
  readonly ticketedAt: number | null
  /** When its user last showed a credential. */
  readonly verifiedAt: number | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastHeartbeatAt: number
  /** When the page said that it closes; a later heartbeat takes it back. */
  readonly closeAskedAt: number | null
}

/** A portal token: what a page may do, and for whom. It is never a session token. */
export type PortalToken = {
  readonly openingId: string
  readonly sessionId: string
  readonly partnerId: string
  readonly userId: string | null
  readonly portalOrigin: string
  readonly page: Page
  readonly record: string | null
  readonly state: PortalSessionState
  readonly variant: Variant
}

/** Pages on which only the session's own user proves a credential. */
export const isForOwnUser = (page: Page): boolean => page === 'export' || page === 'review'

/**
 * Whose page it is, once that is more than an address says. On a page for its session's own user alone, only a credential
 * shows that the user is there: its token may take no more than the address.
 */
export const provenUserOf = ({ page, state, userId }: PortalToken): string | null =>
  isForOwnUser(page) && state !== 'VERIFIED' ? null : userId

/** Times in milliseconds. */
export const portalSessionLimits = {
  life: 10 * 60_000,
  ticket: 60_000,
  /** A page sends a heartbeat every 5 s. After this long without one it counts as gone. */
  silence: 8_000,
  /** The delay before a close takes effect: a page that reloads takes it back. */
  close: 3_000,
  /** The row is kept for this long after it expires. */
  kept: 60 * 60_000,
  /** How many of one session at a time. */
  open: 5,
} as const

const over: readonly PortalSessionState[] = ['COMMITTED', 'REDEEMED', 'CLOSED']

/**
 * Whether anything may still happen in it. After a redirect the page is gone by design, and its portal session waits
 * for the host.
 */
export const isLive = (portalSession: PortalSessionRecord, now: number): boolean =>
  !over.includes(portalSession.state) && isBeforeExpiry(portalSession, now) && now <= liveUntil(portalSession)

const isBeforeExpiry = ({ expiresAt }: PortalSessionRecord, now: number): boolean =>
  isInTime(expiresAt, portalSessionLimits.life, now)

const liveUntil = ({ state, expiresAt, closeAskedAt }: PortalSessionRecord): number =>
  state === 'DEFERRED' || closeAskedAt === null
    ? expiresAt
    : Math.min(expiresAt, closeAskedAt + portalSessionLimits.close)

/** What a host is answered that asks whether the page is present, after its popup handle reads closed. */
export const isPagePresent = (portalSession: PortalSessionRecord, now: number): boolean =>
  isLive(portalSession, now) && now <= silentFrom(portalSession)

/** The last moment at which the page is present, if nothing more is heard of it. */
export const presentUntil = (portalSession: PortalSessionRecord): number =>
  Math.min(liveUntil(portalSession), silentFrom(portalSession))

const silentFrom = ({ state, lastHeartbeatAt }: PortalSessionRecord): number =>
  state === 'DEFERRED' ? Infinity : lastHeartbeatAt + portalSessionLimits.silence

/** A token outlives the commit, so that a page whose answer was lost can ask again. It does not outlive CLOSED. */
export const isTokenAlive = (portalSession: PortalSessionRecord, now: number): boolean =>
  portalSession.state !== 'CLOSED' && isBeforeExpiry(portalSession, now)

/** The page may still read and commit. */
export const isAtWork = (token: PortalToken): boolean => token.state === 'TOKEN' || token.state === 'VERIFIED'

export const tokenOf = (portalSession: PortalSessionRecord): PortalToken => ({
  openingId: portalSession.id,
  sessionId: portalSession.sessionId,
  partnerId: portalSession.partnerId,
  userId: portalSession.userId,
  portalOrigin: portalSession.portalOrigin,
  page: portalSession.page,
  record: portalSession.recordId,
  state: portalSession.state,
  variant: portalSession.variant,
})

/** The page was told the session's keys, so they must not change. */
export const usesKeys = (portalSession: PortalSessionRecord, now: number): boolean =>
  isLive(portalSession, now) && portalSession.state !== 'OPEN'

/** The kind of credential that a page makes or asks for. */
export const authMethodOf = (page: Page): AuthMethod => (page.endsWith('-password') ? 'PASSWORD' : 'PASSKEY')

export const isLoginPage = (page: Page): boolean => page === 'login-password' || page === 'login-passkey'

export const isTicketAlive = (portalSession: PortalSessionRecord, now: number): boolean =>
  portalSession.ticketedAt !== null && now <= portalSession.ticketedAt + portalSessionLimits.ticket
