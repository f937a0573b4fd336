import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as Logger from 'effect/Logger'
import * as TestClock from 'effect/testing/TestClock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Listeners } from '../../../adapters/browser/Listeners.ts'
import { MpcLate } from '../../../adapters/browser/lateMpc.ts'
import { MpcInline, MpcWorker } from '../../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import { makeRuntime, settingsOf } from '../../../adapters/browser/runtime.ts'
import type { Rung } from '../../../adapters/browser/workerLadder.ts'
import type {
  EngineReport,
  WorkerAnswer,
  WorkerJob,
  WorkerLike,
  Start,
} from '../../../adapters/browser/workerMessages.ts'
import { Mpc, type Run } from '../../../domain/client/ports/Mpc.ts'
import { Popup } from '../../../domain/client/ports/Popup.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import type { Progress } from '../../../domain/mpc/ClientRun.ts'
import { workerJobExpiryMs } from '../../../domain/model/Limits.ts'
import type { Loading } from '../../../domain/model/MpcWorker.ts'
import { buildKernel } from '../../../wasm/build.ts'
import { makeWallet, refreshSetup } from '../../mpc/ed25519.ts'
import { serverStep } from '../../mpc/run.ts'
import { makeStorage } from '../../service/people.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const run: Run = {
  context: {
    kind: 'keygen',
    scheme: 'DKLS',
    protocolId: '11111111-2222-4333-8444-555555555555',
    walletId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
    userId: '99999999-8888-4777-8666-555555555555',
    partnerId: '12345678-1234-4123-8123-123456789abc',
    deviceKeyThumb: new Uint8Array(32),
    epoch: 1,
    attempt: new Uint8Array(16),
    shareId: new Uint8Array(0),
    otId: new Uint8Array(0),
    rootPublicKey: new Uint8Array(0),
  },
}

/** Workers whose answers the test chooses. */
const makeWorkers = (answers: (job: WorkerJob) => WorkerAnswer | undefined = () => undefined) => {
  const made: (WorkerLike & { readonly heard: (WorkerJob | Start)[]; isTerminated: boolean })[] = []
  const load = (): WorkerLike => {
    const worker: (typeof made)[number] = {
      heard: [],
      isTerminated: false,
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      postMessage: (message: WorkerJob | Start) => {
        worker.heard.push(message)
        const answer = message.functionType === 'start' ? undefined : answers(message)
        if (answer === undefined) return
        queueMicrotask(() => void worker.onmessage?.call({} as Worker, { data: answer } as MessageEvent))
      },
      terminate: () => {
        worker.isTerminated = true
      },
    }
    made.push(worker)
    return worker
  }
  return { made, load }
}

/** What a worker says of itself. */
const report = (worker: WorkerLike | undefined, engine: EngineReport['engine']): void =>
  void worker?.onmessage?.call({} as Worker, { data: { kind: 'engine', engine } } as MessageEvent)

const fail = (worker: WorkerLike | undefined): void =>
  void worker?.onerror?.call({} as Worker, { message: '' } as ErrorEvent)

const settings = settingsOf('DEV', 'a key', {})

const over = (load: () => WorkerLike, loading: Loading = {}) => onLadder([rung('its file', load)], loading)

const rung = (name: string, start: Rung['start'], engine: Rung['engine'] = 'kernel'): Rung => ({ name, engine, start })

/** A page on which no step has failed yet, unless `failed` says so. */
const onLadder = (rungs: readonly Rung[], loading: Loading = {}, failed = new Set<string>()) =>
  MpcWorker(loading, rungs, failed).pipe(Layer.provide(Layer.merge(RandomWebCrypto, Layer.succeed(Settings, settings))))

const begin = Effect.flatMap(Mpc, (mpc) => mpc.begin(run))

const clocked = <A, E>(layer: Layer.Layer<Mpc>, effect: Effect.Effect<A, E, Mpc>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))

const begun = ({ workId }: WorkerJob): WorkerAnswer => ({ workId, kind: 'begun', request: new Uint8Array([1]) })

const begunRun = Effect.flatMap(begin, (at) => ('kind' in at ? Effect.die('not begun') : Effect.succeed(at)))

