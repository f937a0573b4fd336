/** What precedes every handler: whether the caller may, and whether the request has the contract's form. */
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

/** Whatever runs before a handler: its refusals and needs are those of every operation. */
export type Admission = ReturnType<typeof admit> | ReturnType<typeof callerOf>
