import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { ProviderShares, type ProviderShare } from '../../../domain/service/ports/ProviderShares.ts'
import { keyIdOf } from '../vault/sealing.ts'
import { Database } from './Database.ts'
import { prepare } from './prepare.ts'
import type { WalletTables } from './WalletTables.ts'

export const ProviderSharesDatabase = Layer.effect(
  ProviderShares,
  Effect.gen(function* () {
    const database = yield* Database

    const rowsOf = prepare(database, (db, { walletId, shareId }: Names) =>
      db.selectFrom('provider_shares').selectAll().where('wallet_id', '=', walletId).where('share_id', '=', shareId),
    )

    const rowsWithOt = prepare(database, (db, { walletId, shareId, otId }: Names & { readonly otId: string }) =>
      db
        .selectFrom('provider_shares')
        .leftJoin('ot_records', (join) =>
          join.onRef('ot_records.wallet_id', '=', 'provider_shares.wallet_id').on('ot_records.ot_id', '=', otId),
        )
        .selectAll('provider_shares')
        .select([
          'ot_records.device_key_thumb',
          'ot_records.database_life',
          'ot_records.epoch as ot_epoch',
          'ot_records.share_id as ot_share_id',
          'ot_records.sealed as ot_sealed',
        ])
        .where('provider_shares.wallet_id', '=', walletId)
        .where('provider_shares.share_id', '=', shareId),
    )

    return ProviderShares.of({
      put: ({ walletId, epoch, shareId, sealed, capsule }, now) =>
        database
          .query((db) =>
            db
              .insertInto('provider_shares')
              .values({
                wallet_id: walletId,
                epoch,
                share_id: shareId,
                sealed,
                capsule_key_id: keyIdOf(capsule),
                created_at: now,
                distributed_at: null,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      find: (walletId, shareId) =>
        Effect.map(rowsOf({ walletId, shareId }), ([row]) => Option.map(Option.fromUndefinedOr(row), toShare)),
      findWithOtRecord: (walletId, shareId, otId) =>
        Effect.map(rowsWithOt({ walletId, shareId, otId }), ([row]) =>
          Option.map(
            Option.fromUndefinedOr(row),
            ({ device_key_thumb, database_life, ot_epoch, ot_share_id, ...of }) => ({
              share: toShare(of),
              ot:
                device_key_thumb === null || database_life === null || ot_epoch === null || ot_share_id === null
                  ? undefined
                  : {
                      walletId,
                      otId,
                      deviceKeyThumb: device_key_thumb,
                      databaseLife: database_life,
                      epoch: ot_epoch,
                      shareId: ot_share_id,
                      sealed: of.ot_sealed,
                    },
            }),
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

type Names = Pick<ProviderShare, 'walletId' | 'shareId'>

const toShare = (row: Selectable<WalletTables['provider_shares']>): ProviderShare => ({
  walletId: row.wallet_id,
  epoch: row.epoch,
  shareId: row.share_id,
  sealed: row.sealed,
})
