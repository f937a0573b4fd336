/** A database of a PostgreSQL server that reads each statement once a connection. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { parsers } from '../../../adapters/service/database/columns.ts'
import { Database, make } from '../../../adapters/service/database/Database.ts'
import { migrate } from '../../../adapters/service/database/migrations/index.ts'
import { withNamedStatements } from '../../../adapters/service/database/namedStatements.ts'
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
  return withNamedStatements(new pg.Pool({ connectionString, max: 10, types }))
}
