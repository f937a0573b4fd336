/** A table with its constraints compiled. */
import { DatabaseError } from './DatabaseError.ts'
import type { Column, Reference } from './shapes.ts'
import type { Expression } from './syntax.ts'
import type { Row } from './Table.ts'

export type KnownKey = {
  readonly name: string
  readonly columns: readonly string[]
  readonly where: Expression | undefined
  /** Whether the key applies to a row: its condition holds and none of its columns is null. */
  readonly takes: (row: Row) => boolean
}

export type KnownTable = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** The bytea columns, which readers get copies of. */
  readonly bytes: readonly string[]
  /** A row with null in every column. */
  readonly blank: Row
  readonly defaults: ReadonlyMap<string, () => unknown>
  readonly required: readonly string[]
  readonly checks: readonly { readonly name: string; readonly refuses: (row: Row) => boolean }[]
  readonly keys: readonly KnownKey[]
  /** Columns of keys to which a foreign key may refer: changing one takes the lock of a deletion. */
  readonly keyColumns: ReadonlySet<string>
  readonly references: readonly Reference[]
  /** Foreign keys of other tables that refer to this one. */
  readonly children: readonly { readonly table: string; readonly reference: Reference }[]
  /** Indexed columns; true: the column alone is a unique key. */
  readonly lookups: ReadonlyMap<string, boolean>
}

/** Refuses a row that NOT NULL or a CHECK constraint excludes. */
export const checkRow = (table: KnownTable, row: Row): void => {
  for (const column of table.required) {
    if (row[column] === null) {
      throw new DatabaseError(
        '23502',
        `null value in column "${column}" of relation "${table.name}" violates not-null constraint`,
        {
          table: table.name,
        },
      )
    }
  }
  for (const { name, refuses } of table.checks) {
    if (!refuses(row)) continue
    throw new DatabaseError('23514', `new row for relation "${table.name}" violates check constraint "${name}"`, {
      table: table.name,
      constraint: name,
    })
  }
}
