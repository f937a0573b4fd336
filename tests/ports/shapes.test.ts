/** The shapes of tables that rows in memory read from the migrations are those that PostgreSQL makes of them. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { Database } from '../../adapters/service/database/Database.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { shapes } from '../simulation/rows/memoryDatabase.ts'

const runtime = ManagedRuntime.make(
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => makeDatabaseUrl()),
      (url) => databaseIn({ kind: 'postgres', url }),
    ),
  ),
)
afterAll(() => runtime.dispose())

/** Each row as one text, in order, without Kysely's own tables. */
const ask = async (text: string): Promise<readonly string[]> => {
  type Told = { readonly name: string; readonly told: string }
  const { rows } = await runtime.runPromise(
    Effect.flatMap(Database, ({ query }) => query((kysely) => sql.raw<Told>(text).execute(kysely))),
  )
  return rows.flatMap(({ name, told }) => (name.startsWith('kysely_') ? [] : [`${name} ${told}`])).sort()
}

const all = [...shapes.values()]

it('have the columns', async () => {
  const ours = all.flatMap(({ name, columns }) =>
    columns.map((column) => {
      const rules = [column.isNullable ? '' : ' not null', column.byDefault === undefined ? '' : ' default']
      return `${name} ${column.name} ${column.type}${rules.join('')}`
    }),
  )

  expect(ours.sort()).toEqual(
    await ask(`
      select relname as name, attname::text || ' ' || format_type(atttypid, atttypmod) ||
        case when attnotnull then ' not null' else '' end || case when atthasdef then ' default' else '' end as told
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`),
  )
})

it('have the keys and indexes', async () => {
  const ours = all.flatMap(({ name, keys, indexes }) => [
    ...keys.map((key) => `${name} ${key.name} (${key.columns.join(', ')})${key.where === undefined ? '' : ' where'}`),
    ...indexes.map((index) => `${name} ${index.name}`),
  ])

  expect(ours.sort()).toEqual(
    await ask(`
      select relation.relname as name, case when indisunique
        then found.relname::text || ' (' || (
          select string_agg(attname::text, ', ' order by place) from unnest(indkey) with ordinality as part (number, place)
          join pg_attribute on attrelid = indrelid and attnum = number
        ) || ')' || case when indpred is null then '' else ' where' end
        else found.relname::text end as told
      from pg_index join pg_class as relation on relation.oid = indrelid join pg_class as found on found.oid = indexrelid
      where relation.relnamespace = 'public'::regnamespace`),
  )
})

it('have the checks and references', async () => {
  const ours = all.flatMap(({ name, checks, references }) => [
    ...checks.map((check) => `${name} c ${check.name}`),
    ...references.map(
      ({ name: reference, columns, parent, parentColumns, onDelete }) =>
        `${name} f ${reference} (${columns.join(', ')}) ${parent} (${parentColumns.join(', ')}) ${onDelete}`,
    ),
  ])
  const names = (keys: string, relation: string) => `(
    select string_agg(attname::text, ', ' order by place) from unnest(${keys}) with ordinality as part (number, place)
    join pg_attribute on attrelid = ${relation} and attnum = number)`

  expect(ours.sort()).toEqual(
    await ask(`
      select relname as name, contype::text || ' ' || conname::text || case when contype = 'c' then '' else
        ' (' || ${names('conkey', 'conrelid')} || ') ' || confrelid::regclass::text || ' (' || ${names('confkey', 'confrelid')} || ') ' ||
        case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'nothing' end end as told
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where pg_class.relnamespace = 'public'::regnamespace and contype in ('c', 'f')`),
  )
})
