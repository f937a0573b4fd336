import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import type { RunId } from '../../../domain/service/ports/Runs.ts'
import { Wallets } from '../../../domain/service/ports/Wallets.ts'
import type { WalletRecord } from '../../../domain/service/Wallet.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { Columns } from './joinedColumns.ts'
import { prepare } from './prepare.ts'
import type { WalletTables } from './WalletTables.ts'
import { prepareWrite } from './writes.ts'

export const WalletsDatabase = Layer.effect(
  Wallets,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    const rowsOf = prepare(database, (db, { id }: WalletId) =>
      db.selectFrom('wallets').selectAll().where('id', '=', id),
    )

    const lockRows = prepare(database, (db, { id }: WalletId) =>
      db.selectFrom('wallets').selectAll().where('id', '=', id).forUpdate(),
    )

    const rowsWithRun = prepare(database, (db, { walletId, protocolId }: RunId) =>
      db
        .selectFrom('wallets')
        .leftJoin('runs', (join) =>
          join.onRef('runs.wallet_id', '=', 'wallets.id').on('runs.protocol_id', '=', protocolId),
        )
        .selectAll('wallets')
        .select(['runs.kind as run_kind', 'runs.root_public_key as run_root_public_key', 'runs.ot_id as run_ot_id'])
        .where('wallets.id', '=', walletId),
    )

    const noteUse = prepareWrite(database, 'wallets', (db, { id, ...use }: Use) =>
      db.updateTable('wallets').set(use).where('id', '=', id),
    )

    return Wallets.of({
      findOrCreate: Effect.fnUntraced(function* ({ id, userId, partnerId, type, slot, scheme, cosmosPrefix, now }) {
        yield* database.query((db) =>
          db
            .insertInto('wallets')
            .values({
              ...unmade,
              id,
              user_id: userId,
              partner_id: partnerId,
              type,
              slot,
              scheme,
              cosmos_prefix: cosmosPrefix,
              created_at: now,
              updated_at: now,
            })
            .onConflict((conflict) => conflict.columns(['user_id', 'partner_id', 'type', 'slot']).doNothing())
            .execute(),
        )
        const row = yield* database.query((db) =>
          db
            .selectFrom('wallets')
            .selectAll()
            .where('user_id', '=', userId)
            .where('partner_id', '=', partnerId)
            .where('type', '=', type)
            .where('slot', '=', slot)
            .executeTakeFirstOrThrow(),
        )
        return toWallet(row)
      }),
      find: (id) => Effect.map(rowsOf({ id }), ([row]) => toOption(row)),
      findWithRun: ({ walletId, protocolId }) =>
        Effect.map(rowsWithRun({ walletId, protocolId }), ([row]) =>
          Option.map(
            Option.fromUndefinedOr(row),
            ({ run_kind: kind, run_root_public_key: root, run_ot_id: otId, ...wallet }) => ({
              wallet: toWallet(wallet),
              run: kind === null || root === null || otId === null ? undefined : { kind, rootPublicKey: root, otId },
            }),
          ),
        ),
      lock: (id) => Effect.map(lockRows({ id }), ([row]) => toOption(row)),
      ofUser: (userId, partnerId) =>
        database
          .query((db) =>
            db
              .selectFrom('wallets')
              .selectAll()
              .where('user_id', '=', userId)
              .where('partner_id', '=', partnerId)
              .orderBy('created_at')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toWallet))),
      ofUserEverywhere: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('wallets')
              .selectAll()
              .where('user_id', '=', userId)
              .orderBy('created_at')
              .orderBy('id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toWallet))),
      addAttempt: (walletId, { protocolId, sessionId }) =>
        database
          .query((db) =>
            db
              .insertInto('keygen_attempts')
              .values({ wallet_id: walletId, protocol_id: protocolId, session_id: sessionId })
              .execute(),
          )
          .pipe(Effect.asVoid),
      hasAttempt: (walletId, { protocolId, sessionId }) =>
        database
          .query((db) =>
            db
              .selectFrom('keygen_attempts')
              .select('protocol_id')
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .where('session_id', '=', sessionId)
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => row !== undefined)),
      lease: (walletId, { protocolId, sessionId, until }) =>
        database
          .query((db) =>
            db
              .updateTable('wallets')
              .set({ lease_protocol_id: protocolId, lease_session_id: sessionId, lease_until: until })
              .where('id', '=', walletId)
              .execute(),
          )
          .pipe(Effect.asVoid),
      release: (walletId, protocolId) =>
        database
          .query((db) =>
            db
              .updateTable('wallets')
              .set(noLease)
              .where('id', '=', walletId)
              .where('lease_protocol_id', '=', protocolId)
              .execute(),
          )
          .pipe(Effect.asVoid),
      activate: Effect.fnUntraced(function* (walletId, { epoch, shareId, publicKey, address, rootPublicKey }, now) {
        const row = yield* database.query((db) =>
          db
            .updateTable('wallets')
            .set({
              ...noLease,
              state: 'ACTIVE',
              epoch,
              share_id: shareId,
              public_key: publicKey,
              address,
              root_public_key: rootPublicKey,
              updated_at: now,
            })
            .where('id', '=', walletId)
            .where('state', '=', 'CREATED')
            .returning('user_id as userId')
            .executeTakeFirst(),
        )
        if (row === undefined) return false
        yield* database.query((db) => db.deleteFrom('keygen_attempts').where('wallet_id', '=', walletId).execute())
        if (row.userId !== null) yield* publish(topicOf.user(row.userId))
        return true
      }),
      advance: (walletId, baseShareId, { epoch, shareId, rootPublicKey }, now) =>
        database
          .query((db) =>
            db
              .updateTable('wallets')
              .set({
                state: 'ACTIVE',
                epoch,
                share_id: shareId,
                updated_at: now,
                ...(rootPublicKey === undefined ? {} : { root_public_key: rootPublicKey }),
              })
              .where('id', '=', walletId)
              .where('share_id', '=', baseShareId)
              .where('state', 'in', ['ACTIVE', 'BURNED'])
              .returning('id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      setLocked: (walletId, epoch, now) =>
        database
          .query((db) =>
            db
              .updateTable('wallets')
              .set({ state: 'BURNED', updated_at: now })
              .where('id', '=', walletId)
              .where('epoch', '=', epoch)
              .where('state', '=', 'ACTIVE')
              .execute(),
          )
          .pipe(Effect.asVoid),
      markExported: (walletId, now) =>
        database
          .query((db) =>
            db
              .updateTable('wallets')
              .set({ exported_at: now })
              .where('id', '=', walletId)
              .where('exported_at', 'is', null)
              .execute(),
          )
          .pipe(Effect.asVoid),
      use: (walletId, partnerId, now) => noteUse({ id: walletId, last_used_at: now, last_used_partner_id: partnerId }),
    })
  }),
)

