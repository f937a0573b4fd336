import fs, { appendFileSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Cause from 'effect/Cause'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as TestClock from 'effect/testing/TestClock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Database, DatabaseUnavailable, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { isMigrated, migrate } from '../../adapters/service/database/migrations/index.ts'
import { RateLimitsDatabase } from '../../adapters/service/database/RateLimits.ts'
import { WatermarksFile } from '../../adapters/service/vault/Watermarks.ts'
import { RateLimits, TooManyAttempts } from '../../domain/service/ports/RateLimits.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { Watermarks } from '../../domain/service/ports/Watermarks.ts'
import { makeDatabaseUrl, onEachDatabase } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { startDatabaseProxy } from './databaseProxy.ts'
import { overTcp, startPostgres } from '../kit/postgres.ts'

const home = mkdtempSync(join(tmpdir(), 'tandem-house-'))
afterAll(() => rmSync(home, { recursive: true }))

onEachDatabase((makeDatabase) => {
  const runtime = ManagedRuntime.make(
    RateLimitsDatabase.pipe(Layer.provideMerge(makeDatabase()), Layer.provideMerge(TestClock.layer())),
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Database | Transaction | RateLimits>) => runtime.runPromiseExit(effect)
  const get = async <A, E>(effect: Effect.Effect<A, E, Database | Transaction | RateLimits>) => {
    const exit = await run(effect)
    if (Exit.isSuccess(exit)) return exit.value
    throw new Error(String(exit.cause))
  }

  beforeAll(async () => {
    await get(
      Effect.flatMap(Database, ({ query }) =>
        query((kysely) =>
          sql`create table notes (id int primary key, at bigint, bytes bytea, note jsonb, size double precision)`.execute(
            kysely,
          ),
        ),
      ),
    )
  })
  afterAll(() => runtime.dispose())

  const write = (id: number) =>
    Effect.flatMap(Database, ({ query }) =>
      query((kysely) => sql`insert into notes (id) values (${id})`.execute(kysely)),
    )
  const ids = Effect.flatMap(Database, ({ query }) =>
    query(async (kysely) =>
      (await sql<{ id: number }>`select id from notes order by id`.execute(kysely)).rows.map(({ id }) => id),
    ),
  )
  const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Transaction, (transaction) => transaction.atomically(effect))

  describe('the database', () => {
    it('reads the same JavaScript values from each', async () => {
      const row = {
        id: 1,
        at: 1_795_237_373_257,
        bytes: Uint8Array.of(0, 1, 255),
        note: { a: [1, 'x', null] },
        size: 0.5,
      }

      const read = await get(
        Effect.flatMap(Database, ({ query }) =>
          query(async (kysely) => {
            await sql`insert into notes values (${row.id}, ${row.at}, ${row.bytes}, ${JSON.stringify(row.note)}, ${row.size})`.execute(
              kysely,
            )
            const { rows } = await sql`select *, count(*) over () as counted from notes`.execute(kysely)
            await sql`delete from notes`.execute(kysely)
            return rows
          }),
        ),
      )

      expect(read).toStrictEqual([{ ...row, counted: 1 }])
    })

    it('has run every migration once, also when several start together', async () => {
      const { root } = await get(Effect.map(Database, (database) => database))

      await Promise.all([migrate(root), migrate(root)])

      expect(await isMigrated(root)).toBe(true)
    })

    it('stores all steps of a transaction or none', async () => {
      const failed = await run(atomically(Effect.andThen(write(10), Effect.fail('no'))))
      const died = await run(atomically(Effect.andThen(write(11), Effect.die('bug'))))
      const interrupted = await run(atomically(Effect.andThen(write(12), Effect.interrupt)))
      expect([failed, died]).toEqual([Exit.fail('no'), Exit.die('bug')])
      expect(Exit.hasInterrupts(interrupted)).toBe(true)
      expect(await get(ids)).toEqual([])

      await get(atomically(Effect.andThen(write(13), write(14))))
      expect(await get(ids)).toEqual([13, 14])
    })

    it('answers a transaction only when it is on the disk, whatever the connection sets', async () => {
      const setTo = (level: string) =>
        Effect.flatMap(Database, ({ query }) =>
          query((kysely) => sql`set synchronous_commit = ${sql.raw(level)}`.execute(kysely)),
        )
      const level = Effect.flatMap(Database, ({ query }) =>
        query(
          async (kysely) =>
            (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(kysely)).rows[0],
        ),
      )
      await get(setTo('off'))

      expect(await get(atomically(level))).toEqual({ synchronous_commit: 'on' })
      await get(setTo('on'))
    })

    it('reads a table to which another process has just added a column', async () => {
      const execute = (text: string) =>
        Effect.flatMap(Database, ({ query }) => query((kysely) => sql.raw(text).execute(kysely)))
      const columns = Effect.flatMap(Database, ({ query }) =>
        query(async (kysely) =>
          (await sql<object>`select * from drafts where id = ${1}`.execute(kysely)).rows.flatMap(Object.keys),
        ),
      )
      await get(execute('create table drafts (id int primary key)'))
      await get(execute('insert into drafts (id) values (1)'))

      expect(await get(columns)).toEqual(['id'])
      await get(execute('alter table drafts add column one bigint'))
      expect(await get(columns)).toEqual(['id', 'one'])
      await get(execute('alter table drafts add column two bigint'))
      expect(await get(atomically(Effect.andThen(columns, columns)))).toEqual(['id', 'one', 'two'])
      await get(execute('drop table drafts'))
    })

    it('runs an inner transaction within the outer one', async () => {
      await run(atomically(Effect.andThen(atomically(write(20)), Effect.fail('no'))))

      expect(await get(ids)).toEqual([13, 14])
    })

    it('shows a transaction what it wrote itself', async () => {
      const seen = await get(atomically(Effect.andThen(write(30), ids)))

      expect(seen).toEqual([13, 14, 30])
    })

    it('survives a failing statement inside a transaction', async () => {
      const twice = await run(atomically(Effect.andThen(write(40), write(40))))
      expect(Exit.isFailure(twice) && Cause.squash(twice.cause)).toMatchObject({ code: '23505', table: 'notes' })

      expect(await get(ids)).toEqual([13, 14, 30])
      await get(atomically(write(41)))
    })

    it('isolates simultaneous transactions', async () => {
      const twenty = Array.from({ length: 20 }, (_, index) => index + 100)

      const exits = await Promise.all(
        twenty.map((id) => run(atomically(Effect.andThen(write(id), id % 2 === 0 ? Effect.void : Effect.fail('odd'))))),
      )

      expect(exits.filter(Exit.isSuccess)).toHaveLength(10)
      expect((await get(ids)).filter((id) => id >= 100)).toEqual(twenty.filter((id) => id % 2 === 0))
    })
  })

  describe('rate limits', () => {
    const limit = { burst: 3, perMs: 1_000 }
    const take = (key: string) => Effect.flatMap(RateLimits, (limits) => limits.take('test', key, limit))
    const verdict = async (key: string) => {
      const exit = await run(Effect.flip(take(key)))
      return Exit.isSuccess(exit) ? exit.value : 'taken'
    }
    const turn = (ms: number) => get(TestClock.adjust(ms))

    it('allow a burst, and then give the time until the next', async () => {
      expect([await verdict('a'), await verdict('a'), await verdict('a')]).toEqual(['taken', 'taken', 'taken'])
      expect(await verdict('a')).toEqual(new TooManyAttempts({ retryAfterMs: 1_000 }))
      expect(await verdict('b')).toBe('taken')

      await turn(400)
      expect(await verdict('a')).toEqual(new TooManyAttempts({ retryAfterMs: 600 }))
      await turn(600)
      expect(await verdict('a')).toBe('taken')
      expect(await verdict('a')).toBeInstanceOf(TooManyAttempts)
    })

    it('are asked without one being taken, and refuse that alike', async () => {
      const asked = Effect.flatMap(RateLimits, (limits) => limits.take('test', 'asked', limit, 0))
      for (let count = 0; count < 4; count++) await get(asked)
      expect([await verdict('asked'), await verdict('asked'), await verdict('asked')]).toEqual([
        'taken',
        'taken',
        'taken',
      ])
      expect(await get(Effect.flip(asked))).toEqual(new TooManyAttempts({ retryAfterMs: 1_000 }))
    })

    it('never hold more than the burst', async () => {
      await turn(60_000)

      const verdicts = [await verdict('a'), await verdict('a'), await verdict('a'), await verdict('a')]
      expect(verdicts.filter((one) => one === 'taken')).toHaveLength(3)
    })

    it('allow no more than the burst to simultaneous requests', async () => {
      const verdicts = await Promise.all(Array.from({ length: 12 }, () => verdict('crowd')))

      expect(verdicts.filter((one) => one === 'taken')).toHaveLength(3)
    })

    it('that were used up while the clock was a day ahead are refilled once it is set back', async () => {
      const now = await get(Clock.currentTimeMillis)
      await turn(24 * 60 * 60_000)
      const verdicts = [await verdict('ahead'), await verdict('ahead'), await verdict('ahead'), await verdict('ahead')]
      expect(verdicts.filter((one) => one === 'taken')).toHaveLength(3)

      await get(TestClock.setTime(now))
      expect(await verdict('ahead')).toBe('taken')
    })

    it('are full again after a success, and forgotten when they were not used', async () => {
      await verdict('c')
      await get(Effect.flatMap(RateLimits, (limits) => limits.clear('test', 'c')))
      expect([await verdict('c'), await verdict('c'), await verdict('c')]).toEqual(['taken', 'taken', 'taken'])

      await get(Effect.flatMap(RateLimits, (limits) => limits.sweep(Number.MAX_SAFE_INTEGER)))
      expect(await verdict('c')).toBe('taken')
    })
  })
})

