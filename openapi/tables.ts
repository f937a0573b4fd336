/** The generated modules with code of our own: the router's table, the types of handlers, the table of validators. */
import { refusalsOf, type Bundle, type Document, type Operation, type Refusal } from './Document.ts'

/** Listeners by their port in DEV; operations without `servers` belong to the api. */
const listeners: Readonly<Record<string, string>> = { '': 'api', '3000': 'cosigner', '3003': 'portal' }

const bytes = ['application/octet-stream', 'application/wasm']

const isBinary = ({ body, success }: Operation): boolean =>
  bytes.includes(success) || (body !== undefined && bytes.includes(body.type))

const list = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`

/** `operations.ts` */
export const operationsTable = (operations: readonly Operation[]): string => {
  const rows = operations.map((operation) => {
    const { id, method, path, tag, port, access, rate, cacheSeconds, success } = operation
    const { principals, session, recovery, delegation, device } = access
    const fields = [
      `method: '${method}'`,
      `path: '${path}'`,
      `tag: '${tag}'`,
      `listener: '${listeners[port] ?? `the listener of port ${port}`}'`,
      `principals: ${list(principals)}`,
      ...(session === undefined ? [] : [`session: '${session}'`]),
      ...(recovery.length === 0 ? [] : [`recovery: ${list(recovery)}`]),
      ...(delegation === undefined ? [] : [`delegation: '${delegation}'`]),
      `device: ${typeof device === 'string' ? `'${device}'` : String(device)}`,
      `rate: '${rate}'`,
      ...(cacheSeconds === undefined ? [] : [`cacheSeconds: ${cacheSeconds}`]),
      ...(isBinary(operation) ? ['binary: true'] : []),
      `success: '${success}'`,
    ]
    return `  ${id}: { ${fields.join(', ')} },\n`
  })
  return `/**
 * Every operation by its id. Who may call: S, P, R and SK in \`principals\` are alternatives, K beside S, P or R is
 * needed as well; without a token K or pub suffices. D is a delegated session, which is let in where it is named.
 * \`session\` is the earliest state of S, \`recovery\` has the states of R, \`delegation\` the scope of D. \`device\`: whether
 * a session with a device key signs the request; 'optional': it does so, but is answered without.
 * \`rate\`: by which limits it is counted (domain/service/README.md#rate-limits).
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
  readonly session?: 'NEW' | 'IDENTIFIED' | 'VERIFIED' | 'AUTHENTICATED'
  readonly recovery?: readonly ('READY' | 'FINISHED')[]
  readonly delegation?: 'READ' | 'SIGN'
  readonly device: boolean | 'optional'
  readonly rate: 'R1' | 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'R7' | 'R8' | 'R9' | 'R10' | 'none'
  /** For how long every cache may keep the answer; otherwise none may. */
  readonly cacheSeconds?: number
  /** Request or answer are bytes. */
  readonly binary?: true
  /** The media type of the answer. */
  readonly success: string
}

export type Principal = 'K' | 'S' | 'P' | 'R' | 'D' | 'SK' | 'pub'
`
}

/** `requests.ts` */
export const requestsTable = (operations: readonly Operation[]): string => {
  const rows = operations.map(({ id, method, path, access }) => {
    const signed = access.device === false ? '' : ', signed: true'
    return `  ${id}: { method: '${method}', path: '${path}'${signed} },\n`
  })
  return `import type { OperationId } from './operations.ts'

/** What a client sends of every operation; \`signed\`: by the session's device key, where it has one. Pages load this table. */
export const requests: { readonly [Id in OperationId]: Request } = {
${rows.join('')}}

type Request = { readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly signed?: true }
`
}

/** `errors.ts` */
export const errorsTable = ({ 'x-errors': errors = {} }: Document, bundle: Bundle, allErrors: boolean): string => {
  const responses = Object.entries(bundle.components.responses ?? {}).flatMap(([name, { content }]) => {
    const codes = Object.keys(content['text/plain']?.examples ?? {})
    return codes.length === 0 ? [] : [[name, codes] as const]
  })
  const operations = refusalsOf(bundle)
  const misplaced = operations.flatMap(({ id, refusals }) =>
    refusals.flatMap(({ name, status }) => {
      const codes = responses.find(([response]) => response === name)?.[1] ?? []
      return codes.filter((code) => statusOf(errors[code]) !== status).map((code) => `${id} ${code} with ${status}`)
    }),
  )
  if (misplaced.length > 0) throw new Error(`refusals with another status than in errors.yaml: ${misplaced.join(', ')}`)
  const named = new Set(responses.flatMap(([, codes]) => codes))
  return `${errorsOf(Object.entries(errors).filter(([code]) => allErrors || named.has(code)))}
/** The refusals of each response. */
type Of = {
${responses.map(([name, codes]) => `  readonly ${name}: ${union(codes)}\n`).join('')}}

/** The refusals that each operation documents. */
export type ErrorsOf = {
${operations.map(({ id, refusals }) => `  readonly ${id}: Of[${union(refusals.map(({ name }) => name))}]\n`).join('')}}
`
}

const statusOf = (refusal: Refusal | undefined): number | undefined => refusal?.['x-status']

const errorsOf = (errors: readonly (readonly [string, Refusal])[]): string => {
  const rows = errors.map(
    ([code, refusal]) => `  ${code}: { status: ${refusal['x-status']}, sentence: ${JSON.stringify(refusal.value)} },\n`,
  )
  return `/** Every refusal by its name. \`sentence\` is an example where a refusal names its object. */
export const errors = {
${rows.join('')}} as const

export type ErrorCode =
${errors.map(([code]) => `  | '${code}'\n`).join('')}`
}

const union = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(' | ')

/** `handlers.ts` */
export const handlers = `import type * as Effect from 'effect/Effect'
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
      .filter((location) => parameters.some((parameter) => parameter.in === location))
      .map((location) => `${location}: ${nameOf(id, `Request${location}`)}`)
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
