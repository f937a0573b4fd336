import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/**
 * Marks that only rise, kept outside the database, so that an older database cannot take them back (design 8.20,
 * mpc-review 2): the highest epoch of a wallet, an OT record that is burned.
 */
export class Watermarks extends Context.Service<
  Watermarks,
  {
    /** Durable when it is done. A lower value than the one that stands changes nothing. */
    readonly raise: (name: string, value: number) => Effect.Effect<void>
    /** 0 where nothing was raised. */
    readonly read: (name: string) => Effect.Effect<number>
  }
>()('tandem/service/Watermarks') {}