describe('a PostgreSQL that is not there', () => {
  it('fails the start with one sentence', async () => {
    const url = 'postgres://nobody:nothing@127.0.0.1:1/none'

    const exit = await Effect.runPromiseExit(Effect.provide(Effect.void, databaseIn({ kind: 'postgres', url })))

    expect(Exit.isFailure(exit) && String(exit.cause)).toMatch(
      /The database that DATABASE_URL names cannot be opened: /,
    )
    expect(String(exit)).not.toContain('nothing')
  })

  it('fails the start with an invalid waiting time', async () => {
    const url = 'postgres://nobody:nothing@127.0.0.1:1/none?connect_timeout=2s'

    const refusal = await Effect.runPromise(
      Effect.flip(Effect.provide(Effect.void, databaseIn({ kind: 'postgres', url }))),
    )

    expect(refusal.message).toBe("DATABASE_URL has the connect_timeout '2s', which is not a number of seconds.")
  })

  it('fails with a defect of its own while it is unreachable, and is used again afterwards', async () => {
    const server = await startPostgres()
    const runtime = ManagedRuntime.make(
      Layer.orDie(databaseIn({ kind: 'postgres', url: overTcp(await server.createDatabase()) })),
    )
    const ask = () => runtime.runPromiseExit(Effect.flatMap(Database, ({ query }) => query(isMigrated)))
    expect(await ask()).toEqual(Exit.succeed(true))

    await server.pause()
    const away = await ask()
    await server.resume()

    expect(Exit.isFailure(away) && Cause.squash(away.cause)).toBeInstanceOf(DatabaseUnavailable)
    expect(await ask()).toEqual(Exit.succeed(true))
    await runtime.dispose()
    await server.stop()
  })
})

