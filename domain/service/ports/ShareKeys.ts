import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** One of the ways in which a wallet's key is, or was, split. */
export type Sharing = {
  readonly walletId: string
  readonly epoch: number
  /** hex(32) */
  readonly shareId: string
}

/**
 * Keys outside the database, one for each sharing, without which neither its provider share nor its OT records open. They
 * are made where something is sealed; destroyed, they take every dump of what they sealed with them.
 */
export class ShareKeys extends Context.Service<
  ShareKeys,
  {
    /** The sharing is acknowledged: destroys all others of its epoch and of earlier ones. Again: nothing changes. */
    readonly destroyOthers: (acknowledged: Sharing) => Effect.Effect<void>
    /**
     * Destroys those of earlier epochs, but only where one of this epoch or a later one stands: a store that lost keys
     * loses no more of them.
     */
    readonly destroyBefore: (walletId: string, epoch: number) => Effect.Effect<void>
    /** Wallets that have keys: those of one of `parts` parts, the first being 0. */
    readonly walletsIn: (part: number) => Effect.Effect<readonly string[]>
  }
>()('tandem/service/ShareKeys') {}

export const parts = 256
