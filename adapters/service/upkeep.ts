/**
 * Scheduled work of every process. It deletes expired sessions, shares and runs, old audit records, users that were never
 * verified and old messages to partners' servers and to people, and rotates the keys that sign JWTs. Co-signers also
 * destroy old run keys.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import * as temporaryShares from '../../domain/service/temporaryShares.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { DatabaseGeneration } from '../../domain/service/ports/DatabaseGeneration.ts'
import { RateLimits } from '../../domain/service/ports/RateLimits.ts'
import { Replays } from '../../domain/service/ports/Replays.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import * as ending from '../../domain/service/protocol/ending.ts'
import { destroyOldShareKeys } from '../../domain/service/protocol/refresh.ts'
import * as recoveries from '../../domain/service/recoveries.ts'
import * as reviews from '../../domain/service/reviews.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as signingKeys from '../../domain/service/signingKeys.ts'
import * as transmissions from '../../domain/service/transmissions.ts'
import * as userMessages from '../../domain/service/userMessages.ts'
import * as webhooks from '../../domain/service/webhooks.ts'
import { longestRefillMs } from './rateSettings.ts'
import { dayOf, type RunKeys } from './vault/RunKeys.ts'

const every = '1 minute'

/** For how many milliseconds something is kept; undefined: forever. */
export type Retention = { readonly audits: number | undefined; readonly unverifiedUsers: number | undefined }

/** One statement deletes a batch, so that it locks rows only for a moment; one round of upkeep so many batches. */
const batch = 500
const batches = 100

/** A failure is logged, and the next round tries again. */
const scheduled = <R>(once: Effect.Effect<void, never, R>) => {
  const forever = Effect.repeat(
    Effect.catchCause(once, (cause) => Effect.logWarning('upkeep failed', cause)),
    Schedule.spaced(every),
  )
  return Layer.effectDiscard(Effect.forkScoped(forever))
}

export const upkeep = (runKeys: RunKeys | undefined, retention: Retention) => {
  let isRepaired = false
  const once = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (runKeys !== undefined) runKeys.destroyOld(yield* (yield* DatabaseGeneration).current, dayOf(now))
    yield* sessions.sweep()
    yield* temporaryShares.sweep()
    yield* recoveries.sweep()
    yield* transmissions.sweep()
    yield* ending.sweep()
    yield* reviews.sweep()
    yield* (yield* RateLimits).sweep(now - longestRefillMs)
    yield* (yield* Replays).sweep(now)
    // Once per start of a co-signer: finishes what an earlier process left undone.
    if (runKeys !== undefined && !isRepaired) yield* destroyOldShareKeys()
    isRepaired = true
    const { audits, unverifiedUsers } = retention
    if (audits !== undefined) yield* inBatches((yield* Audit).sweep(now - audits, batch))
    if (unverifiedUsers !== undefined) yield* inBatches((yield* Users).sweepUnverified(now - unverifiedUsers, batch))
  })
  return scheduled(once)
}

/** The keys that sign JWTs, which all processes share. */
export const keyRotation = scheduled(signingKeys.rotate())

const inBatches = <R>(sweep: Effect.Effect<number, never, R>) =>
  Effect.repeat(sweep, { while: (deleted) => deleted === batch, times: batches - 1 })

/** Messages that cannot be sent any more: to partners' servers, and to people. */
export const messageRetention = scheduled(
  Effect.andThen(inBatches(webhooks.sweep(batch)), inBatches(userMessages.sweep(batch))),
)
