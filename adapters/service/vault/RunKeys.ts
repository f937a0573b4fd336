/**
 * Run keys (mpc-review 3): random, one per day and incarnation, in files beside the database and never in it. The key of a
 * day is destroyed when the day after it is over; with it every state of a run that it sealed.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import { createKeyFile, destroyKeyFile, readKeyFile } from './keyFile.ts'

const dayMs = 24 * 60 * 60_000

export const dayOf = (now: number): number => Math.floor(now / dayMs)

export type RunKeys = {
  /** The key that seals on this day. */
  readonly forSealing: (incarnation: string, day: number) => Uint8Array
  /** The key that sealed on that day, as long as it stands. */
  readonly forOpening: (incarnation: string, day: number) => Uint8Array | undefined
  /**
   * Destroys what is too old, and everything of other incarnations of the database. A key of another boot stays for its
   * day: a key generation that was prepared may be confirmed after a restart.
   */
  readonly destroyOld: (incarnation: string, today: number) => void
}

export const runKeysIn = (folder: string): RunKeys => {
  const known = new Map<string, Uint8Array>()
  const nameOf = (incarnation: string, day: number) => `${incarnation}.${day}.key`
  const find = (name: string, read: () => string | undefined): Uint8Array | undefined => {
    const standing = known.get(name)
    if (standing !== undefined) return standing
    const key = fromHex(read()?.trim() ?? '', 32)
    if (key !== undefined) known.set(name, key)
    return key
  }
  return {
    forSealing: (incarnation, day) => {
      const name = nameOf(incarnation, day)
      const key = find(name, () => createKeyFile(join(folder, name), `${randomBytes(32).toString('hex')}\n`))
      if (key === undefined) throw new Error(`the run key in ${join(folder, name)} is not one`)
      return key
    },
    forOpening: (incarnation, day) => {
      const name = nameOf(incarnation, day)
      return find(name, () => readKeyFile(join(folder, name)))
    },
    destroyOld: (incarnation, today) => {
      for (const name of [...new Set([...known.keys(), ...namesIn(folder)])]) {
        const parts = name.split('.')
        const isOfDatabase = parts[0] === incarnation.split('.')[0]
        if (isOfDatabase && Number(parts.at(-2)) >= today - 1) continue
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
