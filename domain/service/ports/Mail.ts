import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

export type Message = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The code that the text holds, for the development mailbox. */
  readonly code?: string | undefined
}

/**
 * Hands a message over for delivery. It answers at once and never fails, so that a caller cannot learn whether an
 * address takes mail; a user without a code asks for another. A message that cannot be delivered, or is overtaken by a
 * stop of the service, is lost. Nothing is announced before it is stored.
 */
export class Mail extends Context.Service<Mail, { readonly send: (message: Message) => Effect.Effect<void> }>()(
  'tandem/service/Mail',
) {}
