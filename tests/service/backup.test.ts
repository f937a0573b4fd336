/** `tandem backup` and `restore`: what is copied, in which order, who opens it, and that the same wallets sign elsewhere. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../adapters/cli/command.ts'
import { readBackup, writeBackup, type Header, type Part } from '../../adapters/service/backup/BackupFile.ts'
import { partsOf } from '../../adapters/service/backup/copying.ts'
import { keptTables, leftTables, parentColumns } from '../../adapters/service/backup/tables.ts'
import { migrationNames } from '../../adapters/service/database/migrations/index.ts'
import type { Tables } from '../../adapters/service/database/Tables.ts'
import { makeDatabaseUrl, makeEmptyDatabaseUrl } from '../kit/database.ts'
import { isLong } from '../kit/long.ts'
import { startService } from '../kit/service.ts'
import { Device, logIn, signUp } from './people.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Settings = Readonly<Record<string, string>>

const tandem = async (settings: Settings, ...words: readonly string[]) => {
  const { exitCode, out } = await runCommand([...words, '--json'], (path) => readFile(path, 'utf8'), settings)
  const { data, error } = JSON.parse(out) as { readonly data?: unknown; readonly error?: { readonly message: string } }
  return { exitCode, data, message: error?.message }
}

/** One connection to a database, as the command has it. */
const connected = async <A>(url: string, use: (kysely: Kysely<Tables>) => Promise<A>): Promise<A> => {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return use(kysely).finally(() => kysely.destroy())
}

/** Files of a deployment in which a co-signer has run. */
const deploymentIn = (name: string, DATABASE_URL: string): Settings => {
  const dataFolder = join(folder, name)
  mkdirSync(join(dataFolder, 'cosigner'), { recursive: true })
  writeFileSync(join(dataFolder, 'cosigner', 'incarnation'), 'one 7 8\n')
  writeFileSync(join(dataFolder, 'cosigner', 'watermarks'), '1 burned/a\n')
  mkdirSync(join(dataFolder, 'cosigner', 'share-keys'))
  writeFileSync(join(dataFolder, 'cosigner', 'share-keys', '1.a'), 'in no copy')
  return { DATABASE_URL, DATA_FOLDER: dataFolder }
}

const amount = String(2n ** 256n - 1n)

let recipient = ''
const [key, otherKey] = [join(folder, 'key.txt'), join(folder, 'other.txt')]
let source: Settings
const file = join(folder, 'first.backup')

beforeAll(async () => {
  // What takes seconds is in the long run.
  if (!isLong) return
  source = deploymentIn('source', await makeDatabaseUrl())
  ;({ recipient } = (await tandem({}, 'backup-key', key)).data as { recipient: string })
  await tandem({}, 'backup-key', otherKey)
  await tandem(source, 'kek', 'create')
  await tandem(source, 'partner', 'create', '--name', 'Shop', '--origin', 'https://shop.example')
  await connected(source['DATABASE_URL'] ?? '', async (kysely) => {
    await sql`insert into incarnation (one, id, fence) values (true, 'one', 7)`.execute(kysely)
    await sql`insert into spends values ('w', 'd', 'u', 'p', 'r', 'a', ${amount}::numeric, 1)`.execute(kysely)
  })
  expect(await tandem(source, 'backup', file, '--recipient', recipient)).toMatchObject({ exitCode: 0 })
})

/** A machine with the rings of the source. */
const another = async (name: string, url?: string): Promise<Settings> => {
  const dataFolder = join(folder, name)
  mkdirSync(dataFolder)
  for (const ring of ['service-keys.json', 'cosigner-keys.json'])
    cpSync(join(source['DATA_FOLDER'] ?? '', ring), join(dataFolder, ring))
  return { DATABASE_URL: url ?? (await makeEmptyDatabaseUrl()), DATA_FOLDER: dataFolder }
}

const restore = (settings: Settings, ...more: readonly string[]) =>
  tandem(settings, 'restore', file, '--identity', key, '--yes', ...more)

it('every table is kept or left, and comes after those that it refers to', async () => {
  await connected(await makeDatabaseUrl(), async (kysely) => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
      kysely,
    )
    const own = tables.map(({ name }) => name).filter((name) => !name.startsWith('kysely_migration'))
    expect([...keptTables, ...leftTables].sort()).toEqual(own.sort())
    const { rows: references } = await sql<{ of: string; to: string }>`
      select conrelid::regclass::text as of, confrelid::regclass::text as to from pg_constraint
      where contype = 'f' and conrelid <> confrelid`.execute(kysely)
    const place = (name: string) => keptTables.findIndex((table) => table === name)
    expect(references.filter(({ of, to }) => place(of) >= 0 && place(to) > place(of))).toEqual([])
    expect(references.length).toBeGreaterThan(10)
  })
})

