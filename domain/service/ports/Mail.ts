import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

export type Message = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The code that the text holds, for the development mailbox. */
  readonly code?: string | undefined
}

/**
 * Hands one message to a mail server, once. Flows do not call it: they write to the outbox (domain/service/userMessages.ts),
 * whose worker does.
 */
export class Mail extends Context.Service<
  Mail,
  { readonly send: (message: Message) => Effect.Effect<void, NotSent> }
>()('tandem/service/Mail') {}

/** What a provider did not take. */
export class NotSent extends Data.TaggedError('NotSent')<{
  /** Without the address, the text, and words of the provider, which may quote them. */
  readonly reason: string
  /** The provider refuses this message, and would refuse it again. */
  readonly isFinal: boolean
}> {
  override readonly message = this.reason
}
