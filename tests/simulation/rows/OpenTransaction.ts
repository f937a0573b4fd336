import { DatabaseError } from './DatabaseError.ts'
import { lockModes, type LockMode } from './syntax.ts'
import type { Entry, Row } from './Table.ts'

/** A transaction that has begun: its writes, its row locks, and the transaction for which it waits. */
export class OpenTransaction {
  /** `aborted`: a statement failed, the writes and locks are gone, and every further statement is refused (25P02). */
  state: 'open' | 'aborted' | 'ended' = 'open'
  /** Uncommitted versions by table and row id; `undefined` is a deleted row. */
  readonly written = new Map<string, Map<number, Entry | undefined>>()
  /** Every version that it wrote, by table: a key of a version that it replaced or deleted stays undecided until its end. */
  readonly versions = new Map<string, Row[]>()
  readonly locks = new Map<number, LockMode>()
  waitsFor: OpenTransaction | undefined
  /** Transactions that wait for this one to end, with what resumes them, first come first. */
  readonly waiting = new Map<OpenTransaction, () => void>()

  hasWritten(table: string, id: number): boolean {
    return this.written.get(table)?.has(id) === true
  }

  /** Waits until the other transaction has ended. The statement that closes a cycle of waits fails with 40P01. */
  waitFor(other: OpenTransaction): Promise<void> {
    for (let one: OpenTransaction | undefined = other; one !== undefined; one = one.waitsFor) {
      if (one === this) throw new DatabaseError('40P01', 'deadlock detected')
    }
    this.waitsFor = other
    return new Promise((resolve) => other.waiting.set(this, resolve))
  }

  /** Drops its writes and locks, and resumes itself and the transactions that wait for it. */
  clear(): void {
    this.locks.clear()
    this.written.clear()
    this.versions.clear()
    this.#wake()
    for (const waiting of [...this.waiting.keys()]) waiting.#wake()
  }

  #wake(): void {
    const resolve = this.waitsFor?.waiting.get(this)
    this.waitsFor?.waiting.delete(this)
    this.waitsFor = undefined
    resolve?.()
  }
}

const strength = (mode: LockMode): number => lockModes.indexOf(mode)

export const exclude = (one: LockMode, other: LockMode): boolean => strength(one) + strength(other) >= 3

export const isWeaker = (one: LockMode, other: LockMode): boolean => strength(one) < strength(other)
