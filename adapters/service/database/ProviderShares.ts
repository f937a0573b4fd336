import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import { ProviderShares } from '../../../domain/service/ports/ProviderShares.ts'
import { Database } from './Database.ts'

export const ProviderSharesDatabase = Layer.effect(
  ProviderShares,
  Effect.gen(function* () {
    const database = yield* Database
    return ProviderShares.of({
      put: ({ walletId, epoch, shareId, sealed }, now) =>
        database
          .query((db) =>
            db
              .insertInto('provider_shares')
              .values({
                wallet_id: walletId,
                epoch,
                share_id: shareId,
                sealed,
                created_at: now,
                distributed_at: null,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      find: (walletId, shareId) =>
        database
          .query((db) =>
            db
              .selectFrom('provider_shares')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .executeTakeFirst(),
          )
          .pipe(
            Effect.map((row) =>
              Option.map(Option.fromUndefinedOr(row), ({ epoch, sealed }) => ({
                walletId,
                epoch,
                shareId,
                sealed,
              })),
            ),
          ),
      markDistributed: (walletId, shareId, now) =>
        database
          .query((db) =>
            db
              .updateTable('provider_shares')
              .set({ distributed_at: now })
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .where('distributed_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
      removeOthers: (walletId, shareIds) =>
        database
          .query((db) =>
            db
              .deleteFrom('provider_shares')
              .where('wallet_id', '=', walletId)
              .where('share_id', 'not in', shareIds)
              .execute(),
          )
          .pipe(Effect.asVoid),
      remove: (walletId, shareId) =>
        database
          .query((db) =>
            db
              .deleteFrom('provider_shares')
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)
