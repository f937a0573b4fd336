/**
 * PostgreSQL as the repositories see it, in memory: isolation level READ COMMITTED, row locks, deadlock detection, unique
 * and foreign keys, CHECK constraints. It takes SQL text and refuses what it does not implement (0A000, 42601). A statement
 * runs synchronously unless it waits for a lock, so the order of statements is the order of the calls.
 */
import { DatabaseError } from './DatabaseError.ts'
import type { OpenTransaction } from './OpenTransaction.ts'
import { planOf, type Plan, type Result } from './plans.ts'
import { define } from './shapes.ts'
import { Statement, type Shuffle } from './Statement.ts'
import { Store } from './Store.ts'

export type { Snapshot } from './Store.ts'
export type { Row } from './Table.ts'

export type Hooks = {
  /**
   * Awaited before each statement ('select wallets', 'insert runs'), before a commit ('commit'), and after a wait for
   * another transaction ('woken wallets').
   */
  readonly pause?: (what: string, transaction: OpenTransaction) => Promise<void> | undefined
  /** Awaited before what a statement has found is handed on ('select wallets'): other transactions may end meanwhile. */
  readonly handOn?: (what: string) => Promise<void> | undefined
  /** Called with each transaction when it begins, including the implicit one of a statement outside a transaction. */
  readonly begun?: (transaction: OpenTransaction) => void
  /** Orders the rows of a statement that has no `order by`, and rows that its `order by` leaves equal. */
  readonly shuffle?: Shuffle
}

export class Rows extends Store {
  /** Statements executed so far. */
  statements = 0

  async execute(
    text: string,
    parameters: readonly unknown[],
    open: OpenTransaction | undefined,
    hooks: Hooks,
  ): Promise<Result> {
    const transaction = open ?? this.begin()
    if (open === undefined) hooks.begun?.(transaction)
    try {
      checkOpen(transaction)
      const plan = planOf(text, this.catalogue)
      if (plan === 'definition') this.define(define(this.shapes, text))
      const result = typeof plan === 'object' ? await this.#run(plan, parameters, transaction, hooks) : nothing
      // Without writes there is nothing to commit, and no pause before it.
      if (open === undefined && transaction.written.size === 0) this.end(transaction, true)
      else if (open === undefined) await this.commit(transaction, hooks)
      if (typeof plan === 'object') {
        const late = hooks.handOn?.(plan.what)
        if (late !== undefined) await late
      }
      return result
    } catch (cause) {
      if (open === undefined) this.end(transaction, false)
      else this.abort(transaction)
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
    const running = plan.run(new Statement(this, transaction, parameters, hooks.shuffle))
    let step = running.next()
    if (step.done === true) return step.value
    this.keepPast()
    try {
      while (step.done !== true) {
        await transaction.waitFor(step.value)
        await hooks.pause?.(`woken ${plan.table}`, transaction)
        checkOpen(transaction)
        step = running.next()
      }
      return step.value
    } finally {
      this.leavePast()
    }
  }
}

const nothing: Result = { rows: [], changed: 0 }

export const connectionLost = (): DatabaseError => new DatabaseError('08006', 'the connection to the database is lost')

const checkOpen = ({ state }: OpenTransaction): void => {
  if (state === 'ended') throw connectionLost()
  if (state === 'aborted') {
    throw new DatabaseError('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
  }
}