it('has a row after the one of its table that it refers to, wherever both lie', async () => {
  await connected(await makeDatabaseUrl(), async (kysely) => {
    const { rows: references } = await sql<{ table: string; column: string }>`
      select conrelid::regclass::text as table, attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where contype = 'f' and conrelid = confrelid`.execute(kysely)
    expect(Object.entries(parentColumns)).toEqual(references.map(({ table, column }) => [table, column]))

    await sql`set session_replication_role = replica`.execute(kysely)
    await sql`insert into sessions (id, lookup_id, partner_id, state, created_at, last_used_at, parent_id)
      values ('child', 'c', 'p', 'NEW', 1, 1, 'parent'), ('parent', 'p', 'p', 'NEW', 1, 1, null)`.execute(kysely)
    const ids: string[] = []
    for await (const part of partsOf(kysely, folder)) {
      if (part.kind === 'rows' && part.table === 'sessions')
        ids.push(...(JSON.parse(part.json) as { readonly id: string }[]).map(({ id }) => id))
    }
    expect(ids).toEqual(['parent', 'child'])
  })
})

it('reads what was written, whatever characters are in it, and in writes of any length', async () => {
  const file = join(folder, 'characters.age')
  const identity = await generateX25519Identity()
  const header: Header = { environment: 'DEV', cosignerName: 'a\u2028b', madeAt: 0, migrations: ['\u2029'] }
  const json = JSON.stringify(['\u2028', '\u2029', '\u0085', '\r', '\f', '🙂'.repeat(100_000)])
  const handle = await open(folder, 'r')
  const files = Object.getPrototypeOf(handle) as typeof handle
  // As on a disk that is nearly full, where a write takes some bytes and does not fail.
  async function writeHalf(this: typeof handle, bytes: string | Uint8Array) {
    const part = bytes.slice(0, bytes.length / 2)
    await this.appendFile(part)
    return { bytesWritten: part.length, buffer: '' }
  }
  const half = vi.spyOn(files, 'write').mockImplementation(writeHalf)
  await writeBackup(file, [await identityToRecipient(identity)], header, of('users', json))
  half.mockRestore()

  const read = await readBackup(file, identity, async (header, parts) => {
    const all: Part[] = []
    for await (const part of parts) all.push(part)
    return { header, parts: all }
  })
  expect(read).toEqual({ header, parts: [{ kind: 'rows', table: 'users', json }] })
})

it('says of a backup that was interrupted what to do with its rest', async () => {
  const file = join(folder, 'again.age')
  writeFileSync(`${file}.part`, '')
  const header: Header = { environment: 'DEV', cosignerName: 'localhost', madeAt: 0, migrations: [] }
  await expect(writeBackup(file, [], header, of('users', '[]'))).rejects.toMatchObject({
    message: expect.stringMatching(/again\.age\.part is there: .* interrupted .* Remove it where none is\.$/) as string,
  })
})

it.runIf(isLong)(
  'takes a whole file of anyone who knows the recipient, so copies belong where others cannot write',
  async () => {
    const forged = join(folder, 'forged.backup')
    const header: Header = { environment: 'DEV', cosignerName: 'localhost', madeAt: 0, migrations: migrationNames() }
    await writeBackup(forged, [recipient], header, of('replays', '[]'))

    expect(await tandem({}, 'verify', 'backup', forged, '--identity', key)).toMatchObject({ exitCode: 0 })
  },
)

it.runIf(isLong)('reads the database as it was at one moment, and the co-signers’ marks after it', async () => {
  const watermarks = join(source['DATA_FOLDER'] ?? '', 'cosigner', 'watermarks')
  const url = source['DATABASE_URL'] ?? ''
  const parts: Part[] = []
  await connected(url, async (kysely) => {
    for await (const part of partsOf(kysely, join(watermarks, '..'))) {
      if (parts.length === 0) {
        await connected(url, (other) => sql`delete from spends where digest <> 'd'`.execute(other))
        await connected(url, (other) => sql`insert into spends values ('w','e','u','p','r','a',1,1)`.execute(other))
        appendFileSync(watermarks, '2 burned/b\n')
      }
      parts.push(part)
    }
  })

  const rowsOf = (table: string) =>
    parts.flatMap((part) => (part.kind === 'rows' && part.table === table ? [part.json] : []))
  expect(rowsOf('spends')).toEqual([expect.stringContaining(amount)])
  expect(rowsOf('spends').join()).not.toContain('"e"')
  const files = parts.flatMap((part) => (part.kind === 'file' ? [[part.path, part.bytes.toString()]] : []))
  expect(files).toEqual([['watermarks', '1 burned/a\n2 burned/b\n']])
})

