import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PortalSessionRecord } from '../PortalSession.ts'

export type NewPortalSessionRecord = Pick<
  PortalSessionRecord,
  'id' | 'sessionId' | 'partnerId' | 'page' | 'recordId' | 'portalOrigin' | 'userId' | 'secretHash' | 'expiresAt'
> & { readonly now: number }

/** How a page got its portal token: by the ticket, by choosing the redirect, or by asking its user. */
export type Entrance =
  | { readonly variant: 'opener' }
  | { readonly variant: 'redirect'; readonly redeemHash: string }
  | { readonly variant: 'ask' }

/**
 * Portal sessions (domain/service/README.md#portal-sessions). Secrets, tickets, tokens and codes are known by MAC or
 * hash alone.
 */
export class PortalSessions extends Context.Service<
  PortalSessions,
  {
    readonly create: (portalSession: NewPortalSessionRecord) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<PortalSessionRecord>>
    readonly findByToken: (tokenMac: string) => Effect.Effect<Option.Option<PortalSessionRecord>>
    /** Reads it, and keeps other transactions from changing it until this one ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<PortalSessionRecord>>
    /** Those that are not over at that time, whether or not their page is present. */
    readonly ofSession: (sessionId: string, now: number) => Effect.Effect<readonly PortalSessionRecord[]>
    /** OPEN -> TICKETED; every other unfinished one of its session is CLOSED. */
    readonly ticket: (id: string, sessionId: string, now: number) => Effect.Effect<boolean>
    /** TICKETED (by ticket) or OPEN (otherwise) -> TOKEN, once. */
    readonly enter: (id: string, entrance: Entrance, tokenMac: string) => Effect.Effect<boolean>
    /** TOKEN -> VERIFIED; again only for the same user. */
    readonly verify: (id: string, userId: string, now: number) => Effect.Effect<boolean>
    /** TOKEN or VERIFIED -> COMMITTED, by the body of this MAC. */
    readonly commit: (id: string, commitMac: string) => Effect.Effect<boolean>
    /** TOKEN or VERIFIED -> DEFERRED, with what redeeming it will do, sealed. */
    readonly defer: (id: string, commitMac: string, sealedCommit: Uint8Array) => Effect.Effect<boolean>
    readonly deferredCommit: (id: string) => Effect.Effect<Option.Option<Uint8Array>>
    /** DEFERRED -> REDEEMED, once. The sealed commit is deleted. */
    readonly redeem: (id: string) => Effect.Effect<boolean>
    readonly heartbeat: (id: string, now: number) => Effect.Effect<void>
    readonly askClose: (id: string, now: number) => Effect.Effect<void>
    /** OPEN or TICKETED -> CLOSED, once. */
    readonly end: (id: string) => Effect.Effect<boolean>
    /** Closes all of a session that are not over. */
    readonly closeOfSession: (sessionId: string) => Effect.Effect<void>
    /** Closes all whose user was verified there, or is its session's, and that are not over. */
    readonly closeOfUser: (userId: string) => Effect.Effect<void>
    /** Deletes those that expired before that time. */
    readonly sweep: (before: number) => Effect.Effect<void>
  }
>()('tandem/service/PortalSessions') {}