describe('the protocol worker', () => {
  it('is loaded with the first job, and gets the other addresses of the kernel', async () => {
    const { made, load } = makeWorkers(begun)

    const counts = await clocked(
      over(load),
      Effect.gen(function* () {
        const before = made.length
        yield* begin
        yield* begin
        return [before, made.length]
      }),
    )

    expect(counts).toEqual([0, 1])
    expect(made[0]?.heard[0]).toEqual({
      functionType: 'start',
      kernel: ['http://localhost:3003/static/js/main.wasm'],
    })
    expect(made[0]?.isTerminated).toBe(true)
  })

  it('may be loaded before the first job', async () => {
    const { made, load } = makeWorkers(begun)

    const counts = await clocked(
      over(load),
      Effect.gen(function* () {
        yield* Effect.flatMap(Mpc, ({ prepare }) => prepare)
        const prepared = made.length
        yield* begin
        return [prepared, made.length]
      }),
    )

    expect(counts).toEqual([1, 1])
  })

  it('fetches no kernel from another address where the app forbids it', async () => {
    const { made, load } = makeWorkers(begun)

    await clocked(over(load, { disableWasmFetch: true }), begin)

    expect(made[0]?.heard[0]).toEqual({ functionType: 'start', kernel: [] })
  })

  it('answers a response with the run’s progress', async () => {
    const { load } = makeWorkers((job) =>
      job.functionType === 'begin'
        ? begun(job)
        : {
            workId: job.workId,
            kind: 'progress',
            progress: { kind: 'abort', reason: `${job.round} ${job.response[0] ?? ''}` },
          },
    )

    const progress = await clocked(
      over(load),
      Effect.flatMap(begunRun, (at) => at.receive(3, new Uint8Array([7]))),
    )

    expect(progress).toEqual({ kind: 'abort', reason: '3 7' })
  })

  it('drops a job after 90 s', async () => {
    const { load } = makeWorkers()

    const [early, error] = await clocked(
      over(load),
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(begin))
        yield* TestClock.adjust('89 seconds')
        const early = fiber.pollUnsafe()
        yield* TestClock.adjust('1 second')
        return [early, yield* Fiber.join(fiber)] as const
      }),
    )

    expect(early).toBeUndefined()
    expect(error).toMatchObject({ _tag: 'OperationTimedOut', message: 'Operation timed out after 90000ms' })
  })

  it('rejects every pending job when it fails; the next job gets a new worker', async () => {
    const { made, load } = makeWorkers()

    const errors = await clocked(
      over(load),
      Effect.gen(function* () {
        const fibers = [yield* Effect.forkChild(Effect.flip(begin)), yield* Effect.forkChild(Effect.flip(begin))]
        yield* TestClock.adjust(0)
        report(made[0], 'kernel')
        made[0]?.onerror?.call({} as Worker, { message: 'it broke' } as ErrorEvent)
        const errors = yield* Effect.forEach(fibers, Fiber.join)
        yield* Effect.forkChild(begin)
        yield* TestClock.adjust(0)
        return errors
      }),
    )

    const ids = made[0]?.heard.flatMap((message) => ('workId' in message ? [message.workId] : []))
    expect(errors.map(({ message }) => message)).toEqual(ids?.map((id) => `worker error with workId ${id}: it broke`))
    expect(made.map(({ isTerminated }) => isTerminated)).toEqual([true, true])
    expect(made).toHaveLength(2)
  })

  it('is ended after a ban; the next job gets a new worker', async () => {
    const banned: Progress = { kind: 'ban', reason: 'mu' }
    const { made, load } = makeWorkers((job) =>
      job.functionType === 'begin' ? begun(job) : { workId: job.workId, kind: 'progress', progress: banned },
    )

    const [progress, ended] = await clocked(
      over(load),
      Effect.gen(function* () {
        const progress = yield* (yield* begunRun).receive(1, new Uint8Array(1))
        const ended = made.map(({ isTerminated }) => isTerminated)
        yield* begin
        return [progress, [...ended, made.at(-1)?.isTerminated]] as const
      }),
    )

    expect([progress, ended, made.length]).toEqual([banned, [true, false], 2])
  })

  it('answers the jobs from before a ban; its other runs fail with a reason', async () => {
    const { made, load } = makeWorkers((job) => {
      if (job.functionType === 'begin') return begun(job)
      return made.length === 1 ? undefined : { workId: job.workId, kind: 'failed', reason: 'the run is over' }
    })
    const verdict = (progress: Progress, nth: number) => {
      const job = made[0]?.heard.filter((one): one is WorkerJob => one.functionType === 'receive')[nth]
      if (job === undefined) throw new Error('it was not asked')
      const data: WorkerAnswer = { workId: job.workId, kind: 'progress', progress }
      made[0]?.onmessage?.call({} as Worker, { data } as MessageEvent)
    }

    const [first, late, second, states] = await clocked(
      over(load),
      Effect.gen(function* () {
        const runs = [yield* begunRun, yield* begunRun, yield* begunRun] as const
        const ask = (run: (typeof runs)[number]) => Effect.forkChild(run.receive(1, new Uint8Array(1)))
        const [one, two] = [yield* ask(runs[0]), yield* ask(runs[1])]
        yield* TestClock.adjust(0)
        verdict({ kind: 'ban', reason: 'mu' }, 0)
        const first = yield* Fiber.join(one)
        const late = yield* Effect.flip(runs[2].receive(1, new Uint8Array(1)))
        const before = made[0]?.isTerminated
        verdict({ kind: 'ban', reason: 'gamma' }, 1)
        const second = yield* Fiber.join(two)
        return [first, late, second, [before, made[0]?.isTerminated, made[1]?.isTerminated]] as const
      }),
    )

    expect([first.kind, second]).toEqual(['ban', { kind: 'ban', reason: 'gamma' }])
    expect(late).toMatchObject({ _tag: 'WorkerFailed', reason: 'the run is over' })
    expect(states).toEqual([false, true, false])
  })

  it('that has banned ends at the job expiry, also while another job is pending', async () => {
    const { made, load } = makeWorkers((job) => (job.functionType === 'begin' ? begun(job) : undefined))

    const ended = await clocked(
      over(load),
      Effect.gen(function* () {
        const [banned, stuck] = [yield* begunRun, yield* begunRun]
        yield* Effect.forkChild(banned.receive(1, new Uint8Array(1)))
        yield* Effect.forkChild(stuck.receive(1, new Uint8Array(1)))
        yield* TestClock.adjust(0)
        const { workId } = made[0]?.heard.find((job) => job.functionType === 'receive') as WorkerJob
        const data: WorkerAnswer = { workId, kind: 'progress', progress: { kind: 'ban', reason: 'mu' } }
        made[0]?.onmessage?.call({} as Worker, { data } as MessageEvent)
        const before = made[0]?.isTerminated
        yield* TestClock.adjust(workerJobExpiryMs)
        return [before, made[0]?.isTerminated]
      }),
    )

    expect(ended).toEqual([false, true])
  })

  it('takes local files in development only', () => {
    const abroad = () => settingsOf('SANDBOX', 'a key', { useLocalFiles: true })
    expect(abroad).toThrow('useLocalFiles only supported locally')
    expect(settingsOf('DEV', 'a key', { useLocalFiles: true }).environment).toBe('DEV')
  })
})

