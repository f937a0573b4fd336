import type { Detail, Name } from '../../domain/model/Events.ts'

export type Listener = (detail: Detail<unknown>) => void

/** The listeners of one SDK instance; in a page, custom events on the window as well (contract-facts 2.4). */
export class Listeners {
  readonly #listeners = new Map<Name, Set<Listener>>()

  /** Adds a listener; the answer takes it away again. */
  on(name: Name, listener: Listener): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  emit(name: Name, detail: Detail<unknown>): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(detail)
    if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent(name, { detail }))
  }
}
