import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Several steps as one: all of them are stored, or none. */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * A failure, a defect and an interruption roll back; inside another one it joins it. Whatever runs in it uses its one
     * connection: nothing slow and no call to the outside belongs here. One that met another transaction is run again, so
     * nothing outside the database may count how often it ran.
     */
    readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()('tandem/service/Transaction') {}
