/**
 * Where the protocols are computed: in a worker of the page, and on the calling thread in Node and where an app wants
 * no worker. Nothing of them is loaded before the first run, or before a person is at the portal.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { Mpc, type BegunRun, type Run } from '../../domain/client/ports/Mpc.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import { kernelSource, WorkerFailed, type Loading } from '../../domain/model/MpcWorker.ts'
import type { Abort } from '../../domain/mpc/Protocol.ts'
import { staticFile } from '../../domain/model/PortalUrl.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import type { Answer, Engine, Job, Start } from './workerMessages.ts'

const loadRuns = () => Promise.all([import('./runs.ts'), import('../../domain/mpc/noble.ts')])

export const MpcInline = Layer.effect(
  Mpc,
  Effect.map(Random, ({ source }) => ({
    prepare: Effect.asVoid(Effect.ignore(Effect.tryPromise(loadRuns))),
    begin: (run) =>
      Effect.promise(async () => {
        const [{ beginRun }, { noble }] = await loadRuns()
        const begun = beginRun(run, source, noble)
        if ('kind' in begun) return begun
        return {
          request: begun.request,
          receive: (round: number, response: Uint8Array) => Effect.sync(() => begun.receive(round, response)),
        }
      }),
  })),
)

/** As much of a worker as is used here. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>

const loadWorker = (): WorkerLike => new Worker(new URL('./mpc.worker.ts', import.meta.url), { type: 'module' })

export const MpcWorker = (loading: Loading = {}, load: () => WorkerLike = loadWorker) =>
  Layer.effect(
    Mpc,
    Effect.gen(function* () {
      const { environment, hosts } = yield* Settings
      const random = yield* Random
      const run = Effect.runForkWith(yield* Effect.context())
      const source = Result.match(kernelSource(loading, environment), {
        onFailure: () => [],
        onSuccess: (from) => (from === 'portal' ? [staticFile(hosts, 'main.wasm')] : []),
      })
      const worker = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new ResettingWorker(load, { functionType: 'start', kernel: source }, ({ engine }) =>
              run(Effect.logInfo(`the protocols are computed by ${engine === 'kernel' ? 'the kernel' : 'noble'}`)),
            ),
        ),
        (held) => Effect.sync(() => held.reset('the SDK was disposed of')),
      )

      const ask = (make: (workId: string) => Job) =>
        Effect.flatMap(random.uuid, (workId) =>
          Effect.callback<Answer, WorkerFailed>((resume) => {
            worker.ask(make(workId), (outcome) => resume(Effect.fromResult(outcome)))
            return Effect.sync(() => worker.drop(workId))
          }),
        ).pipe(
          Effect.timeoutOrElse({
            duration: workerJobExpiryMs,
            orElse: () => Effect.fail(new OperationTimedOut({ ms: workerJobExpiryMs })),
          }),
        )

      const receive = (runId: string) => (round: number, response: Uint8Array) =>
        Effect.flatMap(
          ask((workId) => ({ functionType: 'receive', workId, runId, round, response })),
          (answer) => (answer.kind === 'progress' ? Effect.succeed(answer.progress) : failed(answer)),
        )

      return Mpc.of({
        prepare: Effect.sync(() => worker.prepare()),
        begin: (begun: Run) =>
          Effect.flatMap(
            ask((workId) => ({ functionType: 'begin', workId, run: begun })),
            (answer): Effect.Effect<BegunRun | Abort, WorkerFailed> => {
              switch (answer.kind) {
                case 'begun':
                  return Effect.succeed({ request: answer.request, receive: receive(answer.workId) })
                case 'not-begun':
                  return Effect.succeed(answer.outcome)
                default:
                  return failed(answer)
              }
            },
          ),
      })
    }),
  )

const failed = (answer: Answer) =>
  Effect.fail(
    new WorkerFailed({
      workId: answer.workId,
      reason: answer.kind === 'failed' ? answer.reason : `it answered ${answer.kind}`,
    }),
  )

type Outcome = Result.Result<Answer, WorkerFailed>

/**
 * A worker that begins with the first job, and begins anew after a failure, which rejects every pending job (spec §4).
 */
class ResettingWorker {
  readonly #load: () => WorkerLike
  readonly #start: Start
  readonly #loaded: (engine: Engine) => void
  readonly #pending = new Map<string, (outcome: Outcome) => void>()
  #worker: WorkerLike | undefined

  constructor(load: () => WorkerLike, start: Start, loaded: (engine: Engine) => void) {
    this.#load = load
    this.#start = start
    this.#loaded = loaded
  }

  ask(job: Job, answered: (outcome: Outcome) => void): void {
    this.#pending.set(job.workId, answered)
    try {
      this.#running().postMessage(job)
    } catch {
      this.reset('it could not be loaded')
    }
  }

  prepare(): void {
    try {
      this.#running()
    } catch {
      // Whoever needs it hears why it could not be loaded.
    }
  }

  /** Nobody waits for it any more. */
  drop(workId: string): void {
    this.#pending.delete(workId)
  }

  reset(reason: string): void {
    const pending = [...this.#pending]
    this.#pending.clear()
    this.#worker?.terminate()
    this.#worker = undefined
    for (const [workId, answered] of pending) answered(Result.fail(new WorkerFailed({ workId, reason })))
  }

  #running(): WorkerLike {
    if (this.#worker !== undefined) return this.#worker
    const worker = this.#load()
    worker.onmessage = ({ data }: MessageEvent<Answer | Engine>) => {
      if (data.kind === 'engine') {
        this.#loaded(data)
        return
      }
      const answered = this.#pending.get(data.workId)
      this.#pending.delete(data.workId)
      answered?.(Result.succeed(data))
    }
    worker.onerror = ({ message }) => this.reset(message || 'it could not be loaded')
    worker.onmessageerror = () => this.reset('an answer could not be read')
    worker.postMessage(this.#start)
    this.#worker = worker
    return worker
  }
}
