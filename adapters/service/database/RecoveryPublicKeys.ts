import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { RecoveryPublicKeys } from '../../../domain/service/ports/RecoveryPublicKeys.ts'
import { Database } from './Database.ts'

export const RecoveryPublicKeysDatabase = Layer.effect(
  RecoveryPublicKeys,
  Effect.gen(function* () {
    const database = yield* Database

    const list = (userId: string, recoverySessionId: string | null) =>
      database
        .query((db) =>
          db
            .selectFrom('recovery_public_keys')
            .selectAll()
            .where('user_id', '=', userId)
            .where('recovery_session_id', 'is not distinct from', recoverySessionId)
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
        )

    return RecoveryPublicKeys.of({
      add: ({ id, userId, publicKey, signature, createdAt }, recoverySessionId) =>
        database
          .query((db) =>
            db
              .insertInto('recovery_public_keys')
              .values({
                id,
                user_id: userId,
                public_key: publicKey,
                signature,
                recovery_session_id: recoverySessionId ?? null,
                created_at: createdAt,
              })
              .onConflict((conflict) => conflict.columns(['user_id', 'public_key']).doNothing())
              .execute(),
          )
          .pipe(Effect.asVoid),
      ofUser: (userId) => list(userId, null),
      ofRecovery: list,
      replace: Effect.fnUntraced(function* (userId, recoverySessionId) {
        yield* database.query((db) =>
          db
            .deleteFrom('recovery_public_keys')
            .where('user_id', '=', userId)
            .where('recovery_session_id', 'is distinct from', recoverySessionId)
            .execute(),
        )
        yield* database.query((db) =>
          db
            .updateTable('recovery_public_keys')
            .set({ recovery_session_id: null })
            .where('user_id', '=', userId)
            .execute(),
        )
      }),
      removeOfRecovery: (userId, recoverySessionId) =>
        database
          .query((db) =>
            db
              .deleteFrom('recovery_public_keys')
              .where('user_id', '=', userId)
              .where('recovery_session_id', '=', recoverySessionId)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)
