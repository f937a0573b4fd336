import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What ends elsewhere with a session: its runs are ended, its temporary shares deleted. */
export class SessionWork extends Context.Service<
  SessionWork,
  { readonly end: (sessionId: string) => Effect.Effect<void> }
>()('tandem/service/SessionWork') {}