describe.runIf(isLong)('a backup', () => {
  it('has nothing readable, and overwrites nothing', async () => {
    const bytes = readFileSync(file)
    expect(bytes.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
    for (const text of ['Shop', 'shop.example', 'burned', 'tandem']) expect(bytes.includes(text)).toBe(false)
    const again = await tandem(source, 'backup', file, '--recipient', recipient)
    expect(again).toMatchObject({ exitCode: 5, message: `${file} exists, and is not overwritten.` })
    const wrong = await tandem(source, 'backup', join(folder, 'wrong'), '--recipient', 'age1wrong')
    expect(wrong).toMatchObject({
      exitCode: 5,
      message: expect.stringContaining("'age1wrong' is no recipient: one is `age1` and 58 characters") as string,
    })
    expect([existsSync(join(folder, 'wrong')), existsSync(join(folder, 'wrong.part'))]).toEqual([false, false])
  })

  it('is not made with another deployment’s folder, nor is anything else that needs the folder', async () => {
    const foreign = await another('foreign', source['DATABASE_URL'])
    mkdirSync(join(foreign['DATA_FOLDER'] ?? '', 'cosigner'))
    writeFileSync(join(foreign['DATA_FOLDER'] ?? '', 'cosigner', 'incarnation'), 'two 7 8\n')
    const message = expect.stringContaining('is not the folder of the co-signers of this database') as string

    expect(await tandem(foreign, 'backup', join(folder, 'none'), '--recipient', recipient)).toEqual({
      exitCode: 5,
      message,
    })
    const deleted = await tandem(foreign, 'users', 'delete', 'a@example.com', '--yes', '--reason', 'asked')
    expect(deleted).toEqual({ exitCode: 3, message })
  })

  const damaged: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['cut short', (bytes) => bytes.subarray(0, bytes.length - 20)],
    ['with another byte', (bytes) => Buffer.concat([bytes.subarray(0, -30), Buffer.from([0]), bytes.subarray(-29)])],
    ['empty', () => Buffer.alloc(0)],
  ]
  it.each(damaged)('is refused %s, and leaves the database empty', async (name, damage) => {
    const broken = join(folder, `${name}.broken`)
    writeFileSync(broken, damage(readFileSync(file)))
    const target = await another(name)
    expect(await tandem(target, 'restore', broken, '--identity', key, '--yes', '--fence')).toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/cannot be opened with this key, or is not as it was written/) as string,
    })
    expect(await tandem({}, 'verify', 'backup', broken, '--identity', key)).toMatchObject({ exitCode: 6 })
    expect(await tandem(target, 'partner', 'list')).toMatchObject({ data: { partners: [] } })
  })

  it('opens with its key alone', async () => {
    const none = join(folder, 'none.age')
    expect(await tandem({}, 'verify', 'backup', none, '--identity', key)).toMatchObject({
      exitCode: 6,
      data: { problems: [`${none} does not exist.`] },
    })
    expect(await tandem({}, 'verify', 'backup', file, '--identity', otherKey)).toMatchObject({
      exitCode: 6,
      data: { problems: [expect.stringContaining('cannot be opened with this key')] },
    })
  })

  it('is verified in memory: it is whole, and its rows fit the schema', { timeout: 60_000 }, async () => {
    const whole = await tandem({}, 'verify', 'backup', file, '--identity', key)
    expect(whole).toMatchObject({ exitCode: 0, data: { environment: 'DEV', files: 1 } })
    const unfit = join(folder, 'unfit.backup')
    const header: Header = { environment: 'DEV', cosignerName: 'localhost', madeAt: 0, migrations: migrationNames() }
    await writeBackup(unfit, [recipient], header, of('partner_keys', '[{"mac":"m","partner_id":"none"}]'))
    expect(await tandem({}, 'verify', 'backup', unfit, '--identity', key)).toMatchObject({
      exitCode: 6,
      data: { problems: [expect.stringMatching(/^The rows of partner_keys do not fit/)] },
    })
  })
})

/** One part. */
async function* of(table: string, json: string): AsyncGenerator<Part> {
  yield await Promise.resolve({ kind: 'rows', table, json })
}

