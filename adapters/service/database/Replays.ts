import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Replays, type ReplayId } from '../../../domain/service/ports/Replays.ts'
import { clocksApart } from '../../../domain/service/clocks.ts'
import { Database } from './Database.ts'

export const ReplaysDatabase = Layer.effect(
  Replays,
  Effect.gen(function* () {
    const { query } = yield* Database
    const attemptOf = ({ scope, operation, key }: ReplayId, attempt: string) =>
      ({ scope, operation, key, attempt }) as const
    return Replays.of({
      begin: (id, { attempt, requestHash }, now, expiresAt) => {
        const row = { attempt, request_hash: requestHash, sealed_answer: null, expires_at: expiresAt }
        return query(async (kysely) => {
          await kysely
            .insertInto('replays')
            .values({ ...id, ...row })
            .onConflict((conflict) =>
              conflict
                .columns(['scope', 'operation', 'key'])
                .doUpdateSet(row)
                .where((known) =>
                  known.or([
                    known('replays.expires_at', '<=', now),
                    // An attempt that ends later than any replica would say by now was begun while the clock was ahead.
                    known.and([
                      known('replays.sealed_answer', 'is', null),
                      known('replays.expires_at', '>', expiresAt + clocksApart),
                    ]),
                  ]),
                ),
            )
            .execute()
          const existing = await kysely
            .selectFrom('replays')
            .select(['attempt', 'request_hash as requestHash', 'sealed_answer as sealedAnswer'])
            .where('scope', '=', id.scope)
            .where('operation', '=', id.operation)
            .where('key', '=', id.key)
            .executeTakeFirst()
          // Its owner gave up between the two statements: treated as still running, so that the caller retries.
          return existing ?? { attempt: '', requestHash, sealedAnswer: null }
        })
      },
      finish: (id, attempt, sealedAnswer, expiresAt) =>
        Effect.asVoid(
          query((kysely) =>
            kysely
              .updateTable('replays')
              .set({ sealed_answer: sealedAnswer, expires_at: expiresAt })
              .where((row) => row.and(attemptOf(id, attempt)))
              .execute(),
          ),
        ),
      abandon: (id, attempt) =>
        Effect.asVoid(
          query((kysely) =>
            kysely
              .deleteFrom('replays')
              .where((row) => row.and(attemptOf(id, attempt)))
              .execute(),
          ),
        ),
      sweep: (now) =>
        Effect.asVoid(query((kysely) => kysely.deleteFrom('replays').where('expires_at', '<=', now).execute())),
    })
  }),
)
