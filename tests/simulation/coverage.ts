/** The coverage of schedules: failpoints, and the state of a wallet when a process died there. */
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
