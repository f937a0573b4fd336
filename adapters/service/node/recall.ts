export type Recall<A> = {
  /** What is remembered under the name, else what `make` makes. What is undefined is not remembered. */
  readonly recall: (name: string, make: () => A | undefined) => A | undefined
}

/**
 * Remembers what follows from its name alone, so that nothing has to be dropped when something changes. Only so many: the
 * one that was asked for longest ago is forgotten first.
 */
export const makeRecall = <A>(atMost: number): Recall<A> => {
  const known = new Map<string, A>()
  return {
    recall: (name, make) => {
      const value = known.get(name) ?? make()
      if (value === undefined) return undefined
      known.delete(name)
      known.set(name, value)
      const [oldest] = known.size > atMost ? known.keys() : []
      if (oldest !== undefined) known.delete(oldest)
      return value
    },
  }
}
