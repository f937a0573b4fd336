/** Token buckets in a table: one statement reads, refills and takes, so that no two replicas take the same token. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { sql } from 'kysely'
import { RateLimits, TooManyAttempts, type Limit } from '../../../domain/service/ports/RateLimits.ts'
import { clocksApart } from '../../../domain/service/clocks.ts'
import { Database } from './Database.ts'
import { prepare } from './prepare.ts'

export const RateLimitsDatabase = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const db = yield* Database
    const takeToken = prepare(db, (kysely, { bucket, key, count, others, now, ...limit }: Taking) => {
      const refilled = refilledBy(limit, now)
      return kysely
        .insertInto('rate_limits')
        .values({ key, bucket, tokens: others, updated_at: now })
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'bucket'])
            .doUpdateSet({ tokens: sql<number>`${refilled} - ${count}`, updated_at: now })
            .where(refilled, '>=', 1),
        )
        .returning('tokens')
    })

    return RateLimits.of({
      take: Effect.fnUntraced(function* (bucket, key, { burst, perMs }, count = 1) {
        const now = yield* Clock.currentTimeMillis
        const [taken] = yield* takeToken({ bucket, key, burst, perMs, count, others: burst - count, now })
        if (taken !== undefined) return
        const existing = yield* db.query((kysely) =>
          kysely
            .selectFrom('rate_limits')
            .select(refilledBy({ burst, perMs }, now).as('tokens'))
            .where('key', '=', key)
            .where('bucket', '=', bucket)
            .executeTakeFirst(),
        )
        const missing = 1 - (existing?.tokens ?? 0)
        return yield* new TooManyAttempts({ retryAfterMs: Math.max(1, Math.ceil(missing * perMs)) })
      }),
      clear: (bucket, key) =>
        Effect.asVoid(
          db.query((kysely) =>
            kysely.deleteFrom('rate_limits').where('key', '=', key).where('bucket', '=', bucket).execute(),
          ),
        ),
      sweep: (before) =>
        Effect.asVoid(
          db.query((kysely) => kysely.deleteFrom('rate_limits').where('updated_at', '<', before).execute()),
        ),
    })
  }),
)

type Taking = Limit & {
  readonly bucket: string
  readonly key: string
  readonly count: number
  /** The tokens that a new bucket still has. */
  readonly others: number
  readonly now: number
}

/**
 * The tokens that a bucket has at that time. One that was used later than any replica would say by now was used by a clock
 * that was ahead: it is refilled for as long as that, because it would else be empty until then.
 */
const refilledBy = ({ burst, perMs }: Limit, now: number) => sql<number>`least(
  cast(${burst} as double precision),
  rate_limits.tokens + cast(greatest(
    0,
    cast(${now} as bigint) - rate_limits.updated_at,
    rate_limits.updated_at - cast(${now} as bigint) - ${sql.lit(clocksApart)}
  ) as double precision) / ${perMs}
)`
