import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { RecoveryPublicKeys } from '../../../domain/service/ports/RecoveryPublicKeys.ts'
import { Database } from './Database.ts'

export const RecoveryPublicKeysDatabase = Layer.effect(
  RecoveryPublicKeys,
  Effect.gen(function* () {
    const database = yield* Database
    return RecoveryPublicKeys.of({
      add: ({ id, userId, publicKey, signature, createdAt }) =>
        database
          .query((db) =>
            db
              .insertInto('recovery_public_keys')
              .values({ id, user_id: userId, public_key: publicKey, signature, created_at: createdAt })
              .onConflict((conflict) => conflict.columns(['user_id', 'public_key']).doNothing())
              .execute(),
          )
          .pipe(Effect.asVoid),
      ofUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('recovery_public_keys')
              .selectAll()
              .where('user_id', '=', userId)
              .orderBy('created_at')
              .orderBy('id')
              .execute(),
          )
          .pipe(
            Effect.map((rows) =>
              rows.map((row) => ({
                id: row.id,
                userId,
                publicKey: row.public_key,
                signature: row.signature,
                createdAt: row.created_at,
              })),
            ),
          ),
    })
  }),
)
