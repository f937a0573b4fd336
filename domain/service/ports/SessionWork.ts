import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What dies with a session elsewhere: its runs are aborted, its temporary shares deleted (flows 12). */
export class SessionWork extends Context.Service<
  SessionWork,
  { readonly end: (sessionId: string) => Effect.Effect<void> }
>()('tandem/service/SessionWork') {}