describe('where the worker starts from', () => {
  const blocked = () => {
    throw new Error('no workers here')
  }

  /** Logs, and what the flow gives. */
  const logged = async <A, E>(layer: Layer.Layer<Mpc>, effect: Effect.Effect<A, E, Mpc>) => {
    const logs: string[] = []
    const logger = Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))])
    const value = await clocked(layer.pipe(Layer.provideMerge(logger)), effect)
    return { logs, value }
  }

  it('is the next step when one fails before it has said anything; its jobs go along', async () => {
    const [mute, able] = [makeWorkers(), makeWorkers(begun)]
    const failed = new Set<string>()
    const layer = onLadder([rung('a file', mute.load), rung('a text', () => Promise.resolve(able.load()))], {}, failed)

    const { logs, value } = await logged(
      layer,
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(begin)
        yield* TestClock.adjust(0)
        fail(mute.made[0])
        return yield* Fiber.join(fiber)
      }),
    )

    expect(value).toHaveProperty('request')
    expect(able.made[0]?.heard.map(({ functionType }) => functionType)).toEqual(['start', 'begin'])
    expect(mute.made[0]?.isTerminated).toBe(true)
    expect([...failed]).toEqual(['a file'])
    expect(logs).toEqual(['the protocol worker does not start from a file; the next try is a text'])
  })

  it('does not fall for a worker that has spoken: its jobs fail', async () => {
    const [first, second] = [makeWorkers(), makeWorkers(begun)]

    const { value } = await logged(
      onLadder([rung('a file', first.load), rung('a text', second.load)]),
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.flip(begin))
        yield* TestClock.adjust(0)
        report(first.made[0], 'kernel')
        fail(first.made[0])
        return yield* Fiber.join(fiber)
      }),
    )

    expect(value).toMatchObject({ _tag: 'WorkerFailed', reason: 'it has failed' })
    expect(second.made).toHaveLength(0)
  })

  it.each([
    [{}, ''],
    [{ disableWasmFetch: true }, ', and fetching wasm file is disabled'],
  ])('is a worker without kernel where the kernel does not run, which the app hears of: %j', async (loading, why) => {
    const [first, text, noble] = [makeWorkers(), makeWorkers(begun), makeWorkers(begun)]
    const rungs = [rung('a file', first.load), rung('a text', text.load), rung('noble', noble.load, 'noble')]

    const { logs, value } = await logged(
      onLadder(rungs, loading),
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(begin)
        yield* TestClock.adjust(0)
        report(first.made[0], 'none')
        report(noble.made[0], 'noble')
        return yield* Fiber.join(fiber)
      }),
    )

    expect(value).toHaveProperty('request')
    expect([first.made[0]?.isTerminated, text.made.length, noble.made.length]).toEqual([true, 0, 1])
    expect(logs).toEqual([`the protocols are computed by noble, because the kernel does not run here${why}`])
  })

  it('is the page’s own thread where no step starts one, said once and kept for the page', async () => {
    await buildKernel()
    const failed = new Set<string>()
    const late = vi.fn(() => Promise.reject(new Error('not found')))
    const layer = () => onLadder([rung('a file', blocked), rung('a text', late)], {}, failed)

    const first = await logged(
      layer(),
      Effect.flatMap(begunRun, (at) => at.receive(1, new Uint8Array(3))),
    )
    const second = await logged(layer(), begunRun)

    expect(first.value).toMatchObject({ kind: 'abort' })
    expect(first.logs).toEqual([
      'the protocol worker does not start from a file; the next try is a text',
      'the protocol worker does not start from a text; the page computes on its own thread',
    ])
    expect(second.logs).toEqual([])
    expect(late).toHaveBeenCalledOnce()
  })

  it('is told once where several SDKs of a page fall at the same time', async () => {
    const failed = new Set<string>()
    const [one, other] = [makeWorkers(), makeWorkers()]
    const able = makeWorkers(begun)
    const startOf = (mute: typeof one) =>
      logged(
        onLadder([rung('a file', mute.load), rung('a text', able.load)], {}, failed),
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(begin)
          while (one.made.length + other.made.length < 2)
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve)))
          fail(mute.made[0])
          return yield* Fiber.join(fiber)
        }),
      )

    const both = await Promise.all([startOf(one), startOf(other)])

    expect(both.flatMap(({ logs }) => logs)).toHaveLength(1)
    expect(able.made).toHaveLength(2)
  })
})

