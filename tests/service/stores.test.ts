/**
 * A store as each landed schema left it: `stores/<day>.json.gz` has the statements that made its schema, its rows, its
 * folders and an account. It is migrated to what an empty database becomes; the account logs in, and its wallets sign.
 * `TANDEM_STORE=<day> npm run test:long -- tests/service/stores.test.ts` writes today's down, after a migration was added.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import * as Layer from 'effect/Layer'
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { parsers } from '../../adapters/service/database/columns.ts'
import { isMigrated, migrate, stateOf } from '../../adapters/service/database/migrations/index.ts'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { makeEmptyDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { isLong } from '../kit/long.ts'
import { startService } from '../kit/service.ts'
import { logIn, signUp } from './people.ts'

type Store = {
  /** Made the schema of then, in this order. */
  readonly statements: readonly string[]
  /** By table, as PostgreSQL writes them in JSON. */
  readonly rows: Readonly<Record<string, readonly object[]>>
  /** Beside the database, by path: base64. */
  readonly files: Readonly<Record<string, string>>
  readonly apiKey: string
  readonly email: string
  readonly password: string
  readonly addresses: readonly string[]
}

const folder = join(import.meta.dirname, 'stores')
const days = readdirSync(folder)
  .map((file) => file.replace('.json.gz', ''))
  .sort()
const storeOf = (day: string): Store =>
  JSON.parse(gunzipSync(readFileSync(join(folder, `${day}.json.gz`))).toString()) as Store

const message = 'before and after'

it('there is one of the present schema', () => {
  const newest = storeOf(days.at(-1) ?? '')
  const ran = (newest.rows['kysely_migration'] ?? []).map((row) => ('name' in row ? String(row.name) : ''))

  const mend = 'TANDEM_STORE=$(date +%F) npm run test:long -- tests/service/stores.test.ts'
  expect(stateOf(ran).missing, `the newest store is of an older schema; write one down: ${mend}`).toEqual([])
})

describe.each(days)('a store of %s', (day) => {
  const store = storeOf(day)

  it('is migrated to the schema of a new one, and keeps every row', { timeout: 60_000 }, async () => {
    const old = await empty()
    await load(old, store)
    await migrate(old)

    expect(await isMigrated(old)).toBe(true)
    expect(await schemaOf(old)).toEqual(await schemaOfNew())
    for (const [table, rows] of Object.entries(store.rows)) {
      const { rows: found } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(old)
      expect([table, (found[0]?.n ?? 0) >= rows.length]).toEqual([table, true])
    }
    await old.destroy()
  })

  // Its password was hashed at the cost that the long run has.
  it.runIf(isLong)('opens: its account logs in, and its wallets sign', { timeout: 120_000 }, async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-store-'))
    for (const [path, bytes] of Object.entries(store.files)) {
      mkdirSync(dirname(join(dataFolder, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(dataFolder, path), Buffer.from(bytes, 'base64'), { mode: 0o600 })
    }
    const place = { kind: 'pglite', folder: join(dataFolder, 'database') } as const
    const pglite = await PGlite.create(place.folder, { parsers: { ...parsers } })
    const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
    await load(kysely, store)
    await kysely.destroy()
    const service = await startService({ dataFolder, database: Layer.orDie(databaseIn(place)) })
    const known = { ...service, partner: { ...service.partner, apiKey: store.apiKey } }

    const device = await logIn(known, store)
    const wallets = await device.getWallets()
    expect(wallets.map(({ address }) => address).sort()).toEqual([...store.addresses].sort())
    for (const { id } of wallets) {
      const { address } = await device.signMessage({ walletId: id, message })
      expect(store.addresses).toContain(address)
    }

    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })
})

it.runIf(process.env['TANDEM_STORE'])('is written down', { timeout: 120_000 }, async () => {
  const statements: string[] = []
  const recorded = await empty((text) => statements.push(text))
  await migrate(recorded)
  await recorded.destroy()

  const dataFolder = mkdtempSync(join(tmpdir(), 'tandem-store-'))
  const place = { kind: 'pglite', folder: join(dataFolder, 'database') } as const
  const service = await startService({ dataFolder, database: Layer.orDie(databaseIn(place)) })
  const { device, email, password } = await signUp(service, { types: { EVM: true, SOLANA: true } })
  const wallets = await device.getWallets()
  for (const { id } of wallets) await device.signMessage({ walletId: id, message })
  await service.stop()

  const pglite = await PGlite.create(place.folder)
  const { rows: tables } = await pglite.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const rows: Record<string, readonly object[]> = {}
  for (const { name } of tables) {
    const { rows: all } = await pglite.query<{ row: object }>(`select row_to_json(t) as row from "${name}" t`)
    if (all.length > 0) rows[name] = all.map(({ row }) => row)
  }
  await pglite.close()
  const store: Store = {
    statements: statements.filter((text) => /^\s*(create|alter|drop)\b/i.test(text)),
    rows,
    files: filesIn(dataFolder),
    apiKey: service.partner.apiKey,
    email,
    password,
    addresses: wallets.map(({ address }) => address ?? ''),
  }
  writeFileSync(join(folder, `${process.env['TANDEM_STORE']}.json.gz`), gzipSync(JSON.stringify(store)))
  rmSync(dataFolder, { recursive: true, force: true })
})

/** On one connection, because `load` changes a setting of its own. */
const empty = async (hear?: (text: string) => void): Promise<Kysely<Tables>> => {
  const pool = new pg.Pool({ connectionString: await makeEmptyDatabaseUrl(), max: 1 })
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ level, query }) => {
      if (level === 'query') hear?.(query.sql)
    },
  })
}

/** What an empty database becomes; read once. */
let fresh: ReturnType<typeof schemaOf> | undefined
const schemaOfNew = () =>
  (fresh ??= (async () => {
    const kysely = await empty()
    await migrate(kysely)
    const schema = await schemaOf(kysely)
    await kysely.destroy()
    return schema
  })())

/** Into an empty database. Rows go in without regard to who refers to whom. */
const load = async (kysely: Kysely<Tables>, { statements, rows }: Store): Promise<void> => {
  for (const text of statements) await sql.raw(text).execute(kysely)
  await sql`set session_replication_role = replica`.execute(kysely)
  for (const [table, all] of Object.entries(rows)) {
    const [into, json] = [sql.table(table), JSON.stringify(all)]
    await sql`insert into ${into} select * from json_populate_recordset(null::${into}, ${json}) on conflict do nothing`.execute(
      kysely,
    )
  }
  await sql`set session_replication_role = origin`.execute(kysely)
}

/** Columns, indexes and constraints, without regard to the order of a table's columns. */
const schemaOf = async (kysely: Kysely<Tables>) => {
  const columns = await sql`
    select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, column_name`.execute(kysely)
  const indexes = await sql`select indexdef from pg_indexes where schemaname = 'public' order by indexdef`.execute(
    kysely,
  )
  const constraints = await sql`
    select conrelid::regclass::text as of, pg_get_constraintdef(oid) as is from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`.execute(kysely)
  return { columns: columns.rows, indexes: indexes.rows, constraints: constraints.rows }
}

/** What lies beside the database, without the pages of tests. */
const filesIn = (dataFolder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !/^(?:database|pages)/.test(path) && statSync(join(dataFolder, path)).isFile())
      .map((path) => [relative('.', path), readFileSync(join(dataFolder, path)).toString('base64')]),
  )
