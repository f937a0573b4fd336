/**
 * A session of a host page (flows 1): its three values are never mixed. The token is nowhere in this record; `id`
 * stands in portal links; `lookupId` names the session to the calls of the portal.
 */
import type { CurrentWalletIds } from '../model/CurrentWalletIds.ts'
import type { Identity } from '../model/Identity.ts'
import type { State } from '../model/Session.ts'

/** What a committed opening left for the host: sealed under a secret that the service never sees (flows A3). */
export type OpeningResult = { readonly openingId: string; readonly sealedResult: string }

export type Session = {
  readonly id: string
  readonly lookupId: string
  readonly partnerId: string
  /** The `Origin` of the touch that made it; null for a server or a test (design 8.10). */
  readonly origin: string | null
  readonly state: State
  readonly userId: string | null
  /** The user showed a code or came by an identity provider: only then does touch name the user. */
  readonly userProven: boolean
  readonly identity: Identity | null
  readonly loginPublicKey: string | null
  readonly loginKeyThumbprint: string | null
  /** P-256 point, hex(65). */
  readonly devicePublicKey: string | null
  readonly deviceKeyThumb: string | null
  /** The device key came by flows 1.3, before authentication: calls marked +D need its signature. */
  readonly deviceSignsRequests: boolean
  readonly recoveryPublicKey: string | null
  readonly deviceCertificate: string | null
  readonly openingResult: OpeningResult | null
  readonly currentWalletIds: CurrentWalletIds
  readonly needsWallet: boolean
  readonly createdAt: number
  readonly authenticatedAt: number | null
  readonly lastUsedAt: number
  /** Superseded by touch?regenerate=true, or read by a token that was: it lives until then and starts nothing. */
  readonly retiresAt: number | null
  /** The end of its latest opening that is past OPEN: a page at work keeps its session (flows 1r). */
  readonly heldUntil: number | null
}

export const limits = {
  /** Flows 1.1: before authentication. */
  beforeAuthentication: 15 * 60_000,
  /** Flows 12. */
  idle: 90 * 60_000,
  absolute: 24 * 60 * 60_000,
  /** Flows 1r: what a superseded token has left. */
  retiring: 90_000,
} as const

/** Whether the session stands at `now`. A dead session is as none at all. */
export const isLive = (session: Session, now: number): boolean => {
  if (session.state === 'CLOSED') return false
  if (session.state === 'AUTHENTICATED') {
    return (
      now <= session.lastUsedAt + limits.idle &&
      now <= (session.authenticatedAt ?? session.createdAt) + limits.absolute &&
      (session.retiresAt === null || now <= session.retiresAt)
    )
  }
  const ends = Math.min(session.createdAt + limits.beforeAuthentication, session.retiresAt ?? Number.MAX_SAFE_INTEGER)
  return now <= Math.max(ends, session.heldUntil ?? 0)
}

/** A superseded session or token finishes what it began and starts nothing (flows 1r). */
export const startsThings = (session: Session): boolean => session.retiresAt === null

export const isAuthenticatedAs = (session: Session, userId: string): boolean =>
  session.state === 'AUTHENTICATED' && session.userId === userId
