import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Channel, LeasedMessage } from '../UserMessage.ts'

export type WaitingMessage = {
  readonly id: string
  readonly channel: Channel
  /** Of a code: the session whose only waiting code this is. */
  readonly codeOf: string | undefined
  readonly sealed: Uint8Array
  readonly now: number
  readonly expiresAt: number
}

/**
 * The outbox of mails and SMS. They are written in the transaction of what they tell, and workers of all processes with
 * the role of the API deliver them. A row is deleted once it is delivered, refused or too old.
 */
export class UserMessages extends Context.Service<
  UserMessages,
  {
    /** `instead`: the session whose waiting code it deletes. */
    readonly add: (message: WaitingMessage, instead: string | undefined) => Effect.Effect<void>
    /** Takes messages that are due; they are due again at `until`, unless they are removed or postponed. */
    readonly lease: (of: {
      readonly channel: Channel
      readonly now: number
      readonly until: number
      readonly limit: number
    }) => Effect.Effect<readonly LeasedMessage[]>
    /** Without effect where another worker has leased it since; so is `postpone`. */
    readonly remove: (message: LeasedMessage) => Effect.Effect<void>
    readonly postpone: (message: LeasedMessage, until: number) => Effect.Effect<void>
    /** Waits until this process has added one. */
    readonly added: (channel: Channel) => Effect.Effect<void>
    /** Deletes at most `limit` that are too old at `now`, and says how many there were. */
    readonly sweep: (now: number, limit: number) => Effect.Effect<number>
  }
>()('tandem/service/UserMessages') {}
