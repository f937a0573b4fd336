import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Opening } from '../Opening.ts'

export type NewOpening = Pick<
  Opening,
  'id' | 'sessionId' | 'partnerId' | 'page' | 'recordId' | 'portalOrigin' | 'userId' | 'secretHash' | 'expiresAt'
> & { readonly now: number }

/** How a page got its portal token: by the ticket, by choosing the redirect, or by asking its user (flows 2). */
export type Entrance =
  | { readonly variant: 'opener' }
  | { readonly variant: 'redirect'; readonly redeemHash: string }
  | { readonly variant: 'ask' }

/** Openings of portal pages. Secrets, tickets, tokens and codes are known by MAC or hash alone. */
export class Openings extends Context.Service<
  Openings,
  {
    readonly create: (opening: NewOpening) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<Opening>>
    readonly findByToken: (tokenMac: string) => Effect.Effect<Option.Option<Opening>>
    /** Reads it and keeps everybody else from changing it until the transaction ends. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<Opening>>
    /** Those that are not over at that time, but for what their page says. */
    readonly ofSession: (sessionId: string, now: number) => Effect.Effect<readonly Opening[]>
    /** OPEN -> TICKETED; every other one of its session is CLOSED. */
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
    /** DEFERRED -> REDEEMED, once. What it held is forgotten. */
    readonly redeem: (id: string) => Effect.Effect<boolean>
    readonly beat: (id: string, now: number) => Effect.Effect<void>
    readonly askClose: (id: string, now: number) => Effect.Effect<void>
    /** OPEN or TICKETED -> CLOSED, once. */
    readonly end: (id: string) => Effect.Effect<boolean>
    /** Ends all openings of a session that are not over. */
    readonly closeOfSession: (sessionId: string) => Effect.Effect<void>
    /** Deletes those whose time was over before. */
    readonly sweep: (before: number) => Effect.Effect<void>
  }
>()('tandem/service/Openings') {}
