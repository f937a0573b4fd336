import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Option from 'effect/Option'
import type { Selectable } from 'kysely'
import { Intents, type Intent } from '../../../domain/service/ports/Intents.ts'
import { Notifications, topicOf } from '../../../domain/service/ports/Notifications.ts'
import type { RunId } from '../../../domain/service/ports/Runs.ts'
import { Database } from './Database.ts'
import type { Columns } from './joinedColumns.ts'
import { prepare } from './prepare.ts'
import type { WalletTables } from './WalletTables.ts'

export const IntentsDatabase = Layer.effect(
  Intents,
  Effect.gen(function* () {
    const database = yield* Database
    const { publish } = yield* Notifications

    const rowsOf = prepare(database, (db, { walletId, protocolId }: RunId) =>
      db.selectFrom('intents').selectAll().where('wallet_id', '=', walletId).where('protocol_id', '=', protocolId),
    )

    const find = (walletId: string, protocolId: string) =>
      Effect.map(rowsOf({ walletId, protocolId }), ([row]) => Option.map(Option.fromUndefinedOr(row), toIntent))

    return Intents.of({
      find,
      findOrCreate: Effect.fnUntraced(function* (intent) {
        yield* database.query((db) =>
          db
            .insertInto('intents')
            .values({
              wallet_id: intent.walletId,
              protocol_id: intent.protocolId,
              session_id: intent.sessionId,
              user_id: intent.userId,
              body_hash: intent.bodyHash,
              digest: intent.digest,
              transaction: intent.transaction?.unsigned ?? null,
              chain_id: intent.transaction?.chainId ?? null,
              send: intent.transaction?.send ?? false,
              cosmos_sign_doc: intent.cosmosSignDoc,
              created_at: intent.createdAt,
              expires_at: intent.expiresAt,
            })
            .onConflict((conflict) => conflict.columns(['wallet_id', 'protocol_id']).doNothing())
            .execute(),
        )
        yield* publish(topicOf.intent(intent.walletId, intent.protocolId))
        return Option.getOrElse(yield* find(intent.walletId, intent.protocolId), () => intent)
      }),
      sweep: (now) =>
        database.query((db) => db.deleteFrom('intents').where('expires_at', '<=', now).execute()).pipe(Effect.asVoid),
    })
  }),
)

export const intentColumns: Columns<WalletTables['intents']> = {
  wallet_id: true,
  protocol_id: true,
  session_id: true,
  user_id: true,
  body_hash: true,
  digest: true,
  transaction: true,
  chain_id: true,
  send: true,
  cosmos_sign_doc: true,
  created_at: true,
  expires_at: true,
}

export const toIntent = (row: Selectable<WalletTables['intents']>): Intent => ({
  walletId: row.wallet_id,
  protocolId: row.protocol_id,
  sessionId: row.session_id,
  userId: row.user_id,
  bodyHash: row.body_hash,
  digest: row.digest,
  transaction:
    row.transaction === null || row.chain_id === null
      ? null
      : { unsigned: row.transaction, chainId: row.chain_id, send: row.send },
  cosmosSignDoc: row.cosmos_sign_doc,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})
