import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'

export type Place = { readonly key: string; readonly most: number }

/** Counts the requests that wait in this process. */
export class Waits extends Context.Service<
  Waits,
  {
    /** Takes one of each until the scope ends; takes none and says false where a key has its most already. */
    readonly take: (places: readonly Place[]) => Effect.Effect<boolean, never, Scope.Scope>
  }
>()('tandem/service/Waits') {}
