/**
 * The database generation on each database: databases and folders that are older than they were, standbys that were
 * promoted, and processes that prove to each other that they are alive.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { TestClock } from 'effect/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database, TransactionDatabase } from '../../adapters/service/database/Database.ts'
import { judge, type FenceFile, type FenceMark } from '../../adapters/service/database/fence.ts'
import {
  DatabaseGenerationFenced,
  DatabaseGenerationOfCosigners,
  type DatabaseGenerationOptions,
} from '../../adapters/service/database/DatabaseGeneration.ts'
import { SecureRandomNode } from '../../adapters/service/node/SecureRandom.ts'
import { StartRefusal } from '../../adapters/service/StartRefusal.ts'
import { fenceFileAt } from '../../adapters/service/vault/fenceFile.ts'
import { Claims, type ClaimedRound } from '../../domain/service/ports/Claims.ts'
import { DatabaseGeneration } from '../../domain/service/ports/DatabaseGeneration.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { claimsOf } from '../kit/claims.ts'
import { makeDatabaseUrl, onEachDatabase } from '../kit/database.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { overTcp, startPostgres } from '../kit/postgres.ts'

const row = { id: 'id', fence: 10, timeline: '1', timelineNow: '1' }
const mark = { id: 'id', done: 10, intended: 10 }

describe('a fence', () => {
  it.each<[string, Partial<typeof row>, Partial<FenceMark> | undefined, number, string]>([
    ['that matches', {}, {}, 10, 'current'],
    ['whose row is about to be incremented', {}, { intended: 11 }, 10, 'current'],
    ['whose row was just incremented', { fence: 11 }, { intended: 11 }, 10, 'current'],
    ['of an older database', { fence: 9 }, {}, 0, 'older database'],
    ['of a database that is older than when this process last read it', {}, { intended: 11 }, 11, 'older database'],
    ['of an older folder', { fence: 11 }, {}, 0, 'older folder'],
    ['of a folder that is older than when this process last read it', {}, {}, 11, 'older folder'],
    ['of a missing folder', {}, undefined, 0, 'older folder'],
    [
      'of an earlier version, which records only the last increment',
      { fence: 12 },
      { intended: undefined },
      0,
      'current',
    ],
    ['of an earlier version, over an older database', { fence: 9 }, { intended: undefined }, 0, 'older database'],
    ['of a promoted standby', { timelineNow: '2' }, {}, 10, 'other timeline'],
  ])('%s', (_, ofRow, ofMark, highest, verdict) => {
    expect(judge({ ...row, ...ofRow }, ofMark && { ...mark, ...ofMark }, highest)).toBe(verdict)
  })
})

const claimsAre = (claimed: readonly ClaimedRound[]) => Layer.succeed(Claims, claimsOf(claimed))

describe('a PostgreSQL that is promoted', () => {
  it('is another generation at the next check', async () => {
    const server = await startPostgres()
    const database = databaseIn({ kind: 'postgres', url: overTcp(await server.createDatabase()) })
    let mark: FenceMark | undefined
    const reasons: string[] = []
    const layer = DatabaseGenerationFenced({
      fenceFile: { read: () => mark, write: (next) => void (mark = next) },
      refuseOlderFolder: () => new StartRefusal({ message: 'older' }),
      warn: (reason) => reasons.push(reason),
    })
    const runtime = ManagedRuntime.make(
      layer.pipe(
        Layer.provideMerge(SecureRandomNode),
        Layer.provideMerge(claimsAre([])),
        Layer.provideMerge(TransactionDatabase),
        Layer.provideMerge(database),
        Layer.provideMerge(TestClock.layer()),
      ),
    )
    const current = () => runtime.runPromise(Effect.flatMap(DatabaseGeneration, (generation) => generation.current))
    const before = await current()
    await server.pause()
    await server.resume()
    expect(await current()).toBe(before)

    await server.promote()
    const after = await current()

    expect(after).not.toBe(before)
    expect(await runtime.runPromise(Effect.flatMap(DatabaseGeneration, ({ isCurrent }) => isCurrent(before)))).toBe(
      false,
    )
    expect(reasons).toEqual([expect.stringContaining('in another timeline')])
    await runtime.dispose()
    await server.stop()
  })
})

it('does not take a row for an older one because a heartbeat ended since it was read, in a transaction that is rolled back', async () => {
  let mark: FenceMark | undefined
  let whileRead: Effect.Effect<void> = Effect.void
  /** What a query has read is handed on once `whileRead` is over. */
  const slowly = Layer.effect(
    Database,
    Effect.map(Database, ({ query, ...database }) =>
      Database.of({ ...database, query: (run) => Effect.tap(query(run), () => Effect.suspend(() => whileRead)) }),
    ),
  )
  const runtime = ManagedRuntime.make(
    DatabaseGenerationFenced({
      fenceFile: { read: () => mark, write: (next) => void (mark = next) },
      refuseOlderFolder: () => undefined,
    }).pipe(
      Layer.provideMerge(SecureRandomNode),
      Layer.provideMerge(claimsAre([])),
      Layer.provideMerge(TransactionDatabase),
      Layer.provide(slowly),
      Layer.provide(databaseIn({ kind: 'postgres', url: await makeDatabaseUrl() })),
      Layer.provideMerge(TestClock.layer()),
    ),
  )
  const current = Effect.flatMap(DatabaseGeneration, (generation) => generation.current)
  const before = await runtime.runPromise(current)
  const fence = mark?.done ?? 0
  const services = await runtime.context()
  const beaten = Effect.promise(() => expect.poll(() => mark?.done).toBe(fence + 1))
  whileRead = Effect.suspend(() => {
    whileRead = Effect.void
    return Effect.andThen(Effect.provide(TestClock.adjust('2 seconds'), services), beaten)
  })

  const undone = Effect.flatMap(Transaction, ({ atomically }) =>
    atomically(Effect.andThen(current, Effect.fail('undone'))),
  )
  expect(await runtime.runPromiseExit(undone)).toEqual(Exit.fail('undone'))
  expect(mark?.done).toBe(fence + 1)

  expect(await runtime.runPromise(current)).toBe(before)
  await runtime.dispose()
})

