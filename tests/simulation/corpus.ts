/** Schedules that once failed, as files: their decisions, and what they broke. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Script } from './Sim.ts'
import { calm, type Swarm } from './swarm.ts'

export type Entry = {
  readonly seed: number
  readonly swarm: Swarm
  readonly decisions: Script
  readonly invariant: string
  readonly seen: string
  /** The check that the source lacked, where it was taken out to see that the simulation notices. */
  readonly mutant?: string
  /** Of the source under which it failed, and the trace's hash there. */
  readonly commit: string
  readonly hash: string
  /** The source is not mended yet: it is not replayed by the tests. */
  readonly open?: boolean
}

const folder = join(import.meta.dirname, 'corpus')

/** A fault that came later than the file is off in it. */
export const readEntry = (file: string): Entry => {
  const entry = JSON.parse(readFileSync(file, 'utf8')) as Entry
  return { ...entry, swarm: { ...calm, ...entry.swarm } }
}

export const entries = (): readonly { readonly file: string; readonly entry: Entry }[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => ({ file: join(folder, name), entry: readEntry(join(folder, name)) }))

export const writeEntry = (entry: Entry): string => {
  const name = entry.mutant?.split(',')[0]?.replaceAll(/[^a-z]+/gi, '-') ?? `${entry.seed}-${entry.invariant}`
  const file = join(folder, `${name}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(entry, null, 2)}\n`)
  return file
}
