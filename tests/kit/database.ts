/**
 * Databases for tests, each migrated and used by nothing before: copies on the run's PostgreSQL (`postgresSetup.ts`), PGlite in
 * memory, or the simulation's rows in memory. Repositories are tested on each; what stands above them takes any
 * (tests/README.md#databases).
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Kysely, PGliteDialect } from 'kysely'
import { beforeEach, describe, inject } from 'vitest'
import type { Notifications } from '../../domain/service/ports/Notifications.ts'
import type { Transaction } from '../../domain/service/ports/Transaction.ts'
import { parsers } from '../../adapters/service/database/columns.ts'
import { Database, make, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { migrate } from '../../adapters/service/database/migrations/index.ts'
import { notificationsOfProcess } from '../../adapters/service/database/Notifications.ts'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { memoryDatabase } from '../simulation/rows/memoryDatabase.ts'
import { casesOf, isLong } from './long.ts'
import { databaseIn, type DatabasePlace } from './databasePlace.ts'
import { copyInUse, createDatabase, dropDatabase, nameOf, replaceInUse } from './postgres.ts'

/** Makes the layer of a migrated database that is empty. Each call is another one; its scope ends it. */
export type MakeDatabase = () => Layer.Layer<Database | Notifications | Transaction>

type Suite = (makeDatabase: MakeDatabase, name: string) => void

/** For what the database itself decides: repositories; and for one account from end to end. */
export const onEachDatabase = (suite: Suite): void => {
  onPostgres(suite)
  describe('on PGlite', () => {
    suite(() => withTransaction(pgliteInMemory), 'PGlite')
  })
  onRows(suite)
}

/** For flows that have run over the repositories' own suites: on PostgreSQL, and in the long run on PGlite, too. */
export const onUsualDatabase = (suite: Suite): void => (isLong ? onEachDatabase : onPostgres)(suite)

const onPostgres = (suite: Suite): void => {
  describe('on PostgreSQL', () => {
    suite(() => withTransaction(postgresCopy), 'PostgreSQL')
  })
}

/** Holds the simulation's database to the same tests as the real ones. */
const onRows: (suite: Suite) => void = (suite) => {
  describe('on rows in memory', () => {
    beforeEach(({ task, skip }) => {
      const reason = notOnRows[task.name]
      if (reason !== undefined) skip(reason)
    })
    suite(() => withTransaction(memoryDatabase()), 'rows in memory')
  })
}

/** Tests of the database server itself, by name, each with what rows in memory do not have. */
const notOnRows: Readonly<Record<string, string>> = {
  'has run every migration once, also when several start together': 'they are made migrated',
  'answers a transaction only when it is on the disk, whatever the connection sets': 'they have no disk',
  'reads a table to which another process has just added a column': 'they prepare no statements',
  'are run again from their beginning after 40001': 'they run no PL/pgSQL',
  'are run again from their beginning after 40P01': 'they run no PL/pgSQL',
  'that never succeed are a temporary defect, and any other failure is a defect at once': 'they run no PL/pgSQL',
  'of OT state name their device; those that an earlier version left name none and are deleted':
    'they are made migrated',
  'include the newest of each wrapped key that was stored before keys belonged to records': 'they are made migrated',
}

/** For a world that needs any one database. */
export const anyDatabase: MakeDatabase = () => withTransaction(isLong ? pgliteInMemory : postgresCopy)

const postgresCopy: Layer.Layer<Database> = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => makeDatabaseUrl()),
      (url) => Effect.promise(() => dropDatabase(inject('postgres').url, url)),
    ),
    (url) => Layer.orDie(databaseIn({ kind: 'postgres', url })),
  ),
)

/** A database that goes with the run's server: a migrated one, or a copy of another, to which nothing is connected. */
export const makeDatabaseUrl = (of?: string): Promise<string> => {
  const { url, template } = inject('postgres')
  return createDatabase(url, of === undefined ? template : nameOf(of))
}

/** Without any table. */
export const makeEmptyDatabaseUrl = (): Promise<string> => createDatabase(inject('postgres').url)

/** The same for worlds in processes of their own, which are told the place. */
export const usualDatabases = casesOf(['PGlite', 'PostgreSQL'] as const, (name) => name === 'PostgreSQL')

/** Where such a world keeps its rows: in its data folder, as the service does by itself, or on the run's server. */
export const makePlace = async (name: (typeof usualDatabases)[number], dataFolder: string): Promise<DatabasePlace> =>
  name === 'PostgreSQL'
    ? { kind: 'postgres', url: await makeDatabaseUrl() }
    : { kind: 'pglite', folder: join(dataFolder, 'database') }

/** A copy of a database that is in use. */
export const copyOfDatabase = (url: string): Promise<string> => copyInUse(inject('postgres').url, url)

/** Puts another database in the place of one that is in use, as a restore or a failover does. */
export const replaceDatabase = (url: string, byUrl: string): Promise<void> =>
  replaceInUse(inject('postgres').url, url, byUrl)

/** `fresh`: each use of `makeDatabase()` builds another database, also within one runtime's memo map. */
const withTransaction = (database: Layer.Layer<Database>): ReturnType<MakeDatabase> =>
  Layer.merge(TransactionDatabase, notificationsOfProcess({ isAlone: true })).pipe(
    Layer.provideMerge(Layer.fresh(database)),
  )

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
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown'
}
