import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A migration that runs these statements in their order. */
export const statements = (...texts: readonly string[]): Migration => ({
  up: async (database: Kysely<unknown>) => {
    for (const text of texts) await sql.raw(text).execute(database)
  },
})
