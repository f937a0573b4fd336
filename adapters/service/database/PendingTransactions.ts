import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import type { PendingTransaction } from '../../../domain/service/PendingTransaction.ts'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import { PendingTransactions } from '../../../domain/service/ports/PendingTransactions.ts'
import { Database } from './Database.ts'
import type { WalletTables } from './WalletTables.ts'

export const PendingTransactionsDatabase = Layer.effect(
  PendingTransactions,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    return PendingTransactions.of({
      create: (pending) =>
        database
          .query((db) => db.insertInto('pending_transactions').values(toRow(pending)).execute())
          .pipe(Effect.asVoid),
      find: (id) =>
        database
          .query((db) => db.selectFrom('pending_transactions').selectAll().where('id', '=', id).executeTakeFirst())
          .pipe(Effect.map((row) => Option.map(Option.fromUndefinedOr(row), toPending))),
      live: (walletId, now) =>
        database
          .query((db) =>
            db
              .selectFrom('pending_transactions')
              .selectAll()
              .where('wallet_id', '=', walletId)
              .where('state', 'in', ['PENDING', 'ACCEPTED'])
              .where('expires_at', '>', now)
              .orderBy('created_at', 'desc')
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toPending))),
      replace: Effect.fnUntraced(function* (known, by) {
        const { id, ...changed } = toRow(by)
        const replaced = yield* database.query((db) =>
          db
            .updateTable('pending_transactions')
            .set(changed)
            .where('id', '=', id)
            .where('proof', '=', known.proof)
            .returning('id')
            .executeTakeFirst(),
        )
        if (replaced === undefined) return false
        yield* publish(topicOf.pendingTransaction(id))
        return true
      }),
      takeExpired: (before) =>
        database
          .query((db) =>
            db
              .updateTable('pending_transactions')
              .set({ expiry_told: true })
              .where('expires_at', '<', before)
              .where('state', 'in', ['PENDING', 'ACCEPTED'])
              .where('protocol_id', 'is', null)
              .where('expiry_told', '=', false)
              .returningAll()
              .execute(),
          )
          .pipe(Effect.map((rows) => rows.map(toPending))),
      sweep: (before) =>
        database
          .query((db) => db.deleteFrom('pending_transactions').where('expires_at', '<', before).execute())
          .pipe(Effect.asVoid),
    })
  }),
)

const toRow = (pending: PendingTransaction) => ({
  id: pending.id,
  wallet_id: pending.walletId,
  user_id: pending.userId,
  partner_id: pending.partnerId,
  session_id: pending.sessionId,
  origin: pending.origin,
  content_hash: pending.contentHash,
  content: pending.content,
  state: pending.state,
  review_by: pending.by,
  step_up: pending.stepUp,
  user_accepted: pending.userAccepted,
  partner_accepted: pending.partnerAccepted,
  approver: pending.approver,
  created_at: pending.createdAt,
  expires_at: pending.expiresAt,
  protocol_id: pending.protocolId,
  done_at: pending.doneAt,
  proof: pending.proof,
})

const toPending = (row: Selectable<WalletTables['pending_transactions']>): PendingTransaction => ({
  id: row.id,
  walletId: row.wallet_id,
  userId: row.user_id,
  partnerId: row.partner_id,
  sessionId: row.session_id,
  origin: row.origin,
  contentHash: row.content_hash,
  content: row.content,
  state: row.state,
  by: row.review_by,
  stepUp: row.step_up,
  userAccepted: row.user_accepted,
  partnerAccepted: row.partner_accepted,
  approver: row.approver,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  protocolId: row.protocol_id,
  doneAt: row.done_at,
  proof: row.proof,
})
