import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** Keys to which recovery shares are encrypted. They never change; only a recovery puts others in their place. */
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
    /**
     * The same key of the same user again is the same record. One that comes by a recovery is there for nobody else
     * until the recovery ends.
     */
    readonly add: (key: RecoveryPublicKeyRow, recoverySessionId?: string) => Effect.Effect<void>
    /** Oldest first. */
    readonly ofUser: (userId: string) => Effect.Effect<readonly RecoveryPublicKeyRow[]>
    readonly ofRecovery: (userId: string, recoverySessionId: string) => Effect.Effect<readonly RecoveryPublicKeyRow[]>
    /** The recovery's keys are the user's from now on, and no others are. */
    readonly replace: (userId: string, recoverySessionId: string) => Effect.Effect<void>
    /** The recovery was given up. */
    readonly removeOfRecovery: (userId: string, recoverySessionId: string) => Effect.Effect<void>
  }
>()('tandem/service/RecoveryPublicKeys') {}
