import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { ExpressionBuilder } from 'kysely'
import { OtRecords } from '../../../domain/service/ports/OtRecords.ts'
import { Database } from './Database.ts'
import type { Tables } from './Tables.ts'

export const OtRecordsDatabase = Layer.effect(
  OtRecords,
  Effect.gen(function* () {
    const database = yield* Database
    return OtRecords.of({
      put: ({ walletId, otId, deviceKeyThumb, databaseLife, epoch, shareId, sealed }, now) =>
        database
          .query((db) =>
            db
              .insertInto('ot_records')
              .values({
                wallet_id: walletId,
                ot_id: otId,
                device_key_thumb: deviceKeyThumb,
                database_life: databaseLife,
                epoch,
                share_id: shareId,
                sealed,
                created_at: now,
                burned_at: sealed === null ? now : null,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      remove: (walletId, otId) =>
        database
          .query((db) =>
            db.deleteFrom('ot_records').where('wallet_id', '=', walletId).where('ot_id', '=', otId).execute(),
          )
          .pipe(Effect.asVoid),
      removeOthers: (walletId, shareId) =>
        database
          .query((db) =>
            db.deleteFrom('ot_records').where('wallet_id', '=', walletId).where('share_id', '!=', shareId).execute(),
          )
          .pipe(Effect.asVoid),
      removeAll: (walletId) =>
        database
          .query((db) => db.deleteFrom('ot_records').where('wallet_id', '=', walletId).execute())
          .pipe(Effect.asVoid),
      eraseUpTo: (walletId, epoch, now) =>
        database
          .query((db) =>
            db
              .updateTable('ot_records')
              .set({ sealed: null, burned_at: now })
              .where('wallet_id', '=', walletId)
              .where('epoch', '<=', epoch)
              .where('burned_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
      sweep: (before, limit) =>
        database
          .query((db) =>
            db
              .deleteFrom('ot_records')
              .where('ot_id', 'in', (is) =>
                is.selectFrom('ot_records').select('ot_id').where(isLeft(before)).orderBy('created_at').limit(limit),
              )
              .where(isLeft(before))
              .executeTakeFirstOrThrow(),
          )
          .pipe(Effect.map(({ numDeletedRows }) => Number(numDeletedRows))),
    })
  }),
)

/** Made before, by a device whose session is over. */
const isLeft = (before: number) => (is: ExpressionBuilder<Tables, 'ot_records'>) =>
  is.and([
    is('created_at', '<', before),
    is.not(
      is.exists(
        is
          .selectFrom('sessions')
          .select('sessions.id')
          .whereRef('sessions.device_key_thumb', '=', 'ot_records.device_key_thumb'),
      ),
    ),
  ])