describe.runIf(isLong)('a restore', () => {
  it('goes into an empty database, with the rings, of the same environment and schema', async () => {
    expect(await restore(source)).toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/^The database is in use/) as string,
    })

    const ringless = { DATABASE_URL: await makeEmptyDatabaseUrl(), DATA_FOLDER: join(folder, 'ringless') }
    expect(await restore(ringless)).toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/^There is no key ring/) as string,
    })

    const header: Header = { environment: 'DEV', cosignerName: 'localhost', madeAt: 0, migrations: migrationNames() }
    const older = join(folder, 'older.backup')
    await writeBackup(older, [recipient], { ...header, migrations: header.migrations.slice(1) }, of('users', '[]'))
    const prod = join(folder, 'prod.backup')
    await writeBackup(prod, [recipient], { ...header, environment: 'PROD' }, of('users', '[]'))
    const foreign = join(folder, 'foreign.backup')
    await writeBackup(foreign, [recipient], { ...header, cosignerName: 'example.com' }, of('users', '[]'))
    const strange = join(folder, 'strange.backup')
    await writeBackup(strange, [recipient], header, of('pg_class', '[]'))
    const target = await another('target')
    const refusals = await Promise.all(
      [older, prod, foreign, strange].map((one) =>
        tandem(target, 'restore', one, '--identity', key, '--yes', '--fence'),
      ),
    )
    expect(refusals).toMatchObject([
      {
        exitCode: 5,
        message: 'The backup is of another schema: restore it with the version that made it, then migrate.',
      },
      { exitCode: 5, message: 'The backup is of PROD, and these settings of DEV.' },
      {
        exitCode: 5,
        message: "COSIGNER_NAME is 'localhost', and the backup is of 'example.com', whose name every share has in it.",
      },
      { exitCode: 5, message: 'The backup has rows of pg_class, which none keeps.' },
    ])
  })

  it('takes the marks of the backup where --fence says so, and begins a new database generation', async () => {
    const target = await another('lost')
    const cosigner = join(target['DATA_FOLDER'] ?? '', 'cosigner')
    expect(await restore(target)).toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/^There is no whole folder of the co-signers .* would be lost\.$/) as string,
    })
    expect(existsSync(cosigner)).toBe(false)

    expect(await restore(target, '--fence')).toMatchObject({ exitCode: 0, data: { files: 1, fence: true } })
    expect(readFileSync(join(cosigner, 'watermarks'), 'utf8')).toBe('1 burned/a\n')
    const [, id, fence] = /^(\S+) 0 ([0-9]+)\n$/.exec(readFileSync(join(cosigner, 'incarnation'), 'utf8')) ?? []
    expect(id).not.toBe('one')
    expect(await rowsIn(target, 'incarnation')).toMatchObject([{ id, fence: '8' }])
    expect(fence).toBe('8')
    expect(await rowsIn(target, 'spends')).toMatchObject([{ amount }])
    const audits = await rowsIn(target, 'audits')
    expect(audits.map(({ event }) => event)).toEqual(expect.arrayContaining(['partner.created', 'database.restored']))
  })

  it.each([
    ['a start that failed left', '', '1 burned/a\n'],
    ['a restore that failed at its end left', '1 burned/a\n', '1 burned/a\n'],
    ['a mirror has', '1 burned/newer\n3 burned/a\n', '1 burned/newer\n3 burned/a\n'],
    ['a mirror has, the last line not whole,', '1 burned/newer\n3 bur', '1 burned/newer\n3 bur\n1 burned/a\n'],
  ])('adds the marks of the backup to those that %s', async (name, existing, both) => {
    const target = await another(name)
    const cosigner = join(target['DATA_FOLDER'] ?? '', 'cosigner')
    mkdirSync(cosigner)
    writeFileSync(join(cosigner, 'watermarks'), existing)
    if (name.startsWith('a restore')) writeFileSync(join(cosigner, 'incarnation'), 'another 0 8\n')

    expect(await restore(target)).toMatchObject({ exitCode: 5 })
    expect(await restore(target, '--fence')).toMatchObject({ exitCode: 0, data: { files: 1 } })
    expect(readFileSync(join(cosigner, 'watermarks'), 'utf8')).toBe(both)
  })

  it('has marks that are many pieces', async () => {
    const marks = Array.from({ length: 60_000 }, (_, index) => `${index + 1} epoch/wallet-${index}\n`).join('')
    const from = join(source['DATA_FOLDER'] ?? '', 'cosigner', 'watermarks')
    const before = readFileSync(from)
    writeFileSync(from, `1 epoch/wallet-5\n${marks}`)
    const large = join(folder, 'large.backup')
    expect(await tandem(source, 'backup', large, '--recipient', recipient)).toMatchObject({ exitCode: 0 })
    writeFileSync(from, before)

    const target = await another('large')
    const words = ['restore', large, '--identity', key, '--yes', '--fence'] as const
    expect(await tandem(target, ...words)).toMatchObject({ exitCode: 0, data: { files: 1 } })
    const restored = readFileSync(join(target['DATA_FOLDER'] ?? '', 'cosigner', 'watermarks'), 'utf8')
    expect(restored.split('\n').sort()).toEqual(marks.split('\n').sort())
  })

  it('leaves what is newer in a folder that is there, and rises above its fence', async () => {
    const target = await another('newer')
    const cosigner = join(target['DATA_FOLDER'] ?? '', 'cosigner')
    mkdirSync(cosigner)
    writeFileSync(join(cosigner, 'incarnation'), 'one 40 41\n')
    writeFileSync(join(cosigner, 'watermarks'), '1 burned/a\n1 burned/newer\n')

    const words = ['restore', file, '--identity', key, '--yes', '--fence']
    const { exitCode, out } = await runCommand(words, (path) => readFile(path, 'utf8'), target)
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /sessions 0, delegated sessions 0, open recoveries 0, API keys 2\.[^]* tandem partner keys revoke/,
    )
    expect(readFileSync(join(cosigner, 'watermarks'), 'utf8')).toBe('1 burned/a\n1 burned/newer\n')
    expect(readFileSync(join(cosigner, 'incarnation'), 'utf8')).toMatch(/^\S+ 40 42\n$/)
    expect(await rowsIn(target, 'incarnation')).toMatchObject([{ fence: '42' }])
  })
})

