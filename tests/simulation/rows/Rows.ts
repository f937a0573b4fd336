/**
 * PostgreSQL as the repositories see it, in memory: isolation level READ COMMITTED, row locks, deadlock detection, unique
 * and foreign keys, CHECK constraints. It takes SQL text and refuses what it does not implement (0A000, 42601). A statement
 * runs synchronously unless it waits for a lock, so the order of statements is the order of the calls.
 */
import { catalogueOf, type Catalogue } from './catalogue.ts'
import { DatabaseError } from './DatabaseError.ts'
import { exclude, isWeaker, OpenTransaction } from './OpenTransaction.ts'
import { define, type Shapes } from './shapes.ts'
import { Statement } from './Statement.ts'
import type { LockMode } from './syntax.ts'
import { type Entry, type Row, Table } from './Table.ts'

export type { Row } from './Table.ts'

export type Hooks = {
  /**
   * Awaited before each statement ('select wallets', 'insert runs'), before a commit ('commit'), and after a wait for
   * another transaction ('woken wallets').
   */
  readonly pause?: (what: string, transaction: OpenTransaction) => Promise<void> | undefined
  /** Called with each transaction when it begins, including the implicit one of a statement outside a transaction. */
  readonly begun?: (transaction: OpenTransaction) => void
  /** Orders the rows of a statement that has no `order by`, and rows that its `order by` leaves equal. */
  readonly shuffle?: <A>(rows: readonly A[]) => readonly A[]
}

export type Result = { readonly rows: readonly Row[]; readonly changed: number }

/** The committed rows at one moment. Later writes do not change it. */
export type Snapshot = { readonly shapes: Shapes; readonly tables: ReadonlyMap<string, Table>; readonly nextId: number }

/** The version of a row that a commit replaced; `undefined`: the row did not exist. */
type Past = { readonly commit: number; readonly table: string; readonly id: number; readonly before: Entry | undefined }

export class Rows {
  /** Statements executed so far. */
  statements = 0
  /** Number of the last commit that wrote something. */
  commits = 0
  #shapes: Shapes
  #catalogue: Catalogue
  #tables = new Map<string, Table>()
  /** Tables that a snapshot shares: they are copied before the next write (copy on write). */
  #shared = new Set<string>()
  readonly #open = new Set<OpenTransaction>()
  readonly #holders = new Map<number, Set<OpenTransaction>>()
  /** Statements that wait for a lock. While there are any, commits keep what they replace: those still see it. */
  readonly #waiting = new Set<Statement>()
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
    this.#define(shapes)
    this.#tables = new Map(tables)
    this.#shared = new Set(tables.keys())
    this.#nextId = Math.max(this.#nextId, nextId)
    this.commits++
  }

  /** The committed rows of a table. */
  rows(table: string): readonly Row[] {
    return [...this.committed(table).entries.values()].map(({ row }) => row)
  }

  #define(shapes: Shapes): void {
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

  async execute(text: string, parameters: readonly unknown[], open: OpenTransaction | undefined, hooks: Hooks): Promise<Result> {
    const transaction = open ?? this.begin()
    if (open === undefined) hooks.begun?.(transaction)
    try {
      checkOpen(transaction)
      const plan = this.catalogue.plan(text)
      if (plan === 'definition') this.#define(define(this.shapes, text))
      const result = typeof plan === 'object' ? await this.#run(plan, parameters, transaction, hooks) : nothing
      // Without writes there is nothing to commit, and no pause before it.
      if (open === undefined && transaction.written.size === 0) this.end(transaction, true)
      else if (open === undefined) await this.commit(transaction, hooks)
      return result
    } catch (cause) {
      if (open === undefined) this.end(transaction, false)
      else this.#abort(transaction)
      throw cause
    }
  }

  /** COMMIT. An aborted transaction is rolled back without an error, as in PostgreSQL. */
  async commit(transaction: OpenTransaction, hooks: Hooks): Promise<void> {
    await hooks.pause?.('commit', transaction)
    if (transaction.state === 'ended') throw connectionLost()
    this.end(transaction, true)
  }

  async #run(plan: Plan, parameters: readonly unknown[], transaction: OpenTransaction, hooks: Hooks): Promise<Result> {
    this.statements++
    const paused = hooks.pause?.(plan.what, transaction)
    if (paused !== undefined) await paused
    checkOpen(transaction)
    const statement = new Statement(this, transaction, parameters, hooks.shuffle)
    const running = plan.run(statement)
    try {
      for (;;) {
        const step = running.next()
        if (step.done === true) return step.value
        this.#waiting.add(statement)
        await this.#wait(transaction, step.value)
        await hooks.pause?.(`woken ${plan.table}`, transaction)
        checkOpen(transaction)
      }
    } finally {
      if (this.#waiting.delete(statement) && this.#waiting.size === 0) this.#past = []
    }
  }

  /** Waits until the other transaction has ended. The statement that closes a cycle of waits fails with 40P01. */
  #wait(transaction: OpenTransaction, other: OpenTransaction): Promise<void> {
    for (let one: OpenTransaction | undefined = other; one !== undefined; one = one.waitsFor) {
      if (one === transaction) throw new DatabaseError('40P01', 'deadlock detected')
    }
    transaction.waitsFor = other
    return new Promise((resolve) => other.waiting.set(transaction, resolve))
  }

  #abort(transaction: OpenTransaction): void {
    if (transaction.state !== 'open') return
    this.#leave(transaction)
    transaction.state = 'aborted'
  }

  /** Drops uncommitted writes and locks, and resumes the waiting transactions and itself. */
  #leave(transaction: OpenTransaction): void {
    for (const id of transaction.locks.keys()) {
      const holders = this.#holders.get(id)
      holders?.delete(transaction)
      if (holders?.size === 0) this.#holders.delete(id)
    }
    transaction.locks.clear()
    transaction.written.clear()
    transaction.versions.clear()
    wake(transaction)
    for (const waiting of [...transaction.waiting.keys()]) wake(waiting)
  }

  #apply(transaction: OpenTransaction): void {
    if (transaction.written.size === 0) return
    this.commits++
    for (const [name, entries] of transaction.written) {
      const table = this.#writable(name)
      for (const [id, entry] of entries) {
        if (this.#waiting.size > 0) this.#past.push({ commit: this.commits, table: name, id, before: table.entries.get(id) })
        if (entry === undefined) table.remove(id)
        else table.put(entry)
      }
    }
  }

  committed(table: string): Table {
    const standing = this.#tables.get(table)
    if (standing !== undefined) return standing
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

const nothing: Result = { rows: [], changed: 0 }

/** A compiled statement. Its generator yields each transaction for whose end it waits. */
export type Plan = {
  readonly what: string
  readonly table: string
  readonly run: (statement: Statement) => Generator<OpenTransaction, Result, void>
}

const wake = (transaction: OpenTransaction): void => {
  const resolve = transaction.waitsFor?.waiting.get(transaction)
  transaction.waitsFor?.waiting.delete(transaction)
  transaction.waitsFor = undefined
  resolve?.()
}

export const connectionLost = (): DatabaseError => new DatabaseError('08006', 'the connection to the database is lost')

const checkOpen = ({ state }: OpenTransaction): void => {
  if (state === 'ended') throw connectionLost()
  if (state === 'aborted') {
    throw new DatabaseError('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
  }
}
