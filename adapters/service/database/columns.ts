/**
 * Column types, the same on PGlite and PostgreSQL: int8 is a number (times in ms, counts), bytea a Uint8Array, jsonb is
 * read as whatever it holds and written as text.
 */
import type { ColumnType } from 'kysely'

/** A jsonb column: read by a `reader` (domain/service/Stored.ts), written with `json(value)`. */
export type Json = ColumnType<unknown, string, string>
export type NullableJson = ColumnType<unknown, string | null, string | null>

export const json = (value: unknown): string => JSON.stringify(value)

/** Object identifiers of PostgreSQL's types. */
const int8 = 20
const bytea = 17

const readInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 is larger than this service writes')
  return value
}

/** The text is the server's: `\x` and hex. */
export const readBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))

/** Parsers by type, for both drivers. */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [int8]: readInteger,
  [bytea]: readBytes,
}
