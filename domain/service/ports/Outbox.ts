import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Delivery, EventType } from '../Webhook.ts'

export type Message = {
  readonly id: string
  readonly type: EventType
  readonly body: string
  readonly now: number
  /** hex(32) */
  readonly mac: string
}

/** What becomes of a leased delivery. */
export type Settlement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly at: number; readonly error: string }
  | { readonly kind: 'failed'; readonly error: string }

/**
 * Messages to the servers of partners. They are written in the transaction of what they tell, and workers of all
 * processes deliver them.
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** To every endpoint of the partner that is not disabled. */
    readonly add: (partnerId: string, message: Message) => Effect.Effect<void>
    readonly addTo: (endpointId: string, message: Message) => Effect.Effect<void>
    /** Takes deliveries that are due; they are due again at `until`, unless they are settled. */
    readonly lease: (of: {
      readonly now: number
      readonly until: number
      readonly limit: number
      readonly limitOfEndpoint: number
    }) => Effect.Effect<readonly Delivery[]>
    /** Without effect where another worker has leased it since. */
    readonly settle: (delivery: Delivery, settlement: Settlement) => Effect.Effect<void>
    /** All that wait for the endpoint have failed. */
    readonly failAll: (endpointId: string, error: string) => Effect.Effect<void>
    /** One message that is not older than `since`, or all failed ones. Says how many there are. */
    readonly resend: (of: {
      readonly endpointId: string
      readonly messageId: string | undefined
      readonly since: number
      readonly now: number
    }) => Effect.Effect<number>
    /** How many of an endpoint wait and have failed. */
    readonly countOf: (endpointId: string) => Effect.Effect<{ readonly waiting: number; readonly failed: number }>
    /** Waits until this process has added one. */
    readonly added: Effect.Effect<void>
    /** Deletes at most `limit` that are older, and says how many there were. */
    readonly sweep: (before: number, limit: number) => Effect.Effect<number>
  }
>()('tandem/service/Outbox') {}
