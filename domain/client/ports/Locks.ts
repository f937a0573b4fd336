import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Mutual exclusion by name: Web Locks among all pages and workers of an origin, a queue within this process in Node. */
export class Locks extends Context.Service<
  Locks,
  {
    readonly alone: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()('tandem/client/Locks') {}
