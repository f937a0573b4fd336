import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Delegation } from '../Delegation.ts'
import type { SessionRecord } from '../Session.ts'

export type NewDelegatedSession = Pick<SessionRecord, 'id' | 'lookupId' | 'partnerId' | 'currentWalletIds'> & {
  readonly userId: string
  /** hex(65) */
  readonly devicePublicKey: string
  /** hex(32) */
  readonly deviceKeyThumb: string
  readonly delegation: Delegation
  readonly now: number
}

export type ListedDelegation = Pick<Delegation, 'parentId' | 'scope' | 'expiresAt'> &
  Pick<SessionRecord, 'id' | 'createdAt' | 'lastUsedAt'>

/** Delegated sessions: rows of the sessions, begun AUTHENTICATED, that name the session which made them. */
export class Delegations extends Context.Service<
  Delegations,
  {
    readonly create: (session: NewDelegatedSession, tokenMac: string) => Effect.Effect<void>
    /** Those that the session made and that are not CLOSED, in the order of their ids, in which they are locked. */
    readonly idsOf: (parentId: string) => Effect.Effect<readonly string[]>
    /** The user's at the partner that are not CLOSED, the oldest first; also those that are over by their time. */
    readonly ofUser: (userId: string, partnerId: string) => Effect.Effect<readonly ListedDelegation[]>
  }
>()('tandem/service/Delegations') {}
