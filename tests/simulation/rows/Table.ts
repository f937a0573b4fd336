/** The committed rows of a table. An entry is one version of a row; its id stays when the row is written again. */
export type Row = Readonly<Record<string, unknown>>
export type Entry = { readonly id: number; readonly row: Row }

/** A value that a column shall have. */
export type Equality = { readonly column: string; readonly value: unknown }

export class Table {
  readonly entries: Map<number, Entry>
  /** By column and value; each made when it is first asked for. */
  readonly #indexes = new Map<string, Map<unknown, Set<Entry>>>()

  constructor(entries: Iterable<readonly [number, Entry]> = []) {
    this.entries = new Map(entries)
  }

  /** Of the rows that may be meant; `undefined`: all. */
  find(equality: Equality | undefined): Iterable<Entry> {
    if (equality === undefined) return this.entries.values()
    return this.#indexOf(equality.column).get(equality.value) ?? []
  }

  count({ column, value }: Equality): number {
    return this.#indexOf(column).get(value)?.size ?? 0
  }

  put(entry: Entry): void {
    this.#unlist(entry.id)
    this.entries.set(entry.id, entry)
    for (const [column, index] of this.#indexes) list(index, entry, column)
  }

  remove(id: number): void {
    this.#unlist(id)
    this.entries.delete(id)
  }

  #unlist(id: number): void {
    const entry = this.entries.get(id)
    if (entry === undefined) return
    for (const [column, index] of this.#indexes) {
      const listed = index.get(entry.row[column])
      listed?.delete(entry)
      if (listed?.size === 0) index.delete(entry.row[column])
    }
  }

  #indexOf(column: string): Map<unknown, Set<Entry>> {
    const standing = this.#indexes.get(column)
    if (standing !== undefined) return standing
    const index = new Map<unknown, Set<Entry>>()
    for (const entry of this.entries.values()) list(index, entry, column)
    this.#indexes.set(column, index)
    return index
  }
}

const list = (index: Map<unknown, Set<Entry>>, entry: Entry, column: string): void => {
  const value = entry.row[column]
  const listed = index.get(value)
  if (listed === undefined) index.set(value, new Set([entry]))
  else listed.add(entry)
}
