/** Opens the database: PGlite in this process, or PostgreSQL by its address. Everything above is the same for both. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import {
  CompiledQuery,
  Kysely,
  PGliteDialect,
  PostgresDialect,
  PostgresDriver,
  sql,
  type DatabaseConnection,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { StartRefusal } from '../StartRefusal.ts'
import { parsers } from './columns.ts'
import { Database, durably, make } from './Database.ts'
import { lockFolder } from './folderLock.ts'
import { contracting, migrate, schemaState, type SchemaState } from './migrations/index.ts'
import { withNamedStatements } from './namedStatements.ts'
import type { Tables } from './Tables.ts'

export type DatabaseLocation =
  | { readonly kind: 'pglite'; readonly folder: string }
  /** `prepares`: statements have names, which a pooler in transaction mode does not allow. */
  | { readonly kind: 'postgres'; readonly url: Redacted.Redacted; readonly prepares: boolean }

export type OpenOptions = {
  /** Whether migrations that have not run are run; where they may not, they are a refusal. */
  readonly migrates: boolean
  readonly log?: ((message: string) => void) | undefined
}

/** The database at a place, with a schema that this version can use; closed with its scope. */
export const databaseAt = (
  database: DatabaseLocation,
  { migrates, log = () => undefined }: OpenOptions,
): Layer.Layer<Database, StartRefusal> =>
  Layer.effect(
    Database,
    Effect.gen(function* () {
      const kysely = yield* opened(database, { queryWithinMs, log })
      yield* attempt(database, 'opened', () => requireSchema(kysely, migrates))
      return make(kysely, database.kind === 'postgres')
    }),
  )

/** Runs the migrations that have not run, and answers their names. */
export const migrateAt = (database: DatabaseLocation): Effect.Effect<readonly string[], StartRefusal> =>
  onConnection(database, 'migrated', async (kysely) => {
    const { missing } = await requireServed(kysely)
    await migrate(kysely)
    return missing
  })

/** The names of the migrations that have not run. Changes nothing. */
export const missingAt = (database: DatabaseLocation): Effect.Effect<readonly string[], StartRefusal> =>
  onConnection(database, 'migrated', async (kysely) => (await requireServed(kysely)).missing)

/**
 * All statements on one connection. An index over a large table takes its time, so no query is cut short. A lock that others
 * hold is given up soon.
 */
export const onConnection = <A>(
  database: DatabaseLocation,
  what: What,
  use: (kysely: Kysely<Tables>) => Promise<A>,
): Effect.Effect<A, StartRefusal> =>
  Effect.scoped(
    Effect.flatMap(opened(database, { queryWithinMs: 0, log: () => undefined }), (kysely) =>
      attempt(database, what, () =>
        kysely.connection().execute(async (connection) => {
          await sql.raw(`set lock_timeout = '${lockWithin}'`).execute(connection)
          return use(connection)
        }),
      ),
    ),
  )

const lockWithin = '3s'

const requireSchema = async (kysely: Kysely<Tables>, migrates: boolean): Promise<void> => {
  const { missing } = await requireServed(kysely)
  if (missing.length === 0) return
  if (migrates) return migrate(kysely)
  const [first = ''] = missing
  const count = missing.length === 1 ? `migration ${first} has` : `${missing.length} migrations, from ${first} on, have`
  throw new StartRefusal({
    message: `The database's schema is older than this version: ${count} not run. Run \`tandem migrate\`, then start.`,
  })
}

/** Refuses a schema from which a later version has removed something: it may be what this version reads. */
const requireServed = async (kysely: Kysely<Tables>): Promise<SchemaState> => {
  const state = await schemaState(kysely)
  const removed = contracting(state.later)
  if (removed.length === 0) return state
  throw new StartRefusal({
    message: `The database's schema is of a later version, which has removed what this one may read: ${removed.join(', ')}. Start that version, or a later one.`,
  })
}

type What = 'opened' | 'migrated' | 'copied' | 'restored'

const attempt = <A>(database: DatabaseLocation, what: What, use: () => Promise<A>): Effect.Effect<A, StartRefusal> =>
  Effect.tryPromise({ try: use, catch: refusalOf(database, what) })

type Opened = { readonly kysely: Kysely<Tables>; readonly close: () => Promise<void> }

type Connecting = { readonly queryWithinMs: number; readonly log: (message: string) => void }

