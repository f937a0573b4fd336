import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What an answer has beside its body. One per request. */
export class Reply extends Context.Service<
  Reply,
  {
    /** The header `x-capsule-sid` of the answer. The client uses this token from then on. */
    readonly setSessionToken: (token: string) => Effect.Effect<void>
  }
>()('tandem/service/Reply') {}
