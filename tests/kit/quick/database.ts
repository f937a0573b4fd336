/** A database of a PostgreSQL server that reads each statement once a connection. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { parsers } from '../../../adapters/service/database/columns.ts'
import { Database, make } from '../../../adapters/service/database/Database.ts'
import { migrate } from '../../../adapters/service/database/migrations/index.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'

export const quickDatabase = (url: string): Layer.Layer<Database> =>
  Layer.effect(
    Database,
    Effect.map(
      Effect.acquireRelease(
        Effect.promise(async () => {
          const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(url) }) })
          await migrate(kysely)
          return kysely
        }),
        (kysely) => Effect.promise(() => kysely.destroy()),
      ),
      make,
    ),
  )

const poolOf = (connectionString: string) => {
  const types = new pg.TypeOverrides()
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser)
  const pool = new pg.Pool({ connectionString, max: 10, types })
  return {
    options: pool.options,
    connect: async () => namingIts(await pool.connect()),
    end: () => pool.end(),
  }
}

/** Statements with a name are prepared at their first use. */
const namingIts = (client: pg.PoolClient): PostgresPoolClient => {
  const query = (text: string, values: readonly unknown[]) =>
    client.query({ name: nameOf(text), text, values: [...values] })
  return Object.assign(Object.create(client) as PostgresPoolClient, { query, release: () => client.release() })
}

const names = new Map<string, string>()

const nameOf = (text: string): string => {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return name
}
