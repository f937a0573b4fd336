import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Challenges, type ChallengeHolder } from '../../../domain/service/ports/Challenges.ts'
import { Database } from './Database.ts'

export const ChallengesDatabase = Layer.effect(
  Challenges,
  Effect.gen(function* () {
    const database = yield* Database
    return Challenges.of({
      replace: ({ holder, nonce, expiresAt }) =>
        database
          .query((db) =>
            db
              .insertInto('challenges')
              .values({ holder: nameOf(holder), nonce, expires_at: expiresAt })
              .onConflict((conflict) => conflict.column('holder').doUpdateSet({ nonce, expires_at: expiresAt }))
              .execute(),
          )
          .pipe(Effect.asVoid),
      consume: (holder, now) =>
        database
          .query((db) =>
            db
              .deleteFrom('challenges')
              .where('holder', '=', nameOf(holder))
              .returning(['nonce', 'expires_at'])
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => (row !== undefined && now <= row.expires_at ? row.nonce : undefined))),
    })
  }),
)

const nameOf = (holder: ChallengeHolder): string =>
  'openingId' in holder ? `opening ${holder.openingId}` : `session ${holder.sessionId}`
