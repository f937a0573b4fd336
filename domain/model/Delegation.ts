/** What a delegated session may do, and for how long (domain/service/README.md#delegated-sessions). */
import * as Data from 'effect/Data'

/** In this order: each may do what the ones before it may. */
export const scopes = ['READ', 'SIGN'] as const

export type Scope = (typeof scopes)[number]

/** Milliseconds: how long a session lives that is handed out without a word about that. */
export const defaultLifetime = 60 * 60_000

/** Milliseconds: a shorter one may be over before the service or the server reads it. */
export const shortestLifetime = 60_000

export const includes = (held: Scope, needed: Scope): boolean => scopes.indexOf(held) >= scopes.indexOf(needed)

/** A delegated session, whose scope does not include what was asked for. */
export class NotDelegated extends Data.TaggedError('NotDelegated') {
  override readonly message = 'a delegated session may not do this'
}
