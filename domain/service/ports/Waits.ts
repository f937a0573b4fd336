import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'

export type WaitLimit = { readonly key: string; readonly most: number }

/** Counts the requests that wait in this process. */
export class Waits extends Context.Service<
  Waits,
  {
    /** Counts one more of each until the scope ends; counts none and says false where one has its most already. */
    readonly take: (limits: readonly WaitLimit[]) => Effect.Effect<boolean, never, Scope.Scope>
  }
>()('tandem/service/Waits') {}
