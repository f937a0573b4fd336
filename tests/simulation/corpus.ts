/** Schedules that once failed, as files: their decisions, and what they broke. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Script } from './Sim.ts'
import type { Swarm } from './swarm.ts'

export type Entry = {
  readonly seed: number
  readonly swarm: Swarm
  readonly decisions: Script
  readonly invariant: string
  readonly seen: string
  /** Of the source under which it failed, and the trace's hash there. */
  readonly commit: string
  readonly hash: string
  /** The source is not mended yet: it is not replayed by the tests. */
  readonly open?: boolean
}

const folder = join(import.meta.dirname, 'corpus')

export const readEntry = (file: string): Entry => JSON.parse(readFileSync(file, 'utf8')) as Entry

export const entries = (): readonly { readonly file: string; readonly entry: Entry }[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => ({ file: join(folder, name), entry: readEntry(join(folder, name)) }))

/** The list of decisions on one line, the rest to be read. */
export const writeEntry = (entry: Entry): string => {
  const file = join(folder, `${entry.seed}-${entry.invariant}.json`)
  mkdirSync(folder, { recursive: true })
  const { decisions, ...rest } = entry
  const text = JSON.stringify({ ...rest, decisions: [] }, null, 2).replace('"decisions": []', `"decisions": [${decisions.join(',')}]`)
  writeFileSync(file, `${text}\n`)
  return file
}
