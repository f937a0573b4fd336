import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable, Updateable } from 'kysely'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { Refreshes, type Prepared } from '../../../domain/service/ports/Refreshes.ts'
import type { RefreshRecord } from '../../../domain/service/Refresh.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { WalletTables } from './WalletTables.ts'

export const RefreshesDatabase = Layer.effect(
  Refreshes,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications
    const newest = (walletId: string, states: readonly RefreshRecord['state'][]) =>
      database
        .query((db) =>
          db
            .selectFrom('refreshes')
            .selectAll()
            .where('wallet_id', '=', walletId)
            .where('state', 'in', states)
            .orderBy('created_at', 'desc')
            .orderBy('protocol_id')
            .limit(1)
            .executeTakeFirst(),
        )
        .pipe(Effect.map(toOption))
    const move = (
      { walletId, protocolId }: Pick<RefreshRecord, 'walletId' | 'protocolId'>,
      from: RefreshRecord['state'],
      to: Updateable<WalletTables['refreshes']>,
    ) =>
      database
        .query((db) =>
          db
            .updateTable('refreshes')
            .set(to)
            .where('wallet_id', '=', walletId)
            .where('protocol_id', '=', protocolId)
            .where('state', '=', from)
            .returning('protocol_id')
            .executeTakeFirst(),
        )
        .pipe(Effect.map(happened), Effect.tap(publish(topicOf.wallet(walletId))))
    return Refreshes.of({
      begin: ({ walletId, protocolId, sessionId, baseShareId, shareId, state, createdAt }) =>
        database
          .query((db) =>
            db
              .insertInto('refreshes')
              .values({
                wallet_id: walletId,
                protocol_id: protocolId,
                session_id: sessionId,
                base_share_id: baseShareId,
                share_id: shareId,
                state,
                created_at: createdAt,
                updated_at: createdAt,
              })
              .execute(),
          )
          .pipe(Effect.asVoid),
      find: ({ walletId, protocolId }) =>
        database
          .query((db) =>
            db
              .selectFrom('refreshes')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .executeTakeFirst(),
          )
          .pipe(Effect.map(toOption)),
      latest: (walletId) => newest(walletId, ['LIVE', 'COMMITTED', 'ACKNOWLEDGED', 'ABORTED']),
      live: (walletId) => newest(walletId, ['LIVE']),
      prepared: (walletId) =>
        database
          .query((db) =>
            db
              .selectFrom('refreshes')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('state', '=', 'PREPARED')
              .orderBy('created_at', 'desc')
              .orderBy('protocol_id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRefresh).filter(hasShare))),
      prepare: (id, shareId, now) => move(id, 'LIVE', { state: 'PREPARED', share_id: shareId, updated_at: now }),
      conclude: (id, now) => move(id, 'PREPARED', { state: 'ACKNOWLEDGED', updated_at: now }),
      concluded: (walletId, sessionId) =>
        database
          .query((db) =>
            db
              .selectFrom('refreshes')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('session_id', '=', sessionId)
              .where('state', '=', 'ACKNOWLEDGED')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(toOption), Effect.map(Option.filter(hasShare))),
      commit: (id, shareId, now) => move(id, 'LIVE', { state: 'COMMITTED', share_id: shareId, updated_at: now }),
      acknowledge: (walletId, shareId, now) =>
        database
          .query((db) =>
            db
              .updateTable('refreshes')
              .set({ state: 'ACKNOWLEDGED', updated_at: now })
              .where('wallet_id', '=', walletId)
              .where('share_id', '=', shareId)
              .where('state', '=', 'COMMITTED')
              .execute(),
          )
          .pipe(Effect.asVoid),
      abort: ({ walletId, protocolId }, now) =>
        database
          .query((db) =>
            db
              .updateTable('refreshes')
              .set({ state: 'ABORTED', share_id: null, updated_at: now })
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .where('state', 'in', ['LIVE', 'PREPARED'])
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const toOption = (row: Selectable<WalletTables['refreshes']> | undefined): Option.Option<RefreshRecord> =>
  Option.map(Option.fromUndefinedOr(row), toRefresh)

const hasShare = (refresh: RefreshRecord): refresh is Prepared => refresh.shareId !== null

const toRefresh = (row: Selectable<WalletTables['refreshes']>): RefreshRecord => ({
  walletId: row.wallet_id,
  protocolId: row.protocol_id,
  sessionId: row.session_id,
  baseShareId: row.base_share_id,
  shareId: row.share_id,
  state: row.state,
  createdAt: row.created_at,
})
