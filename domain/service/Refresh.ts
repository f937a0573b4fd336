/**
 * An attempt at new shares of a wallet (flows 9; design 8.20). It changes nothing until its commit, in which the new
 * sharing takes the place of the old one; the old one is retained until the device says that the new one signs.
 */
import type { Session } from './Session.ts'

/**
 * LIVE until the commit; ACKNOWLEDGED when the retained sharing is gone. An ABORTED one never happened. That of a recovery
 * is PREPARED until all wallets of its user are, and is committed with them (flows 10.6).
 */
export type RefreshState = 'LIVE' | 'PREPARED' | 'COMMITTED' | 'ACKNOWLEDGED' | 'ABORTED'

export type Refresh = {
  readonly walletId: string
  readonly protocolId: string
  readonly sessionId: string
  /** hex(32): the sharing that stood when it began. */
  readonly baseShareId: string
  /** hex(32): the sharing that it made, once it is prepared or committed. */
  readonly shareId: string | null
  readonly state: RefreshState
  readonly createdAt: number
}

export const limits = {
  /** Another device waits so long before its own attempt ends this one (flows 9.2). */
  lease: 90_000,
  /** Out of a lock leads only a portal login that is no older (design 8.17). */
  freshLogin: 10 * 60_000,
} as const

/** The session's user showed a credential to the portal just now. A recovery's session has no login. */
export const isFreshLogin = ({ authenticatedAt }: Pick<Session, 'authenticatedAt'>, now: number): boolean =>
  authenticatedAt !== null && now <= authenticatedAt + limits.freshLogin

export const isDone = ({ state }: Refresh): boolean => state === 'COMMITTED' || state === 'ACKNOWLEDGED'
