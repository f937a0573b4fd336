import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { Refreshes } from '../../../domain/service/ports/Refreshes.ts'
import type { Refresh } from '../../../domain/service/Refresh.ts'
import { Database } from './Database.ts'
import type { WalletTables } from './WalletTables.ts'

export const RefreshesDatabase = Layer.effect(
  Refreshes,
  Effect.gen(function* () {
    const database = yield* Database
    const newest = (walletId: string, states: readonly Refresh['state'][]) =>
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
      commit: ({ walletId, protocolId }, shareId, now) =>
        database
          .query((db) =>
            db
              .updateTable('refreshes')
              .set({ state: 'COMMITTED', share_id: shareId, updated_at: now })
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .where('state', '=', 'LIVE')
              .returning('protocol_id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map((row) => row !== undefined)),
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
              .set({ state: 'ABORTED', updated_at: now })
              .where('wallet_id', '=', walletId)
              .where('protocol_id', '=', protocolId)
              .where('state', '=', 'LIVE')
              .execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const toOption = (row: Selectable<WalletTables['refreshes']> | undefined): Option.Option<Refresh> =>
  Option.map(Option.fromUndefinedOr(row), (found) => ({
    walletId: found.wallet_id,
    protocolId: found.protocol_id,
    sessionId: found.session_id,
    baseShareId: found.base_share_id,
    shareId: found.share_id,
    state: found.state,
    createdAt: found.created_at,
  }))
