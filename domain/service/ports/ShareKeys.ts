import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** One way in which a wallet's key is, or was, split. */
export type Sharing = {
  readonly walletId: string
  readonly epoch: number
  /** hex(32) */
  readonly shareId: string
}

/**
 * Keys outside the database, one for each sharing (domain/service/protocol/README.md#share-keys). Neither the provider
 * share nor the OT records of the sharing open without it. One is made when something is sealed; destroying it makes
 * every dump of what it sealed useless.
 */
export class ShareKeys extends Context.Service<
  ShareKeys,
  {
    /** The epoch of the wallet's sharing with this id, if its key exists. */
    readonly epochOf: (walletId: string, shareId: string) => Effect.Effect<number | undefined>
    /**
     * The sharing is acknowledged: destroys all others of its epoch and of earlier ones. Repeating it changes nothing.
     */
    readonly destroyOthers: (acknowledged: Sharing) => Effect.Effect<void>
    /**
     * Destroys those of earlier epochs, but only if one of this epoch or a later one exists: a store that lost keys
     * loses no more of them.
     */
    readonly destroyBefore: (walletId: string, epoch: number) => Effect.Effect<void>
    /** The wallet is given up. */
    readonly destroyAll: (walletId: string) => Effect.Effect<void>
    /** The wallets that have keys, in one of `parts` parts, the first being 0. */
    readonly walletsIn: (part: number) => Effect.Effect<readonly string[]>
  }
>()('tandem/service/ShareKeys') {}

export const parts = 256
