/** Events to the host app: its own listeners, and custom events on the window where there is one (contract-facts 2.4). */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Events } from '../../domain/client/ports/Events.ts'
import type { Detail, Name } from '../../domain/model/Events.ts'

export type Listener = (detail: Detail<unknown>) => void

/** The listeners of one SDK instance. */
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

export const EventsOf = (listeners: Listeners) =>
  Layer.succeed(Events, {
    emit: (name, detail) =>
      Effect.catchCause(
        Effect.sync(() => listeners.emit(name, detail)),
        (cause) => Effect.logWarning('an event listener threw', cause),
      ),
  })
