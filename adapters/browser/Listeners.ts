import type { EventData, Name } from '../../domain/model/Events.ts'
import type { SdkError } from './SdkError.ts'

/** An event's data. `error` is there when the call that the event reports failed. */
export type EventDetail<Of extends Name> = { readonly data: EventData[Of]; readonly error?: SdkError }

type Listener<Of extends Name> = (detail: EventDetail<Of>) => void

/** The listeners of one SDK instance. In a page events are dispatched on the window too, as in the public client. */
export class Listeners {
  readonly #listeners = new Map<Name, Set<Listener<never>>>()

  /** Adds a listener; the answer takes it away again. */
  on<Of extends Name>(name: Of, listener: Listener<Of>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /** One that throws stops no other: the errors come in the answer. */
  emit<Of extends Name>(name: Of, detail: EventDetail<Of>): readonly unknown[] {
    const errors: unknown[] = []
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        ;(listener as Listener<Of>)(detail)
      } catch (error) {
        errors.push(error)
      }
    }
    if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent(name, { detail }))
    return errors
  }
}
