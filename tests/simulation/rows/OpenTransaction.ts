import { lockModes, type LockMode } from './syntax.ts'
import type { Entry } from './Table.ts'

/** A transaction from its beginning to its end: what it wrote, what it holds, and for which other one it waits. */
export class OpenTransaction {
  /** `aborted`: a statement failed; nothing is left of it, and it takes no other one. */
  state: 'open' | 'aborted' | 'ended' = 'open'
  /** By table and id: the version that it wrote, or `undefined` where it deleted. */
  readonly written = new Map<string, Map<number, Entry | undefined>>()
  readonly locks = new Map<number, LockMode>()
  waitsFor: OpenTransaction | undefined
  /** Those that wait for its end, in the order in which they came. */
  readonly waiting = new Map<OpenTransaction, () => void>()

  hasWritten(table: string, id: number): boolean {
    return this.written.get(table)?.has(id) === true
  }
}

const strength = (mode: LockMode): number => lockModes.indexOf(mode)

export const exclude = (one: LockMode, other: LockMode): boolean => strength(one) + strength(other) >= 3

export const isWeaker = (one: LockMode, other: LockMode): boolean => strength(one) < strength(other)
