/** What is deleted with a user. Rows that refer to these by a foreign key go with them. */
import * as Effect from 'effect/Effect'
import type { Database } from './Database.ts'

/** In the surrounding transaction. */
export const erasure = (database: Database['Service'], userId: string): Effect.Effect<void> =>
  Effect.asVoid(
    database.query(async (db) => {
      const wallets = await db.selectFrom('wallets').select('id').where('user_id', '=', userId).forUpdate().execute()
      for (const { id } of wallets)
        for (const table of ofWallet) await db.deleteFrom(table).where('wallet_id', '=', id).execute()
      for (const table of ofUser) await db.deleteFrom(table).where('user_id', '=', userId).execute()
      await db.deleteFrom('users').where('id', '=', userId).execute()
    }),
  )

const ofWallet = [
  'provider_shares',
  'ot_records',
  'runs',
  'intents',
  'refreshes',
  'spend_recipients',
  'pending_transactions',
] as const

const ofUser = [
  'pinned_roots',
  'recoveries',
  'recovery_public_keys',
  'encrypted_wallet_private_keys',
  'passwords',
  'passkeys',
  'sessions',
  'wallets',
] as const
