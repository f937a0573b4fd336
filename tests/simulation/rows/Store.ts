/** Committed rows, open transactions and their row locks. */
import { catalogueOf, type Catalogue } from './catalogue.ts'
import { exclude, isWeaker, OpenTransaction } from './OpenTransaction.ts'
import type { Shapes } from './shapes.ts'
import type { LockMode } from './syntax.ts'
import { type Entry, type Row, Table } from './Table.ts'

/** The committed rows at one moment. Later writes do not change it. */
export type Snapshot = { readonly shapes: Shapes; readonly tables: ReadonlyMap<string, Table>; readonly nextId: number }

/** The version of a row that a commit replaced; `undefined`: the row did not exist. */
type Past = { readonly commit: number; readonly table: string; readonly id: number; readonly before: Entry | undefined }

export class Store {
  /** Number of the last commit that wrote something. */
  commits = 0
  /** How often other rows have taken the place of these. */
  restores = 0
  #shapes: Shapes
  #catalogue: Catalogue
  #tables = new Map<string, Table>()
  /** Tables that a snapshot shares: they are copied before the next write (copy on write). */
  #shared = new Set<string>()
  readonly #open = new Set<OpenTransaction>()
  readonly #holders = new Map<number, Set<OpenTransaction>>()
  /** Statements that have waited for a lock and not ended. While there are any, commits keep what they replace: those still see it. */
  #waiting = 0
  #past: Past[] = []
  #nextId = 1

  constructor(shapes: Shapes) {
    this.#shapes = shapes
    this.#catalogue = catalogueOf(shapes)
  }

  get shapes(): Shapes {
    return this.#shapes
  }

  get catalogue(): Catalogue {
    return this.#catalogue
  }

  /** The transactions that have begun and not ended. */
  get open(): ReadonlySet<OpenTransaction> {
    return this.#open
  }

  snapshot(): Snapshot {
    this.#shared = new Set(this.#tables.keys())
    return { shapes: this.#shapes, tables: new Map(this.#tables), nextId: this.#nextId }
  }

  /** Open transactions are rolled back and lose their connection. */
  restore({ shapes, tables, nextId }: Snapshot): void {
    for (const transaction of [...this.#open]) this.end(transaction, false)
    this.define(shapes)
    this.#tables = new Map(tables)
    this.#shared = new Set(tables.keys())
    this.#nextId = Math.max(this.#nextId, nextId)
    this.commits++
    this.restores++
  }

  /** The committed rows of a table. */
  rows(table: string): readonly Row[] {
    return [...this.committed(table).entries.values()].map(({ row }) => row)
  }

  define(shapes: Shapes): void {
    this.#shapes = shapes
    this.#catalogue = catalogueOf(shapes)
  }

  begin(): OpenTransaction {
    const transaction = new OpenTransaction()
    this.#open.add(transaction)
    return transaction
  }

  /**
   * Commits or rolls back a transaction. Where the client did not ask for it, its connection counts as lost: its next
   * statement or its COMMIT fails with 08006.
   */
  end(transaction: OpenTransaction, commits: boolean): void {
    if (transaction.state === 'ended') return
    if (commits && transaction.state === 'open') this.#apply(transaction)
    this.#leave(transaction)
    transaction.state = 'ended'
    this.#open.delete(transaction)
  }

  /** A transaction whose statement failed. */
  abort(transaction: OpenTransaction): void {
    if (transaction.state !== 'open') return
    this.#leave(transaction)
    transaction.state = 'aborted'
  }

  #leave(transaction: OpenTransaction): void {
    for (const id of transaction.locks.keys()) {
      const holders = this.#holders.get(id)
      holders?.delete(transaction)
      if (holders?.size === 0) this.#holders.delete(id)
    }
    transaction.clear()
  }

  #apply(transaction: OpenTransaction): void {
    if (transaction.written.size === 0) return
    this.commits++
    for (const [name, entries] of transaction.written) {
      const table = this.#writable(name)
      for (const [id, entry] of entries) {
        if (this.#waiting > 0) this.#past.push({ commit: this.commits, table: name, id, before: table.entries.get(id) })
        if (entry === undefined) table.remove(id)
        else table.put(entry)
      }
    }
  }

  committed(table: string): Table {
    const existing = this.#tables.get(table)
    if (existing !== undefined) return existing
    const made = new Table()
    this.#tables.set(table, made)
    return made
  }

  #writable(name: string): Table {
    const table = this.committed(name)
    if (!this.#shared.delete(name)) return table
    const copy = new Table(table.entries)
    this.#tables.set(name, copy)
    return copy
  }

  /** For a statement that waits: until it has ended, `past` has what commits replace. */
  keepPast(): void {
    this.#waiting++
  }

  leavePast(): void {
    this.#waiting--
    if (this.#waiting === 0) this.#past = []
  }

  /** Versions that were current after `commit` and were replaced since, by row id; `undefined`: none was replaced. */
  past(table: string, commit: number): ReadonlyMap<number, Entry | undefined> | undefined {
    if (this.commits === commit) return undefined
    const found = new Map<number, Entry | undefined>()
    for (const one of this.#past.toReversed()) {
      if (one.commit > commit && one.table === table) found.set(one.id, one.before)
    }
    return found
  }

  newId(): number {
    return this.#nextId++
  }

  /** Another open transaction that has written the row. */
  writerOf(table: string, id: number, but: OpenTransaction): OpenTransaction | undefined {
    for (const holder of this.#holders.get(id) ?? []) if (holder !== but && holder.hasWritten(table, id)) return holder
    return undefined
  }

  /** Another transaction whose lock on the row conflicts with the mode. */
  holderOf(id: number, mode: LockMode, but: OpenTransaction): OpenTransaction | undefined {
    for (const holder of this.#holders.get(id) ?? []) {
      const held = holder.locks.get(id)
      if (holder !== but && held !== undefined && exclude(held, mode)) return holder
    }
    return undefined
  }

  /** Grants a lock for which `holderOf` found no conflict. */
  hold(id: number, mode: LockMode, transaction: OpenTransaction): void {
    const held = transaction.locks.get(id)
    if (held !== undefined && !isWeaker(held, mode)) return
    transaction.locks.set(id, mode)
    const holders = this.#holders.get(id)
    if (holders === undefined) this.#holders.set(id, new Set([transaction]))
    else holders.add(transaction)
  }
}
