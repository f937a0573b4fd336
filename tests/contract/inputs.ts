/** Inputs of an operation: those that fit the contract's schemas, and the same made hostile in one place. */
import fc from 'fast-check'
import { operations, type OperationId } from '../../generated/operations.ts'
import { bodySchemaOf, operationIds, parametersOf, schemaAt, type Json } from './Contract.ts'

/** Values that exist, by the names of the fields that hold them. */
export type Known = Readonly<Record<string, string>>

export type Input = {
  readonly id: OperationId
  /** Path and query, as they stand in the request line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  readonly body: unknown
  readonly change: Change
}

/** In the body at the place of this number, counted round; or the whole of it. */
export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'replace' | 'add'; readonly at: number; readonly by: Hostile }
  | { readonly kind: 'drop' | 'double'; readonly at: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }

const deep = 10_000

/** JSON, as it is sent. */
const hostile = {
  null: 'null',
  true: 'true',
  zero: '0',
  negative: '-1',
  fraction: '0.5',
  'beyond 2^53': '9007199254740993',
  'beyond bigint': '99999999999999999999',
  'beyond double': '1e400',
  'minus zero': '-0',
  'not a number': 'NaN',
  empty: '""',
  blank: '" "',
  'null as text': '"null"',
  'undefined as text': '"undefined"',
  'high surrogate': '"\\ud800@example.org"',
  'low surrogate': '"a\\udc00@example.org"',
  'zero character': '"a\\u0000@example.org"',
  'other controls': '"\\u0001\\u007f\\u0085\\u2028\\ufeff"',
  'from right to left': '"\\u202eada@example.org"',
  'composed otherwise': '"A\\u030a\\u212b@example.org"',
  quotes: '"\'\\"`;--"',
  markup: '"<script>alert(1)</script>"',
  address: '"javascript:alert(1)"',
  'way out': '"../../../etc/passwd"',
  'long text': `"${'x'.repeat(100_000)}"`,
  'text of a megabyte': `"${'x'.repeat(1_000_000)}"`,
  'long hex': `"${'ab'.repeat(50_000)}"`,
  'empty list': '[]',
  'list of nothing': '[null]',
  'long list': `[${'0,'.repeat(20_000)}0]`,
  'nested lists': '['.repeat(deep) + ']'.repeat(deep),
  'nested objects': `${'{"a":'.repeat(deep)}0${'}'.repeat(deep)}`,
  'empty object': '{}',
  prototype: '{"__proto__":{"state":"AUTHENTICATED"},"constructor":{"prototype":{"state":1}}}',
  'many fields': `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":0`).join(',')}}`,
} as const

export type Hostile = keyof typeof hostile

/** What passes for any text until something has to keep it. */
const inText: readonly Hostile[] = ['high surrogate', 'low surrogate']

/** In a path or a query, as they stand in the request line. */
const hostileParts = [
  '',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%FF',
  '%2e%2e',
  '..%2f..%2f',
  '%2F',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  '-1',
  '1e400',
  '%E2%80%AE',
  "'--",
  'x'.repeat(600),
] as const

const hostileQueries = [
  '%',
  '%ED%A0%80=%ED%A0%80',
  '__proto__[a]=1',
  'a[b][c][d][e][f]=1',
  `${'a=1&'.repeat(2_000)}a=1`,
  `a=${'x'.repeat(6_000)}`,
  '=&=&&?',
] as const

const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/octet-stream',
  'nonsense',
] as const

/** `rarely`: operations that are tried less often. */
export const inputs = (known: Known, rarely: readonly OperationId[]): fc.Arbitrary<Input> => {
  const often = operationIds.filter((id) => !rarely.includes(id))
  // Made once for each operation: making one takes longer than to ask the service.
  const made = new Map<OperationId, fc.Arbitrary<Input>>()
  const ofOperation = (id: OperationId) => {
    const existing = made.get(id) ?? inputOf(id, known)
    made.set(id, existing)
    return existing
  }
  return mostly(fc.constantFrom(...often), fc.constantFrom(...rarely)).chain(ofOperation)
}

const inputOf = (id: OperationId, known: Known): fc.Arbitrary<Input> => {
  const parameters = parametersOf(id)
  const named = (place: string) => parameters.filter((parameter) => parameter['in'] === place)
  const schema = bodySchemaOf(id)
  return fc.record({
    id: fc.constant(id),
    target: targetOf(operations[id].path, named('path'), queryOf(named('query'), known), known),
    headers: headersOf(named('header').map(({ name }) => String(name).toLowerCase())),
    body: schema === undefined ? fc.constant(undefined) : valueOf(schema, known),
    change: schema === undefined ? fc.constant(unchanged) : change,
  })
}

/** The request with something hostile in the place of each of its values: with everything, or in turn with one of each. */
export const hostileInputs = (
  { id, target, body }: { readonly id: OperationId; readonly target: string; readonly body: string | undefined },
  everything: boolean,
): readonly Input[] => {
  if (body === undefined || operations[id].success === 'application/octet-stream') return []
  const value: unknown = JSON.parse(body)
  const all = Object.keys(hostile).filter(isHostile)
  const headers = { 'content-type': 'application/json' }
  return Array.from({ length: countOf(value) }, (_, at) => {
    const some = [inText[at % inText.length], all[(id.length + at) % all.length]].filter((one) => one !== undefined)
    return (everything ? all : some).map((by) => ({ id, target, headers, body: value, change: replacing(at, by) }))
  }).flat()
}

const replacing = (at: number, by: Hostile): Change => ({ kind: 'replace', at, by })

const isHostile = (name: string): name is Hostile => name in hostile

const unchanged = { kind: 'none' } as const
const at = fc.nat({ max: 1_000 })
const by = fc.oneof(fc.constantFrom(...inText), fc.constantFrom(...Object.keys(hostile).filter(isHostile)))

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(unchanged) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('replace', 'replace', 'add'), at, by }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('drop', 'double'), at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut'), at }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('bytes'),
      bytes: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 64 }),
    }),
  },
)

/** Seldom something else than what fits: one hostile thing at a time says more. */
const mostly = <A, B>(usual: fc.Arbitrary<A>, seldom: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: seldom })

const textOf = (parameter: Json, known: Known): fc.Arbitrary<string> =>
  namedValueOf(String(parameter['name']), parameter['schema'], known).map((value) =>
    encodeURIComponent(typeof value === 'string' ? value.replaceAll(/\p{Cs}/gu, '') : JSON.stringify(value)),
  )

const partOf = (parameter: Json, known: Known): fc.Arbitrary<string> =>
  mostly(textOf(parameter, known), fc.constantFrom(...hostileParts))

const targetOf = (
  path: string,
  parameters: readonly Json[],
  query: fc.Arbitrary<string>,
  known: Known,
): fc.Arbitrary<string> => {
  const parts = fc.record(Object.fromEntries(parameters.map((one) => [String(one['name']), partOf(one, known)])))
  return fc.tuple(parts, query).map(([values, text]) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    return text === '' ? filled : `${filled}?${text}`
  })
}

const queryOf = (parameters: readonly Json[], known: Known): fc.Arbitrary<string> => {
  const pairs = parameters.map((parameter) => {
    const name = String(parameter['name'])
    const pair = partOf(parameter, known).map((value) => `${name}=${value}`)
    return parameter['required'] === true ? mostly(pair, fc.constant('')) : fc.oneof(pair, fc.constant(''))
  })
  return mostly(
    fc.tuple(...pairs).map((all) => all.filter((pair) => pair !== '').join('&')),
    fc.constantFrom(...hostileQueries),
  )
}

/** `Prefer: wait` is left out: it answers when it is told to. */
const headersOf = (names: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const key = names.includes('idempotency-key')
    ? fc.record(
        { 'idempotency-key': mostly(fc.uuid(), fc.constantFrom('', ' ', 'x'.repeat(300), '%00', '"')) },
        { requiredKeys: [] },
      )
    : fc.constant({})
  const type = mostly(fc.constant<string>('application/json'), fc.constantFrom(...contentTypes))
  return fc.tuple(key, type).map(([idempotency, contentType]) => ({ ...idempotency, 'content-type': contentType }))
}

/** A value that exists, or one that fits. */
const namedValueOf = (name: string, schema: unknown, known: Known): fc.Arbitrary<unknown> => {
  const value = known[name]
  const fitting = valueOf(schema, known)
  return value === undefined ? fitting : fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, fitting)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const valueOf = (given: unknown, known: Known): fc.Arbitrary<unknown> => {
  const schema = schemaAt(given)
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...listOf(schema['enum']))
  const all = listOf(schema['allOf'])
  const sides = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (all.length > 0) {
    const { allOf: _, ...own } = schema
    return fc
      .tuple(...[...all, own].map((part) => valueOf(part, known)))
      .map((parts): unknown => Object.assign({}, ...parts))
  }
  if (sides.length > 0) return fc.oneof(...sides.map((side) => valueOf(side, known)))
  const [type] = [schema['type']].flat()
  switch (type) {
    case 'string':
      return stringOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema['minimum'] ?? -(2 ** 31)), max: Number(schema['maximum'] ?? 2 ** 31) })
    case 'array': {
      const [minLength, most] = [Number(schema['minItems'] ?? 0), Number(schema['maxItems'] ?? 3)]
      return fc.array(valueOf(schema['items'], known), { minLength, maxLength: Math.max(minLength, Math.min(most, 3)) })
    }
    case 'object':
      return objectOf(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const stringOf = (schema: Json): fc.Arbitrary<string> => {
  const [minLength, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 64)]
  if (schema['format'] === 'uuid') return fc.uuid()
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']))
  const maxLength = Math.max(minLength, Math.min(most, 64))
  return fc.oneof(
    fc.string({ minLength, maxLength, unit: 'binary' }),
    fc.string({ minLength, maxLength }),
    fc.emailAddress().filter(({ length }) => length >= minLength && length <= most),
    fc.constant('x'.repeat(Math.min(most, 4_096))),
    fc.uint8Array({ maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('hex').slice(0, most)),
  )
}

const objectOf = (schema: Json, known: Known): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schemaAt(schema['properties']))
  const required = listOf(schema['required']).map(String)
  const fields = Object.fromEntries(properties.map(([name, field]) => [name, namedValueOf(name, field, known)]))
  const named = fc.record(fields, { requiredKeys: required.filter((name) => name in fields), noNullPrototype: true })
  if (typeof schema['additionalProperties'] !== 'object') return named
  const others = fc.dictionary(fc.string({ maxLength: 12 }), valueOf(schema['additionalProperties'], known), {
    maxKeys: 2,
    noNullPrototype: true,
  })
  return fc.tuple(others, named).map(([other, own]) => ({ ...other, ...own }))
}

// What is sent.

/** The body's bytes, changed as the input says. */
export const bodyBytesOf = ({ body, change: of }: Input): Uint8Array => {
  if (of.kind === 'bytes') return Uint8Array.from(of.bytes)
  if (body === undefined) return new Uint8Array(0)
  const text = jsonOf(body, of)
  return Buffer.from(of.kind === 'cut' ? text.slice(0, of.at % (text.length + 1)) : text)
}

/** Places are counted as they are written: the value itself, then those that it holds. */
const jsonOf = (root: unknown, of: Change): string => {
  const places = countOf(root)
  let place = 0
  const write = (value: unknown): string => {
    const isHere = 'at' in of && of.kind !== 'cut' && place++ === of.at % places
    if (isHere && of.kind === 'replace') return hostile[of.by]
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const fields = Object.entries(value).map(([name, held]) => `${JSON.stringify(name)}:${write(held)}`)
    if (isHere && of.kind === 'drop') fields.pop()
    if (isHere && of.kind === 'double') fields.push(...fields)
    if (isHere && of.kind === 'add') fields.push(`"__proto__":${hostile[of.by]}`, `"another":${hostile[of.by]}`)
    return `{${fields.join(',')}}`
  }
  return write(root)
}

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((total: number, held: unknown) => total + countOf(held), 1)
    : 1
