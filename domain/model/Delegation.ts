/** What a delegated session may do, and for how long (domain/service/README.md#delegated-sessions). */

/** In this order: each may do what the ones before it may. */
export const scopes = ['READ', 'SIGN'] as const

export type Scope = (typeof scopes)[number]

export const includes = (held: Scope, needed: Scope): boolean => scopes.indexOf(held) >= scopes.indexOf(needed)
