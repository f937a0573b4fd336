/** The database of a running service, row by row, as a copy of it would show it. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { sql } from 'kysely'
import { Database } from '../../adapters/service/database/Database.ts'
import type { TestService } from '../kit/service.ts'

export type Row = Readonly<Record<string, unknown>>
export type Rows = Readonly<Record<string, readonly Row[]>>

/** Every row of every table; bytes as hex. */
export const rowsOf = (service: Pick<TestService, 'run'>): Promise<Rows> =>
  service.run(
    Effect.gen(function* () {
      const { root } = yield* Database
      return yield* Effect.promise(async () => {
        const tables = await root.introspection.getTables({ withInternalKyselyTables: true })
        const rows: Record<string, readonly Row[]> = {}
        for (const { name } of tables) {
          rows[name] = (await sql<Row>`select * from ${sql.table(name)}`.execute(root)).rows.map(readable)
        }
        return rows
      })
    }),
  )

const readable = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, held]) => [name, held instanceof Uint8Array ? bytesToHex(held) : held]),
  )

/** The writes of any request: attempts are counted and recorded, and heartbeats are written. */
const noted = ['rate_limits', 'audits', 'incarnation', 'boots', 'boot_sightings']

/** The rows that a refused request must not change, in a fixed order. */
export const storedState = async (
  service: Pick<TestService, 'run'>,
): Promise<Readonly<Record<string, readonly string[]>>> =>
  Object.fromEntries(
    Object.entries(await rowsOf(service))
      .filter(([name]) => !noted.includes(name))
      .map(([name, rows]) => [name, rows.map(({ last_used_at: _, ...row }) => JSON.stringify(row)).sort()]),
  )
