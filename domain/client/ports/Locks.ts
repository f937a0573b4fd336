import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** One at a time among all documents of an origin: Web Locks in a browser, this process in Node (flows 5.1). */
export class Locks extends Context.Service<
  Locks,
  {
    readonly alone: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()('tandem/client/Locks') {}
