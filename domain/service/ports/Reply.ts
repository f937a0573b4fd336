import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What an answer carries beside its body. One per request. */
export class Reply extends Context.Service<
  Reply,
  {
    /** The header `x-capsule-sid` of the answer: the client keeps it from then on (facts 0). */
    readonly setSessionToken: (token: string) => Effect.Effect<void>
  }
>()('tandem/service/Reply') {}
