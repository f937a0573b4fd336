/**
 * One execution of a statement. It reads its snapshot: what was committed when it began, and the earlier writes of its own
 * transaction. Before it writes or locks a row it waits for conflicting locks, and goes on with the row's newest version.
 */
import { DatabaseError } from './DatabaseError.ts'
import type { Env } from './expressions.ts'
import { checkRow, type KnownKey, type KnownTable } from './KnownTable.ts'
import type { OpenTransaction } from './OpenTransaction.ts'
import type { Reference } from './shapes.ts'
import type { Store } from './Store.ts'
import type { Locking, LockMode } from './syntax.ts'
import type { Entry, Equality, Row } from './Table.ts'
import { areSame } from './values.ts'

/** Yields each transaction for whose end it waits. */
export type Waiting<A> = Generator<OpenTransaction, A, void>

export type Shuffle = <A>(rows: readonly A[]) => readonly A[]

export class Statement {
  readonly transaction: OpenTransaction
  readonly env: Env
  readonly shuffle: Shuffle
  readonly #store: Store
  readonly #began: number
  /** Ids of the rows that this statement wrote. */
  readonly #written = new Set<number>()
  /** Checks and actions of foreign keys, which PostgreSQL runs at the end of the statement. */
  readonly #after: (() => Waiting<void>)[] = []

  constructor(
    store: Store,
    transaction: OpenTransaction,
    parameters: readonly unknown[],
    shuffle: Shuffle | undefined,
  ) {
    this.#store = store
    this.#began = store.commits
    this.transaction = transaction
    this.shuffle = shuffle ?? ((all) => all)
    this.env = {
      parameters,
      rows: [],
      scan: (table, equality) => this.#scan(table, equality, this.#store.past(table, this.#began)),
    }
  }

  /** The newest version of a row: this transaction's own, or the committed one. */
  latest(table: string, id: number): Entry | undefined {
    const written = this.transaction.written.get(table)
    return written?.has(id) === true ? written.get(id) : this.#store.committed(table).entries.get(id)
  }

  hasWritten(id: number): boolean {
    return this.#written.has(id)
  }

  /** Locks a row and returns its newest version; `undefined`: it was deleted, or is locked and skipped. */
  *lock(table: string, id: number, mode: LockMode, met: Locking['met'] = 'wait'): Waiting<Entry | undefined> {
    for (;;) {
      const holder = this.#store.holderOf(id, mode, this.transaction)
      if (holder === undefined) break
      if (met === 'skip') return undefined
      if (met === 'fail')
        throw new DatabaseError('55P03', `could not obtain lock on row in relation "${table}"`, { table })
      yield holder
    }
    this.#store.hold(id, mode, this.transaction)
    return this.latest(table, id)
  }

  /** The caller has applied `checkRow`, as in `update`: it comes before waits and ON CONFLICT. */
  *insert(table: KnownTable, row: Row): Waiting<void> {
    const id = this.#store.newId()
    yield* this.#write(table, id, undefined, row)
    this.#store.hold(id, 'update', this.transaction)
  }

  *update(table: KnownTable, entry: Entry, row: Row): Waiting<void> {
    yield* this.#write(table, entry.id, entry.row, row)
  }

  delete(table: KnownTable, { id, row }: Entry): void {
    this.#record(table, id, undefined)
    for (const child of table.children) this.#after.push(() => this.#parentIsGone(child.table, child.reference, row))
  }