describe('a connection to PostgreSQL that fails', () => {
  const ofPool = Array.from({ length: 10 }, (_, index) => index)
  const atomic = (effect: Effect.Effect<unknown, never, Database>) =>
    Effect.flatMap(Transaction, ({ atomically }) => atomically(effect))
  const draft = Effect.flatMap(Database, ({ query }) =>
    query((kysely) => sql`insert into drafts default values`.execute(kysely)),
  )
  const storing = atomic(draft)
  const stored = Effect.flatMap(Database, ({ query }) =>
    query(async (kysely) => (await sql`select from drafts`.execute(kysely)).rows.length),
  )
  /** The server ends the connection between two statements. */
  const cutBetween = Effect.flatMap(Database, ({ query }) =>
    query((kysely) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(kysely)),
  ).pipe(Effect.ignoreCause, Effect.andThen(Effect.sleep('30 millis')), Effect.andThen(draft))
  const says = (from: string, to: string) => (sent: Buffer) =>
    Buffer.from(sent.toString('latin1').replace(from, to), 'latin1')
  const temporary = { name: 'DatabaseUnavailable' }
  type Case = {
    readonly flow?: Effect.Effect<unknown, never, Database | Transaction>
    readonly at: string
    readonly by: 'dies' | 'hangs' | ((sent: Buffer) => Buffer)
    readonly defect: object
  }
  const cases: readonly Case[] = [
    { at: 'commit\0', by: 'dies', defect: temporary },
    { at: 'commit\0', by: 'hangs', defect: temporary },
    { at: 'commit\0', by: says('commit', 'commix'), defect: { code: '42601' } },
    { at: 'begin isolation', by: 'dies', defect: temporary },
    { at: 'begin isolation', by: 'hangs', defect: temporary },
    { at: 'begin isolation', by: says('= on', '= xx'), defect: { code: '22023' } },
    { at: 'insert', by: 'dies', defect: temporary },
    { at: 'insert', by: 'hangs', defect: temporary },
    { flow: draft, at: 'insert', by: 'hangs', defect: temporary },
    { flow: atomic(cutBetween), at: 'insert', by: says('', ''), defect: temporary },
  ]

  it('is none that the next user gets, and its place is free', async () => {
    const proxy = await startDatabaseProxy(overTcp(await makeDatabaseUrl()))
    const url = new URL(proxy.url)
    url.searchParams.set('query_timeout', '150')
    const runtime = ManagedRuntime.make(
      Layer.provideMerge(TransactionDatabase, Layer.orDie(databaseIn({ kind: 'postgres', url: url.href }))),
    )
    await runtime.runPromise(
      Effect.flatMap(Database, ({ query }) =>
        query((kysely) => sql`create table drafts (id int generated always as identity)`.execute(kysely)),
      ),
    )
    for (const [index, { flow = storing, at, by, defect }] of cases.entries()) {
      const what = `case ${index}, at ${at}`
      proxy.fate = (sent) => {
        if (!sent.includes(at)) return sent
        return typeof by === 'function' ? by(sent) : by
      }
      const exits = await Promise.all(ofPool.map(() => runtime.runPromiseExit(flow)))
      proxy.fate = (sent) => sent
      const defects = exits.map((exit) => Exit.isFailure(exit) && Cause.squash(exit.cause))
      expect(defects, what).toMatchObject(ofPool.map(() => defect))

      await Promise.all(ofPool.map(() => runtime.runPromise(storing)))
      expect(await runtime.runPromise(stored), what).toBe((index + 1) * ofPool.length)
    }
    await runtime.dispose()
    await proxy.stop()
  })
})

