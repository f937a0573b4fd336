/** The modules that are ours: the router's table, the types of handlers, and where each validator is. */
import type { Operation } from './Document.ts'

/** Listeners by the port that they have in DEV; operations without a server of their own are the api's. */
const listeners: Readonly<Record<string, string>> = { '': 'api', '3000': 'cosigner', '3003': 'portal' }

const bytes = ['application/octet-stream', 'application/wasm']

const isBinary = ({ body, success }: Operation): boolean =>
  bytes.includes(success) || (body !== undefined && bytes.includes(body.type))

/** `operations.ts` */
export const operationsTable = (operations: readonly Operation[]): string => {
  const rows = operations.map((operation) => {
    const { id, method, path, tag, port, principals, device, success } = operation
    const fields = [
      `method: '${method}'`,
      `path: '${path}'`,
      `tag: '${tag}'`,
      `listener: '${listeners[port] ?? `the listener of port ${port}`}'`,
      `principals: [${principals.map((principal) => `'${principal}'`).join(', ')}]`,
      `device: ${typeof device === 'string' ? `'${device}'` : String(device)}`,
      ...(isBinary(operation) ? ['binary: true'] : []),
      `success: '${success}'`,
    ]
    return `  ${id}: { ${fields.join(', ')} },\n`
  })
  return `/**
 * Every operation by its id. Who may call: S, P, R and SK in \`principals\` are alternatives, K beside S, P or R is
 * needed as well; without a token K or pub suffices. \`device\`: whether a session with a device key signs the request;
 * 'optional': it does so, but is answered without.
 */
export const operations = {
${rows.join('')}} as const satisfies Readonly<Record<string, Operation>>

export type OperationId = keyof typeof operations

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly listener: 'api' | 'cosigner' | 'portal'
  readonly principals: readonly Principal[]
  readonly device: boolean | 'optional'
  /** Request or answer are bytes. */
  readonly binary?: true
  /** The media type of the answer. */
  readonly success: string
}

export type Principal = 'K' | 'S' | 'P' | 'R' | 'SK' | 'pub'
`
}

/** `handlers.ts` */
export const handlers = `import type * as Effect from 'effect/Effect'
import type { operations as contract } from './api.ts'
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

/** One handler for every operation: a missing one does not compile. */
export type Handlers<Caller, E = never, R = never> = {
  readonly [Id in OperationId]: (input: Input<Id>, caller: Caller) => Effect.Effect<Success<Id>, E, R>
}

/** Those of one tag. */
export type HandlersOf<Tag extends (typeof operations)[OperationId]['tag'], Caller, E = never, R = never> = Pick<
  Handlers<Caller, E, R>,
  { [Id in OperationId]: (typeof operations)[Id]['tag'] extends Tag ? Id : never }[OperationId]
>

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
`

/** `validators.ts`: a request validates to its \`Input\`. `schemas` is the text of the module that hey-api wrote. */
export const validatorsTable = (operations: readonly Operation[], schemas: string): string => {
  const exported = [...schemas.matchAll(/^export const (\w+)/gm)]
  const names = new Map(exported.map(([, name = '']) => [name.toLowerCase(), name]))
  const nameOf = (id: string, part: string): string => {
    const name = names.get(`v${id}${part}`.toLowerCase())
    if (name === undefined) throw new Error(`no validator for ${id}: ${part}`)
    return `schemas.${name}`
  }
  const bodyOf = ({ id, body }: Operation): readonly string[] => {
    if (body === undefined) return []
    const schema = bytes.includes(body.type) ? 'v.instance(Uint8Array)' : nameOf(id, 'RequestBody')
    return [`body: ${body.required ? schema : `v.optional(${schema})`}`]
  }
  const rows = operations.map((operation) => {
    const { id, parameters, success } = operation
    const parts = (['path', 'query', 'header'] as const)
      .filter((place) => parameters.some((parameter) => parameter.in === place))
      .map((place) => `${place}: ${nameOf(id, `Request${place}`)}`)
    const answer = bytes.includes(success) ? 'v.instance(Uint8Array)' : nameOf(id, 'Success')
    const request = [...parts, ...bodyOf(operation)]
    return `  ${id}: {
    request: v.object({${request.length > 0 ? ` ${request.join(', ')} ` : ''}}),
    success: ${answer},
  },
`
  })
  return `import * as v from 'valibot'
import type { Input, OperationId, Success } from './handlers.ts'
import * as schemas from './validators/valibot.gen.ts'

export type Validator<Id extends OperationId> = {
  /** Of { path, query, header, body }: what the operation does not have is dropped. */
  readonly request: v.GenericSchema<unknown, Input<Id>>
  /** Of the answer 200. */
  readonly success: v.GenericSchema<unknown, Success<Id>>
}

export const validators: { readonly [Id in OperationId]: Validator<Id> } = {
${rows.join('')}}
`
}
