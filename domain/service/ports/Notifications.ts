import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'

/**
 * That something stored has changed, told to every process of the service. It does not say what: who is told looks. A
 * topic has ids and never a secret, because the database shows it to all that are connected.
 */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Within a transaction, told when it commits and not at all when it is rolled back. */
    readonly publish: (topic: string) => Effect.Effect<void>
    /**
     * From now on and until the scope ends. What it gives waits until the topic may have changed since it last
     * returned; while other processes cannot be heard, it also returns every few seconds.
     */
    readonly subscribe: (topic: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()('tandem/service/Notifications') {}

export const topicOf = {
  session: (id: string) => `session/${id}`,
  portalSession: (id: string) => `portal-session/${id}`,
  /** The user's wallets, and the shares that wait for a device of theirs. */
  user: (id: string) => `user/${id}`,
  /** Attempts at a refresh of the wallet. */
  wallet: (id: string) => `wallet/${id}`,
  /** The call that says what a run signs. */
  intent: (walletId: string, protocolId: string) => `intent/${walletId}/${protocolId}`,
  /** A decision about it, and its use. */
  pendingTransaction: (id: string) => `pending-transaction/${id}`,
  /** An answer under an idempotency key; `hash` of its whole id. */
  replay: (hash: string) => `replay/${hash}`,
} as const

/** Any partner's settings, origins or keys. */
export const partnersTopic = 'partners'
