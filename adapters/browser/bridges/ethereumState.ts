/** What a provider remembers over a reload: the chain that was chosen, whether it was left, and batches of calls. */

/** For example `localStorage`. */
export type StateStorage = Pick<Storage, 'getItem' | 'setItem'>

/** A batch that was sent, as far as it was: of each call the hash of its transaction. */
export type Bundle = { readonly chainId: number; readonly hashes: readonly string[]; readonly calls: number }

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

/** Where nothing can be stored, it is kept in memory. Text that cannot be read counts as none. */
export const makeState = (storage: StateStorage | undefined): StateStore => {
  let memory: State = {}
  const get = (): State => {
    const text = attempt(() => storage?.getItem(key))
    return text === undefined || text === null ? memory : (attempt(() => stateOf(JSON.parse(text))) ?? {})
  }
  return {
    get,
    set: (changed) => {
      memory = { ...get(), ...changed }
      attempt(() => storage?.setItem(key, JSON.stringify(memory)))
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
