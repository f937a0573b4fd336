/** The committed rows of a table. An entry is one version of a row; all versions of a row have the same id. */
export type Row = Readonly<Record<string, unknown>>
export type Entry = { readonly id: number; readonly row: Row }

/** The condition `column = value`. */
export type Equality = { readonly column: string; readonly value: unknown }

export class Table {
  readonly entries: Map<number, Entry>
  /** Entries by column, value and id. An index is built at the first lookup by its column. */
  readonly #indexes = new Map<string, Index>()

  constructor(entries: Iterable<readonly [number, Entry]> = []) {
    this.entries = new Map(entries)
  }

  /** The entries that meet the condition, or all. */
  find(equality: Equality | undefined): Iterable<Entry> {
    if (equality === undefined) return this.entries.values()
    return this.#indexOf(equality.column).get(equality.value)?.values() ?? nothing
  }

  put(entry: Entry): void {
    const before = this.entries.get(entry.id)
    this.entries.set(entry.id, entry)
    for (const [column, index] of this.#indexes) {
      if (before !== undefined && before.row[column] !== entry.row[column]) unlist(index, before, column)
      list(index, entry, column)
    }
  }

  remove(id: number): void {
    const before = this.entries.get(id)
    if (before === undefined) return
    this.entries.delete(id)
    for (const [column, index] of this.#indexes) unlist(index, before, column)
  }

  #indexOf(column: string): Index {
    const existing = this.#indexes.get(column)
    if (existing !== undefined) return existing
    const index: Index = new Map()
    for (const entry of this.entries.values()) list(index, entry, column)
    this.#indexes.set(column, index)
    return index
  }
}

type Index = Map<unknown, Map<number, Entry>>

const nothing: readonly Entry[] = []

const list = (index: Index, entry: Entry, column: string): void => {
  const value = entry.row[column]
  const listed = index.get(value)
  if (listed === undefined) index.set(value, new Map([[entry.id, entry]]))
  else listed.set(entry.id, entry)
}

const unlist = (index: Index, { id, row }: Entry, column: string): void => {
  const listed = index.get(row[column])
  listed?.delete(id)
  if (listed?.size === 0) index.delete(row[column])
}