const rowsIn = (settings: Settings, table: string) =>
  connected(settings['DATABASE_URL'] ?? '', async (kysely) => {
    const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${sql.table(table)}`.execute(kysely)
    return rows
  })

it.runIf(isLong)(
  'of a service at work is one elsewhere, where the same wallets sign',
  { timeout: 180_000 },
  async () => {
    const dataFolder = join(folder, 'working')
    const settings = { DATABASE_URL: await makeDatabaseUrl(), DATA_FOLDER: dataFolder }
    const service = await startService({ dataFolder, environment: settings })
    const { device, email, password } = await signUp(service, { types: { EVM: true, SOLANA: true } })
    const wallets = await device.getWallets()
    for (const { id } of wallets) await device.signMessage({ walletId: id, message: 'before' })
    const copy = join(folder, 'working.backup')
    expect(await tandem(settings, 'backup', copy, '--recipient', recipient)).toMatchObject({ exitCode: 0 })
    await service.stop()

    const elsewhere = { DATABASE_URL: await makeEmptyDatabaseUrl(), DATA_FOLDER: join(folder, 'elsewhere') }
    mkdirSync(elsewhere.DATA_FOLDER)
    for (const ring of ['service-keys.json', 'cosigner-keys.json'])
      cpSync(join(dataFolder, ring), join(elsewhere.DATA_FOLDER, ring))
    expect(await tandem(elsewhere, 'restore', copy, '--identity', key, '--yes', '--fence')).toMatchObject({
      exitCode: 0,
      data: { sessions: 1, delegations: 0, recoveries: 0 },
    })
    rmSync(dataFolder, { recursive: true })

    const restored = await startService({ dataFolder: elsewhere.DATA_FOLDER, environment: elsewhere })
    const known = { ...restored, partner: { ...restored.partner, apiKey: service.partner.apiKey } }
    // The share keys are in no copy: the device that made the shares brings them back.
    const laptop = new Device({
      apiKey: known.partner.apiKey,
      addresses: known.addresses,
      password,
      storage: device.storage,
    })
    for (const { id, address } of wallets)
      expect(await laptop.signMessage({ walletId: id, message: 'back' })).toMatchObject({ address })
    const again = await logIn(known, { email, password })
    const addresses = wallets.map(({ address }) => address).sort()
    expect((await again.getWallets()).map(({ address }) => address).sort()).toEqual(addresses)
    for (const { id, address } of wallets)
      expect(await again.signMessage({ walletId: id, message: 'after' })).toMatchObject({ address })
    for (const one of [again, laptop, device]) await one.dispose()
    await restored.stop()
  },
)