it('a transaction on PostgreSQL is READ COMMITTED, whatever the server’s default is', async () => {
  const url = new URL(await makeDatabaseUrl())
  url.searchParams.set('options', '-c default_transaction_isolation=serializable')
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(TransactionDatabase, Layer.orDie(databaseIn({ kind: 'postgres', url: url.href }))),
  )
  const level = Effect.flatMap(Database, ({ query }) =>
    query(async (kysely) => (await sql<object>`show transaction_isolation`.execute(kysely)).rows[0]),
  )
  const atomically = Effect.flatMap(Transaction, (transaction) => transaction.atomically(level))

  expect(await runtime.runPromise(level)).toEqual({ transaction_isolation: 'serializable' })
  expect(await runtime.runPromise(atomically)).toEqual({ transaction_isolation: 'read committed' })
  await runtime.dispose()
})

describe('watermarks', () => {
  const file = join(home, 'watermarks')
  const run = <A>(use: (watermarks: Watermarks['Service']) => Effect.Effect<A>) =>
    Effect.runPromise(Effect.provide(Effect.flatMap(Watermarks, use), Layer.fresh(WatermarksFile(file))))

  it('only rise, and are there after a restart', async () => {
    expect(await run((watermarks) => watermarks.read('epoch/a'))).toBe(0)
    await run((watermarks) => Effect.andThen(watermarks.raise('epoch/a', 3), watermarks.raise('epoch/a', 2)))
    await run((watermarks) => watermarks.raise('epoch/b', 1))

    expect(
      await run((watermarks) =>
        Effect.all([watermarks.read('epoch/a'), watermarks.read('epoch/b'), watermarks.read('epoch/c')]),
      ),
    ).toEqual([3, 1, 0])
  })

  it('of another process are read', async () => {
    const seen = await run((watermarks) =>
      Effect.gen(function* () {
        yield* watermarks.read('epoch/a')
        yield* Effect.promise(() => run((others) => others.raise('epoch/a', 9)))
        return yield* watermarks.read('epoch/a')
      }),
    )

    expect(seen).toBe(9)
  })

  it('are read in pieces, whatever falls on their ends', async () => {
    const large = join(home, 'large')
    const count = 50_000
    writeFileSync(large, Array.from({ length: count }, (_, index) => `${index + 1} epoch/wallet-${index}\n`).join(''))
    const read = Effect.flatMap(Watermarks, (watermarks) =>
      Effect.forEach(Array(count).keys(), (index) => watermarks.read(`epoch/wallet-${index}`)),
    )

    const found = await Effect.runPromise(Effect.provide(read, WatermarksFile(large)))
    expect(found.findIndex((value, index) => value !== index + 1)).toBe(-1)
  })

  it('are refused where a line would not bring them back', async () => {
    await expect(run((watermarks) => watermarks.raise('epoch/a b', 1))).rejects.toThrow('does not have a mark')
  })

  it('are not read on in a file that has become shorter', async () => {
    const short = join(home, 'short')
    const cut = Effect.gen(function* () {
      const watermarks = yield* Watermarks
      yield* watermarks.raise('epoch/a', 3)
      writeFileSync(short, '')
      return yield* watermarks.read('epoch/a')
    })

    await expect(Effect.runPromise(Effect.provide(cut, WatermarksFile(short)))).rejects.toThrow('shorter than it was')
  })

  it('are not raised in a file that is no longer the one under its name', async () => {
    const moved = join(home, 'moved')
    const raise = Effect.gen(function* () {
      const watermarks = yield* Watermarks
      yield* watermarks.raise('epoch/a', 3)
      renameSync(moved, `${moved}-away`)
      copyFileSync(`${moved}-away`, moved)
      yield* watermarks.raise('epoch/a', 4)
    })

    await expect(Effect.runPromise(Effect.provide(raise, WatermarksFile(moved)))).rejects.toThrow(
      'is not the file that this process has open',
    )
  })

  it('that another process appended are flushed before they count as raised, and none is where a flush has failed', async () => {
    const shared = join(home, 'shared')
    const flush = vi.spyOn(fs, 'fsyncSync')
    syncBuiltinESMExports()
    const raise = Effect.gen(function* () {
      const watermarks = yield* Watermarks
      yield* watermarks.raise('epoch/a', 3)
      appendFileSync(shared, '4 epoch/a\n')
      flush.mockClear()
      yield* watermarks.raise('epoch/a', 4)
      yield* watermarks.raise('epoch/a', 4)
      expect(flush).toHaveBeenCalledTimes(1)
      flush.mockImplementationOnce(() => {
        throw new Error('EIO')
      })
      const failed = yield* Effect.exit(watermarks.raise('epoch/a', 5))
      return [failed, yield* Effect.exit(watermarks.raise('epoch/a', 5))].map(String)
    })

    const failures = await Effect.runPromise(Effect.provide(raise, WatermarksFile(shared)))
    flush.mockRestore()
    syncBuiltinESMExports()
    expect(failures).toEqual([expect.stringContaining('EIO'), expect.stringContaining('could not be flushed before')])
  })

  it('survive an unfinished line', async () => {
    writeFileSync(file, `${readFileSync(file, 'utf8')}99 epo`)

    await run((watermarks) => watermarks.raise('epoch/a', 10))

    expect(await run((watermarks) => watermarks.read('epoch/a'))).toBe(10)
    expect(await run((watermarks) => watermarks.read('epoch/b'))).toBe(1)
  })
})