onEachDatabase((makeDatabase) => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-incarnation-'))
  const database = ManagedRuntime.make(makeDatabase())
  const processes: { readonly stop: () => Promise<void> }[] = []
  let held: FenceMark | undefined
  let reasons: string[]

  /** In memory, so that a test gives it back as it was. */
  const fenceFile: FenceFile = { read: () => held, write: (next) => void (held = next) }

  beforeEach(() => {
    reasons = []
  })
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.stop()
  })
  afterAll(async () => {
    await database.dispose()
    rmSync(home, { recursive: true })
  })

  const query = <A>(run: (kysely: Database['Service']['root']) => Promise<A>) =>
    database.runPromise(Effect.flatMap(Database, (db) => db.query(run)))
  const readRow = () => query((kysely) => kysely.selectFrom('incarnation').selectAll().executeTakeFirstOrThrow())
  const writeRow = (changes: { readonly id?: string; readonly fence?: number; readonly timeline?: string }) =>
    query((kysely) => kysely.updateTable('incarnation').set(changes).execute())

  /** A process that has started, with a clock that turns by hand. */
  const start = async ({
    claimed = [],
    ...options
  }: Partial<DatabaseGenerationOptions> & { readonly claimed?: readonly ClaimedRound[] } = {}) => {
    const services = await database.context()
    const layer = DatabaseGenerationFenced({
      fenceFile,
      refuseOlderFolder: () => undefined,
      warn: (reason) => reasons.push(reason),
      ...options,
    })
    const outside = Layer.merge(SecureRandomNode, claimsAre(claimed))
    return running(layer.pipe(Layer.provideMerge(outside), Layer.provideMerge(Layer.succeedContext(services))))
  }
  const running = async <E>(layer: Layer.Layer<DatabaseGeneration | Transaction, E>) => {
    const runtime = ManagedRuntime.make(Layer.provideMerge(layer, TestClock.layer()))
    await runtime.context()
    const stop = () => runtime.dispose()
    processes.push({ stop })
    return {
      stop,
      beat: () => runtime.runPromise(TestClock.adjust('2 seconds')),
      current: () => runtime.runPromise(Effect.flatMap(DatabaseGeneration, ({ current }) => current)),
      ask: () => runtime.runPromiseExit(Effect.flatMap(DatabaseGeneration, ({ current }) => current)),
      isCurrent: (generation: string) =>
        runtime.runPromise(Effect.flatMap(DatabaseGeneration, ({ isCurrent }) => isCurrent(generation))),
      currentIn: (undo: boolean) =>
        runtime.runPromiseExit(
          Effect.gen(function* () {
            const { atomically } = yield* Transaction
            const { current } = yield* DatabaseGeneration
            return yield* atomically(undo ? Effect.andThen(current, Effect.fail('undone')) : current)
          }),
        ),
    }
  }

  const databasePart = (generation: string) => generation.split('.')[0]
  const bootPart = (generation: string) => generation.split('.')[1]

  it('keeps its database part over restarts, increments the fence, and draws a new boot id', async () => {
    const one = await start()
    const first = await one.current()
    await one.stop()
    const { fence } = await readRow()
    expect(held).toEqual({ id: databasePart(first), done: fence, intended: fence })

    const two = await start()
    const second = await two.current()

    expect(first).toMatch(/^[0-9a-f-]{36}\.[0-9a-f-]{36}$/)
    expect(databasePart(second)).toBe(databasePart(first))
    expect(bootPart(second)).not.toBe(bootPart(first))
    expect((await readRow()).fence).toBeGreaterThan(fence)
    expect(reasons).toEqual([])
  })

  it('increments the fence with each heartbeat, after it announced that in the file', async () => {
    const written: FenceMark[] = []
    const one = await start({
      fenceFile: { read: fenceFile.read, write: (next) => fenceFile.write((written.push(next), next)) },
    })
    const { fence } = await readRow()
    written.length = 0

    await one.beat()
    await expect
      .poll(() => written.map(({ done, intended }) => [done, intended]))
      .toEqual([
        [fence, fence + 1],
        [fence + 1, fence + 1],
      ])
    expect((await readRow()).fence).toBe(fence + 1)
  })

  it('begins another one where the database is an older copy', async () => {
    const older = await readRow()
    const one = await start()
    const before = await one.current()
    await one.stop()
    await writeRow(older)

    const two = await start()

    expect(databasePart(await two.current())).not.toBe(databasePart(before))
    expect(reasons).toEqual(['the database is older than it was before: the runs that were under way are over'])
    expect((await readRow()).fence).toBe(held?.done)
  })

  it('begins another one where it starts on a database without a round that was claimed', async () => {
    const one = await start()
    const before = await one.current()
    await one.stop()

    const round = { walletId: randomUUID(), protocolId: randomUUID(), step: 1, requestHash: '' }
    const two = await start({ claimed: [round] })

    expect(databasePart(await two.current())).not.toBe(databasePart(before))
    expect(reasons).toEqual(['the database is older than it was before: the runs that were under way are over'])
  })

  it('begins another one at the next check after a restore, also within a transaction that is rolled back', async () => {
    const older = await readRow()
    const one = await start()
    const before = await one.current()
    await writeRow(older)

    expect(await one.currentIn(true)).toEqual(Exit.fail('undone'))
    expect(await one.isCurrent(before)).toBe(false)
    const after = await one.current()

    expect(databasePart(after)).not.toBe(databasePart(before))
    expect(await one.current()).toBe(after)
    expect(await one.isCurrent(after)).toBe(true)
    await one.stop()
    expect(databasePart(await (await start()).current())).toBe(databasePart(after))
  })

  it('begins another one where the database continues in another timeline', async () => {
    const one = await start()
    const before = await one.current()
    await writeRow({ timeline: 'another' })

    const after = await one.current()

    expect(databasePart(after)).not.toBe(databasePart(before))
    expect(await one.isCurrent(before)).toBe(false)
    expect((await readRow()).timeline).toMatch(/^(?:[0-9A-F]{8})?$/)
    expect(reasons).toHaveLength(1)
  })

  it('begins another one where the folder is older or missing, in development', async () => {
    const one = await start()
    const before = await one.current()
    const older = held
    await one.beat()
    await one.stop()
    held = older
    const two = await start()
    const after = await two.current()
    await two.stop()
    held = undefined
    const three = await start()

    expect(new Set([before, after, await three.current()].map(databasePart)).size).toBe(3)
    expect(reasons).toEqual(
      Array(2).fill(
        'the folder of the co-signer is missing or older than the database: bans and epochs written there since are lost',
      ),
    )
  })

  it('does not start on an older folder where that is refused, except with the accepted generation', async () => {
    const one = await start()
    const before = databasePart(await one.current()) ?? ''
    await one.stop()
    held = undefined
    const refusing = (accepted?: string): Partial<DatabaseGenerationOptions> => ({
      refuseOlderFolder: (generation) =>
        generation === accepted ? undefined : new StartRefusal({ message: generation }),
    })

    await expect(start(refusing())).rejects.toMatchObject({ _tag: 'StartRefusal', message: before })
    expect([held, (await readRow()).id]).toEqual([undefined, before])
    const two = await start(refusing(before))
    expect(databasePart(await two.current())).not.toBe(before)
    await two.stop()
    held = undefined
    await expect(start(refusing(before))).rejects.toMatchObject({ _tag: 'StartRefusal' })
    await start()
  })

  it('fails while its folder is an older one, where that is refused, and continues when the right one is back', async () => {
    const one = await start({ refuseOlderFolder: () => new StartRefusal({ message: 'older' }) })
    const before = await one.current()
    const [older, { fence }] = [held, await readRow()]
    await one.beat()
    await expect.poll(() => held?.done).toBe(fence + 1)
    const newest = held

    held = older
    await one.beat()
    await expect.poll(async () => Exit.isFailure(await one.ask())).toBe(true)
    expect([reasons, held]).toEqual([['older'], older])
    held = newest
    await one.beat()
    await expect.poll(() => one.ask()).toEqual(Exit.succeed(before))
  })

  it('is one for several processes that start at once on a new database', async () => {
    await query((kysely) => kysely.deleteFrom('incarnation').execute())
    held = undefined

    const started = await Promise.all([start(), start(), start()])
    const parts = await Promise.all(started.map(async ({ current }) => databasePart(await current())))

    expect(new Set(parts).size).toBe(1)
    expect(reasons).toEqual([])
  })

  it('treats a new database as another one where the folder recorded one', async () => {
    const before = await (await start()).current()
    for (const one of processes.splice(0)) await one.stop()
    const known = held?.done ?? 0
    await query((kysely) => kysely.deleteFrom('incarnation').execute())

    expect(databasePart(await (await start()).current())).not.toBe(databasePart(before))
    expect((await readRow()).fence).toBeGreaterThan(known)
  })

  it('lets another process continue the runs of one only if it has seen that one’s heartbeat', async () => {
    const one = await start()
    const ofOne = await one.current()
    const two = await start()
    const ofTwo = await two.current()

    expect(await one.isCurrent(ofTwo)).toBe(true)
    expect(await two.isCurrent(ofOne)).toBe(false)
    await one.beat()
    await expect.poll(() => two.isCurrent(ofOne)).toBe(true)

    // Its last heartbeat shows it to those that run by then.
    await one.stop()
    const three = await start()
    expect(await three.isCurrent(ofTwo)).toBe(false)
    await two.beat()
    await expect.poll(() => three.isCurrent(ofTwo)).toBe(true)
    expect(await three.isCurrent(ofOne)).toBe(false)
    // Its runs go on where it was known to be alive.
    expect(await two.isCurrent(ofOne)).toBe(true)
  })

  it('accepts no heartbeat from a copy', async () => {
    const [one, two] = [await start(), await start()]
    const [ofOne, ofTwo] = [await one.current(), await two.current()]
    const copied = await query((kysely) => kysely.selectFrom('boot_sightings').selectAll().execute())
    expect(copied).toContainEqual({ seer: bootPart(ofTwo), seen: bootPart(ofOne) })
    await Promise.all([one.stop(), two.stop()])

    const three = await start()

    expect([await three.isCurrent(ofOne), await three.isCurrent(ofTwo)]).toEqual([false, false])
  })

  it('looks ended to one that starts as soon as it has stopped in order, and keeps what it saw', async () => {
    const one = await start()
    const of = bootPart(await one.current()) ?? ''
    const beatAt = async () =>
      (await query((kysely) => kysely.selectFrom('boots').select('beat_at').where('boot', '=', of).execute()))[0]
        ?.beat_at
    const before = await beatAt()

    await one.stop()
    expect(await beatAt()).toBe(Number(before) - 10_000)
  })

  it('deletes processes that ended long ago', async () => {
    const gone = bootPart(await (await start()).current()) ?? ''
    await (await start()).current()
    for (const one of processes.splice(0)) await one.stop()
    await query((kysely) => kysely.updateTable('boots').set({ beat_at: -1_500_001 }).where('boot', '=', gone).execute())

    await start()

    const boots = await query((kysely) => kysely.selectFrom('boots').select('boot').execute())
    const sightings = await query((kysely) => kysely.selectFrom('boot_sightings').selectAll().execute())
    expect(boots.map(({ boot }) => boot)).not.toContain(gone)
    expect(sightings.flatMap(({ seer, seen }) => [seer, seen])).not.toContain(gone)
    expect(sightings.length).toBeGreaterThan(0)
  })

  it('is known from the heartbeats of co-signers in a process that is not a co-signer', async () => {
    const one = await start()
    const ofOne = await one.current()
    const services = await database.context()
    const api = await running(DatabaseGenerationOfCosigners.pipe(Layer.provideMerge(Layer.succeedContext(services))))

    expect(await api.isCurrent(ofOne)).toBe(true)
    expect(await api.isCurrent(`${databasePart(ofOne)}.another`)).toBe(false)
    expect(await api.isCurrent(`another.${bootPart(ofOne)}`)).toBe(false)
    expect(Exit.isFailure(await api.ask())).toBe(true)
    for (let beat = 0; beat < 30; beat++) await api.beat()
    expect(await api.isCurrent(ofOne)).toBe(false)
  })

  it('is written to its file atomically', async () => {
    const file = join(home, 'a folder', 'incarnation')
    const one = await start({ fenceFile: fenceFileAt(file) })
    const id = databasePart(await one.current())

    const { fence } = await readRow()
    expect(readFileSync(file, 'utf8')).toBe(`${id} ${fence} ${fence}\n`)
    expect(fenceFileAt(file).read()).toEqual({ id, done: fence, intended: fence })
    rmSync(file)
    expect([existsSync(file), fenceFileAt(file).read()]).toEqual([false, undefined])
  })
})
