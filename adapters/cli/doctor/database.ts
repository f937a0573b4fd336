/** D12 to D21, D29 and D34 to D39: the PostgreSQL of the deployment. PGlite is opened by the service alone, and not looked at. */
import { randomUUID } from 'node:crypto'
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Redacted from 'effect/Redacted'
import pg from 'pg'
import { walk } from '../../../domain/crypto/CosignerKey.ts'
import { linksOf, signingAt, type CosignerKey } from '../../../domain/service/CosignerKey.ts'
import { statusOf } from '../../../domain/service/cosignerKeys.ts'
import type { Ring } from '../../../domain/service/ports/SealedTables.ts'
import { usesCosignerFolder, type Configuration } from '../../service/config.ts'
import { backupEvent } from '../../service/backup/tables.ts'
import type { DatabaseLocation } from '../../service/database/open.ts'
import { toFirst, toKey, type FirstKeyRow, type LaterKeyRow } from '../../service/database/CosignerKeys.ts'
import { contracting, stateOf, type SchemaState } from '../../service/database/migrations/index.ts'
import { isOfDatabase } from '../../service/vault/folderOfCosigners.ts'
import type { RingKey } from '../../service/vault/KeyRing.ts'
import { readRing, type RingFile } from '../../service/vault/ringFile.ts'
import { keyIdOf } from '../../service/vault/sealing.ts'
import { ringFilesOf } from '../../service/vault/vaultOf.ts'
import { answerWithinMs, codeOf, type Check, type Fault } from './Check.ts'

/** The oldest major version that the PostgreSQL project still mends. */
const oldestPostgres = 14

/** A device's signature over its request counts for a minute; codes and sessions end by this clock, too. */
const clocksApartMs = 5_000

const day = 24 * 60 * 60_000
const oldestBackupDays = 7

