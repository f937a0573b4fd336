import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Keys to which recovery shares are encrypted. They never change; only a recovery replaces them. */
export type RecoveryPublicKeyRow = {
  readonly id: string
  readonly userId: string
  /** hex(64) */
  readonly publicKey: string
  /** hex(64): the root key's signature; null if the client gave none. */
  readonly signature: string | null
  readonly createdAt: number
}

export class RecoveryPublicKeys extends Context.Service<
  RecoveryPublicKeys,
  {
    /**
     * The same key of the same user again is the same record. One of a recovery is not the user's until the recovery is
     * finished.
     */
    readonly add: (key: RecoveryPublicKeyRow, recoverySessionId?: string) => Effect.Effect<void>
    /** Oldest first. */
    readonly ofUser: (userId: string) => Effect.Effect<readonly RecoveryPublicKeyRow[]>
    readonly ofRecovery: (userId: string, recoverySessionId: string) => Effect.Effect<readonly RecoveryPublicKeyRow[]>
    /** The recovery's keys become the user's only ones. */
    readonly replace: (userId: string, recoverySessionId: string) => Effect.Effect<void>
    /** Deletes those of a recovery that ended without success. */
    readonly removeOfRecovery: (userId: string, recoverySessionId: string) => Effect.Effect<void>
  }
>()('tandem/service/RecoveryPublicKeys') {}
