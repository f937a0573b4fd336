/** Which schemas a version opens, and what it does to those that are older. */
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import { databaseAt, migrateAt, missingAt } from '../../adapters/service/database/open.ts'
import { makeDatabaseUrl, makeEmptyDatabaseUrl } from '../kit/database.ts'

const at = (url: string) => ({ kind: 'postgres', url: Redacted.make(url), prepares: true }) as const

/** Undefined if it opens, else why not. */
const refusal = async (url: string, migrates: boolean): Promise<string | undefined> => {
  const open = Effect.provide(Effect.asVoid(Database), databaseAt(at(url), { migrates }))
  const opened = await Effect.runPromise(Effect.result(Effect.scoped(open)))
  return Result.isFailure(opened) ? opened.failure.message : undefined
}

const run = async (url: string, ...statements: readonly string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const executed = (name: string) => `insert into kysely_migration (name, timestamp) values ('${name}', '2027')`

describe('a database whose schema is older', () => {
  it('is refused outside DEV with the command that mends it, which runs everything once', async () => {
    const url = await makeEmptyDatabaseUrl()

    expect(await refusal(url, false)).toMatch(
      /^The database's schema is older than this version: 001 partners, .*904 boots.* have not run\. Run `npm run tandem -- migrate`, then start\.$/,
    )
    const missing = await Effect.runPromise(missingAt(at(url)))
    expect(await Effect.runPromise(missingAt(at(url)))).toEqual(missing)
    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual(missing)
    expect(await Effect.runPromise(migrateAt(at(url)))).toEqual([])
    expect(await refusal(url, false)).toBeUndefined()
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
