import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** The policy that was applied last, as the database has it. Whether it is the current one, its mark says. */
export type StoredPolicy = {
  readonly partnerId: string
  /** From 1 on. */
  readonly version: number
  readonly sealed: Uint8Array
  /** The same under the service's ring, for processes that do not judge by it. Null if an earlier version applied it. */
  readonly copy: Uint8Array | null
  readonly appliedAt: number
  /** The one that it replaced, for a rollback. */
  readonly before: Pick<StoredPolicy, 'version' | 'sealed'> | null
}

export class Policies extends Context.Service<
  Policies,
  {
    /** Without the one before, which no signature needs. */
    readonly find: (partnerId: string) => Effect.Effect<Option.Option<Omit<StoredPolicy, 'before'>>>
    /** Locks the row for the surrounding transaction, so that the partner's signatures are counted one by one. */
    readonly lock: (partnerId: string) => Effect.Effect<Option.Option<StoredPolicy>>
    /** In the place of the one before. */
    readonly put: (policy: StoredPolicy) => Effect.Effect<void>
  }
>()('tandem/service/Policies') {}
