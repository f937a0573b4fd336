// Generated from the contract by `npm run generate`, never edited.

import type * as Effect from 'effect/Effect'
import type { operations as contract } from './api.ts'
import type { ErrorsOf } from './errors.ts'
import type { OperationId } from './operations.ts'

export type { OperationId } from './operations.ts'

/** What a request carries: path, query, header and body, each where the operation has it. */
export type Input<Id extends OperationId> = Together<
  Part<contract[Id]['parameters'], 'path'> &
    Part<contract[Id]['parameters'], 'query'> &
    Part<contract[Id]['parameters'], 'header'> &
    Body<contract[Id]>
>

/** The body of the answer 200. */
export type Success<Id extends OperationId> = ContentOf<contract[Id]['responses'][200]>

/**
 * One handler for every operation: a missing one does not compile, nor one that fails with what its operation does not
 * document.
 */
export type Handlers<R = never> = {
  readonly [Id in OperationId]: (input: Input<Id>) => Effect.Effect<Success<Id>, Refusal<Id>, R>
}

type Refusal<Id extends OperationId> = { readonly _tag: ErrorsOf[Id] }

type Together<A> = { [K in keyof A]: A[K] }

type Part<Parameters, Place extends keyof Parameters> = [Exclude<Parameters[Place], undefined>] extends [never]
  ? unknown
  : Pick<Parameters, Place>

type Body<Operation> = Operation extends { readonly requestBody: infer Required }
  ? { readonly body: ContentOf<Required> }
  : Operation extends { readonly requestBody?: infer Optional }
    ? [Exclude<Optional, undefined>] extends [never]
      ? unknown
      : { readonly body?: ContentOf<Exclude<Optional, undefined>> | undefined }
    : unknown

type ContentOf<Message> = Message extends { readonly content: infer Content } ? Content[keyof Content] : never
