/** D12 to D21 and D29: the PostgreSQL of the deployment. PGlite is opened by the service alone, and not looked at. */
import { existsSync } from 'node:fs'
import * as Redacted from 'effect/Redacted'
import pg from 'pg'
import type { Configuration } from '../../service/config.ts'
import { contracting, stateOf, type SchemaState } from '../../service/database/migrations/index.ts'
import { fenceFileAt } from '../../service/vault/fenceFile.ts'
import { fenceFileOf } from '../../service/vault/vaultOf.ts'
import { answerWithinMs, codeOf, type Check, type Fault } from './Check.ts'

/** The oldest major version that the PostgreSQL project still mends. */
const oldestPostgres = 14

/** A device's signature over its request counts for a minute; codes and sessions end by this clock, too. */
const clocksApartMs = 5_000

export const checkDatabase: Check = async (configuration) => {
  const { database, environment } = configuration
  if (database.kind === 'pglite') return []
  const client = new pg.Client({
    connectionString: Redacted.value(database.url),
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  })
  // A server that goes away meanwhile makes the next statement fail.
  client.on('error', () => undefined)
  try {
    const asked = Date.now()
    await client.connect()
    const known = await knownOf(client)
    const faults = faultsOf(known, { asked, answered: Date.now() })
    const isAsynchronous = environment === 'BETA' || environment === 'PROD' ? asynchronousStandby(known) : []
    return [...faults, ...isAsynchronous, ...folderFaults(configuration, known.generation)]
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
  /** The database generation; undefined before the first start of a co-signer. */
  readonly generation: string | undefined
}

const knownOf = async (client: pg.Client): Promise<Known> => {
  const { rows } = await client.query<Omit<Known, 'standbys' | 'schema' | 'generation'>>(`
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
  return {
    ...row,
    standbys: standbys.rows.map(({ state }) => state),
    schema: stateOf(migrations.rows.map(({ name }) => name)),
    generation: generation.rows[0]?.id,
  }
}

const reload = 'SELECT pg_reload_conf();'

/** What is known as it was between `asked` and `answered` of this machine's clock. */
export const faultsOf = (
  known: Known,
  { asked, answered }: { readonly asked: number; readonly answered: number },
): readonly Fault[] => {
  const { version, now, fsync, fullPageWrites, synchronousCommit, isSuperuser, schema } = known
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
      fix: 'tandem migrate',
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

/** The co-signer's folder has to be that of this database. */
const folderFaults = (configuration: Configuration, generation: string | undefined): readonly Fault[] => {
  const { roles, cosignerFolder } = configuration
  if (!roles.includes('cosigner') || generation === undefined) return []
  const file = fenceFileOf(configuration)
  if (existsSync(file) && fenceFileAt(file).read()?.id === generation) return []
  const sentence =
    `COSIGNER_FOLDER is '${cosignerFolder}', which is not the folder of the co-signers of this database: ` +
    'it is missing, not shared, or older than the database.'
  return [{ code: 'D21', sentence, fix: 'Mount the folder of the co-signers, or bring it back as it was.' }]
}
