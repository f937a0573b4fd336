import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Queue from 'effect/Queue'
import type * as Scope from 'effect/Scope'

/** A message to the page: `fromOpener` holds only for the opener that was captured when the page was loaded. */
export type OpenerMessage = { readonly fromOpener: boolean; readonly origin: string; readonly data: unknown }

/** The window that opened this page, seen from the portal. */
export class Opener extends Context.Service<
  Opener,
  {
    readonly present: Effect.Effect<boolean>
    readonly post: (message: unknown, targetOrigin: string) => Effect.Effect<void>
    readonly messages: Effect.Effect<Queue.Dequeue<OpenerMessage>, never, Scope.Scope>
  }
>()('tandem/client/Opener') {}
