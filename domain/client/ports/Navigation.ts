import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The page's own window and address. */
export class Navigation extends Context.Service<
  Navigation,
  {
    /**
     * The address as it was when the page was loaded: later changes of the fragment are not read, because an opener can
     * make them.
     */
    readonly url: Effect.Effect<string>
    /** Shows another address without loading it. */
    readonly replace: (url: string) => Effect.Effect<void>
    readonly redirect: (url: string) => Effect.Effect<void>
    readonly close: Effect.Effect<void>
    /** Ends when the page goes away. */
    readonly hidden: Effect.Effect<void>
  }
>()('tandem/client/Navigation') {}
