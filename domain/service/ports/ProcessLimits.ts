import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { Limit, TooManyAttempts } from './RateLimits.ts'

/**
 * Counted in this process alone, for what comes often and guards no secret: the count costs no statement and is lost
 * with the process.
 */
export class ProcessLimits extends Context.Service<
  ProcessLimits,
  {
    /** Takes one, or fails with the time until there is one. */
    readonly take: (bucket: string, key: string, limit: Limit) => Effect.Effect<void, TooManyAttempts>
  }
>()('tandem/service/ProcessLimits') {}