  /** A row with the same key, other than the row `but`. Waits for transactions whose end decides whether there is one. */
  *met(table: KnownTable, key: KnownKey, row: Row, but?: number): Waiting<Entry | undefined> {
    if (!key.takes(row)) return undefined
    const hasKey = (of: Row) => key.columns.every((column) => areSame(of[column], row[column])) && key.takes(of)
    for (;;) {
      const other = this.#writerOfKey(table, hasKey, key, row)
      if (other === undefined) break
      yield other
    }
    return this.#scan(table.name, equalityOf(key.columns, row), undefined).find(
      (entry) => entry.id !== but && hasKey(entry.row),
    )
  }

  /** Runs the checks and actions of foreign keys. */
  *finish(): Waiting<void> {
    for (let next = this.#after.shift(); next !== undefined; next = this.#after.shift()) yield* next()
  }

  #scan(
    table: string,
    equality: Equality | undefined,
    past: ReadonlyMap<number, Entry | undefined> | undefined,
  ): readonly Entry[] {
    const own = this.transaction.written.get(table)
    const found: Entry[] = []
    for (const entry of this.#store.committed(table).find(equality)) {
      if (own?.has(entry.id) !== true && past?.has(entry.id) !== true) found.push(entry)
    }
    for (const [id, entry] of past ?? []) if (entry !== undefined && own?.has(id) !== true) found.push(entry)
    for (const entry of own?.values() ?? []) if (entry !== undefined) found.push(entry)
    return found
  }

  /** Another open transaction that wrote a row with the key, or a new version of one. */
  #writerOfKey(table: KnownTable, hasKey: (row: Row) => boolean, key: KnownKey, row: Row): OpenTransaction | undefined {
    for (const entry of this.#store.committed(table.name).find(equalityOf(key.columns, row))) {
      const writer = hasKey(entry.row) ? this.#store.writerOf(table.name, entry.id, this.transaction) : undefined
      if (writer !== undefined) return writer
    }
    for (const other of this.#store.open) {
      if (other === this.transaction) continue
      if (other.versions.get(table.name)?.some(hasKey) === true) return other
    }
    return undefined
  }

  *#write(table: KnownTable, id: number, before: Row | undefined, row: Row): Waiting<void> {
    const stays = (columns: readonly string[]) =>
      before !== undefined && columns.every((column) => areSame(before[column], row[column]))
    for (const key of table.keys) {
      if (key.where === undefined && stays(key.columns)) continue
      if ((yield* this.met(table, key, row, id)) === undefined) continue
      throw new DatabaseError('23505', `duplicate key value violates unique constraint "${key.name}"`, {
        table: table.name,
        constraint: key.name,
      })
    }
    this.#record(table, id, row)
    for (const reference of table.references) {
      if (!stays(reference.columns)) this.#after.push(() => this.#parentStands(table.name, reference, row))
    }
    if (before === undefined) return
    for (const { table: child, reference } of table.children) {
      if (!stays(reference.parentColumns))
        this.#after.push(() => this.#parentIsGone(child, { ...reference, onDelete: 'nothing' }, before))
    }
  }

  #record(table: KnownTable, id: number, row: Row | undefined): void {
    const existing = this.transaction.written.get(table.name)
    const written = existing ?? new Map<number, Entry | undefined>()
    if (existing === undefined) this.transaction.written.set(table.name, written)
    written.set(id, row === undefined ? undefined : { id, row })
    this.#written.add(id)
    if (row === undefined) return
    const versions = this.transaction.versions.get(table.name)
    if (versions === undefined) this.transaction.versions.set(table.name, [row])
    else versions.push(row)
  }

  /** The referenced row exists; a KEY SHARE lock keeps it until the end of the transaction. */
  *#parentStands(table: string, reference: Reference, row: Row): Waiting<void> {
    const { columns, parent, parentColumns } = reference
    if (columns.some((column) => row[column] === null)) return
    const isParent = (of: Row) => columns.every((column, at) => areSame(of[parentColumns[at] ?? ''], row[column]))
    const equality = { column: parentColumns[0] ?? '', value: row[columns[0] ?? ''] }
    for (;;) {
      const found = this.#scan(parent, equality, undefined).find((entry) => isParent(entry.row))
      if (found === undefined) throw violation(table, reference)
      const locked = yield* this.lock(parent, found.id, 'key share')
      if (locked !== undefined && isParent(locked.row)) return
    }
  }

  *#parentIsGone(table: string, reference: Reference, parent: Row): Waiting<void> {
    const { columns, parentColumns, onDelete } = reference
    const isChild = (of: Row) => columns.every((column, at) => areSame(of[column], parent[parentColumns[at] ?? '']))
    const known = this.#store.catalogue.table(table)
    const equality = { column: columns[0] ?? '', value: parent[parentColumns[0] ?? ''] }
    for (const entry of this.#scan(table, equality, undefined)) {
      if (!isChild(entry.row)) continue
      if (onDelete === 'nothing') throw violation(table, reference)
      const locked = yield* this.lock(table, entry.id, onDelete === 'cascade' ? 'update' : 'no key update')
      if (locked === undefined || !isChild(locked.row)) continue
      if (onDelete === 'cascade') this.delete(known, locked)
      else {
        const row = { ...locked.row, ...Object.fromEntries(columns.map((column) => [column, null])) }
        checkRow(known, row)
        yield* this.update(known, locked, row)
      }
    }
  }
}

const equalityOf = (columns: readonly string[], row: Row): Equality => ({
  column: columns[0] ?? '',
  value: row[columns[0] ?? ''],
})

const violation = (table: string, { name }: Reference) =>
  new DatabaseError('23503', `a row of "${table}" violates foreign key constraint "${name}"`, {
    table,
    constraint: name,
  })
