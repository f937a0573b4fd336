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
      .map(([name, rows]) => [
        name,
        rows.map(({ last_used_at: _, last_used_on: _day, ...row }) => JSON.stringify(row)).sort(),
      ]),
  )

/** Remembers all rows. Its result puts them back, whatever has happened to them. */
export const rememberRows = (service: Pick<TestService, 'run'>): Promise<() => Promise<void>> =>
  service.run(
    Effect.gen(function* () {
      const { root } = yield* Database
      return yield* Effect.promise(async () => {
        const names = (await root.introspection.getTables()).map(({ name }) => name).filter((name) => name !== 'boots')
        await sql`create schema remembered`.execute(root)
        for (const name of names) {
          await sql`create table ${sql.table(`remembered.${name}`)} as table ${sql.table(name)}`.execute(root)
        }
        const steps = names.map((name) => `delete from "${name}"; insert into "${name}" table remembered."${name}";`)
        // References are not looked at meanwhile.
        const putBack = `do $$ begin set local session_replication_role = replica; ${steps.join(' ')} end $$`
        return async () => {
          await sql.raw(putBack).execute(root)
        }
      })
    }),
  )

/** What there is of a user, by the names that requests have for it. */
export const objectsOf = async (
  service: Pick<TestService, 'run'>,
  userId: string,
): Promise<Readonly<Record<'walletId' | 'passwordId' | 'encryptionKeyHash' | 'recoveryPublicKeyId', string>>> => {
  const rows = await rowsOf(service)
  const fieldOf = (table: string, field: string) =>
    String(rows[table]?.find((row) => row['user_id'] === userId)?.[field])
  return {
    walletId: fieldOf('wallets', 'id'),
    passwordId: fieldOf('passwords', 'id'),
    encryptionKeyHash: fieldOf('encrypted_wallet_private_keys', 'encryption_key_hash'),
    recoveryPublicKeyId: fieldOf('recovery_public_keys', 'id'),
  }
}
