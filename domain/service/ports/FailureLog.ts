import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** A failed method of an SDK, cut to what may be logged: short, and without secrets. */
export type Failure = {
  readonly partnerId: string
  readonly sdkType: string
  readonly methodName: string
  readonly userId: string | undefined
  readonly error: string
  readonly message: string
}

/** The operator's log of them. */
export class FailureLog extends Context.Service<
  FailureLog,
  {
    readonly write: (failure: Failure) => Effect.Effect<void>
  }
>()('tandem/service/FailureLog') {}
