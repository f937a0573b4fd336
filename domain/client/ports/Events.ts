import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Detail, Name } from '../../model/Events.ts'

/** Events for the host app, under the names of the model (domain/client/README.md#events). */
export class Events extends Context.Service<
  Events,
  {
    readonly emit: <Of extends Name>(name: Of, detail: Detail<Of>) => Effect.Effect<void>
  }
>()('tandem/client/Events') {}
