/**
 * Run keys: random, one per period and generation (database generation and boot), in files beside the database and never
 * in it. A run's seed and state are worth the wallet's key even after a refresh, so no backup may hold anything that
 * opens them. A key opens nothing any more when the period after its own is over, and is destroyed then. One of a later
 * period than the next opens nothing either, because a clock that was ahead and is set back would keep it for as long
 * as it was ahead. A process destroys such a key at once where it made it itself. To one whose clock is behind, the keys
 * that others seal with are later: it destroys those that it has seen for as long as they could be in use. Keys are read
 * from their files each time, so that none outlives its file in memory and what one thread seals another one opens.
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

/** By how many periods it is later than the current one. */
const aheadOf = (now: number, period: number): number => period - (period < firstQuarter ? dayOf(now) : quarterOf(now))

export type RunKeys = {
  /** The key of this period; made if there is none. */
  readonly toSeal: (generation: string, period: number) => Uint8Array
  /** The key of that period; `undefined` if it is over, or was destroyed. */
  readonly toOpen: (generation: string, period: number, now: number) => Uint8Array | undefined
  /**
   * Destroys keys that are over, later ones of this generation, later ones of others that this process has seen for two
   * periods, and all of other database generations. Keys of other boots stay until they are over: a prepared key
   * generation may be confirmed after a restart.
   */
  readonly destroyOld: (generation: string, now: number) => void
}

/** `elapsed`: a clock in ms that is never set. */
export const runKeysIn = (folder: string, elapsed = (): number => performance.now()): RunKeys => {
  /** When keys of later periods were seen first. */
  const seenAt = new Map<string, number>()
  const fileOf = (generation: string, period: number) => join(folder, `${generation}.${period}.key`)
  const keyIn = (text: string | undefined) => fromHex(text?.trim() ?? '', 32)
  return {
    toSeal: (generation, period) => {
      const file = fileOf(generation, period)
      const key = keyIn(readKeyFile(file) ?? createKeyFile(file, `${randomBytes(32).toString('hex')}\n`))
      if (key === undefined) throw new Error(`the run key in ${file} is not one`)
      return key
    },
    toOpen: (generation, period, now) =>
      Math.abs(aheadOf(now, period)) > 1 ? undefined : keyIn(readKeyFile(fileOf(generation, period))),
    destroyOld: (generation, now) => {
      for (const name of namesIn(folder)) {
        const isOfDatabase = generationParts(name).database === generationParts(generation).database
        const period = Number(name.split('.').at(-2))
        const ahead = aheadOf(now, period)
        const mayBeInUse = () => {
          const since = seenAt.get(name) ?? elapsed()
          seenAt.set(name, since)
          return elapsed() - since < 2 * (period < firstQuarter ? dayMs : quarterMs)
        }
        const isOver = ahead < -1 || (ahead > 1 && (name.startsWith(`${generation}.`) || !mayBeInUse()))
        if (isOfDatabase && !isOver) continue
        seenAt.delete(name)
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
