/**
 * What a backup is made of, and how it comes back. The database is read first and the co-signers' marks after it: a mark is
 * never older than what it is about. The other way round a wallet could come back unlocked. Share keys are in no copy
 * (adapters/service/vault/README.md#backups).
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { migrate, migrationNames, schemaState } from '../database/migrations/index.ts'
import type { FenceFile } from '../database/fence.ts'
import { parsers } from '../database/columns.ts'
import type { Tables } from '../database/Tables.ts'
import { pieceLength, raiseWatermarks, readWatermarks } from '../vault/Watermarks.ts'
import { BackupRefused, type Header, type Part } from './BackupFile.ts'
import { keptTables, parentColumns } from './tables.ts'

/** Rows that are in memory at a time. */
const batch = 200

/** `kysely`: one connection, in a transaction of which everything of the database is read. */
export async function* partsOf(kysely: Kysely<Tables>, cosignerFolder: string): AsyncGenerator<Part> {
  await sql`begin isolation level repeatable read read only`.execute(kysely)
  try {
    for (const table of keptTables) {
      const parent = parentColumns[table]
      const order = parent === undefined ? sql`` : sql`order by ${sql.ref(parent)} nulls first`
      await sql`declare copied cursor for select row_to_json(t)::text as row from ${sql.table(table)} t ${order}`.execute(
        kysely,
      )
      for (;;) {
        const { rows } = await sql<{ row: string }>`fetch ${sql.raw(String(batch))} from copied`.execute(kysely)
        if (rows.length === 0) break
        yield { kind: 'rows', table, json: `[${rows.map(({ row }) => row).join(',')}]` }
      }
      await sql`close copied`.execute(kysely)
    }
  } finally {
    await sql`rollback`.execute(kysely)
  }
  const path = join(cosignerFolder, watermarks)
  if (!existsSync(path)) return
  let kind: 'file' | 'more' = 'file'
  for await (const bytes of createReadStream(path, { highWaterMark: pieceLength }) as AsyncIterable<Buffer>) {
    yield { kind, path: watermarks, bytes }
    kind = 'more'
  }
}

/** Of the folder's files the one that is worth a copy: claims, keys of runs and the fence are of processes that are gone. */
const watermarks = 'watermarks'

/** Refused where this version has not made the whole schema. */
export const requireOwnSchema = async (kysely: Kysely<Tables>): Promise<void> => {
  const { missing, later } = await schemaState(kysely)
  if (missing.length + later.length > 0)
    throw new BackupRefused({ message: 'The schema is of another version: use that version, or migrate first.' })
}

export type Counts = { readonly rows: number; readonly files: number }

/** `folder`: of the co-signers, whose marks rise to those of the backup; undefined where they are only counted. */
type Restoration = {
  readonly header: Header
  readonly parts: AsyncIterable<Part>
  readonly folder: string | undefined
  /** Begins a new database generation in database and folder. */
  readonly fence: FenceFile | undefined
}

/** Into a database whose kept tables are empty: all of it, or nothing. */
export const restoreInto = async (
  kysely: Kysely<Tables>,
  { header, parts, folder, fence }: Restoration,
): Promise<Counts> => {
  requireSameSchema(header)
  await sql`begin`.execute(kysely)
  try {
    await requireEmpty(kysely)
    let [rows, files] = [0, 0]
    const copied = readWatermarks()
    for await (const part of parts) {
      if (part.kind === 'rows') rows += await insert(kysely, part)
      else {
        if (part.kind === 'file') files += 1
        requireWatermarks(part.path)
        copied.take(part.bytes)
      }
    }
    // No process has the folder open. What lies there may be newer, and is never taken back.
    if (folder !== undefined) raiseWatermarks(join(folder, watermarks), copied.watermarks)
    if (fence !== undefined) await beginGeneration(kysely, fence)
    await sql`commit`.execute(kysely)
    return { rows, files }
  } catch (cause) {
    await sql`rollback`.execute(kysely)
    throw cause
  }
}

/** In a database in memory, which has the same schema and its constraints. */
export const verifyBackup = async (header: Header, parts: AsyncIterable<Part>): Promise<Counts> => {
  requireSameSchema(header)
  const pglite = await PGlite.create({ parsers: { ...parsers } })
  const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  try {
    await migrate(kysely)
    return await kysely
      .connection()
      .execute((connection) => restoreInto(connection, { header, parts, folder: undefined, fence: undefined }))
  } finally {
    await kysely.destroy()
  }
}

const requireSameSchema = ({ migrations }: Header): void => {
  const own = migrationNames()
  if (migrations.length === own.length && own.every((name) => migrations.includes(name))) return
  const message = 'The backup is of another schema: restore it with the version that made it, then migrate.'
  throw new BackupRefused({ message })
}

const requireEmpty = async (kysely: Kysely<Tables>): Promise<void> => {
  for (const table of keptTables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(kysely)
    if (rows.length > 0)
      throw new BackupRefused({
        message: `The database is in use: ${table} has rows. A backup goes into an empty one.`,
      })
  }
}

/** Refused where a row does not fit: its reference, its check, its key. */
const insert = async (kysely: Kysely<Tables>, { table, json }: Extract<Part, { kind: 'rows' }>): Promise<number> => {
  const known = keptTables.find((kept) => kept === table)
  if (known === undefined) throw new BackupRefused({ message: `The backup has rows of ${table}, which none keeps.` })
  const into = sql.table(known)
  const inserted = sql`insert into ${into} select * from json_populate_recordset(null::${into}, ${json}::json)`
  try {
    return Number((await inserted.execute(kysely)).numAffectedRows ?? 0)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'no reason'
    throw new BackupRefused({ message: `The rows of ${table} do not fit: ${reason}.` })
  }
}

const requireWatermarks = (path: string): void => {
  if (path === watermarks) return
  throw new BackupRefused({ message: `The backup has the file ${path}, which none keeps.` })
}

/**
 * What was under way when the backup was made is over, and no co-signer of before goes on with this folder. The file rises
 * before the row, as with each heartbeat (adapters/service/database/fence.ts).
 */
const beginGeneration = async (kysely: Kysely<Tables>, file: FenceFile): Promise<void> => {
  const row = await kysely.selectFrom('incarnation').select('fence').executeTakeFirst()
  // No co-signer had run.
  if (row === undefined) return
  const { done = 0, intended = 0 } = file.read() ?? {}
  const next = { id: randomUUID(), fence: Math.max(row.fence, done, intended) + 1 }
  file.write({ id: next.id, done, intended: next.fence })
  await kysely.updateTable('incarnation').set(next).execute()
}
