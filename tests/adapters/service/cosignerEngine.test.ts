import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { sha256 } from '@noble/hashes/sha2.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Schedule from 'effect/Schedule'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { CosignerEngineThreads, keyOf, type EngineOptions } from '../../../adapters/service/cosigner/engine.ts'
import type { Instruction, Order } from '../../../adapters/service/cosigner/messages.ts'
import { restMs } from '../../../adapters/service/cosigner/queue.ts'
import { CosignerKeysDatabase } from '../../../adapters/service/database/CosignerKeys.ts'
import type { Database } from '../../../adapters/service/database/Database.ts'
import { answerTo } from '../../../adapters/service/http/errors.ts'
import { SecureRandomNode } from '../../../adapters/service/node/SecureRandom.ts'
import { ringAt } from '../../../adapters/service/vault/ringFile.ts'
import { VaultOf } from '../../../adapters/service/vault/Vault.ts'
import * as Header from '../../../domain/model/Header.ts'
import { keygen } from '../../../domain/mpc/dkls/keygen.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import { noble } from '../../../domain/mpc/noble.ts'
import { CosignerEngine, type Job, type StepOutcome } from '../../../domain/service/ports/CosignerEngine.ts'
import { Vault } from '../../../domain/service/ports/Vault.ts'
import { seedAssociatedData } from '../../../domain/service/protocol/associatedData.ts'
import { anyDatabase } from '../../kit/database.ts'
import { ringIn, vaultKeysIn } from '../../kit/rings.ts'
import { openAnswer } from '../../kit/openAnswer.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-engine-'))
const key = randomBytes(32)
const ring = ringAt(ringIn(folder, key))
const vaultKeys = vaultKeysIn(folder, key)
const database = ManagedRuntime.make(anyDatabase())
const started: { readonly dispose: () => Promise<void> }[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(started.splice(0).map((runtime) => runtime.dispose()))
})

