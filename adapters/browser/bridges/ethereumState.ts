/** What a provider remembers over a reload: the chain that was chosen, whether it was left, and batches of calls. */

/** For example `localStorage`. */
export type StateStorage = Pick<Storage, 'getItem' | 'setItem'>

/** A batch as far as it was sent. */
export type Bundle = {
  readonly chainId: number
  /** Of the transactions that were sent or may have been: each is stored before a node gets it. */
  readonly hashes: readonly string[]
  readonly calls: number
}

export type State = {
  readonly chainId?: number
  /** Until the next request for accounts there are none, although a user is signed in. */
  readonly isRevoked?: boolean
  readonly bundles?: Readonly<Record<string, Bundle>>
}

export type StateStore = {
  readonly get: () => State
  readonly set: (changed: State) => void
}

const key = '@tandem/ethereum'

/** What cannot be stored is kept in memory. Text that cannot be read counts as none. */
export const makeState = (storage: StateStorage | undefined): StateStore => {
  let memory: State | undefined
  const get = (): State => {
    if (memory !== undefined) return memory
    const text = attempt(() => storage?.getItem(key)) ?? '{}'
    return attempt(() => stateOf(JSON.parse(text))) ?? {}
  }
  const isStored = (text: string): boolean =>
    attempt(() => {
      storage?.setItem(key, text)
      return storage !== undefined
    }) ?? false
  return {
    get,
    set: (changed) => {
      const next = { ...get(), ...changed }
      memory = isStored(JSON.stringify(next)) ? undefined : next
    },
  }
}

/** The page's own, if it has one and lets it be used. */
export const pageStorage = (): StateStorage | undefined =>
  typeof window === 'undefined' ? undefined : attempt(() => window.localStorage)

const stateOf = (value: unknown): State => (typeof value === 'object' && value !== null ? value : {})

const attempt = <A>(work: () => A): A | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}
