/** The coverage of schedules: failpoints, the state of a wallet when a process died there, and verbs that were done. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verbs } from './swarm.ts'

export class Coverage {
  readonly pairs = new Map<string, number>()
  /** The current state, in a few words. */
  situation: () => string = () => ''

  reached(failpoint: string): void {
    this.#count(`${failpoint} | ${this.situation()}`)
  }

  killedAt(where: string): void {
    this.#count(`killed at ${where} | ${this.situation()}`)
  }

  saw(what: string): void {
    this.#count(what)
  }

  #count(pair: string): void {
    this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + 1)
  }
}

const service = join(import.meta.dirname, '..', '..', 'domain', 'service')

/** The names of `Plan.operation`; a setup is committed with its confirmation. */
const operations = ['keygen', 'attach', 'refresh', 'sign', 'confirm']
const committing = ['sign', 'confirm']
const operationsAt = (name: string): readonly string[] => (name.endsWith('.commit.within') ? committing : operations)

/** All failpoints of the product, as its sources name them. */
export const failpoints = (): readonly string[] =>
  readdirSync(service, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(service, name), 'utf8').matchAll(/\breach\(['`]([^'`]+)['`]\)/g)])
    .flatMap(([, name = '']) =>
      name.includes('$') ? operationsAt(name).map((operation) => name.replace('${plan.operation}', operation)) : [name],
    )

/** Failpoints of the product that no schedule reached. */
export const neverReached = (pairs: ReadonlyMap<string, number>): readonly string[] => {
  const reached = new Set([...pairs.keys()].map((pair) => pair.split(' | ')[0] ?? ''))
  return [...new Set(failpoints())].filter((name) => !reached.has(name)).toSorted()
}

/** Failpoints that were reached, and at which no process ever died. */
export const unreached = (pairs: ReadonlyMap<string, number>): readonly string[] => {
  const placeOf = (pair: string) => pair.split(' | ')[0] ?? ''
  const places = new Set([...pairs.keys()].map(placeOf))
  return [...places]
    .filter((place) => /^[a-zA-Z]+\.[a-zA-Z.]+$/.test(place) && !places.has(`killed at ${place}`))
    .toSorted()
}

/** What a cheater begins and leaves: it is done only where it left too late. */
const abandoned = 'abandoned setup'

/** Verbs, and whatever else began, that never ended as they should. Their names stand before the colon of `ends`. */
export const neverDone = (ends: ReadonlyMap<string, number>): readonly string[] => {
  const begun = [...ends.keys()].map((end) => end.split(': ')[0] ?? '').filter((name) => name !== abandoned)
  return [...new Set([...verbs, 'pay', ...begun])].filter((name) => !ends.has(`${name}: done`)).toSorted()
}
