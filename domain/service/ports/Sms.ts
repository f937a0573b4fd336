import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { NotSent } from './Mail.ts'

export type ShortMessage = {
  /** E.164: `+` and digits. */
  readonly to: string
  readonly text: string
  /** The code that the text holds, for the development mailbox. */
  readonly code?: string | undefined
}

/** Hands one SMS to a provider, once, for the worker of the outbox (domain/service/userMessages.ts). */
export class Sms extends Context.Service<
  Sms,
  { readonly send: (message: ShortMessage) => Effect.Effect<void, NotSent> }
>()('tandem/service/Sms') {}
