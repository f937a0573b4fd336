import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Queue from 'effect/Queue'
import type * as Scope from 'effect/Scope'

/** The other documents of this origin in this browser. A document does not receive its own messages. */
export class Tabs extends Context.Service<
  Tabs,
  {
    readonly post: (channel: string, message: unknown) => Effect.Effect<void>
    readonly messages: (channel: string) => Effect.Effect<Queue.Dequeue<unknown>, never, Scope.Scope>
  }
>()('tandem/client/Tabs') {}
