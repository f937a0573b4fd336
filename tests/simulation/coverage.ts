/** The coverage of schedules: failpoints, the state of a wallet when a process died there, and verbs that were done. */
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
