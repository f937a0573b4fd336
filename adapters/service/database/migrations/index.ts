/** All migrations, run at start under the migrator's lock, so that replicas that start together run them once. */
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Tables } from '../Tables.ts'
import { house } from './house.ts'
import { identity } from './identity.ts'
import { wallets } from './wallets.ts'

const migrations = { ...identity, ...wallets, ...house }

/** Each file has its own range of numbers, so a new migration may sort before ones that have run. */
const migratorOf = (kysely: Kysely<Tables>): Migrator =>
  new Migrator({
    db: kysely,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    allowUnorderedMigrations: true,
  })

export const migrate = async (kysely: Kysely<Tables>): Promise<void> => {
  const { error } = await migratorOf(kysely).migrateToLatest()
  if (error !== undefined) throw error
}

/** Whether every migration of this version has run. */
export const isMigrated = async (kysely: Kysely<Tables>): Promise<boolean> =>
  (await migratorOf(kysely).getMigrations()).every(({ executedAt }) => executedAt !== undefined)
