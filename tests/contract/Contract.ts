/** The contract as the tests need it: what to send to an operation, and whether a message is one of those it documents. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'

export type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keywords whose schemas describe values inside the value, by name or alone; those of `sides` describe the value itself. */
const named = ['properties', '$defs']
const parts = ['items', 'additionalProperties']
const sides = ['allOf', 'anyOf', 'oneOf']

/** The schema with no other properties than those it names, in whatever it holds too. */
const closed = (schema: unknown, isWhole = true): unknown => {
  if (!isObject(schema)) return schema
  const inner = Object.entries(schema).map(([key, value]): readonly [string, unknown] => {
    if (named.includes(key) && isObject(value)) return [key, mapped(value, (one) => closed(one))]
    if (parts.includes(key)) return [key, closed(value)]
    if (sides.includes(key) && Array.isArray(value)) return [key, value.map((one: unknown) => closed(one, false))]
    return [key, value]
  })
  const namesProperties = ['properties', '$ref', ...sides].some((key) => key in schema)
  return { ...Object.fromEntries(inner), ...(isWhole && namesProperties ? { unevaluatedProperties: false } : {}) }
}

const mapped = (values: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))

/** Component schemas are closed where they are used, because others may be made of them. */
const closedDocument = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closedDocument)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => {
      if (key === 'schema') return [key, closed(held)]
      if (key === 'schemas' && isObject(held)) return [key, mapped(held, (schema) => closed(schema, false))]
      return [key, key.startsWith('example') ? held : closedDocument(held)]
    }),
  )
}

const document = closedDocument(
  JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')),
) as Json

const ajv = new Ajv2020({ strict: false, allErrors: true })
// The package is CommonJS: its default export is the module's field.
addFormats.default(ajv)
ajv.addSchema(document, 'contract')

export const operationIds = Object.keys(operations) as OperationId[]

const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), value)

type Located = { readonly value: Json; readonly pointer: readonly string[] }

/** Follows a `$ref` inside the document. */
const located = (pointer: readonly string[]): Located | undefined => {
  const value = at(document, ...pointer)
  if (!isObject(value)) return undefined
  const reference = value['$ref']
  if (typeof reference !== 'string') return { value, pointer }
  return located(
    reference
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
}

const pathOf = (id: OperationId): readonly string[] => {
  const { path, method }: Operation = operations[id]
  return ['paths', path, method.toLowerCase()]
}

const definition = (id: OperationId): Json => located(pathOf(id))?.value ?? {}

/** A request as the contract's own examples have it. */
export type Example = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Names of the headers that say who calls; none where the call is open to all. */
  readonly security: readonly string[]
}

export const exampleOf = (id: OperationId): Example => {
  const { path, method }: Operation = operations[id]
  const query = new URLSearchParams()
  let target = path
  for (const parameter of parametersOf(id)) {
    const { name, in: place, required } = parameter
    if (typeof name !== 'string') continue
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(exampleValue(parameter)))
    if (place === 'query' && required === true) query.set(name, exampleValue(parameter))
  }
  const content = located([...pathOf(id), 'requestBody'])?.value['content']
  const [type, media] = isObject(content) ? (Object.entries(content)[0] ?? []) : []
  const body = media === undefined ? undefined : bodyOf(type ?? '', media)
  return {
    method,
    target: query.size === 0 ? target : `${target}?${query.toString()}`,
    headers: body === undefined || type === undefined ? {} : { 'content-type': type },
    body,
    security: securityOf(id),
  }
}

/** Where, how named and of which schema the values in an operation's address and headers are. */
export const parametersOf = (id: OperationId): readonly Json[] =>
  [located(pathOf(id).slice(0, -1)), located(pathOf(id))].flatMap((where) => list(where, 'parameters'))

const list = (where: Located | undefined, name: string): readonly Json[] => {
  const values = where?.value[name]
  if (where === undefined || !Array.isArray(values)) return []
  return values.flatMap((value: unknown) => {
    const reference = at(value, '$ref')
    const found = typeof reference === 'string' ? located(reference.slice(2).split('/'))?.value : value
    return isObject(found) ? [found] : []
  })
}

