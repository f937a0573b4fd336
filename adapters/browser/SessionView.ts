/**
 * The session as a view shows it: one stable value until something changes, and a notification when it has changed.
 * Reading it makes no request; the first subscriber starts the look-up.
 */
import { loading, type SessionSnapshot } from '../../domain/model/SessionSnapshot.ts'
import { makeStore } from './store.ts'

/** As React reads it; its functions may be handed on as they are. */
export type SessionSource = {
  readonly subscribe: (listener: () => void) => () => void
  readonly get: () => SessionSnapshot
  readonly getServer: () => SessionSnapshot
}

export class SessionView implements SessionSource {
  readonly #store = makeStore(loading)
  readonly #begin: () => void

  constructor(begin: () => void) {
    this.#begin = begin
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const stop = this.#store.subscribe(listener)
    this.#begin()
    return stop
  }

  readonly get = (): SessionSnapshot => this.#store.get()

  /** What a server renders, and a page at first. */
  readonly getServer = (): SessionSnapshot => loading

  /** An equal value does not notify. Who runs the service outlasts the session that has learnt it. */
  show(snapshot: SessionSnapshot): void {
    const current = this.#store.get()
    const { operator = current.operator } = snapshot
    const next = operator === undefined ? snapshot : { ...snapshot, operator }
    if (same(current, next)) return
    this.#store.set(same(current.wallets, next.wallets) ? { ...next, wallets: current.wallets } : next)
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
