import { accessOf, type Access, type Alternative } from './security.ts'

/** The part of an OpenAPI document that our own generator reads, with every reference resolved. */
export type Document = {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly 'x-errors'?: Readonly<Record<string, Refusal>>
}

/** A refusal as an example of its response: the status under which it has to stand, and its sentence. */
export type Refusal = { readonly 'x-status': number; readonly value: string }

type PathItem = { readonly parameters?: readonly Parameter[] } & { readonly [M in Method]?: Declaration }

const methods = ['get', 'post', 'patch', 'delete'] as const
type Method = (typeof methods)[number]

/** An operation as the contract declares it; what may be missing is refused by its id. */
export type Declaration = {
  readonly operationId?: string
  readonly summary: string
  readonly tags?: readonly string[]
  readonly servers?: readonly { readonly url: string }[]
  readonly security?: readonly Alternative[]
  readonly 'x-rate'?: string
  readonly 'x-cache-seconds'?: number
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: { readonly '200'?: Response } & Readonly<Record<string, Response>>
}

export type Response = { readonly content: Content; readonly headers?: Readonly<Record<string, unknown>> }

type Content = Readonly<Record<string, Media>>

export type Media = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, unknown>>
}

export type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header'; readonly schema: Schema }

export type Schema = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

/** One operation, with what its path item says for it. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly port: string
  readonly access: Access
  /** The class of its rate. */
  readonly rate: string
  readonly cacheSeconds: number | undefined
  readonly parameters: readonly Parameter[]
  readonly body: { readonly type: string; readonly required: boolean } | undefined
  /** The media type of the answer. */
  readonly success: string
  readonly declaration: Declaration
}

/** A document whose shared responses are references: by them an operation's refusals have names. */
export type Bundle = {
  readonly paths: Readonly<Record<string, { readonly [M in Method]?: Referring }>>
  readonly components: { readonly responses?: Readonly<Record<string, Response>> }
}

type Referring = {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
}

/** The shared refusals of each operation, with their statuses. */
export const refusalsOf = ({ paths }: Bundle) =>
  Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => {
      const { operationId: id, responses = {} } = item[method] ?? {}
      return id === undefined ? [] : [{ id, refusals: Object.entries(responses).flatMap(named) }]
    }),
  )

const named = ([status, { $ref }]: readonly [string, { readonly $ref?: string }]) =>
  status === '200' || $ref === undefined ? [] : [{ status: Number(status), name: $ref.split('/').at(-1) ?? '' }]

/** In the order of the contract's paths. */
export const operationsOf = ({ paths }: Document): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const declaration = item[method]
      return declaration === undefined ? [] : [operationOf(path, item, method, declaration)]
    }),
  )

const operationOf = (path: string, item: PathItem, method: Method, declaration: Declaration): Operation => {
  const { operationId: id, parameters = [], requestBody, responses, security = [], servers, tags = [] } = declaration
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`)
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag: only(id, tags),
    port: servers?.[0] === undefined ? '' : new URL(servers[0].url).port,
    access: accessOf(id, security),
    rate: rateOf(id, declaration['x-rate']),
    cacheSeconds: declaration['x-cache-seconds'],
    parameters: [...(item.parameters ?? []), ...parameters],
    body: requestBody && { type: only(id, Object.keys(requestBody.content)), required: requestBody.required ?? false },
    success: only(id, Object.keys(responses['200']?.content ?? {})),
    declaration,
  }
}

const rateClasses = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10', 'none']

const rateOf = (id: string, rate: string | undefined): string => {
  if (rate === undefined || !rateClasses.includes(rate))
    throw new Error(`x-rate of ${id} is none of ${rateClasses.join(', ')}`)
  return rate
}

const only = (id: string, items: readonly string[]): string => {
  const [item, ...others] = items
  if (item === undefined || others.length > 0) throw new Error(`${id} needs one tag, and one media type each way`)
  return item
}
