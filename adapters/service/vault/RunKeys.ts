/**
 * Run keys: random, one per day and generation (database generation and boot), in files beside the database and never
 * in it. A run's seed and state are worth the wallet's key even after a refresh, so no backup may hold anything that
 * opens them. A day's key is destroyed when the next day is over, and what it sealed is lost with it.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { createKeyFile, destroyKeyFile, readKeyFile } from './keyFile.ts'

const dayMs = 24 * 60 * 60_000

export const dayOf = (now: number): number => Math.floor(now / dayMs)

export type RunKeys = {
  /** The key of this day; made if there is none. */
  readonly toSeal: (generation: string, day: number) => Uint8Array
  /** The key of that day; `undefined` if it was destroyed. */
  readonly toOpen: (generation: string, day: number) => Uint8Array | undefined
  /**
   * Destroys keys that are too old, and all of other database generations. Keys of other boots stay: a prepared key
   * generation may be confirmed after a restart.
   */
  readonly destroyOld: (generation: string, today: number) => void
}

export const runKeysIn = (folder: string): RunKeys => {
  const known = new Map<string, Uint8Array>()
  const nameOf = (generation: string, day: number) => `${generation}.${day}.key`
  const find = (name: string, read: () => string | undefined): Uint8Array | undefined => {
    const existing = known.get(name)
    if (existing !== undefined) return existing
    const key = fromHex(read()?.trim() ?? '', 32)
    if (key !== undefined) known.set(name, key)
    return key
  }
  return {
    toSeal: (generation, day) => {
      const name = nameOf(generation, day)
      const key = find(name, () => createKeyFile(join(folder, name), `${randomBytes(32).toString('hex')}\n`))
      if (key === undefined) throw new Error(`the run key in ${join(folder, name)} is not one`)
      return key
    },
    toOpen: (generation, day) => {
      const name = nameOf(generation, day)
      return find(name, () => readKeyFile(join(folder, name)))
    },
    destroyOld: (generation, today) => {
      for (const name of [...new Set([...known.keys(), ...namesIn(folder)])]) {
        const isOfDatabase = generationParts(name).database === generationParts(generation).database
        if (isOfDatabase && Number(name.split('.').at(-2)) >= today - 1) continue
        known.get(name)?.fill(0)
        known.delete(name)
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
