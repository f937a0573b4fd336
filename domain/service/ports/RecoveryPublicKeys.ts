import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Keys to which recovery shares are encrypted. They never change and never go away. */
export type RecoveryPublicKeyRow = {
  readonly id: string
  readonly userId: string
  /** hex(64) */
  readonly publicKey: string
  /** hex(64): the root key's signature (flows 3). */
  readonly signature: string | null
  readonly createdAt: number
}

export class RecoveryPublicKeys extends Context.Service<
  RecoveryPublicKeys,
  {
    /** The same key of the same user again is the same record. */
    readonly add: (key: RecoveryPublicKeyRow) => Effect.Effect<void>
    /** Oldest first. */
    readonly ofUser: (userId: string) => Effect.Effect<readonly RecoveryPublicKeyRow[]>
  }
>()('tandem/service/RecoveryPublicKeys') {}
