import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import type { Input, OperationId, Success } from '../../../generated/handlers.ts'
import type { ApiError } from '../../model/ApiError.ts'

export type ApiCallOptions = {
  /** The `x-partner-id` of a call made by the portal. */
  readonly partnerId?: string
  /** Another session token than the held one. The token of the answer is not kept then. */
  readonly session?: Redacted.Redacted
  /** The call outlives the page that makes it. */
  readonly keepalive?: boolean
}

/** The service's contract. One method, typed by the operation's id: what the contract lacks does not compile. */
export class Api extends Context.Service<
  Api,
  {
    readonly call: <Id extends OperationId>(
      operation: Id,
      input: Input<Id>,
      options?: ApiCallOptions,
    ) => Effect.Effect<Success<Id>, ApiError>
  }
>()('tandem/client/Api') {}
