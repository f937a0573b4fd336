import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import { sql, type RawBuilder } from 'kysely'
import { DatabaseUnavailable, type Database } from './Database.ts'

/** The timeline that the server writes its log in, as 8 hex digits; '' where it has no such function, or not for us. */
export const timelineIn = (db: Database['Service']): Effect.Effect<RawBuilder<string>> => {
  const timeline = sql<string>`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`
  return db
    .query((kysely) => kysely.selectNoFrom(timeline.as('timeline')).execute())
    .pipe(
      Effect.as(timeline),
      Effect.catchCause((cause) =>
        Cause.squash(cause) instanceof DatabaseUnavailable ? Effect.failCause(cause) : Effect.succeed(sql.val('')),
      ),
    )
}