afterAll(async () => {
  await database.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** An engine on the database of this file. */
const start = async (options: Partial<EngineOptions> = {}) => {
  const services = await database.context()
  const runKeysFolder = join(folder, 'run-keys')
  const shareKeysFolder = join(folder, 'share-keys')
  const workerOptions = { name: 'engine', ring, runKeysFolder, shareKeysFolder }
  const layer = CosignerEngineThreads({ ...workerOptions, threads: 1, ...options }).pipe(
    Layer.provideMerge(VaultOf(vaultKeys)),
    Layer.provideMerge(Layer.mergeAll(SecureRandomNode, CosignerKeysDatabase)),
    Layer.provide(Layer.succeedContext<Database>(services)),
  )
  const runtime = ManagedRuntime.make(layer)
  started.push(runtime)
  const run = runtime.runPromise.bind(runtime)
  const spawned: Worker[] = []
  const spawn = (message: unknown) => spawned.push((message as { readonly worker: Worker }).worker)
  subscribe('worker_threads', spawn)
  try {
    const engine = await run(CosignerEngine)
    // The last one is the spare, which works on nothing yet.
    return { run, engine, vault: await run(Vault), spawned, threads: spawned.slice(0, -1) }
  } finally {
    unsubscribe('worker_threads', spawn)
  }
}

/**
 * Holds back what the threads answer: each does its work, and the pool takes it to be at its order until the release. No
 * answer can come before a test is ready for it, however slow the machine is.
 */
const holdAnswers = (threads: readonly Worker[]) => {
  const held = threads.map((thread) => {
    const [hear] = thread.listeners('message') as ((report: unknown) => void)[]
    if (hear === undefined) throw new Error('the pool does not listen to its thread')
    const reports: unknown[] = []
    thread.removeAllListeners('message').on('message', (report) => reports.push(report))
    const release = () => {
      thread.removeAllListeners('message').on('message', hear)
      for (const report of reports) hear(report)
    }
    return { answered: once(thread, 'message'), release }
  })
  return {
    /** Every thread has done its first order. */
    answered: Promise.all(held.map(({ answered }) => answered)),
    release: () => {
      for (const { release } of held) release()
    },
  }
}

/** Waits until so many of them were refused. */
const refusals = (asked: readonly Promise<unknown>[], count: number) =>
  new Promise<void>((resolve) => {
    let refused = 0
    for (const one of asked) one.catch(() => ++refused === count && resolve())
  })

const context: Job['context'] = {
  kind: 'keygen',
  scheme: 'ED25519',
  protocolId: crypto.randomUUID(),
  walletId: crypto.randomUUID(),
  userId: 'user',
  partnerId: 'partner',
  deviceKeyThumb: new Uint8Array(32),
  epoch: 1,
  attempt: new Uint8Array(16),
  shareId: new Uint8Array(0),
  otId: new Uint8Array(0),
  rootPublicKey: new Uint8Array(0),
}

const generation = 'database.boot'

const job = (changes: Partial<Job> = {}): Job => ({
  context,
  step: 1,
  generation,
  requestHashes: [new Uint8Array(32)],
  request: new Uint8Array(0),
  sealedSeed: new Uint8Array(0),
  sealedState: null,
  sealedShare: null,
  sealedOt: null,
  newRoot: false,
  ...changes,
})

/** A job of another wallet, which waits for none of the first. */
const jobElsewhere = () => job({ context: { ...context, walletId: crypto.randomUUID() } })

const always = Effect.succeed(true)

const request = Frame.appendSignature(
  Frame.encodeUnsigned({
    ...context,
    operation: 'KEYGEN',
    step: 1,
    sessionId: crypto.randomUUID(),
    body: new Uint8Array(1),
  }),
  new Uint8Array(64),
)
const answer = { status: 'OK', body: Uint8Array.of(1, 2, 3) } as const
const signed = (engine: CosignerEngine['Service']) => engine.sign(request, answer)

const busy = { _tag: 'CosignerBusy', message: 'co-signer is busy' }

it('has one frame key, which every start reads, and signs answers with it', async () => {
  const [one, two, other] = [await start(), await start(), await start({ name: 'another' })]

  const bytes = await one.run(signed(two.engine))

  const [ours, same, another] = [
    await one.run(one.engine.identity),
    await two.run(two.engine.identity),
    await other.run(other.engine.identity),
  ]
  expect(same).toEqual(ours)
  expect(another.publicKey).not.toEqual(ours.publicKey)
  expect(openAnswer(ours.publicKey, request, bytes)).toEqual(answer)
  expect(openAnswer(another.publicKey, request, bytes)).toBeUndefined()
})

it('lets a step lapse whose secrets it cannot open, and aborts one that the protocol refuses', async () => {
  const { run, engine, vault } = await start()
  const seal = (of: Job['context']) => run(vault.sealRun(generation, seedAssociatedData(of), randomBytes(32)))
  const elsewhere = await seal({ ...context, walletId: crypto.randomUUID() })

  const unopened = { kind: 'lapsed', reason: 'seed cannot be opened' }
  expect(await run(engine.step(job(), always))).toEqual(unopened)
  expect(await run(engine.step(job({ sealedSeed: elsewhere }), always))).toEqual(unopened)
  expect(await run(engine.step(job({ sealedSeed: await seal(context) }), always))).toMatchObject({ kind: 'abort' })
  expect(await run(engine.step(job({ sealedSeed: await seal(context), step: 9 }), always))).toEqual({
    kind: 'abort',
    reason: 'no such step',
  })
})

it('answers busy when its queue is full', async () => {
  const { run, engine, threads } = await start({ queue: 2 })
  const { release } = holdAnswers(threads)

  const asked = Array.from({ length: 5 }, () => run(engine.step(jobElsewhere(), always)))
  const outcomes = Promise.allSettled(asked)
  await refusals(asked, 2)
  release()

  expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const one of (await outcomes).filter(({ status }) => status === 'rejected')) {
    expect(one).toMatchObject({ reason: { ...busy, retryAfterMs: 1_000 } })
  }
})

it('rejects the job of a thread that dies, and goes on with another', async () => {
  const faults: string[] = []
  const { run, engine, vault } = await start({ log: (message) => faults.push(message) })
  const broken = { ...context, scheme: 'NONE' as 'DKLS' }
  const sealedSeed = await run(vault.sealRun(generation, seedAssociatedData(broken), randomBytes(32)))

  await expect(run(engine.step(job({ context: broken, sealedSeed }), always))).rejects.toMatchObject(busy)
  expect(await run(engine.step(job(), always))).toMatchObject({ kind: 'lapsed' })
  expect(faults).toHaveLength(1)
})

/** The first step of a real key generation of DKLS, which a thread computes for a while. */
const keygenJob = async ({ run, vault }: Awaited<ReturnType<typeof start>>): Promise<Job> => {
  const asked = { ...context, scheme: 'DKLS', walletId: crypto.randomUUID() } as const
  const begun = keygen.start({ context: asked, random: (length) => randomBytes(length), arithmetic: noble })
  if (begun.kind === 'abort') throw new Error(begun.reason)
  const { request } = begun
  const sealedSeed = await run(vault.sealRun(generation, seedAssociatedData(asked), randomBytes(32)))
  return job({ context: asked, request, requestHashes: [sha256(request)], sealedSeed })
}

it('serves all callers in the end when far more ask than may wait, and signs answers meanwhile', async () => {
  const world = await start({ threads: 2, queue: 3 })
  const { run, engine, threads } = world
  const { release } = holdAnswers(threads)
  const jobs = await Promise.all(Array.from({ length: 30 }, () => keygenJob(world)))
  let refused = 0
  let isFull: () => void = () => undefined
  // Five have a place: with the two threads, and in the queue of three.
  const full = new Promise<void>((resolve) => (isFull = resolve))

  const patiently = (one: Job) =>
    engine.step(one, always).pipe(
      Effect.tapError(() => Effect.sync(() => ++refused === jobs.length - 5 && isFull())),
      Effect.retry(Schedule.spaced('5 millis')),
    )
  const stepping = jobs.map((one) => run(patiently(one)))
  await full
  // Reads the key that signs from the database, so that the order is in the queue as soon as it is begun.
  await run(engine.identity)
  const signing = run(signed(engine))
  // Which job ends first depends on the machine; the pool chooses what a thread gets next.
  const given: string[] = []
  for (const thread of threads) {
    const post = thread.postMessage.bind(thread)
    vi.spyOn(thread, 'postMessage').mockImplementation((instruction: Instruction) => {
      given.push(instruction.order.kind)
      post(instruction)
    })
  }
  release()
  const outcomes = await Promise.all(stepping)
  await signing

  expect(outcomes.map(({ kind }) => kind)).toEqual(jobs.map(() => 'answer'))
  expect(given[0]).toBe('sign')
})

it('computes nothing where the check does not pass', async () => {
  const { run, engine, threads } = await start()
  const given = threads.map((thread) => vi.spyOn(thread, 'postMessage'))

  for (const check of [Effect.succeed(false), Effect.die('no database')]) {
    expect(await run(engine.step(job(), check))).toEqual({ kind: 'dropped' })
  }
  expect(given.flatMap(({ mock }) => mock.calls)).toEqual([])
  expect(await run(engine.step(job(), always))).toMatchObject({ kind: 'lapsed' })
})

/** Takes what a thread is given, so that a test can answer in its place. */
const intercept = (thread: Worker | undefined) => {
  const given: Order[] = []
  if (thread === undefined) throw new Error('there is no such thread')
  vi.spyOn(thread, 'postMessage').mockImplementation(({ order }: Instruction) => void given.push(order))
  const answer = (outcome: StepOutcome) => thread.emit('message', { kind: 'step', id: given.at(-1)?.id, outcome })
  return { given, answer }
}

it('takes two steps as the same only where every input of their outcome is equal', () => {
  const different = [
    job(),
    job({ context: { ...context, walletId: crypto.randomUUID() } }),
    job({ context: { ...context, protocolId: crypto.randomUUID() } }),
    job({ step: 2 }),
    job({ sealedSeed: Uint8Array.of(1) }),
    job({ requestHashes: [new Uint8Array(32).fill(1)] }),
    job({ requestHashes: [new Uint8Array(32), new Uint8Array(32)] }),
  ]

  expect(new Set([...different, job()].map(keyOf)).size).toBe(different.length)
})

it('gives the next step to the spare thread, once a check has failed', async () => {
  const { run, engine, threads, spawned } = await start()
  const [bad, spare] = [intercept(threads[0]), intercept(spawned.at(-1))]
  const ended = once(threads[0] ?? new EventEmitter(), 'exit')
  const asked = [jobElsewhere(), jobElsewhere()].map((one) => run(engine.step(one, always)))
  await expect.poll(() => bad.given).toHaveLength(1)
  bad.answer({ kind: 'ban', reason: 'guessed' })
  await expect.poll(() => spare.given).toHaveLength(1)
  spare.answer({ kind: 'abort', reason: 'of the spare' })

  expect((await Promise.all(asked)).map(({ kind }) => kind).toSorted()).toEqual(['abort', 'ban'])
  await ended
})

it('has no room where it would refuse a step', async () => {
  const { run, engine, threads } = await start({ queue: 1 })
  const of = { walletId: crypto.randomUUID(), userId: 'somebody', partnerId: 'partner' }
  const { given, answer } = intercept(threads[0])
  await run(engine.requireRoom(of))
  const asked = [jobElsewhere(), jobElsewhere()].map((one) => run(engine.step(one, always)))

  await vi.waitFor(() => expect(run(engine.requireRoom(of))).rejects.toMatchObject(busy), { timeout: 30_000 })
  for (const count of [1, 2]) {
    await expect.poll(() => given).toHaveLength(count)
    answer({ kind: 'abort', reason: 'intercepted' })
  }
  await Promise.all(asked)
  await run(engine.requireRoom(of))
})

it('leaves other users their places where one asks for much that computes no step', async () => {
  const { run, engine, threads } = await start()
  const [asker, walletId, shareId] = [{ userId: 'asker', partnerId: 'partner' }, crypto.randomUUID(), '00'.repeat(32)]
  const bytes = new Uint8Array(32)
  const capsule = { scheme: 'DKLS', walletId, epoch: 1, shareId: bytes, of: undefined, capsule: bytes } as const
  const { release } = holdAnswers(threads)

  await run(engine.requireRoom({ walletId, ...asker }))
  const asked = Array.from({ length: 4 }, () => [
    run(engine.opens({ walletId, epoch: 1, shareId, sealed: bytes }, asker)),
    run(engine.reattach(capsule, asker)),
    run(engine.reissue(capsule, asker)),
  ]).flat()
  // One is at work, and eight wait.
  const outcomes = Promise.allSettled(asked)
  await refusals(asked, asked.length - 9)
  await expect(run(engine.requireRoom({ walletId, ...asker }))).rejects.toMatchObject(busy)
  await run(engine.requireRoom({ walletId: crypto.randomUUID(), userId: 'another', partnerId: 'partner' }))
  release()

  expect((await outcomes).filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
})

it('answers 503 with Retry-After when it is busy', async () => {
  const { run, engine } = await start({ threads: 0 })

  const exit = await run(Effect.exit(engine.step(job(), always)))

  expect(Exit.isFailure(exit) ? answerTo(exit.cause).answer : exit).toEqual({
    status: 503,
    type: 'text/plain; charset=utf-8',
    body: 'co-signer is busy',
    headers: { 'retry-after': '1', [Header.errorCode]: 'CosignerBusy' },
  })
})

it('has a thread for each core and a spare one, and ends them all, busy or not', async () => {
  const world = await start({ threads: undefined })
  const { threads, spawned } = world
  const jobs = await Promise.all(Array.from({ length: threads.length + 5 }, () => keygenJob(world)))
  const { answered } = holdAnswers(threads)

  // Outside the engine's own runtime, which would interrupt them when it ends: it is the pool that has to refuse them.
  const asked = jobs.map((one) => Effect.runPromise(world.engine.step(one, always)))
  const refused = Promise.all(asked.map((step) => expect(step).rejects.toMatchObject(busy)))
  await answered
  await Promise.all(started.splice(0).map((runtime) => runtime.dispose()))
  await refused

  expect(threads).toHaveLength(availableParallelism())
  expect(spawned).toHaveLength(threads.length + 1)
  expect(spawned.map(({ threadId }) => threadId)).toEqual(spawned.map(() => -1))
})

it('drops the job of a caller that no longer waits', async () => {
  const world = await start({ queue: 1 })
  const { run, engine, threads } = world
  const one = await keygenJob(world)
  const others = await Promise.all(Array.from({ length: 5 }, () => keygenJob(world)))
  const step = (of = others.pop() ?? one) => engine.step(of, always)
  const { answered, release } = holdAnswers(threads)

  const working = run(step(one))
  await answered
  const left = new AbortController()
  const leaving = [1, 2].map(() => run(step(), { signal: left.signal }))
  // The queue has one place: where one of two is refused, the other one waits.
  await refusals(leaving, 1)
  left.abort()
  await Promise.allSettled(leaving)
  const coming = [1, 2].map(() => run(step()))
  await refusals(coming, 1)
  await expect(run(step())).rejects.toMatchObject(busy)
  release()

  const said = (asked: (typeof coming)[number]) =>
    asked.then(
      ({ kind }) => kind,
      (error: unknown) => (error as Error).message,
    )
  expect((await Promise.all(leaving.map(said))).sort()).toEqual(['All fibers interrupted without error', busy.message])
  expect((await Promise.all(coming.map(said))).sort()).toEqual(['answer', busy.message])
  expect(await working).toMatchObject({ kind: 'answer' })
})

it('gives up a step that is not answered within 90 seconds, and ends its thread', async () => {
  const world = await start({ queue: 1 })
  const { run, engine, threads } = world
  const [one, ...others] = [await keygenJob(world), await keygenJob(world), await keygenJob(world)] as const
  holdAnswers(threads)
  const exits = threads.map((thread) => once(thread, 'exit'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  const asked = [one, ...others].map((each) => run(engine.step(each, always)))
  let settled = 0
  for (const step of asked) void step.catch(() => settled++)
  // Where one of three is refused, a thread works on one and the last one waits.
  await refusals(asked, 1)
  await vi.advanceTimersByTimeAsync(89_999)
  expect(settled).toBe(1)
  // At once for both: the spare thread has no turn in which it could answer the second.
  vi.advanceTimersByTime(1)
  await Promise.all(asked.map((step) => expect(step).rejects.toMatchObject(busy)))
  await Promise.all(exits)
  vi.advanceTimersByTime(restMs)
  vi.useRealTimers()

  expect(await run(engine.step(one, always))).toMatchObject({ kind: 'answer' })
})
