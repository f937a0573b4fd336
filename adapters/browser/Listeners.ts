import type { Detail, Name } from '../../domain/model/Events.ts'

export type Listener = (detail: Detail<unknown>) => void

/** The listeners of one SDK instance. In a page events are dispatched on the window too, as in the public client. */
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
