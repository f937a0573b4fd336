import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Several steps as one: all of them are stored, or none (domain/service/README.md#transactions-and-locks). */
export class Transaction extends Context.Service<
  Transaction,
  {
    /**
     * A failure, a defect and an interruption roll back; inside another transaction it joins it. The flow within uses
     * one connection, so nothing slow and no call to the outside belongs here. After a conflict with another
     * transaction it is run again, so nothing outside the database may depend on how often it ran.
     */
    readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()('tandem/service/Transaction') {}
