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

/** The table's own row; undefined if there is no row, or if a left join found none, so that `key` is null. */
export const partOf = <Row>(
  row: Readonly<Record<string, unknown>> | undefined,
  prefix: string,
  columns: Columns<Row>,
  key: keyof Row & string,
): Row | undefined => {
  if (row === undefined || row[prefix + key] === null) return undefined
  const part: Record<string, unknown> = {}
  for (const [column, name] of namesOf(prefix, columns)) part[column] = row[name]
  return part as Row
}

const known = new WeakMap<object, Map<string, readonly (readonly [string, string])[]>>()

/** Each column with its name among the others. They are made once: joining texts costs more than reading the row. */
const namesOf = (prefix: string, columns: object): readonly (readonly [string, string])[] => {
  const byPrefix = known.get(columns) ?? new Map<string, readonly (readonly [string, string])[]>()
  known.set(columns, byPrefix)
  const names = byPrefix.get(prefix) ?? Object.keys(columns).map((column) => [column, prefix + column] as const)
  byPrefix.set(prefix, names)
  return names
}
