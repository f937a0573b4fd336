/** What `tandem doctor` finds at a PostgreSQL; the other groups are in tests/adapters/cli/doctor.test.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asynchronousStandby,
  checkDatabase,
  cosignerKeyFaults,
  faultsOf,
  isPooled,
  type Known,
} from '../../adapters/cli/doctor/database.ts'
import { readConfiguration } from '../../adapters/service/config.ts'
import type { Variables } from '../../adapters/service/settings.ts'
import { createRing, readRing } from '../../adapters/service/vault/ringFile.ts'
import { publicKeyOf as publicKeyOfSecret, signLink } from '../../domain/crypto/CosignerKey.ts'
import type { CosignerKey } from '../../domain/service/CosignerKey.ts'
import type { Ring } from '../../domain/service/ports/SealedTables.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { freePort } from '../kit/ports.ts'
import { nameOf, overTcp } from '../kit/postgres.ts'

const cosignerFolder = mkdtempSync(join(tmpdir(), 'tandem-doctor-'))
let url = ''
/** The same database by a user that owns nothing else. */
let byUser = ''

const user = `doctor_${process.pid}`
const ask = async (statement: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
beforeAll(async () => {
  url = await makeDatabaseUrl()
  await ask(
    `create role ${user} login password 'hunter2'; grant select, insert, update, delete on all tables in schema public to ${user}`,
  )
  byUser = Object.assign(new URL(overTcp(url)), { username: user, password: 'hunter2' }).href
})
afterAll(async () => {
  await ask(`drop owned by ${user}; drop role ${user}`)
  rmSync(cosignerFolder, { recursive: true })
})

const check = async (DATABASE_URL: string, variables: Variables = {}) => {
  const settings = { DATABASE_URL, COSIGNER_FOLDER: cosignerFolder, ...variables }
  const faults = await checkDatabase(Result.getOrThrow(readConfiguration(settings)))
  expect(JSON.stringify(faults)).not.toContain('hunter2')
  return faults.map(({ code, sentence }) => `${code} ${sentence}`)
}

/** The tests' own server survives no crash, to be fast: it has these faults wherever it is looked at. */
const ofServer = [expect.stringMatching(/^D15 PostgreSQL does not flush/), expect.stringMatching(/^D16 /)]

describe('a PostgreSQL', () => {
  it('has nothing wrong but what the tests’ own server gives up', async () => {
    expect(await check(byUser)).toEqual(ofServer)
  })

  it('D12: does not answer, or not to this user', async () => {
    expect(await check(`postgres://tandem:hunter2@127.0.0.1:${await freePort()}/tandem`)).toEqual([
      'D12 The database that DATABASE_URL names cannot be asked (ECONNREFUSED).',
    ])
    expect(await check(byUser.replace('hunter2', 'hunter22'))).toEqual([expect.stringMatching(/^D12 .*\(28P01\)\.$/)])
  })

  it('D17: acknowledges before it writes', async () => {
    await ask(`alter database ${nameOf(url)} set synchronous_commit = off`)
    expect(await check(byUser)).toEqual([
      ...ofServer,
      'D17 PostgreSQL acknowledges before it writes: a crash can undo a claim.',
    ])
    await ask(`alter database ${nameOf(url)} reset synchronous_commit`)
  })

  it('D19: is asked as its superuser', async () => {
    expect(await check(url)).toEqual([
      ...ofServer,
      expect.stringMatching(/^D19 The user in DATABASE_URL is a superuser/),
    ])
  })

  it('D20: is of a later version', async () => {
    await ask(`insert into kysely_migration (name, timestamp) values ('998 later', '')`)
    expect(await check(byUser)).toEqual(ofServer)
    await ask(`insert into kysely_migration (name, timestamp) values ('999 contract sessions', '')`)
    expect(await check(byUser)).toEqual([
      ...ofServer,
      expect.stringMatching(/^D20 The schema is of a later version, .*: 999 contract sessions\.$/),
    ])
    await ask(`delete from kysely_migration where name like '99%'`)
  })

  it('D29: is of an earlier version', async () => {
    await ask(`delete from kysely_migration where name = '904 boots'`)
    expect(await check(byUser)).toEqual([
      ...ofServer,
      'D29 The schema is older than this version: 1 migration has not run.',
    ])
    await ask(`insert into kysely_migration (name, timestamp) values ('904 boots', '')`)
  })

  it('D34: is sealed under a key that is not in the ring', async () => {
    const files = (['service', 'cosigner'] as const).map(
      (ring) => [ring, join(cosignerFolder, `${ring}.json`)] as const,
    )
    for (const [ring, path] of files)
      createRing({ ring, path, before: join(cosignerFolder, 'before'), environment: 'DEV' })
    const rings = Object.fromEntries(files.map(([ring, path]) => [`${ring.toUpperCase()}_KEYS_FILE`, path]))
    const idOf = (ring: Ring, path: string) => readRing({ ring, path, before: '', environment: 'DEV' })?.[0].id ?? ''
    const [service, cosigner] = files.map(([ring, path]) => idOf(ring, path))
    const sealedUnder = (id: string) => `decode('02${id}' || repeat('00', 40), 'hex')`
    await ask(`insert into mac_key (sealed, created_at) values (${sealedUnder(service ?? '')}, 1)`)
    await ask(
      `insert into cosigner_keys (name, public_key, sealed, created_at) values ('localhost', '', ${sealedUnder(cosigner ?? '')}, 1)`,
    )
    expect(await check(byUser, rings)).toEqual(ofServer)
    const swapped = await check(byUser, {
      SERVICE_KEYS_FILE: rings['SERVICE_KEYS_FILE'],
      COSIGNER_KEYS_FILE: join(cosignerFolder, 'none.json'),
    })
    expect(swapped).toEqual(ofServer)
    const unknown = '0123456789abcdef'
    await ask(
      `update mac_key set sealed = ${sealedUnder(unknown)}; update cosigner_keys set sealed = ${sealedUnder(unknown)}`,
    )
    expect(await check(byUser, rings)).toEqual([
      ...ofServer,
      ...files.map(
        ([, path]) =>
          `D34 The ring in ${path} does not have the key ${unknown}, under which records of this database are sealed.`,
      ),
    ])
    expect(await check(byUser, { ...rings, TANDEM_ROLES: 'api' })).toHaveLength(ofServer.length + 1)
    await ask('delete from mac_key; delete from cosigner_keys')
  })

  it('D35: has tables that this user may not write', async () => {
    await ask(`revoke delete on sessions from ${user}; revoke select on wallets from ${user}`)
    expect(await check(byUser)).toEqual([
      ...ofServer,
      'D35 The user in DATABASE_URL may not read and write sessions, wallets: requests that need it fail.',
    ])
    await ask(`grant select, insert, update, delete on sessions, wallets to ${user}`)
  })

  it('D36: was copied by tandem backup, and not for long', async () => {
    const old = Date.now() - 8 * 24 * 60 * 60_000
    await ask(`insert into audits (id, at, event, detail) values ('one', ${old}, 'database.copied', '{}')`)
    expect(await check(byUser)).toEqual([...ofServer, 'D36 The last backup was made 8 days ago.'])
    await ask(`insert into audits (id, at, event, detail) values ('two', ${Date.now()}, 'database.copied', '{}')`)
    expect(await check(byUser)).toEqual(ofServer)
    await ask('delete from audits')
  })

  it('D37: is behind a pooler that hands a session on after each transaction', async () => {
    const one = new pg.Client({ connectionString: url })
    const two = new pg.Client({ connectionString: url })
    await Promise.all([one.connect(), two.connect()])
    const ofPooler = { query: one.query.bind(one), end: () => Promise.resolve() }
    expect(await isPooled(one, () => Promise.resolve(ofPooler))).toBe(true)
    expect(await isPooled(one, () => Promise.resolve(two))).toBe(false)
    await one.end()
  })

  it('D21: is not that of the co-signer’s folder', async () => {
    await ask(`insert into incarnation (id, fence) values ('mine', 1)`)
    const otherFolder = expect.stringMatching(/^D21 COSIGNER_FOLDER is .* missing, not shared, or older/)
    expect(await check(byUser)).toEqual([...ofServer, otherFolder])
    expect(await check(byUser, { TANDEM_ROLES: 'api' })).toEqual([...ofServer, otherFolder])
    expect(await check(byUser, { TANDEM_ROLES: 'portal' })).toEqual(ofServer)
    mkdirSync(cosignerFolder, { recursive: true })
    writeFileSync(join(cosignerFolder, 'incarnation'), 'another 1\n')
    expect(await check(byUser)).toEqual([...ofServer, otherFolder])
    writeFileSync(join(cosignerFolder, 'incarnation'), 'mine 1\n')
    expect(await check(byUser)).toEqual(ofServer)
  })
})

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const publicKeyOf = (secret: number) => bytesToHex(publicKeyOfSecret(secretOf(secret)))

describe('what is known of a PostgreSQL', () => {
  const now = 1_000_000
  const known: Known = {
    version: 170_002,
    now,
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    isSuperuser: false,
    standbys: [],
    schema: { missing: [], later: [] },
    closed: [],
    sealedUnder: {},
    cosignerKeys: [],
    backedUpAt: null,
    generation: undefined,
  }
  const codes = (changes: Partial<Known>) =>
    faultsOf({ ...known, ...changes }, { asked: now, answered: now + 100 }).map(({ code }) => code)

  it.each<[Partial<Known>, readonly string[]]>([
    [{}, []],
    [{ now: now - 5_001 }, ['D13']],
    [{ now: now + 5_101 }, ['D13']],
    [{ now: now + 5_000 }, []],
    [{ version: 130_018 }, ['D14']],
    [{ version: 140_000 }, []],
    [{ fsync: 'off' }, ['D15']],
    [{ closed: ['users'] }, ['D35']],
    [{ backedUpAt: now - 7 * 24 * 60 * 60_000 }, []],
    [{ backedUpAt: now - 7 * 24 * 60 * 60_000 - 1 }, ['D36']],
    [{ fullPageWrites: 'off' }, ['D16']],
    [{ synchronousCommit: 'local' }, ['D17']],
    [{ synchronousCommit: 'remote_apply' }, []],
  ])('%j has the faults %j', (changes, expected) => {
    expect(codes(changes)).toEqual(expected)
  })

  const day = 24 * 60 * 60_000
  const first: CosignerKey = { publicKey: publicKeyOf(1), sealed: Uint8Array.of(1), from: 0 }
  /** The key after one, as it signs it. */
  const after = (secret: number, from: number, changes: Partial<CosignerKey> = {}): CosignerKey => {
    const [oldKey, newKey] = [hexToBytes(publicKeyOf(secret)), hexToBytes(publicKeyOf(secret + 1))]
    const link = { name: 'localhost', oldKey, newKey, from, isCompromised: false }
    const signature = bytesToHex(signLink(secretOf(secret), link).signature)
    const replaces = { publicKey: bytesToHex(oldKey), isCompromised: false, signature }
    return { publicKey: bytesToHex(newKey), sealed: Uint8Array.of(1), from, replaces, ...changes }
  }
  const none = new Uint8Array(0)

  it.each<[string, readonly CosignerKey[], readonly string[]]>([
    ['none', [], []],
    ['one', [first], []],
    ['one that is coming', [first, after(1, 3 * day + 1)], []],
    ['one that signs since today', [first, after(1, 2 * day + 1)], []],
    ['one that signs since yesterday', [first, after(1, 2 * day)], ['D39']],
    ['one that is retired', [{ ...first, sealed: none }, after(1, 2 * day)], []],
    ['a row that the key before has not signed', [first, after(1, 3 * day, { from: 3 * day - 1 })], ['D38']],
    ['a link that is gone', [first, after(2, 3 * day)], ['D38']],
  ])('with %s of the co-signer’s keys has the faults %#', (_, cosignerKeys, expected) => {
    const found = cosignerKeyFaults('localhost', { cosignerKeys, now: 3 * day })
    expect(found.map(({ code }) => code)).toEqual(expected)
  })

  it.each<[readonly (string | null)[], readonly string[]]>([
    [[], []],
    [['async'], ['D18']],
    [['potential', 'async'], ['D18']],
    [['async', 'sync'], []],
    [['quorum'], []],
    [[null], []],
  ])('with the standbys %j has %j', (standbys, expected) => {
    expect(asynchronousStandby({ standbys }).map(({ code }) => code)).toEqual(expected)
  })
})
