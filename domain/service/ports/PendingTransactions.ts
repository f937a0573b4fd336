import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { PendingTransaction } from '../PendingTransaction.ts'

export class PendingTransactions extends Context.Service<
  PendingTransactions,
  {
    readonly create: (pending: PendingTransaction) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Option.Option<PendingTransaction>>
    /** Those of the wallet that are PENDING or ACCEPTED and not over at that time, the newest first. */
    readonly live: (walletId: string, now: number) => Effect.Effect<readonly PendingTransaction[]>
    /**
     * Replaces the record if its row is still that of `known`, and answers whether it was: of two decisions at the same
     * time one counts.
     */
    readonly replace: (known: PendingTransaction, by: PendingTransaction) => Effect.Effect<boolean>
    /**
     * Those that were over before that time without a decision, or without a signature that used their acceptance. Each
     * is answered once.
     */
    readonly takeExpired: (before: number) => Effect.Effect<readonly PendingTransaction[]>
    /** Deletes those that were over before that time. */
    readonly sweep: (before: number) => Effect.Effect<void>
  }
>()('tandem/service/PendingTransactions') {}