describe('inside the worker', () => {
  const load = async () => {
    let hear: (event: { readonly data: unknown }) => void = () => {}
    const said: unknown[] = []
    /** The same messages before they were cloned: the worker's own objects. */
    const inside: unknown[] = []
    vi.stubGlobal('self', {
      addEventListener: (_: string, listener: typeof hear) => (hear = listener),
      postMessage: (message: unknown) => {
        inside.push(message)
        said.push(structuredClone(message))
      },
    })
    vi.resetModules()
    await import('../../../adapters/browser/mpc.worker.ts')
    return { said, inside, tell: (data: unknown) => hear({ data }) }
  }

  const wallet = makeWallet()
  const setup = refreshSetup(wallet, 'refresh')
  const isWiped = (bytes: Uint8Array | undefined) => bytes?.every((byte) => byte === 0)
  /** A run with copies of its own, as a worker gets them. */
  const refreshing = () => structuredClone(setup.client)

  it('a run is computed by noble where no kernel can be fetched', async () => {
    const { said, tell } = await load()
    tell({ functionType: 'start', kernel: [] })
    tell({ functionType: 'begin', workId: 'one', run })

    await expect.poll(() => said.length).toBe(2)

    expect(said).toEqual([
      { kind: 'engine', engine: 'noble' },
      { workId: 'one', kind: 'begun', request: expect.any(Uint8Array) },
    ])
  })

  it('a run that is over, or was never begun, answers so', async () => {
    const { said, tell } = await load()
    tell({ functionType: 'begin', workId: 'one', run })
    await expect.poll(() => said.length).toBe(1)
    const response = new Uint8Array(3)
    tell({ functionType: 'receive', workId: 'two', runId: 'one', round: 1, response })
    tell({ functionType: 'receive', workId: 'three', runId: 'one', round: 1, response })

    await expect.poll(() => said.length).toBe(3)

    expect(said.slice(1)).toEqual([
      { workId: 'two', kind: 'progress', progress: expect.objectContaining({ kind: 'abort' }) },
      { workId: 'three', kind: 'failed', reason: 'the run is over' },
    ])
  })

  it('a run that is over wipes its secrets, and its result stays complete', async () => {
    const { said, inside, tell } = await load()
    const given = refreshing()
    tell({ functionType: 'begin', workId: 'one', run: given })
    await expect.poll(() => said.length).toBe(1)
    const { request: message } = said[0] as Extract<WorkerAnswer, { kind: 'begun' }>
    const none = new Uint8Array(0)
    const states = { clientState: none, serverState: none, requestHashes: [] }
    const answer = serverStep(setup, { to: 'server', round: 1, message, ...states })
    if (answer.kind !== 'answer') throw new Error('no answer')

    tell({ functionType: 'receive', workId: 'two', runId: 'one', round: 1, response: answer.response })

    const [outside, within] = [said[1], inside[1]].map((one) => {
      const { progress } = one as Extract<WorkerAnswer, { kind: 'progress' }>
      if (progress.kind !== 'confirm') throw new Error(progress.kind)
      return progress.result.share
    })
    expect([outside, within, given.share].map((share) => isWiped(share?.secret))).toEqual([false, true, true])
    expect(outside).toMatchObject({ epoch: 2, publicKey: wallet.client.publicKey })
  })

  it('a run that is not continued wipes its secrets when it expires', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { said, tell } = await load()
    const [given, unfit] = [refreshing(), refreshing()]
    tell({ functionType: 'begin', workId: 'one', run: given })
    tell({ functionType: 'begin', workId: 'two', run: { ...unfit, context: { ...unfit.context, epoch: 9 } } })
    // vitest's own waits for a condition would advance the fake clock.
    while (said.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(said).toMatchObject([{ kind: 'begun' }, { kind: 'not-begun' }])

    await vi.advanceTimersByTimeAsync(workerJobExpiryMs - 1)
    expect([isWiped(given.share?.secret), isWiped(unfit.share?.secret)]).toEqual([false, true])
    await vi.advanceTimersByTimeAsync(1)
    expect(isWiped(given.share?.secret)).toBe(true)

    tell({ functionType: 'receive', workId: 'three', runId: 'one', round: 1, response: new Uint8Array(1) })
    expect(said[2]).toEqual({ workId: 'three', kind: 'failed', reason: 'the run is over' })
  })

  it('another job is not supported', async () => {
    const { said, tell } = await load()
    tell({ functionType: 'MINE', workId: 'one' })

    await expect.poll(() => said.length).toBe(1)

    expect(said).toEqual([{ workId: 'one', kind: 'failed', reason: 'functionType: MINE not supported' }])
  })
})

