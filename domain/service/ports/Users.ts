import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Identity } from '../../model/Identity.ts'
import type { UserRecord } from '../User.ts'

export class Users extends Context.Service<
  Users,
  {
    readonly find: (id: string) => Effect.Effect<Option.Option<UserRecord>>
    /** Reads it, and keeps other transactions from changing it until this one ends. Sessions are locked before. */
    readonly lock: (id: string) => Effect.Effect<Option.Option<UserRecord>>
    readonly findByIdentity: (identity: Identity) => Effect.Effect<Option.Option<UserRecord>>
    /**
     * The user of this identity, made with the given id if there is none. Of two calls at once one makes it, and both
     * get it. One that was never verified counts as unverified since now.
     */
    readonly findOrCreate: (user: {
      readonly id: string
      readonly identity: Identity
      readonly now: number
    }) => Effect.Effect<UserRecord>
    /** Its identity was proven: it is kept from now on. */
    readonly setVerified: (id: string) => Effect.Effect<void>
    /**
     * Deletes at most `limit` users that have been unverified for longer, and says how many there were. One with a
     * credential, a wallet or a session that is not closed stays.
     */
    readonly sweepUnverified: (before: number, limit: number) => Effect.Effect<number>
    /** Compare-and-set from no credential: the first to complete one sets the root key, later ones are refused. */
    readonly setFirstCredential: (id: string, rootPublicKey: string) => Effect.Effect<boolean>
    /** Null: the freeze is over. */
    readonly setFrozenAt: (id: string, at: number | null) => Effect.Effect<void>
    /**
     * Deletes the user with its wallets and every row about them, but for audit records, what limits of policies count, and messages
     * to partners' servers, which have ids alone, and the buckets of limits, which end by themselves. The identity is free for
     * another user then.
     */
    readonly erase: (id: string) => Effect.Effect<void>
    /** The end of a recovery: another root key replaces the lost one. */
    readonly setRecovered: (id: string, rootPublicKey: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/Users') {}
