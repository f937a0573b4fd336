/** Token buckets in memory. Of too many, those that were used least recently are forgotten, and then full again. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { ProcessLimits } from '../../../domain/service/ports/ProcessLimits.ts'
import { TooManyAttempts } from '../../../domain/service/ports/RateLimits.ts'

/** `capacity`: about 200 bytes each. */
export const ProcessLimitsMemory = (capacity = 100_000) =>
  Layer.sync(ProcessLimits, () => {
    /** In the order of their last use. */
    const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
    return ProcessLimits.of({
      take: Effect.fnUntraced(function* (bucket, key, { burst, perMs }) {
        const now = yield* Clock.currentTimeMillis
        const name = `${bucket} ${key}`
        const { tokens, at } = buckets.get(name) ?? { tokens: burst, at: now }
        const refilled = Math.min(burst, tokens + Math.max(0, now - at) / perMs)
        const isTaken = refilled >= 1
        buckets.delete(name)
        buckets.set(name, { tokens: isTaken ? refilled - 1 : refilled, at: now })
        const [oldest] = buckets.keys()
        if (buckets.size > capacity && oldest !== undefined) buckets.delete(oldest)
        if (!isTaken)
          return yield* new TooManyAttempts({ retryAfterMs: Math.max(1, Math.ceil((1 - refilled) * perMs)) })
      }),
    })
  })
