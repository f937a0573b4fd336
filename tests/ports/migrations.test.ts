/** Which schemas a version opens, and what it does to those that are older. */
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../../adapters/cli/command.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { contracting, migrations, stateOf } from '../../adapters/service/database/migrations/index.ts'
import { databaseAt, migrateAt, missingAt } from '../../adapters/service/database/open.ts'
import { makeDatabaseUrl, makeEmptyDatabaseUrl } from '../kit/database.ts'
import { notExpanding, statementsOf } from './expansion.ts'

const at = (url: string) => ({ kind: 'postgres', url: Redacted.make(url), prepares: true }) as const

/** Undefined if it opens, else why not. */
const refusal = async (url: string, migrates: boolean): Promise<string | undefined> => {
  const open = Effect.provide(Effect.asVoid(Database), databaseAt(at(url), { migrates }))
  const opened = await Effect.runPromise(Effect.result(Effect.scoped(open)))
  return Result.isFailure(opened) ? opened.failure.message : undefined
}

/** Answers the rows of the last one. */
const run = async (url: string, ...statements: readonly string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: readonly unknown[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}

const executed = (name: string) => `insert into kysely_migration (name, timestamp) values ('${name}', '2027')`

describe('a database whose schema is older', () => {
  it('is refused outside DEV with the command that mends it, which runs everything once', async () => {
    const url = await makeEmptyDatabaseUrl()

    const missing = await Effect.runPromise(missingAt(at(url)))
    expect(await refusal(url, false)).toBe(
      `The database's schema is older than this version: ${missing.length} migrations, from 001 partners on, have not run. Run \`tandem migrate\`, then start.`,
    )
    expect(await Effect.runPromise(missingAt(at(url)))).toEqual(missing)
    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual(missing)
    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual([])
    expect(await refusal(url, false)).toBeUndefined()
  })

  it('is migrated by the command, in PROD with a reason, which is audited with what has run', async () => {
    const url = await makeEmptyDatabaseUrl()
    const its = {
      TANDEM_ENVIRONMENT: 'PROD',
      DATABASE_URL: url,
      COSIGNER_FOLDER: '/var/lib/tandem/cosigner',
      SERVICE_KEYS_FILE: '/etc/tandem/service.json',
      COSIGNER_KEYS_FILE: '/etc/tandem/cosigner.json',
      COSIGNER_NAME: 'cosigner.example',
      OPERATOR_NAME: 'Example',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'no-reply@example.com',
      ...Object.fromEntries(
        ['API', 'COSIGNER', 'PORTAL', 'CONNECT'].map((of) => [`${of}_URL`, `https://${of}.example`]),
      ),
    }
    const migrate = (...more: readonly string[]) =>
      runCommand(['migrate', ...more, '--json'], () => Promise.reject(new Error('no file')), its)
    const { missing } = stateOf([])

    expect(await migrate('--plan')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('001 partners') as string,
    })
    expect(await migrate()).toMatchObject({ exitCode: 5, out: expect.stringContaining('needs a reason') as string })
    expect(JSON.parse((await migrate('--reason', 'release 2')).out)).toEqual({
      ok: true,
      data: { migrations: missing },
    })
    expect(JSON.parse((await migrate('--reason', 'again')).out)).toEqual({ ok: true, data: { migrations: [] } })

    const detail = { actor: 'operator', reason: 'release 2', migrations: missing.join(', ') }
    expect(await run(url, 'select event, detail from audits')).toEqual([{ event: 'schema.migrated', detail }])
  })

  it('is migrated at start in DEV', async () => {
    const url = await makeEmptyDatabaseUrl()

    expect(await refusal(url, true)).toBeUndefined()
    expect(await refusal(url, false)).toBeUndefined()
  })

  it('is left as it is when a lock does not come free, and finished by the next command', async () => {
    const url = await makeDatabaseUrl()
    await run(url, `delete from kysely_migration where name = '009 openings by end'`, 'drop index openings_by_end')
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('begin')
    await other.query('lock table openings in access exclusive mode')

    const refused = await Effect.runPromise(Effect.result(migrateAt(at(url))))
    expect(Result.isFailure(refused) && refused.failure.message).toBe(
      'The database that DATABASE_URL names cannot be migrated: canceling statement due to lock timeout',
    )
    await other.end()

    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual(['009 openings by end'])
  })
})

describe('a database whose schema is of a later version', () => {
  it('is opened while nothing was removed from it', async () => {
    const url = await makeDatabaseUrl()
    await run(url, 'alter table sessions add column later text', executed('099 later'))

    expect([await refusal(url, false), await refusal(url, true)]).toEqual([undefined, undefined])
    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual([])
  })

  it('is refused when something was', async () => {
    const url = await makeDatabaseUrl()
    await run(url, executed('098 contract sessions'))
    const message =
      "The database's schema is of a later version, which has removed what this one may read: 098 contract sessions. Start that version, or a later one."

    expect([await refusal(url, false), await refusal(url, true)]).toEqual([message, message])
    expect(await Effect.runPromise(Effect.flip(migrateAt(at(url))))).toMatchObject({ message })
  })
})

describe('a migration', () => {
  /** Those of the time in which no version had to start on the schema of the next. */
  const first = ['106 refreshes', '109 wrapped keys of records', '110 devices of OT records', '111 no capsules']

  it('only adds, or has the word contract after its number', async () => {
    const found: Record<string, readonly string[]> = {}
    for (const [name, migration] of Object.entries(migrations)) {
      const more = notExpanding(await statementsOf(migration))
      if (more.length > 0 && contracting([name]).length === 0) found[name] = more
    }
    expect(Object.keys(found)).toEqual(expect.arrayContaining(first))
    expect(Object.entries(found).filter(([name]) => !first.includes(name))).toEqual([])
  })

  it.each([
    'drop table users',
    'drop index users_by_name',
    'alter table users drop column name',
    'alter table users drop name',
    'alter table users rename column name to label',
    'alter table users rename to people',
    'alter table users add column name text not null',
    'alter table users add column name text, add column size int not null check (size > 0)',
    'alter table users add column name text unique',
    'alter table users alter column name type bytea using name::bytea',
    'alter table users alter column name set not null',
    'alter table users alter column name drop not null',
    'alter table users alter column name drop default',
    'alter table users add constraint named check (name is not null)',
    'alter table users drop constraint users_pkey',
    'create unique index users_by_name on users (name)',
    "update users set state = 'NEW'",
    "update users set added = 1, state = 'NEW'",
    'update people set added = 1',
    'alter table if exists users drop column name',
    'create table if not exists users (id text primary key)',
    'delete from users',
    'truncate users',
  ])('that runs “%s” contracts', (text) => {
    const adding = ['create table others (id text primary key)', 'alter table users add column added int']
    expect(notExpanding([...adding, text])).toHaveLength(1)
  })

  it.each([
    [['alter table users add column name text']],
    [["alter table users add column name text not null default ''", 'create index users_by_name on users (name)']],
    [['alter table users add column name text', "update users set name = 'none' where id in (select id from others)"]],
    [['create table people (id text not null)', 'create unique index people_by_id on people (id)']],
    [
      [
        'alter table users drop constraint users_state_check',
        "alter table users add constraint users_state_check check (state in ('NEW', 'OLD'))",
      ],
    ],
  ])('that runs %j adds', (texts) => {
    expect(notExpanding(texts)).toEqual([])
  })
})
