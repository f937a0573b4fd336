// Generated from the contract by `npm run generate`, never edited.

import type * as Effect from 'effect/Effect'
import type { operations as contract } from './api.ts'
import type { ErrorsOf } from './errors.ts'
import type { OperationId, operations } from './operations.ts'

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
export type Handlers<Caller, R = never> = {
  readonly [Id in OperationId]: (input: Input<Id>, caller: Caller) => Effect.Effect<Success<Id>, Refusal<Id>, R>
}

/** Those of one tag. */
export type HandlersOf<Tag extends (typeof operations)[OperationId]['tag'], Caller, R = never> = Pick<
  Handlers<Caller, R>,
  { [Id in OperationId]: (typeof operations)[Id]['tag'] extends Tag ? Id : never }[OperationId]
>

/**
 * The fields of the answer that `Served` does not mention, those of its lists and objects too: `wallets.partner`. What
 * is optional there is mentioned.
 */
export type Unserved<Id extends OperationId, Served> = Unmentioned<Success<Id>, Served>

type Unmentioned<Said, Served> = Said extends readonly (infer Item)[]
  ? Unmentioned<Item, Served extends readonly (infer Own)[] ? Own : never>
  : Said extends Uint8Array | string | number | boolean | null | undefined
    ? never
    : { [Name in NamesOf<Said>]-?: Under<Name, Said[Name], Served> }[NamesOf<Said>]

/** Without those of a map. */
type NamesOf<Said> = string extends keyof Said ? never : keyof Said & string

type Under<Name extends string, Said, Served> =
  Name extends KeysOf<Served> ? `${Name}.${Unmentioned<Said, FieldOf<Served, Name>>}` : Name

type KeysOf<Served> = Served extends unknown ? keyof Served : never

type FieldOf<Served, Name extends string> = Served extends { readonly [N in Name]?: infer Value }
  ? Exclude<Value, null | undefined>
  : never

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
