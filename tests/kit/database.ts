/** Every repository is tested on both databases: PGlite in memory and a real PostgreSQL (design 5). */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Kysely, PGliteDialect } from 'kysely'
import { afterAll, describe } from 'vitest'
import type { Transaction } from '../../domain/service/ports/Transaction.ts'
import { parsers } from '../../adapters/service/database/columns.ts'
import { Database, make, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { migrate } from '../../adapters/service/database/migrations/index.ts'
import { databaseAt } from '../../adapters/service/database/open.ts'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'

/** Makes the layer of a migrated database that nobody used before. Each call is another one; its scope ends it. */
export type MakeDatabase = () => Layer.Layer<Database | Transaction>

export const onEachDatabase = (suite: (makeDatabase: MakeDatabase, name: string) => void): void => {
  describe('on PGlite', () => {
    suite(() => withTransaction(pgliteInMemory), 'PGlite')
  })
  describe('on PostgreSQL', () => {
    let server: Promise<PostgresServer> | undefined
    afterAll(async () => {
      await (await server)?.stop()
    })
    const onPostgres = Layer.unwrap(
      Effect.promise(async () => {
        server ??= startPostgres()
        const url = await (await server).createDatabase()
        return Layer.orDie(databaseAt({ kind: 'postgres', url }))
      }),
    )
    suite(() => withTransaction(onPostgres), 'PostgreSQL')
  })
}

/** `fresh`: each use of `makeDatabase()` builds another database, also within one runtime's memo map. */
const withTransaction = (database: Layer.Layer<Database>): Layer.Layer<Database | Transaction> =>
  TransactionDatabase.pipe(Layer.provideMerge(Layer.fresh(database)))

/** PGlite in memory, migrated, for tests that need one database of any kind. */
export const inMemoryDatabase: MakeDatabase = () => withTransaction(pgliteInMemory)

const pgliteInMemory: Layer.Layer<Database> = Layer.effect(
  Database,
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const pglite = await PGlite.create({ loadDataDir: await emptyDataFolder(), parsers: { ...parsers } })
        const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
        await migrate(kysely)
        return { kysely, pglite }
      }),
      ({ kysely, pglite }) =>
        Effect.promise(async () => {
          await kysely.destroy()
          if (!pglite.closed) await pglite.close()
        }),
    ),
    ({ kysely }) => make(kysely),
  ),
)

const cache = new URL('../../node_modules/.cache/tandem/', import.meta.url)

/** Making a PGlite takes seconds, copying one that was just made a fraction of one: the copy is kept between runs. */
const emptyDataFolder = async (): Promise<Blob> => {
  const file = new URL(`pglite-${pgliteVersion()}.tar`, cache)
  if (!existsSync(file)) {
    const pglite = await PGlite.create()
    const dump = await pglite.dumpDataDir('none')
    await pglite.close()
    mkdirSync(cache, { recursive: true })
    const part = new URL(`pglite-${process.pid}.part`, cache)
    writeFileSync(part, new Uint8Array(await dump.arrayBuffer()))
    renameSync(part, file)
  }
  return new Blob([readFileSync(file)])
}

const pgliteVersion = (): string => {
  const file = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
}