const opened = (database: DatabaseLocation, connecting: Connecting) =>
  Effect.map(
    Effect.acquireRelease(
      attempt(database, 'opened', () =>
        database.kind === 'pglite' ? openPglite(database.folder) : openPostgres(database, connecting),
      ),
      ({ close }) => Effect.promise(close),
    ),
    ({ kysely }) => kysely,
  )

const openPglite = async (folder: string): Promise<Opened> => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  try {
    const pglite = await PGlite.create(folder, { parsers: { ...parsers } })
    const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
    return {
      kysely,
      close: async () => {
        await kysely.destroy()
        if (!pglite.closed) await pglite.close()
        unlock()
      },
    }
  } catch (cause) {
    unlock()
    throw cause
  }
}

/** Pool size. Each connection is a PostgreSQL process; arithmetic runs outside transactions, so few are needed. */
const connections = 10

/**
 * How long a request waits for a connection before it is told to retry, unless the URL has libpq's `connect_timeout`
 * (in seconds); and how long a query may take.
 */
const connectWithinMs = 2_000
const queryWithinMs = 15_000

const openPostgres = async (
  { url: secretUrl, prepares }: Extract<DatabaseLocation, { kind: 'postgres' }>,
  connecting: Connecting,
): Promise<Opened> => {
  const url = Redacted.value(secretUrl)
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: readConnectTimeout(url) ?? connectWithinMs,
    query_timeout: connecting.queryWithinMs,
    types: readAsOurs(),
  })
  // Without a listener, an idle connection that the server closes would end this process.
  pool.on('error', (cause) => connecting.log(`a database connection ended: ${cause.message}`))
  // The same for a connection in use, between two statements of a transaction; the next statement fails.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const dialect = new DurableDialect(withoutHung(prepares ? withNamedStatements(pool) : pool))
  const kysely = new Kysely<Tables>({ dialect })
  const connection = await pool.connect()
  connection.release()
  return { kysely, close: () => kysely.destroy() }
}

/**
 * The pool, without connections on which a query took too long. pg sends nothing more on such a connection before the
 * server answers, and what it answers by then may be that a transaction has begun, which the next user would be in.
 */
const withoutHung = (pool: PostgresPool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client = await pool.connect()
    let hung: Error | undefined
    const query = async (text: string, values: readonly unknown[]) => {
      if (hung !== undefined) throw hung
      try {
        return await client.query(text, values)
      } catch (cause) {
        if (cause instanceof Error && cause.message === 'Query read timeout') hung = cause
        throw cause
      }
    }
    const release = (destroy = false) => client.release(destroy || hung !== undefined)
    return Object.assign(Object.create(client) as PostgresPoolClient, { query, release })
  },
})

/**
 * What every transaction begins with goes to the server in one message. The level is named, because a row's lock shows what others
 * committed meanwhile at READ COMMITTED alone, and the server may have another default.
 */
class DurableDialect extends PostgresDialect {
  readonly #pool: PostgresPool

  constructor(pool: PostgresPool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new DurableDriver({ pool: this.#pool })
  }
}

class DurableDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const asked = isolationLevel ?? accessMode
    if (asked !== undefined) throw new Error(`a transaction that is ${asked}`)
    try {
      await connection.executeQuery(CompiledQuery.raw(`begin isolation level read committed; ${durably}`))
    } catch (cause) {
      // It may have begun. A connection that cannot roll back has ended or hangs, and is discarded by that.
      await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined)
      throw cause
    }
  }
}

const readConnectTimeout = (url: string): number | undefined => {
  const seconds = new URL(url).searchParams.get('connect_timeout')
  if (seconds === null) return undefined
  if (/^[1-9][0-9]{0,3}$/.test(seconds)) return Number(seconds) * 1_000
  throw new StartRefusal({
    message: `DATABASE_URL has the connect_timeout '${seconds}', which is not a number of seconds.`,
    of: 'configuration',
  })
}

const readAsOurs = (): pg.TypeOverrides => {
  const types = new pg.TypeOverrides()
  for (const [oid, parser] of Object.entries(parsers)) types.setTypeParser(Number(oid), parser)
  return types
}

const refusalOf =
  (database: DatabaseLocation, what: string) =>
  (cause: unknown): StartRefusal => {
    if (cause instanceof StartRefusal) return cause
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
    return new StartRefusal({
      message:
        database.kind === 'pglite'
          ? `The database in ${database.folder} cannot be ${what}: ${reason}`
          : `The database that DATABASE_URL names cannot be ${what}: ${reason}`,
      of: 'database',
    })
  }
