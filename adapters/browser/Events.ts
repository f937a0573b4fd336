/** Events to the host app, through its listeners. One that throws stops nothing. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Events } from '../../domain/client/ports/Events.ts'
import type { Listeners } from './Listeners.ts'
import { withCode } from './SdkError.ts'

export const emitTo =
  (listeners: Listeners): Events['Service']['emit'] =>
  (name, { data, error }) =>
    Effect.flatMap(
      Effect.sync(() => listeners.emit(name, error === undefined ? { data } : { data, error: withCode(error) })),
      (errors) =>
        Effect.forEach(errors, (error) => Effect.logWarning('an event listener threw', error), { discard: true }),
    )

export const EventsOf = (listeners: Listeners) => Layer.succeed(Events, { emit: emitTo(listeners) })
