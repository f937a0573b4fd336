/** Column types: which values they take, how these are stored, compared, and returned (as `database/columns.ts` parses them). */
import { DatabaseError } from './DatabaseError.ts'

export type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision' | 'numeric' | 'boolean' | 'bytea' | 'jsonb'

const types: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  varchar: 'text',
  'character varying': 'text',
  int: 'integer',
  int4: 'integer',
  integer: 'integer',
  bigint: 'bigint',
  int8: 'bigint',
  'double precision': 'double precision',
  float8: 'double precision',
  numeric: 'numeric',
  boolean: 'boolean',
  bool: 'boolean',
  bytea: 'bytea',
  jsonb: 'jsonb',
}

export const columnTypeOf = (name: string): ColumnType | undefined => types[name]

const invalid = (type: ColumnType, value: unknown) =>
  new DatabaseError('22P02', `invalid input for type ${type}: a ${value === null ? 'null' : typeof value}`)

const outOfRange = (type: ColumnType) => new DatabaseError('22003', `the value is out of range for type ${type}`)

/** Checks a parameter and converts it to its stored form. Bytes are copied. */
export const toStored = (type: ColumnType, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'text':
      if (typeof value !== 'string') throw invalid(type, value)
      if (value.includes('\0')) throw new DatabaseError('22021', 'invalid byte sequence for encoding "UTF8": 0x00')
      return value
    case 'integer':
      if (!Number.isInteger(value)) throw invalid(type, value)
      if (value !== (Number(value) | 0)) throw outOfRange(type)
      return value
    case 'bigint':
      if (!Number.isInteger(value)) throw invalid(type, value)
      if (!Number.isSafeInteger(value)) throw outOfRange(type)
      return value
    case 'double precision':
      if (typeof value !== 'number') throw invalid(type, value)
      return value
    case 'numeric':
      // Whole numbers as decimal text, which is how the driver reads them.
      if (typeof value !== 'string' || !/^(?:0|[1-9][0-9]*)$/.test(value)) throw invalid(type, value)
      return value
    case 'boolean':
      if (typeof value !== 'boolean') throw invalid(type, value)
      return value
    case 'bytea':
      if (!(value instanceof Uint8Array)) throw invalid(type, value)
      return Uint8Array.from(value)
    case 'jsonb':
      return toStoredJson(value)
  }
}

/** The driver pg sends objects as JSON, but arrays in PostgreSQL's array syntax, which is not JSON. */
const toStoredJson = (value: unknown): unknown => {
  if (typeof value !== 'string') {
    if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) throw invalid('jsonb', value)
    return normalized(JSON.parse(JSON.stringify(value)))
  }
  try {
    return normalized(JSON.parse(value))
  } catch (cause) {
    throw cause instanceof SyntaxError ? invalid('jsonb', value) : cause
  }
}

/** With keys in the order of jsonb: by length, then by text. Frozen, because all readers share it. */
const normalized = (value: unknown): unknown => {
  if (typeof value === 'string' && value.includes('\0'))
    throw new DatabaseError('22P05', 'unsupported Unicode escape sequence')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(normalized))
  const entries = Object.entries(value).sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
  return Object.freeze(Object.fromEntries(entries.map(([key, one]) => [key, normalized(one)])))
}

/** Copies bytes for a reader. */
export const toRead = (value: unknown): unknown => (value instanceof Uint8Array ? Uint8Array.from(value) : value)

/** Negative, 0 or positive; neither value is null. Text is ordered by code units, as in the locale C within the BMP. */
export const compare = (one: unknown, other: unknown): number => {
  if (one === other) return 0
  const type = typeof one
  if (type !== typeof other) throw new DatabaseError('42883', `no comparison of a ${type} and a ${typeof other}`)
  if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
    return one < (other as typeof one) ? -1 : 1
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other)
  const [json, otherJson] = [JSON.stringify(one), JSON.stringify(other)]
  return json === otherJson ? 0 : json < otherJson ? -1 : 1
}

/** Equality under which null equals null. */
export const areSame = (one: unknown, other: unknown): boolean =>
  one === other || (one !== null && other !== null && typeof one === 'object' && compare(one, other) === 0)

/** `cast(value as type)`. */
export const cast = (type: ColumnType, value: unknown): unknown => {
  if (value === null) return null
  switch (type) {
    case 'text':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value)
      return toStored(type, value)
    case 'integer':
    case 'bigint':
    case 'double precision': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || Number.isNaN(number)) throw invalid(type, value)
      return type === 'double precision' ? number : toStored(type, Math.round(number))
    }
    default:
      return toStored(type, value)
  }
}

/** `json -> name`; null if there is no such field. */
export const fieldOf = (json: unknown, name: unknown): unknown => {
  if (typeof json !== 'object' || json === null || typeof name !== 'string' || !Object.hasOwn(json, name)) return null
  return (json as Readonly<Record<string, unknown>>)[name] ?? null
}
