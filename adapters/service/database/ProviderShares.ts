import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { OtRecordRow } from '../../../domain/service/ports/OtRecords.ts'
import { ProviderShares, type ProviderShare } from '../../../domain/service/ports/ProviderShares.ts'
import { keyIdOf } from '../vault/sealing.ts'
import { Database } from './Database.ts'
import type { Columns } from './joinedColumns.ts'
import { prepare } from './prepare.ts'
import type { WalletTables } from './WalletTables.ts'

export const ProviderSharesDatabase = Layer.effect(
  ProviderShares,
  Effect.gen(function* () {
    const database = yield* Database

    const rowsOf = prepare(database, (db, { walletId, shareId }: Names) =>
      db.selectFrom('provider_shares').selectAll().where('wallet_id', '=', walletId).where('share_id', '=', shareId),
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
      setCapsule: (walletId, shareId, capsule) =>
        database
          .query((db) =>
            db
              .updateTable('provider_shares')
              .set({ capsule_key_id: keyIdOf(capsule) })
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .execute(),
          )
          .pipe(Effect.asVoid),
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

type ShareRow = Omit<WalletTables['provider_shares'], 'capsule_key_id' | 'created_at' | 'distributed_at'>

export const shareColumns: Columns<ShareRow> = { wallet_id: true, epoch: true, share_id: true, sealed: true }

export const toShare = (row: ShareRow): ProviderShare => ({
  walletId: row.wallet_id,
  epoch: row.epoch,
  shareId: row.share_id,
  sealed: row.sealed,
})

type OtRow = Omit<WalletTables['ot_records'], 'created_at' | 'burned_at'>

export const otColumns: Columns<OtRow> = {
  wallet_id: true,
  ot_id: true,
  device_key_thumb: true,
  database_life: true,
  epoch: true,
  share_id: true,
  sealed: true,
}

export const toOt = (row: OtRow): OtRecordRow => ({
  walletId: row.wallet_id,
  otId: row.ot_id,
  deviceKeyThumb: row.device_key_thumb,
  databaseLife: row.database_life,
  epoch: row.epoch,
  shareId: row.share_id,
  sealed: row.sealed,
})
