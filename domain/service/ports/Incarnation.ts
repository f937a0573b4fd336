import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/**
 * Which life of the database this is (mpc-review 2). It changes when the database turns out to be older than what was seen
 * of it, after a restore or a promotion: runs that an older incarnation began are dead.
 */
export class Incarnation extends Context.Service<
  Incarnation,
  { readonly current: Effect.Effect<string> }
>()('tandem/service/Incarnation') {}
