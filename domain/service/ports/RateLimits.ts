import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'

/** A token bucket: `burst` at once, then one more each `perMs` (domain/service/README.md#rate-limits). */
export type Limit = {
  readonly burst: number
  readonly perMs: number
}

/** Counted in the database, so that all processes of the service share the count. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Takes one, or fails with the time until there is one. Never inside a transaction: a rollback would give it back. `count` 0
     * takes none, by the same statement: what is not counted then takes as long and is refused alike.
     */
    readonly take: (bucket: string, key: string, limit: Limit, count?: 0 | 1) => Effect.Effect<void, TooManyAttempts>
    /** Fills the bucket again, after a success. */
    readonly clear: (bucket: string, key: string) => Effect.Effect<void>
    /** Deletes the buckets that were not used since then. */
    readonly sweep: (before: number) => Effect.Effect<void>
  }
>()('tandem/service/RateLimits') {}

export class TooManyAttempts extends Data.TaggedError('TooManyAttempts')<{ readonly retryAfterMs: number }> {
  override readonly message = 'too many attempts'
}
