/** What is done on a schedule: sessions, shares and runs whose time is over, old run keys. Each copy may do it; run keys are the co-signers' own. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import * as keyShares from '../../domain/service/keyShares.ts'
import { Incarnation } from '../../domain/service/ports/Incarnation.ts'
import { RateLimits } from '../../domain/service/ports/RateLimits.ts'
import { Replays } from '../../domain/service/ports/Replays.ts'
import * as protocol from '../../domain/service/protocol.ts'
import { destroyOldShareKeys } from '../../domain/service/protocol/refresh.ts'
import * as recoveries from '../../domain/service/recoveries.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as transmissions from '../../domain/service/transmissions.ts'
import { dayOf, type RunKeys } from './vault/RunKeys.ts'

const every = '1 minute'

/** Longer than any limit takes to fill up again. */
const bucketLifeMs = 24 * 60 * 60_000

export const upkeep = (runKeys: RunKeys | undefined) => {
  let isRepaired = false
  const once = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (runKeys !== undefined) runKeys.destroyOld(yield* (yield* Incarnation).current, dayOf(now))
    yield* sessions.sweep()
    yield* keyShares.sweep()
    yield* recoveries.sweep()
    yield* transmissions.sweep()
    yield* protocol.sweep()
    yield* (yield* RateLimits).sweep(now - bucketLifeMs)
    yield* (yield* Replays).sweep(now)
    // What a process that died left undone is done at the next start of a co-signer.
    if (runKeys !== undefined && !isRepaired) yield* destroyOldShareKeys()
    isRepaired = true
  })
  // What fails now is tried again the next time.
  const forever = Effect.repeat(
    Effect.catchCause(once, (cause) => Effect.logWarning('upkeep failed', cause)),
    Schedule.spaced(every),
  )
  return Layer.effectDiscard(Effect.forkScoped(forever))
}
