/**
 * All migrations, and whether a database is ready for this version. A migration expands: what it adds is nothing to the
 * version before, which goes on running. What nothing reads any more is removed a release later, by a migration whose name
 * begins with `contract` after its number; a version that does not know such a migration refuses to start.
 */
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Tables } from '../Tables.ts'
import { house } from './house.ts'
import { identity } from './identity.ts'
import { messages } from './messages.ts'
import { wallets } from './wallets.ts'

export const migrations: Readonly<Record<string, Migration>> = { ...identity, ...wallets, ...house, ...messages }

/** The migrations of this version that have not run, and those of later versions that have, by name. */
export type SchemaState = { readonly missing: readonly string[]; readonly later: readonly string[] }

export const schemaState = async (kysely: Kysely<Tables>): Promise<SchemaState> => stateOf(await executedIn(kysely))

/** By the names of the migrations that have run. */
export const stateOf = (executed: readonly string[]): SchemaState => ({
  missing: Object.keys(migrations).filter((name) => !executed.includes(name)),
  later: executed.filter((name) => !Object.hasOwn(migrations, name)),
})

/** Of the names of migrations, those that remove something. */
export const contracting = (names: readonly string[]): readonly string[] =>
  names.filter((name) => /^[0-9]+ contract /.test(name))

/** All of this version. */
export const migrationNames = (): readonly string[] => Object.keys(migrations)

/** Runs what has not run, all of it or nothing, under the migrator's lock: replicas that start together run it once. */
export const migrate = async (kysely: Kysely<Tables>): Promise<void> => {
  const { later } = await schemaState(kysely)
  const known = { ...migrations, ...Object.fromEntries(later.map((name) => [name, ofLaterVersion])) }
  const { error } = await new Migrator({
    db: kysely,
    provider: { getMigrations: () => Promise.resolve(known) },
    // Each file has its own range of numbers, so a new migration may sort before ones that have run.
    allowUnorderedMigrations: true,
  }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Whether every migration of this version has run. */
export const isMigrated = async (kysely: Kysely<Tables>): Promise<boolean> =>
  (await schemaState(kysely)).missing.length === 0

/** It has run, and the migrator wants to know its name. */
const ofLaterVersion: Migration = { up: () => Promise.resolve() }

const executedIn = async (kysely: Kysely<Tables>): Promise<readonly string[]> => {
  const { rows: found } = await sql<{ at: string | null }>`select to_regclass('kysely_migration')::text as at`.execute(
    kysely,
  )
  if (typeof found[0]?.at !== 'string') return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(kysely)
  return rows.map(({ name }) => name)
}
