import { createHash } from 'node:crypto'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type { Selectable } from 'kysely'
import { KeyShares, latestKept, type KeyShare } from '../../../domain/service/ports/KeyShares.ts'
import { Database } from './Database.ts'
import type { WalletTables } from './WalletTables.ts'

export const KeySharesDatabase = Layer.effect(
  KeyShares,
  Effect.gen(function* () {
    const database = yield* Database
    return KeyShares.of({
      add: Effect.fnUntraced(function* (share) {
        yield* database.query((db) =>
          db
            .insertInto('key_shares')
            .values(toRow(share))
            .onConflict((conflict) =>
              conflict.columns(['wallet_id', 'share_id', 'encryptor', 'key_ref', 'digest']).doNothing(),
            )
            .execute(),
        )
        const stored = yield* database.query((db) =>
          db
            .selectFrom('key_shares')
            .select('id')
            .where('wallet_id', '=', share.walletId)
            .where('share_id', '=', share.shareId)
            .where('encryptor', '=', share.encryptor)
            .where('key_ref', '=', share.keyRef)
            .orderBy('created_at', 'desc')
            .orderBy('id')
            .execute(),
        )
        const between = stored.slice(latestKept, -1).map(({ id }) => id)
        if (between.length === 0) return
        yield* database.query((db) =>
          db.deleteFrom('key_shares').where('wallet_id', '=', share.walletId).where('id', 'in', between).execute(),
        )
      }),
      ofWallet: (walletId, shareId) =>
        database
          .query((db) =>
            db
              .selectFrom('key_shares')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .orderBy('created_at', 'desc')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toKeyShare))),
      sharingsOf: Effect.fnUntraced(function* (walletIds) {
        if (walletIds.length === 0) return []
        const rows = yield* database.query((db) =>
          db.selectFrom('key_shares').select(['wallet_id', 'share_id']).where('wallet_id', 'in', walletIds).execute(),
        )
        return rows.map(({ wallet_id, share_id }) => ({ walletId: wallet_id, shareId: share_id }))
      }),
      removeOthers: (walletId, { epoch, shareId }) =>
        database
          .query((db) =>
            db
              .deleteFrom('key_shares')
              .where('wallet_id', '=', walletId)
              .where('share_id', '!=', shareId)
              .where('epoch', '<=', epoch)
              .execute(),
          )
          .pipe(Effect.asVoid),
      stageOnly: (walletId, beyond, shareIds) =>
        database
          .query((db) =>
            db
              .deleteFrom('key_shares')
              .where('wallet_id', '=', walletId)
              .where('share_id', 'not in', shareIds)
              .where('epoch', '>', beyond)
              .execute(),
          )
          .pipe(Effect.asVoid),
      remove: (walletId, shareId) =>
        database
          .query((db) =>
            db.deleteFrom('key_shares').where('wallet_id', '=', walletId).where('share_id', '=', shareId).execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const toRow = (share: KeyShare) => ({
  id: share.id,
  wallet_id: share.walletId,
  user_id: share.userId,
  partner_id: share.partnerId,
  epoch: share.epoch,
  share_id: share.shareId,
  encryptor: share.encryptor,
  key_ref: share.keyRef,
  encrypted_share: share.encryptedShare,
  encrypted_key: share.encryptedKey,
  digest: createHash('sha256')
    .update(`${share.encryptedShare}.${share.encryptedKey ?? ''}`)
    .digest('hex'),
  protocol_id: share.protocolId,
  device_signature: share.deviceSignature,
  certificate: share.certificate,
  created_at: share.createdAt,
})

const toKeyShare = (row: Selectable<WalletTables['key_shares']>): KeyShare => ({
  id: row.id,
  walletId: row.wallet_id,
  userId: row.user_id,
  partnerId: row.partner_id,
  epoch: row.epoch,
  shareId: row.share_id,
  encryptor: row.encryptor,
  keyRef: row.key_ref,
  encryptedShare: row.encrypted_share,
  encryptedKey: row.encrypted_key,
  protocolId: row.protocol_id,
  deviceSignature: row.device_signature,
  certificate: row.certificate,
  createdAt: row.created_at,
})
