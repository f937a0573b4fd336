import * as Effect from 'effect/Effect'
import { Database } from '../../adapters/service/database/Database.ts'

/** As an older database has the wallet whose key was confirmed since: a row, and nothing of the key. */
export const forgetKey = (walletId: string) =>
  Effect.flatMap(Database, ({ query }) =>
    query(async (db) => {
      for (const table of ['provider_shares', 'ot_records', 'key_shares', 'runs'] as const) {
        await db.deleteFrom(table).where('wallet_id', '=', walletId).execute()
      }
      await db
        .updateTable('wallets')
        .set({ state: 'CREATED', epoch: 0, share_id: null, public_key: null, address: null, root_public_key: null })
        .where('id', '=', walletId)
        .execute()
    }),
  )
