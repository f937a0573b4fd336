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

/** The names of `Plan.operation`. */
const operations = ['keygen', 'attach', 'refresh', 'sign', 'confirm']

/** All failpoints of the product, as its sources name them. */
export const failpoints = (): readonly string[] =>
  readdirSync(service, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(service, name), 'utf8').matchAll(/\breach\(['`]([^'`]+)['`]\)/g)])
    .flatMap(([, name = '']) =>
      name.includes('$') ? operations.map((operation) => name.replace('${plan.operation}', operation)) : [name],
    )

/** Why a failpoint is not reached in any schedule. */
const notHere: Readonly<Record<string, string>> = {
  'attach.commit.within': 'a setup is committed with its confirmation',
  'keygen.commit.within': 'a setup is committed with its confirmation',
  'refresh.commit.within': 'a setup is committed with its confirmation',
  'sign.broadcast.before': 'no chain is here to which a transaction could be sent',
  'sign.broadcast.after': 'no chain is here to which a transaction could be sent',
  'userMessages.deliver.before': 'mail is delivered with its transaction: no worker runs here',
  'userMessages.deliver.after': 'mail is delivered with its transaction: no worker runs here',
}

/** Failpoints of the product that no schedule reached, each with the reason if it is known. */
export const neverReached = (pairs: ReadonlyMap<string, number>): readonly string[] => {
  const reached = new Set([...pairs.keys()].map((pair) => pair.split(' | ')[0] ?? ''))
  return [...new Set(failpoints())]
    .filter((name) => !reached.has(name))
    .map((name) => `${name}: ${notHere[name] ?? 'in none of these schedules'}`)
    .toSorted()
}

/** Failpoints that were reached, and at which no process ever died. */
export const unreached = (pairs: ReadonlyMap<string, number>): readonly string[] => {
  const placeOf = (pair: string) => pair.split(' | ')[0] ?? ''
  const places = new Set([...pairs.keys()].map(placeOf))
  return [...places]
    .filter((place) => /^[a-zA-Z]+\.[a-zA-Z.]+$/.test(place) && !places.has(`killed at ${place}`))
    .toSorted()
}

/** Verbs, and whatever else began, that never ended as they should. Their names stand before the colon of `ends`. */
export const neverDone = (ends: ReadonlyMap<string, number>): readonly string[] => {
  const begun = [...ends.keys()].map((end) => end.split(': ')[0] ?? '')
  return [...new Set([...verbs, 'pay', ...begun])].filter((name) => !ends.has(`${name}: done`)).toSorted()
}