type WalletId = { readonly id: string }

type Use = WalletId & { readonly last_used_at: number; readonly last_used_partner_id: string }

const noLease = { lease_protocol_id: null, lease_session_id: null, lease_until: null }

/** Columns of a wallet before its key generation. */
const unmade = {
  ...noLease,
  state: 'CREATED',
  epoch: 0,
  share_id: null,
  address: null,
  public_key: null,
  root_public_key: null,
  name: null,
  pregen_identifier: null,
  pregen_identifier_type: null,
  last_used_at: null,
  last_used_partner_id: null,
  exported_at: null,
} as const

export const walletColumns: Columns<WalletTables['wallets']> = {
  id: true,
  partner_id: true,
  user_id: true,
  type: true,
  slot: true,
  scheme: true,
  cosmos_prefix: true,
  state: true,
  epoch: true,
  share_id: true,
  address: true,
  public_key: true,
  root_public_key: true,
  name: true,
  pregen_identifier: true,
  pregen_identifier_type: true,
  lease_protocol_id: true,
  lease_session_id: true,
  lease_until: true,
  created_at: true,
  updated_at: true,
  last_used_at: true,
  last_used_partner_id: true,
  exported_at: true,
}

const toOption = (row: Selectable<WalletTables['wallets']> | undefined): Option.Option<WalletRecord> =>
  Option.map(Option.fromUndefinedOr(row), toWallet)

export const toWallet = (row: Selectable<WalletTables['wallets']>): WalletRecord => ({
  id: row.id,
  partnerId: row.partner_id,
  userId: row.user_id,
  type: row.type,
  slot: row.slot,
  scheme: row.scheme,
  cosmosPrefix: row.cosmos_prefix,
  state: row.state,
  epoch: row.epoch,
  shareId: row.share_id,
  address: row.address,
  publicKey: row.public_key,
  rootPublicKey: row.root_public_key,
  name: row.name,
  pregenIdentifier: row.pregen_identifier,
  pregenIdentifierType: row.pregen_identifier_type,
  lease:
    row.lease_protocol_id === null || row.lease_session_id === null || row.lease_until === null
      ? null
      : { protocolId: row.lease_protocol_id, sessionId: row.lease_session_id, until: row.lease_until },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastUsedAt: row.last_used_at,
  lastUsedPartnerId: row.last_used_partner_id,
})
