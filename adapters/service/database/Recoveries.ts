import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { Selectable } from 'kysely'
import { Recoveries } from '../../../domain/service/ports/Recoveries.ts'
import { RecoveryCredential, type RecoveryRecord } from '../../../domain/service/Recovery.ts'
import { reader } from '../../../domain/service/Stored.ts'
import { json } from './columns.ts'
import { Database } from './Database.ts'
import { happened } from './happened.ts'
import type { IdentityTables } from './IdentityTables.ts'

export const RecoveriesDatabase = Layer.effect(
  Recoveries,
  Effect.gen(function* () {
    const database = yield* Database
    return Recoveries.of({
      begin: ({ sessionId, userId, createdAt, expiresAt }) => {
        const fresh = {
          user_id: userId,
          state: 'INITIATED',
          credential: null,
          wallet_ids: json([]),
          finished_ids: json([]),
          created_at: createdAt,
          expires_at: expiresAt,
        } as const
        return database
          .query((db) =>
            db
              .insertInto('recoveries')
              .values({ session_id: sessionId, ...fresh })
              .onConflict((conflict) => conflict.column('session_id').doUpdateSet(fresh))
              .execute(),
          )
          .pipe(Effect.asVoid)
      },
      find: (sessionId) =>
        database
          .query((db) => db.selectFrom('recoveries').selectAll().where('session_id', '=', sessionId).executeTakeFirst())
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toRecovery))),
      unfinishedOfUser: (userId) =>
        database
          .query((db) =>
            db
              .selectFrom('recoveries')
              .selectAll()
              .where('user_id', '=', userId)
              .where('state', 'in', unfinished)
              .orderBy('session_id')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRecovery))),
      ready: (sessionId, userId, { walletIds, expiresAt }) =>
        database
          .query((db) =>
            db
              .updateTable('recoveries')
              .set({ state: 'READY', wallet_ids: json(walletIds), expires_at: expiresAt })
              .where('session_id', '=', sessionId)
              .where('user_id', '=', userId)
              .where('state', '=', 'INITIATED')
              .returning('session_id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      setCredential: (sessionId, credential) =>
        database
          .query((db) =>
            db
              .updateTable('recoveries')
              .set({ credential: json(credential) })
              .where('session_id', '=', sessionId)
              .where('state', '=', 'READY')
              .where('credential', 'is', null)
              .returning('session_id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      setFinishedIds: (sessionId, walletIds) =>
        database
          .query((db) =>
            db
              .updateTable('recoveries')
              .set({ finished_ids: json(walletIds) })
              .where('session_id', '=', sessionId)
              .where('state', '=', 'READY')
              .execute(),
          )
          .pipe(Effect.asVoid),
      end: (sessionId, state) =>
        database
          .query((db) =>
            db
              .updateTable('recoveries')
              .set({ state })
              .where('session_id', '=', sessionId)
              .where('state', 'in', unfinished)
              .returning('session_id')
              .executeTakeFirst(),
          )
          .pipe(Effect.map(happened)),
      expired: (now) =>
        database
          .query((db) =>
            db
              .selectFrom('recoveries')
              .selectAll()
              .where('state', 'in', unfinished)
              .where('expires_at', '<', now)
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRecovery))),
      finished: (after) =>
        database
          .query((db) =>
            db
              .selectFrom('recoveries')
              .selectAll()
              .where('state', '=', 'FINISHED')
              .where('expires_at', '>', after)
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toRecovery))),
      sweep: (before) =>
        database
          .query((db) =>
            db.deleteFrom('recoveries').where('state', 'not in', unfinished).where('expires_at', '<', before).execute(),
          )
          .pipe(Effect.asVoid),
    })
  }),
)

const unfinished: readonly RecoveryRecord['state'][] = ['INITIATED', 'READY']

const readCredential = reader('recoveries.credential', Schema.NullOr(RecoveryCredential))
const readWalletIds = reader('recoveries.wallet_ids', Schema.Array(Schema.String))
const readFinishedIds = reader('recoveries.finished_ids', Schema.Array(Schema.String))

const toRecovery = (row: Selectable<IdentityTables['recoveries']>): RecoveryRecord => ({
  sessionId: row.session_id,
  userId: row.user_id,
  state: row.state,
  credential: readCredential(row.credential),
  walletIds: readWalletIds(row.wallet_ids),
  finishedIds: readFinishedIds(row.finished_ids),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
