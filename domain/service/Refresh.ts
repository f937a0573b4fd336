/**
 * An attempt at new shares of a wallet (domain/service/README.md#refreshes). It changes nothing until its commit, in
 * which the new sharing replaces the old one; the old one is retained until the device says that the new one signs.
 */
import { isRecent } from './clocks.ts'
import type { SessionRecord } from './Session.ts'

/**
 * LIVE until the commit; ACKNOWLEDGED when the retained sharing is deleted. An ABORTED one had no effect. That of a
 * recovery is PREPARED until all wallets of its user are, and takes effect with them.
 */
export type RefreshState = 'LIVE' | 'PREPARED' | 'COMMITTED' | 'ACKNOWLEDGED' | 'ABORTED'

export type RefreshRecord = {
  readonly walletId: string
  readonly protocolId: string
  readonly sessionId: string
  /** hex(32): the sharing that was current when it began. */
  readonly baseShareId: string
  /** hex(32): the sharing that it made, once it is prepared or committed. */
  readonly shareId: string | null
  readonly state: RefreshState
  readonly createdAt: number
}

export const refreshLimits = {
  /** How long another device waits before its own attempt ends this one. */
  lease: 90_000,
  /** How old the portal login may be that leads out of a lock. */
  freshLogin: 10 * 60_000,
} as const

/**
 * The session's user showed a credential to the portal just now. A recovery's session has no login.
 */
export const isFreshLogin = (
  { authenticatedAt, delegation }: Pick<SessionRecord, 'authenticatedAt' | 'delegation'>,
  now: number,
): boolean =>
  delegation === null && authenticatedAt !== null && isRecent(authenticatedAt, refreshLimits.freshLogin, now)

export const isDone = ({ state }: RefreshRecord): boolean => state === 'COMMITTED' || state === 'ACKNOWLEDGED'
