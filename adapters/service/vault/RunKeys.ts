/**
 * Run keys: random, one per period and generation (database generation and boot), in files beside the database and never
 * in it. A run's seed and state are worth the wallet's key even after a refresh, so no backup may hold anything that
 * opens them. A key opens nothing any more when the period after its own is over, and is destroyed then. So is one
 * of a later period than the next: a clock that was ahead and is set back would keep it for as long as it was ahead.
 *
 * A period is a quarter of an hour, and a day for what waits for the CONFIRM of a key generation. The quarter is short
 * because a row of the database says how old a run is: a seed that opens for longer than the claims outside the database
 * are kept (Claims.ts) could be given another request by a writer of the database. Versions before sealed everything for
 * a day.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { createKeyFile, destroyKeyFile, readKeyFile } from './keyFile.ts'

const [dayMs, quarterMs] = [24 * 60 * 60_000, 15 * 60_000]

/** Quarters are counted from here, so that no day since 1970 has the number of one. */
const firstQuarter = 2 ** 24

export const dayOf = (now: number): number => Math.floor(now / dayMs)

export const quarterOf = (now: number): number => firstQuarter + Math.floor(now / quarterMs)

/** Whether the period after this one is over, or the one before has not begun: the clock was ahead when its key was made. */
const isOver = (period: number, now: number): boolean =>
  Math.abs(period - (period < firstQuarter ? dayOf(now) : quarterOf(now))) > 1

export type RunKeys = {
  /** The key of this period; made if there is none. */
  readonly toSeal: (generation: string, period: number) => Uint8Array
  /** The key of that period; `undefined` if it is over, or was destroyed. */
  readonly toOpen: (generation: string, period: number, now: number) => Uint8Array | undefined
  /**
   * Destroys keys that are over, and all of other database generations. Keys of other boots stay: a prepared key
   * generation may be confirmed after a restart.
   */
  readonly destroyOld: (generation: string, now: number) => void
}

/** Keys that a thread keeps in memory: more than are current, of itself and the replicas whose runs it goes on with. */
const knownAtMost = 16

export const runKeysIn = (folder: string): RunKeys => {
  const known = new Map<string, Uint8Array>()
  const nameOf = (generation: string, period: number) => `${generation}.${period}.key`
  const forget = (name: string) => {
    known.get(name)?.fill(0)
    known.delete(name)
  }
  const find = (name: string, read: () => string | undefined): Uint8Array | undefined => {
    const existing = known.get(name)
    if (existing !== undefined) return existing
    const key = fromHex(read()?.trim() ?? '', 32)
    if (key !== undefined) known.set(name, key)
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size > knownAtMost) forget(oldest)
    return key
  }
  return {
    toSeal: (generation, period) => {
      const name = nameOf(generation, period)
      const key = find(name, () => createKeyFile(join(folder, name), `${randomBytes(32).toString('hex')}\n`))
      if (key === undefined) throw new Error(`the run key in ${join(folder, name)} is not one`)
      return key
    },
    toOpen: (generation, period, now) => {
      if (isOver(period, now)) return undefined
      const name = nameOf(generation, period)
      return find(name, () => readKeyFile(join(folder, name)))
    },
    destroyOld: (generation, now) => {
      for (const name of [...new Set([...known.keys(), ...namesIn(folder)])]) {
        const isOfDatabase = generationParts(name).database === generationParts(generation).database
        if (isOfDatabase && !isOver(Number(name.split('.').at(-2)), now)) continue
        forget(name)
        destroyKeyFile(join(folder, name))
      }
    },
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.key'))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw cause
  }
}
