import { uncaught } from './uncaught.ts'

/** A value with subscribers, as React's useSyncExternalStore reads it. */
export type Readable<A> = {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => A
}

export type Store<A> = Readable<A> & { readonly set: (value: A) => void }

export const makeStore = <A>(initial: A): Store<A> => {
  const listeners = new Set<() => void>()
  let current = initial
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get: () => current,
    set: (value) => {
      if (Object.is(current, value)) return
      current = value
      for (const listener of listeners) uncaught(listener)
    },
  }
}
