/** Events to the host app, through its listeners. One that throws stops nothing. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Events } from '../../domain/client/ports/Events.ts'
import type { Listeners } from './Listeners.ts'

export const emitTo =
  (listeners: Listeners): Events['Service']['emit'] =>
  (name, detail) =>
    Effect.catchCause(
      Effect.sync(() => listeners.emit(name, detail)),
      (cause) => Effect.logWarning('an event listener threw', cause),
    )

export const EventsOf = (listeners: Listeners) => Layer.succeed(Events, { emit: emitTo(listeners) })
