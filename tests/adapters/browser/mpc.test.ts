import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as TestClock from 'effect/testing/TestClock'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MpcWorker, type WorkerLike } from '../../../adapters/browser/Mpc.ts'
import { RandomWebCrypto } from '../../../adapters/browser/Random.ts'
import { settingsOf } from '../../../adapters/browser/runtime.ts'
import type { Answer, Job, Start } from '../../../adapters/browser/workerMessages.ts'
import { Mpc, type Run } from '../../../domain/client/ports/Mpc.ts'
import { Settings } from '../../../domain/client/ports/Settings.ts'
import type { Loading } from '../../../domain/model/MpcWorker.ts'

afterEach(() => vi.unstubAllGlobals())

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

/** Workers of which the test says what they answer. */
const makeWorkers = (answers: (job: Job) => Answer | undefined = () => undefined) => {
  const made: (WorkerLike & { readonly heard: (Job | Start)[]; isTerminated: boolean })[] = []
  const load = (): WorkerLike => {
    const worker: (typeof made)[number] = {
      heard: [],
      isTerminated: false,
      onmessage: null,
      onerror: null,
      onmessageerror: null,
      postMessage: (message: Job | Start) => {
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

const settings = settingsOf('DEV', 'a key', {})

const over = (load: () => WorkerLike, loading: Loading = {}) =>
  MpcWorker(loading, load).pipe(Layer.provide(Layer.merge(RandomWebCrypto, Layer.succeed(Settings, settings))))

const begin = Effect.flatMap(Mpc, (mpc) => mpc.begin(run))

const clocked = <A, E>(layer: Layer.Layer<Mpc>, effect: Effect.Effect<A, E, Mpc>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.provide(layer), Effect.provide(TestClock.layer())))

const begun = ({ workId }: Job): Answer => ({ workId, kind: 'begun', request: new Uint8Array([1]) })

describe('the protocol worker', () => {
  it('is loaded with the first job, and told where else the kernel is', async () => {
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

  it('fetches no kernel from elsewhere where the app does not want it to', async () => {
    const { made, load } = makeWorkers(begun)

    await clocked(over(load, { disableWasmFetch: true }), begin)

    expect(made[0]?.heard[0]).toEqual({ functionType: 'start', kernel: [] })
  })

  it('answers a response with what follows from it', async () => {
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
      Effect.flatMap(begin, (at) =>
        'kind' in at ? Effect.die('not begun') : at.receive(3, new Uint8Array([7])),
      ),
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

  it('rejects every pending job when it fails, and is another one for the next', async () => {
    const { made, load } = makeWorkers()

    const errors = await clocked(
      over(load),
      Effect.gen(function* () {
        const fibers = [yield* Effect.forkChild(Effect.flip(begin)), yield* Effect.forkChild(Effect.flip(begin))]
        yield* TestClock.adjust(0)
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

  it('says so where it cannot be loaded', async () => {
    const layer = over(() => {
      throw new Error('no workers here')
    })

    const error = await clocked(layer, Effect.flip(begin))

    expect(error).toMatchObject({ _tag: 'WorkerFailed', reason: 'it could not be loaded' })
  })

  it('takes local files in development only', () => {
    const abroad = () => settingsOf('SANDBOX', 'a key', { useLocalFiles: true })
    expect(abroad).toThrow('useLocalFiles only supported locally')
    expect(settingsOf('DEV', 'a key', { useLocalFiles: true }).environment).toBe('DEV')
  })
})

describe('inside the worker', () => {
  const load = async () => {
    let hear: (event: { readonly data: unknown }) => void = () => {}
    const said: unknown[] = []
    vi.stubGlobal('self', {
      addEventListener: (_: string, listener: typeof hear) => (hear = listener),
      postMessage: (message: unknown) => said.push(message),
    })
    vi.resetModules()
    await import('../../../adapters/browser/mpc.worker.ts')
    return { said, tell: (data: unknown) => hear({ data }) }
  }

  it('a run is computed by noble where no kernel is pinned', async () => {
    const { said, tell } = await load()
    tell({ functionType: 'start', kernel: [] })
    tell({ functionType: 'begin', workId: 'one', run })

    await expect.poll(() => said.length).toBe(2)

    expect(said).toEqual([
      { kind: 'engine', engine: 'noble' },
      { workId: 'one', kind: 'begun', request: expect.any(Uint8Array) },
    ])
  })

  it('a run that is over, or that nobody began, answers so', async () => {
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

  it('another job is not supported', async () => {
    const { said, tell } = await load()
    tell({ functionType: 'MINE', workId: 'one' })

    await expect.poll(() => said.length).toBe(1)

    expect(said).toEqual([{ workId: 'one', kind: 'failed', reason: 'functionType: MINE not supported' }])
  })
})
