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

  /** One that throws stops no other: the errors come in the answer. */
  emit(name: Name, detail: Detail<unknown>): readonly unknown[] {
    const errors: unknown[] = []
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        listener(detail)
      } catch (error) {
        errors.push(error)
      }
    }
    if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent(name, { detail }))
    return errors
  }
}
