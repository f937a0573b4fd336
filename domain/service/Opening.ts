/**
 * An opening: one visit to a portal page (flows 2). It holds the user who was verified there; session and record change
 * only when it is committed (flows A6).
 */
import type { Page } from '../crypto/Opener.ts'

export type OpeningState = 'OPEN' | 'TICKETED' | 'TOKEN' | 'VERIFIED' | 'COMMITTED' | 'DEFERRED' | 'REDEEMED' | 'CLOSED'

/**
 * How the page learns that its opener is the session's own: by proof, by a return to the registered page, or by
 * asking.
 */
export type Variant = 'opener' | 'redirect' | 'ask'

export type Opening = {
  readonly id: string
  readonly sessionId: string
  readonly partnerId: string
  readonly page: Page
  readonly recordId: string | null
  /** The origin of the page itself: its passkeys are bound to its host. */
  readonly portalOrigin: string
  readonly state: OpeningState
  readonly variant: Variant
  /** For login and export pages only once VERIFIED. */
  readonly userId: string | null
  readonly secretHash: string
  readonly redeemHash: string | null
  /** Of the body that committed it: the same again is the same answer, another is refused (flows 3.8). */
  readonly commitMac: string | null
  readonly ticketedAt: number | null
  /** When its user last showed a credential. */
  readonly verifiedAt: number | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly lastBeatAt: number
  /** The page said that it goes away; a later beat takes it back. */
  readonly closeAskedAt: number | null
}

/** A portal token: what a page may do, and for whom (flows 2.7). It is never a host's token (flows 16.3). */
export type PortalToken = {
  readonly openingId: string
  readonly sessionId: string
  readonly partnerId: string
  readonly userId: string | null
  readonly portalOrigin: string
  readonly page: Page
  readonly record: string | null
  readonly state: OpeningState
}

export const limits = {
  life: 10 * 60_000,
  ticket: 60_000,
  /** A page beats every 5 s; one that missed its beat for this long counts as gone (flows 16.13: within 10 s). */
  silence: 8_000,
  /** Flows 2.8: a reload takes its close back. */
  close: 3_000,
  /** What became of one can be asked for so long after its end. */
  kept: 60 * 60_000,
  /** Of one session, at one time (flows 2.2). */
  open: 5,
} as const

const over: readonly OpeningState[] = ['COMMITTED', 'REDEEMED', 'CLOSED']

/**
 * Whether anything may still happen by it. A redirect's page has gone away by design: its opening waits for its
 * redeemer.
 */
export const isLive = (opening: Opening, now: number): boolean =>
  !over.includes(opening.state) &&
  now <= opening.expiresAt &&
  (opening.state === 'DEFERRED' || opening.closeAskedAt === null || now <= opening.closeAskedAt + limits.close)

/** What the host's one question after `popup.closed` is answered (flows 2.8, A15). */
export const isPagePresent = (opening: Opening, now: number): boolean =>
  isLive(opening, now) && (opening.state === 'DEFERRED' || now <= opening.lastBeatAt + limits.silence)

/**
 * A token outlives its commit, so that a page whose answer was lost can ask again. It never outlives a CLOSED opening.
 */
export const isTokenAlive = (opening: Opening, now: number): boolean =>
  opening.state !== 'CLOSED' && now <= opening.expiresAt

/** The page may still do something. */
export const isAtWork = (token: PortalToken): boolean => token.state === 'TOKEN' || token.state === 'VERIFIED'

export const tokenOf = (opening: Opening): PortalToken => ({
  openingId: opening.id,
  sessionId: opening.sessionId,
  partnerId: opening.partnerId,
  userId: opening.userId,
  portalOrigin: opening.portalOrigin,
  page: opening.page,
  record: opening.recordId,
  state: opening.state,
})

/** A page at work has been told the session's keys: they stay as they are (flows 1.3). */
export const usesKeys = (opening: Opening, now: number): boolean => isLive(opening, now) && opening.state !== 'OPEN'

export const isLoginPage = (page: Page): boolean => page === 'login-password' || page === 'login-passkey'

export const isTicketAlive = (opening: Opening, now: number): boolean =>
  opening.ticketedAt !== null && now <= opening.ticketedAt + limits.ticket