describe('on the calling thread', () => {
  /** How often a kernel was compiled before a run, for one and for another one after it. */
  const compiled = async () => {
    await buildKernel()
    const compile = vi.spyOn(WebAssembly, 'compile')
    const counts = await clocked(
      MpcInline.pipe(Layer.provide(RandomWebCrypto)),
      Effect.gen(function* () {
        yield* Mpc
        const before = compile.mock.calls.length
        yield* begunRun
        const after = compile.mock.calls.length
        yield* begunRun
        return [before, after, compile.mock.calls.length]
      }),
    )
    return { compile, counts }
  }

  it('runs are computed by the kernel that was built, which is loaded with the first of them', async () => {
    expect((await compiled()).counts).toEqual([0, 1, 1])
  })

  it('runs are computed by noble where WebAssembly is forbidden, or the kernel is missing or not the pinned one', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('not here'))
    expect((await compiled()).counts).toEqual([0, 1, 1])

    vi.restoreAllMocks()
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    expect((await compiled()).counts).toEqual([0, 0, 0])

    vi.restoreAllMocks()
    const readFile = () => Promise.resolve(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ readFile })
    expect((await compiled()).counts).toEqual([0, 0, 0])
  })
})

describe('on a page', () => {
  /** What computes says once that it cannot be fetched; how often it was asked for is counted. */
  const late = (failures: number, made: Mpc['Service']) => {
    const asked = vi.fn(() => {
      if (asked.mock.calls.length <= failures) throw new Error('no connection')
      return Layer.succeed(Mpc, made)
    })
    const layer = MpcLate(asked).pipe(Layer.provide(Layer.merge(RandomWebCrypto, Layer.succeed(Settings, settings))))
    return { asked, layer }
  }

  const computing: Mpc['Service'] = {
    prepare: Effect.void,
    begin: () => Effect.succeed({ kind: 'abort', reason: 'it is not computed here' }),
  }

  it('the protocols’ code is loaded with the first run, once', async () => {
    const { asked, layer } = late(0, computing)
    const counts = await clocked(
      layer,
      Effect.gen(function* () {
        yield* Mpc
        const before = asked.mock.calls.length
        yield* Effect.all([begin, begin], { concurrency: 2 })
        yield* begin
        return [before, asked.mock.calls.length]
      }),
    )

    expect(counts).toEqual([0, 1])
  })

  it('it is fetched again by the run after one that could not fetch it, and preparing never fails', async () => {
    const { asked, layer } = late(2, computing)
    const outcomes = await clocked(
      layer,
      Effect.gen(function* () {
        yield* Effect.flatMap(Mpc, ({ prepare }) => prepare)
        return [yield* Effect.exit(begin), yield* Effect.exit(begin)].map(({ _tag }) => _tag)
      }),
    )

    expect(outcomes).toEqual(['Failure', 'Success'])
    expect(asked).toHaveBeenCalledTimes(3)
  })

  it('the failure has its cause, and a caller that hears of it late does not discard what was loaded since', async () => {
    const { asked, layer } = late(1, computing)
    const error = await clocked(
      layer,
      Effect.gen(function* () {
        const [, error] = yield* Effect.all([Effect.retry(begin, { times: 1 }), Effect.flip(begin)], { concurrency: 2 })
        yield* begin
        return error
      }),
    )

    expect(error).toMatchObject({ _tag: 'WorkerFailed', cause: { message: 'no connection' } })
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['kernel', undefined, 0],
    ['noble', undefined, 1],
    ['kernel', 'Info', 1],
    ['noble', 'None', 0],
  ] as const)('of a worker with %s and the log level %s, it logs %s lines', async (engine, logLevel, lines) => {
    const { made, load } = makeWorkers()
    vi.stubGlobal('window', { location: { href: 'https://shop.example/' }, navigator: { locks: undefined } })
    vi.stubGlobal(
      'Worker',
      vi.fn(function () {
        return load()
      }),
    )
    const logged = vi.spyOn(console, 'log').mockReturnValue()
    const options = { storage: makeStorage().override, ...(logLevel === undefined ? {} : { logLevel }) }
    const runtime = makeRuntime(settings, options, new Listeners(), Layer.mock(Popup, {}))

    await runtime.runPromise(Effect.flatMap(Mpc, ({ prepare }) => prepare))
    report(made[0], engine)

    await runtime.dispose()
    expect(logged.mock.calls).toHaveLength(lines)
  })

  it('the worker ends with the page’s runtime', async () => {
    const { made, load } = makeWorkers()
    const layer = MpcLate(() => MpcWorker({}, [rung('its file', load)], new Set()))
    const areEnded = () => made.map(({ isTerminated }) => isTerminated)
    const before = await clocked(
      layer.pipe(Layer.provide(Layer.merge(RandomWebCrypto, Layer.succeed(Settings, settings)))),
      Effect.flatMap(Mpc, ({ prepare }) => Effect.map(prepare, areEnded)),
    )

    expect([before, areEnded()]).toEqual([[false], [true]])
  })
})
