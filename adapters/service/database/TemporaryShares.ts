import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { TemporaryShares } from '../../../domain/service/ports/TemporaryShares.ts'
import { Database } from './Database.ts'

export const TemporarySharesDatabase = Layer.effect(
  TemporaryShares,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications
    return TemporaryShares.of({
      put: (share) =>
        database
          .query((db) => {
            const content = {
              user_id: share.userId,
              opening_id: share.openingId,
              encrypted_share: share.encryptedShare,
              encrypted_key: share.encryptedKey,
              expires_at: share.expiresAt,
            }
            return db
              .insertInto('temporary_shares')
              .values({ ...content, session_lookup_id: share.sessionLookupId, wallet_id: share.walletId })
              .onConflict((conflict) => conflict.columns(['session_lookup_id', 'wallet_id']).doUpdateSet(content))
              .execute()
          })
          .pipe(Effect.andThen(publish(topicOf.user(share.userId)))),
      ofLookupId: (sessionLookupId, now) =>
        database
          .query((db) =>
            db
              .selectFrom('temporary_shares')
              .selectAll()
              .where('session_lookup_id', '=', sessionLookupId)
              .where('expires_at', '>', now)
              .orderBy('wallet_id')
              .execute(),
          )
          .pipe(
            Effect.map((rows) =>
              rows.map((row) => ({
                sessionLookupId,
                walletId: row.wallet_id,
                userId: row.user_id,
                openingId: row.opening_id,
                encryptedShare: row.encrypted_share,
                encryptedKey: row.encrypted_key,
                expiresAt: row.expires_at,
              })),
            ),
          ),
      remove: (sessionLookupId) =>
        database
          .query((db) => db.deleteFrom('temporary_shares').where('session_lookup_id', '=', sessionLookupId).execute())
          .pipe(Effect.asVoid),
      sweep: (now) =>
        database
          .query((db) => db.deleteFrom('temporary_shares').where('expires_at', '<=', now).execute())
          .pipe(Effect.asVoid),
    })
  }),
)
