import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Places at which a test may kill the process, to see that nothing is half done afterwards (security 3.2). */
export class Failpoints extends Context.Service<
  Failpoints,
  { readonly reach: (name: string) => Effect.Effect<void> }
>()('tandem/service/Failpoints') {}
