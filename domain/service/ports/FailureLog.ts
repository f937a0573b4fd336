import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** A failed method of an SDK, as far as it may be written down: no text in it is longer than a line, or a secret. */
export type Failure = {
  readonly partnerId: string
  readonly sdkType: string
  readonly methodName: string
  readonly userId: string | undefined
  readonly error: string
  readonly message: string
}

/** Where the operator reads of them. */
export class FailureLog extends Context.Service<
  FailureLog,
  {
    readonly write: (failure: Failure) => Effect.Effect<void>
  }
>()('tandem/service/FailureLog') {}