export const checkDatabase: Check = async (configuration) => {
  const { database, environment } = configuration
  if (database.kind === 'pglite') return []
  const client = clientOf(database)
  try {
    const asked = Date.now()
    await client.connect()
    const known = await knownOf(client, configuration.cosignerName)
    const pooled =
      database.prepares || configuration.databaseListen ? await isPooled(client, () => connected(database)) : false
    const faults = faultsOf(known, { asked, answered: Date.now() })
    const isAsynchronous = environment === 'BETA' || environment === 'PROD' ? asynchronousStandby(known) : []
    return [
      ...faults,
      ...isAsynchronous,
      ...folderFaults(configuration, known.generation),
      ...ringFaults(configuration, known),
      ...cosignerKeyFaults(configuration.cosignerName, known),
      ...(pooled ? [inTransactionMode] : []),
    ]
  } catch (cause) {
    const sentence = `The database that DATABASE_URL names cannot be asked (${codeOf(cause)}).`
    return [
      {
        code: 'D12',
        sentence,
        fix: 'See that PostgreSQL runs, and that host, user, password and name in DATABASE_URL are right.',
      },
    ]
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Postgres = Extract<DatabaseLocation, { kind: 'postgres' }>

const clientOf = ({ url }: Postgres): pg.Client => {
  const client = new pg.Client({
    connectionString: Redacted.value(url),
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  })
  // A server that goes away meanwhile makes the next statement fail.
  client.on('error', () => undefined)
  return client
}

const connected = async (database: Postgres): Promise<pg.Client> => {
  const client = clientOf(database)
  await client.connect()
  return client
}

/** Whether a second connection gets the session of the first: a pooler hands it on after each transaction. */
export const isPooled = async (
  client: Pick<pg.Client, 'query'>,
  connect: () => Promise<Pick<pg.Client, 'query' | 'end'>>,
): Promise<boolean> => {
  const mark = randomUUID()
  await client.query(`select set_config('tandem.doctor', $1, false)`, [mark])
  const second = await connect()
  try {
    const { rows } = await second.query<{ mark: string | null }>(
      `select current_setting('tandem.doctor', true) as mark`,
    )
    return rows[0]?.mark === mark
  } finally {
    await second.end()
  }
}

const inTransactionMode: Fault = {
  code: 'D37',
  sentence:
    'DATABASE_URL leads to a pooler in transaction mode: statements with names fail there, and no process is told what others change.',
  fix: 'DATABASE_PREPARE=off and DATABASE_LISTEN=off, or the address of PostgreSQL itself.',
}

export type Known = {
  readonly version: number
  readonly now: number
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly isSuperuser: boolean
  /** The state of each standby, as far as this user may see it. */
  readonly standbys: readonly (string | null)[]
  readonly schema: SchemaState
  /** Tables that this user may not read and write. */
  readonly closed: readonly string[]
  /** hex(8): of the keys under which the MAC key and the co-signer's own key are sealed. */
  readonly sealedUnder: { readonly [R in Ring]?: string | undefined }
  /** Of the co-signer of this name, oldest first. */
  readonly cosignerKeys: readonly CosignerKey[]
  /** When `tandem backup` was done last, in milliseconds since 1970; null where it never was. */
  readonly backedUpAt: number | null
  /** The database generation; undefined before the first start of a co-signer. */
  readonly generation: string | undefined
}

const knownOf = async (client: pg.Client, name: string): Promise<Known> => {
  const { rows } = await client.query<
    Pick<Known, 'version' | 'now' | 'fsync' | 'fullPageWrites' | 'synchronousCommit' | 'isSuperuser'>
  >(`
    select current_setting('server_version_num')::int as version,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser"`)
  const [row] = rows
  if (row === undefined) throw new Error('no row')
  const standbys = await client.query<{ readonly state: string | null }>(
    'select sync_state as state from pg_stat_replication',
  )
  const has = async (table: string) =>
    (await client.query<{ readonly found: boolean }>('select to_regclass($1) is not null as found', [table])).rows[0]
      ?.found === true
  const migrations = (await has('kysely_migration'))
    ? await client.query<{ readonly name: string }>('select name from kysely_migration')
    : { rows: [] }
  const generation = (await has('incarnation'))
    ? await client.query<{ readonly id: string }>('select id from incarnation')
    : { rows: [] }
  const closed = await client.query<{ readonly name: string }>(`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) order by relname`)
  const may = (table: string) => !closed.rows.some(({ name }) => name === table)
  const readable = async (table: string) => (await has(table)) && may(table)
  const keyIn = async (table: string): Promise<string | undefined> => {
    if (!(await readable(table))) return undefined
    const { rows } = await client.query<{ readonly sealed: Buffer }>(`select sealed from ${table} limit 1`)
    return rows[0] && keyIdOf(rows[0].sealed)
  }
  const cosignerKeys = [
    ...((await readable('cosigner_keys')) ? await firstCosignerKey(client, name) : []),
    ...((await readable('cosigner_successors')) ? await laterCosignerKeys(client, name) : []),
  ]
  const signing = signingAt(cosignerKeys, row.now)
  const backups = (await readable('audits'))
    ? await client.query<{ readonly at: number | null }>('select max(at)::float8 as at from audits where event = $1', [
        backupEvent,
      ])
    : { rows: [] }
  return {
    ...row,
    closed: closed.rows.map(({ name }) => name),
    sealedUnder: { service: await keyIn('mac_key'), cosigner: signing && keyIdOf(signing.sealed) },
    cosignerKeys,
    backedUpAt: backups.rows[0]?.at ?? null,
    standbys: standbys.rows.map(({ state }) => state),
    schema: stateOf(migrations.rows.map(({ name }) => name)),
    generation: generation.rows[0]?.id,
  }
}

const firstCosignerKey = async (client: pg.Client, name: string): Promise<readonly CosignerKey[]> => {
  const { rows } = await client.query<FirstKeyRow>('select public_key, sealed from cosigner_keys where name = $1', [
    name,
  ])
  return rows.map(toFirst)
}

const laterCosignerKeys = async (client: pg.Client, name: string): Promise<readonly CosignerKey[]> => {
  const { rows } = await client.query<LaterKeyRow>(
    `select public_key, sealed, active_from::float8 as active_from, replaces, is_compromised, signature
     from cosigner_successors where name = $1 order by active_from`,
    [name],
  )
  return rows.map(toKey)
}

const reload = 'SELECT pg_reload_conf();'

/** What is known as it was between `asked` and `answered` of this machine's clock. */
export const faultsOf = (
  known: Known,
  { asked, answered }: { readonly asked: number; readonly answered: number },
): readonly Fault[] => {
  const { version, now, fsync, fullPageWrites, synchronousCommit, isSuperuser, schema, closed, backedUpAt } = known
  const { missing, later } = schema
  const removed = contracting(later)
  const found: (Fault | false)[] = [
    (now < asked - clocksApartMs || now > answered + clocksApartMs) && {
      code: 'D13',
      sentence:
        'The clocks of this machine and of the database are more than 5 s apart: signed requests may be refused.',
      fix: 'Run chrony or systemd-timesyncd on both.',
    },
    version < oldestPostgres * 10_000 && {
      code: 'D14',
      sentence: `PostgreSQL ${Math.floor(version / 10_000)} is not mended any more.`,
      fix: `Upgrade it to ${oldestPostgres} or later.`,
    },
    fsync !== 'on' && {
      code: 'D15',
      sentence: 'PostgreSQL does not flush what it writes: a crash of its machine can destroy the database.',
      fix: `ALTER SYSTEM SET fsync = on; ${reload}`,
    },
    fullPageWrites !== 'on' && {
      code: 'D16',
      sentence: 'PostgreSQL does not write whole pages: a crash of its machine can tear them.',
      fix: `ALTER SYSTEM SET full_page_writes = on; ${reload}`,
    },
    (synchronousCommit === 'off' || synchronousCommit === 'local') && {
      code: 'D17',
      sentence: 'PostgreSQL acknowledges before it writes: a crash can undo a claim.',
      fix: `ALTER SYSTEM SET synchronous_commit = on; ${reload}`,
    },
    isSuperuser && {
      code: 'D19',
      sentence: 'The user in DATABASE_URL is a superuser: a takeover of the service is one of the whole server.',
      fix: 'Make a user that owns this database alone, and name it in DATABASE_URL.',
    },
    removed.length > 0 && {
      code: 'D20',
      sentence: `The schema is of a later version, which has removed what this one may read: ${removed.join(', ')}.`,
      fix: 'Start the later version.',
    },
    missing.length > 0 && {
      code: 'D29',
      sentence: `The schema is older than this version: ${missing.length} ${missing.length === 1 ? 'migration has' : 'migrations have'} not run.`,
      fix: 'tandem migrate --reason "this version"',
    },
    closed.length > 0 && {
      code: 'D35',
      sentence: `The user in DATABASE_URL may not read and write ${closed.join(', ')}: requests that need it fail.`,
      fix: 'Make it the owner of the tables, or GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO it.',
    },
    backedUpAt !== null &&
      backedUpAt < asked - oldestBackupDays * day && {
        code: 'D36',
        sentence: `The last backup was made ${Math.floor((asked - backedUpAt) / day)} days ago.`,
        fix: 'tandem backup, by a timer each day.',
      },
  ]
  return found.filter((fault) => fault !== false)
}

/** A failover to one that lags undoes what was answered. Without a standby there is nothing to fail over to. */
export const asynchronousStandby = ({ standbys }: Pick<Known, 'standbys'>): readonly Fault[] => {
  const visible = standbys.filter((state) => state !== null)
  if (visible.length === 0 || visible.some((state) => state === 'sync' || state === 'quorum')) return []
  const sentence = 'No standby is synchronous: a failover can undo what was answered.'
  return [{ code: 'D18', sentence, fix: `ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; ${reload}` }]
}

/** A ring that is another deployment's, or an older copy of its own, opens nothing. */
const ringFaults = (configuration: Configuration, { sealedUnder }: Known): readonly Fault[] => {
  const files = ringFilesOf(configuration)
  const rings: readonly Ring[] = configuration.roles.includes('cosigner') ? ['service', 'cosigner'] : ['service']
  return rings.flatMap((ring): readonly Fault[] => {
    const id = sealedUnder[ring]
    const keys = keysIn(files[ring])
    // Without a file it is another fault.
    if (id === undefined || keys === undefined || keys.some((key) => key.id === id)) return []
    const sentence = `The ring in ${files[ring].path} does not have the key ${id}, under which records of this database are sealed.`
    return [
      {
        code: 'D34',
        sentence,
        fix: 'Bring a copy of the ring that has this key; for a restored backup, the copy of its day with the keys made since.',
      },
    ]
  })
}

/** Devices follow the chain from the key that they pin, and take no other way. */
export const cosignerKeyFaults = (name: string, { cosignerKeys: keys, now }: Pick<Known, 'cosignerKeys' | 'now'>) => {
  const found: Fault[] = []
  const [first] = keys
  const walked = first === undefined ? [] : walk(name, hexToBytes(first.publicKey), linksOf(name, keys))
  if (first !== undefined && walked.length !== keys.length - 1)
    found.push({
      code: 'D38',
      sentence:
        'The keys of the co-signer are no chain in which each is signed by the one before: devices that pin an older one do not accept its answers.',
      fix: 'Bring the tables cosigner_keys and cosigner_successors back from a backup.',
    })
  for (const [index, { id, state }] of statusOf(keys, now).entries()) {
    if (state !== 'REPLACED' || now - (keys[index + 1]?.from ?? now) < day) continue
    found.push({
      code: 'D39',
      sentence: `Key ${id} of the co-signer was replaced more than a day ago and is still kept: a copy of it can lead devices that were away to another key.`,
      fix: `tandem cosigner-key retire ${id}`,
    })
  }
  return found
}

const keysIn = (file: RingFile): readonly RingKey[] | undefined => {
  try {
    return readRing(file)
  } catch {
    return undefined
  }
}

/** The co-signer's folder has to be that of this database. */
const folderFaults = (configuration: Configuration, generation: string | undefined): readonly Fault[] => {
  const { roles, cosignerFolder } = configuration
  if (!usesCosignerFolder(roles) || isOfDatabase(configuration, generation)) return []
  const sentence =
    `COSIGNER_FOLDER is '${cosignerFolder}', which is not the folder of the co-signers of this database: ` +
    'it is missing, not shared, or older than the database, or the database is an older copy.'
  const fix =
    'Mount the folder of the co-signers, or bring it back as it was. With an older copy of the database, start a co-signer.'
  return [{ code: 'D21', sentence, fix }]
}
