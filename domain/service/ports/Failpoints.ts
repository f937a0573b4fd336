import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Points at which a test may kill the process, to see that nothing is left half done. */
export class Failpoints extends Context.Service<
  Failpoints,
  { readonly reach: (name: string) => Effect.Effect<void> }
>()('tandem/service/Failpoints') {}
