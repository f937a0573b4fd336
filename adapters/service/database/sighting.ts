/**
 * A co-signer that has just started ends the runs of others that reach it before they have seen it, as those of dead processes
 * (domain/service/protocol/README.md). So requests come to it once each other one has.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { Database } from './Database.ts'

/**
 * One that is alive has a younger heartbeat, and sees this process with the next: several heartbeats, and the difference between the
 * clocks of two machines. One that stops in order makes its last heartbeat as old as this.
 */
export const aliveMs = 10_000

/** Two heartbeats of the others. One that was killed looks alive for longer, and so does one by a clock that is ahead. */
const atMostMs = 4_000

/** Ends when those that are alive have seen this process. */
export const seenByOthers = Effect.gen(function* () {
  const { query } = yield* Database
  const { boot } = generationParts(yield* (yield* DatabaseGeneration).current)
  const begunAt = yield* Clock.currentTimeMillis
  const isAwaited = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - begunAt >= atMostMs) return false
    const unaware = yield* query((db) =>
      db
        .selectFrom('boots')
        .leftJoin('boot_sightings', (join) =>
          join.onRef('boot_sightings.seer', '=', 'boots.boot').on('boot_sightings.seen', '=', boot),
        )
        .select('boots.boot')
        .where('boots.boot', '!=', boot)
        .where('boots.beat_at', '>', now - aliveMs)
        .where('boot_sightings.seer', 'is', null)
        .executeTakeFirst(),
    )
    return unaware !== undefined
  })
  yield* Effect.repeat(isAwaited, { while: (awaited) => awaited, schedule: Schedule.spaced('50 millis') })
})
