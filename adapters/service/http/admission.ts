/** The checks before every handler: authorization of the caller, then the request's form by the contract. */
import * as Effect from 'effect/Effect'
import type { OperationId } from '../../../generated/operations.ts'
import { authorize } from '../../../domain/service/authorization.ts'
import type { callerOf } from './callerOf.ts'
import { inputOf } from './inputOf.ts'
import type { RawRequest } from './RawRequest.ts'

export const admit = Effect.fnUntraced(function* (id: OperationId, request: RawRequest) {
  yield* authorize(id, request.path['userId'])
  return yield* Effect.fromResult(inputOf(id, request))
})

/** Everything that runs before a handler: every operation has its refusals and requirements. */
export type Admission = ReturnType<typeof admit> | ReturnType<typeof callerOf>