/** The schema of its body, of whatever media type; undefined where it takes none. */
export const bodySchemaOf = (id: OperationId): unknown => {
  const content = located([...pathOf(id), 'requestBody'])?.value['content']
  return isObject(content) ? at(Object.values(content)[0], 'schema') : undefined
}

/** What a schema says of itself: the one that it refers to, if it does. */
export const schemaAt = (schema: unknown): Json => {
  const reference = at(schema, '$ref')
  const found = typeof reference === 'string' ? located(reference.slice(2).split('/'))?.value : schema
  return isObject(found) ? found : {}
}

const exampleValue = (parameter: Json): string => {
  const example = parameter['example'] ?? at(parameter, 'schema', 'example')
  return typeof example === 'string' ? example : 'example'
}

const bodyOf = (type: string, media: unknown): string => {
  const examples = at(media, 'examples')
  const named = isObject(examples) ? at(Object.values(examples)[0], 'value') : undefined
  const example = at(media, 'example') ?? named ?? {}
  return typeof example === 'string' && type !== 'application/json' ? example : JSON.stringify(example)
}

/** The headers of the first alternative that the contract names, unless one of them is to say nothing. */
const securityOf = (id: OperationId): readonly string[] => {
  const alternatives = definition(id)['security']
  const schemes = (Array.isArray(alternatives) ? alternatives : []).map((one: unknown) =>
    Object.keys(isObject(one) ? one : {}),
  )
  if (schemes.some((names) => names.length === 0)) return []
  return (schemes[0] ?? []).map((scheme) => String(at(document, 'components', 'securitySchemes', scheme, 'name')))
}

export type Received = { readonly status: number; readonly type: string; readonly body: Uint8Array }

/**
 * What is wrong with an answer: nothing, if it is one of those that the contract documents for the operation and says
 * nothing that the contract does not name.
 */
export const faultsOf = (id: OperationId, { status, type, body }: Received): readonly string[] => {
  const response = located([...pathOf(id), 'responses', String(status)])
  if (response === undefined) return [`${id}: status ${status} is not documented`]
  return contentFaults(`${id}: ${status}`, response, type, body)
}

export type Requested = { readonly query: readonly string[]; readonly type: string; readonly body: Uint8Array }

/** What is wrong with a request, by the same measure. `query`: its parameters' names. */
export const requestFaultsOf = (id: OperationId, { query, type, body }: Requested): readonly string[] => {
  const parameters = parametersOf(id).flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))
  const unknown = query.filter((name) => !parameters.includes(name.replace(/\[.*$/, '')))
  return [...unknown.map((name) => `${id}: the query has ${name}`), ...requestBodyFaults(id, type, body)]
}

const requestBodyFaults = (id: OperationId, type: string, body: Uint8Array): readonly string[] => {
  const request = located([...pathOf(id), 'requestBody'])
  if (body.length === 0) return request?.value['required'] === true ? [`${id}: the request has no body`] : []
  if (request === undefined) return [`${id}: takes no body`]
  return contentFaults(`${id}: the request`, request, type, body)
}

const contentFaults = (
  name: string,
  { value: said, pointer }: Located,
  type: string,
  body: Uint8Array,
): readonly string[] => {
  const media = mediaOf(type)
  if (!isObject(at(said, 'content', media))) return [`${name} as ${media} is not documented`]
  const validate = ajv.getSchema(`contract#/${[...pointer, 'content', media, 'schema'].map(escape).join('/')}`)
  if (validate === undefined) return [`${name} has no schema`]
  const text = new TextDecoder().decode(body)
  const value: unknown = media === 'application/json' ? JSON.parse(text) : text
  if (validate(value) === true) return []
  return [`${name} ${ajv.errorsText(validate.errors)} in ${text.slice(0, 300)}`]
}

/** A content type without its parameters. */
export const mediaOf = (type: string): string => type.split(';')[0]?.trim() ?? ''

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
