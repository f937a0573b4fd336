/** Columns of one table among those of others, which may have the same names: each gets a prefix. */

/** Every column of a row, so that the compiler finds one that is missing. */
export type Columns<Row> = { readonly [C in keyof Row & string]: true }

type Named<Table extends string, Prefix extends string, Column extends string> = {
  [C in Column]: `${Table}.${C} as ${Prefix}${C}`
}[Column]

/** For `select`. */
export const columnsOf = <Table extends string, Prefix extends string, Row>(
  table: Table,
  prefix: Prefix,
  columns: Columns<Row>,
): readonly Named<Table, Prefix, keyof Row & string>[] =>
  Object.keys(columns).map(
    (column) => `${table}.${column} as ${prefix}${column}` as Named<Table, Prefix, keyof Row & string>,
  )

type Joined = Readonly<Record<string, unknown>>

/**
 * Reads the table's own row; undefined if there is no row, or if a left join found none, so that `key` is null. Made once for a
 * statement: joining names costs more than reading a row.
 */
export const partIn = <Row>(
  prefix: string,
  columns: Columns<Row>,
  key: keyof Row & string,
): ((row: Joined | undefined) => Row | undefined) => {
  const names = Object.keys(columns).map((column) => [column, prefix + column] as const)
  const nameOfKey = prefix + key
  return (row) => {
    if (row === undefined || row[nameOfKey] === null) return undefined
    const part: Record<string, unknown> = {}
    for (const [column, name] of names) part[column] = row[name]
    return part as Row
  }
}
