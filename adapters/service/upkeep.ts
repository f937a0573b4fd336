/**
 * Scheduled work of every process. It deletes expired sessions, shares and runs, OT records of devices whose session is over, what
 * no limit of a policy counts any more, old audit records, users that were never verified and old messages to partners' servers and
 * to people, and rotates the keys that sign JWTs. Co-signers also destroy old run keys and claims, and repeat what follows the end of a
 * recovery.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Schedule from 'effect/Schedule'
import * as temporaryShares from '../../domain/service/temporaryShares.ts'
import { Audit } from '../../domain/service/ports/Audit.ts'
import { DatabaseGeneration } from '../../domain/service/ports/DatabaseGeneration.ts'
import { OtRecords } from '../../domain/service/ports/OtRecords.ts'
import { RateLimits } from '../../domain/service/ports/RateLimits.ts'
import { Replays } from '../../domain/service/ports/Replays.ts'
import { Spends } from '../../domain/service/ports/Spends.ts'
import { Users } from '../../domain/service/ports/Users.ts'
import { longestWindow } from '../../domain/service/policy/Policy.ts'
import * as ending from '../../domain/service/protocol/ending.ts'
import { sweepClaims } from '../../domain/service/protocol/forgottenRounds.ts'
import { destroyOldShareKeys } from '../../domain/service/protocol/refresh.ts'
import * as finishedRecoveries from '../../domain/service/finishedRecoveries.ts'
import * as recoveries from '../../domain/service/recoveries.ts'
import { recoveryLimits } from '../../domain/service/Recovery.ts'
import * as reviews from '../../domain/service/reviews.ts'
import { sessionLimits } from '../../domain/service/Session.ts'
import * as sessions from '../../domain/service/sessions.ts'
import * as signingKeys from '../../domain/service/signingKeys.ts'
import * as transmissions from '../../domain/service/transmissions.ts'
import * as userMessages from '../../domain/service/userMessages.ts'
import * as webhooks from '../../domain/service/webhooks.ts'
import { longestRefillMs } from './rateSettings.ts'
import type { RunKeys } from './vault/RunKeys.ts'

const every = '1 minute'

/** For how many milliseconds something is kept; undefined: forever. */
export type Retention = { readonly audits: number | undefined; readonly unverifiedUsers: number | undefined }

/** One statement deletes a batch, so that it locks rows only for a moment; one round of upkeep so many batches. */
const batch = 500
const batches = 100

/** Milliseconds. A session lives for half of it, and its row somewhat longer. */
const otRecordsKept = 2 * sessionLimits.absolute
/** Milliseconds. Another process whose clock is behind by less than a day still finds all that its limits count. */
const spendsKept = longestWindow + 24 * 60 * 60_000

/** A failure is logged and keeps no other step from its work; the next round tries again. */
const step = <R>(what: string, work: Effect.Effect<unknown, never, R>) =>
  Effect.catchCause(Effect.asVoid(work), (cause) => Effect.logWarning(`upkeep of ${what} failed`, cause))

const scheduled = <R>(round: Effect.Effect<void, never, R>) =>
  Layer.effectDiscard(Effect.forkScoped(Effect.repeat(round, Schedule.spaced(every))))

export const upkeep = (runKeys: RunKeys | undefined, retention: Retention) => {
  let isRepaired = false
  let endedUntil = 0
  return scheduled(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (runKeys !== undefined) {
        const generation = Effect.flatMap(DatabaseGeneration, ({ current }) => current)
        const destroyed = Effect.map(generation, (current) => runKeys.destroyOld(current, now))
        // In this order: a clock that is ahead for a moment must not delete the claims of a seed that opens afterwards.
        yield* step('run keys and claims', Effect.andThen(destroyed, sweepClaims(now)))
      }
      yield* step('sessions', sessions.sweep())
      yield* step('temporary shares', temporaryShares.sweep())
      yield* step('transmissions', transmissions.sweep())
      yield* step('runs', ending.sweep())
      yield* step('reviews', reviews.sweep())
      yield* step(
        'rate limits',
        Effect.flatMap(RateLimits, ({ sweep }) => sweep(now - longestRefillMs)),
      )
      yield* step(
        'repeated answers',
        Effect.flatMap(Replays, ({ sweep }) => sweep(now)),
      )
      yield* step('OT records', inBatches(Effect.flatMap(OtRecords, ({ sweep }) => sweep(now - otRecordsKept, batch))))
      yield* step('spends', inBatches(Effect.flatMap(Spends, ({ sweep }) => sweep(now - spendsKept, batch))))
      if (runKeys !== undefined) {
        // What finishes later is over later, too. The first round takes all that are kept.
        const ended = Effect.sync(() => {
          endedUntil = now - recoveryLimits.life
        })
        yield* step('finished recoveries', Effect.andThen(finishedRecoveries.sweep(endedUntil), ended))
      }
      // After what follows their end, which needs their rows.
      yield* step('recoveries', recoveries.sweep())
      // Once per start of a co-signer: finishes what an earlier process left undone.
      if (runKeys !== undefined && !isRepaired) {
        const repaired = Effect.sync(() => {
          isRepaired = true
        })
        yield* step('share keys', Effect.andThen(destroyOldShareKeys(), repaired))
      }
      const { audits, unverifiedUsers } = retention
      if (audits !== undefined)
        yield* step('audit records', inBatches(Effect.flatMap(Audit, ({ sweep }) => sweep(now - audits, batch))))
      if (unverifiedUsers !== undefined)
        yield* step(
          'unverified users',
          inBatches(Effect.flatMap(Users, ({ sweepUnverified }) => sweepUnverified(now - unverifiedUsers, batch))),
        )
    }),
  )
}

/** The keys that sign JWTs, which all processes share. */
export const keyRotation = scheduled(step('keys that sign JWTs', signingKeys.rotate()))

const inBatches = <R>(sweep: Effect.Effect<number, never, R>) =>
  Effect.repeat(sweep, { while: (deleted) => deleted >= batch, times: batches - 1 })

/** Messages that cannot be sent any more: to partners' servers, and to people. */
export const messageRetention = scheduled(
  Effect.andThen(
    step('webhooks', inBatches(webhooks.sweep(batch))),
    step('messages to people', inBatches(userMessages.sweep(batch))),
  ),
)
