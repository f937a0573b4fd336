/**
 * Runs the protocols in a worker of the page, or on the calling thread in Node and where an app disables workers. The
 * code is loaded with the first run, or while a person is at the portal.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Result from 'effect/Result'
import { Mpc, type BegunRun, type Run } from '../../domain/client/ports/Mpc.ts'
import { Random } from '../../domain/client/ports/Random.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import { kernelSource, WorkerFailed, type Loading } from '../../domain/model/MpcWorker.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import type { Abort } from '../../domain/mpc/Protocol.ts'
import { staticFile } from '../../domain/model/PortalUrl.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import type { WorkerAnswer, EngineReport, WorkerJob, Start } from './workerMessages.ts'

/** The kernel where it loads, else noble. */
const kernelOrNoble = async (): Promise<Arithmetic> => {
  const { loadKernel, readKernel } = await import('./kernel.ts')
  return (await readKernel()) ?? (await loadKernel([])) ?? (await import('../../domain/mpc/noble.ts')).noble
}

/** On the thread that begins the run, with this arithmetic. */
export const MpcWith = (loadArithmetic: () => Promise<Arithmetic>) =>
  Layer.effect(
    Mpc,
    Effect.map(Random, ({ source }) => {
      let arithmetic: Promise<Arithmetic> | undefined
      const load = async () => {
        try {
          return await Promise.all([import('./runs.ts'), (arithmetic ??= loadArithmetic())])
        } catch (cause) {
          // The next run tries again.
          arithmetic = undefined
          throw cause
        }
      }
      return {
        prepare: Effect.asVoid(Effect.ignore(Effect.tryPromise(load))),
        begin: (run) =>
          Effect.promise(async () => {
            const [{ beginRun }, computer] = await load()
            const begun = beginRun(run, source, computer)
            if ('kind' in begun) return begun
            return {
              request: begun.request,
              receive: (round: number, response: Uint8Array) => Effect.sync(() => begun.receive(round, response)),
            }
          }),
      }
    }),
  )

export const MpcInline = MpcWith(kernelOrNoble)

/** The part of Worker that is used here. */
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

      const ask = (make: (workId: string) => WorkerJob) =>
        Effect.flatMap(random.uuid, (workId) =>
          Effect.callback<WorkerAnswer, WorkerFailed>((resume) => {
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

const failed = (answer: WorkerAnswer) =>
  Effect.fail(
    new WorkerFailed({
      workId: answer.workId,
      reason: answer.kind === 'failed' ? answer.reason : `it answered ${answer.kind}`,
    }),
  )

type WorkOutcome = Result.Result<WorkerAnswer, WorkerFailed>

/** A worker and the jobs that wait for its answers. */
type Held = { readonly worker: WorkerLike; readonly pending: Map<string, (outcome: WorkOutcome) => void> }

/**
 * A worker that starts with the first job, and starts again after a failure, which rejects every pending job. After a
 * ban the worker takes no more jobs and is terminated, with the secrets of every run that it holds. Jobs that it has
 * already taken are answered first: a verdict that is lost would give a cheating co-signer a guess without a ban
 * (domain/service/protocol/README.md#guesses).
 */
class ResettingWorker {
  readonly #load: () => WorkerLike
  readonly #start: Start
  readonly #loaded: (engine: EngineReport) => void
  #current: Held | undefined
  /** Workers that have banned and still have jobs to answer. */
  readonly #ending = new Set<Held>()

  constructor(load: () => WorkerLike, start: Start, loaded: (engine: EngineReport) => void) {
    this.#load = load
    this.#start = start
    this.#loaded = loaded
  }

  ask(job: WorkerJob, answered: (outcome: WorkOutcome) => void): void {
    let held: Held | undefined
    try {
      held = this.#running()
      held.pending.set(job.workId, answered)
      held.worker.postMessage(job)
    } catch {
      const reason = 'it could not be loaded'
      if (held === undefined) answered(Result.fail(new WorkerFailed({ workId: job.workId, reason })))
      else this.#end(held, reason)
    }
  }

  prepare(): void {
    try {
      this.#running()
    } catch {
      // The next job fails with the reason.
    }
  }

  /** The caller no longer waits for the job. */
  drop(workId: string): void {
    for (const held of this.#all()) {
      held.pending.delete(workId)
      this.#endIfDone(held)
    }
  }

  reset(reason: string): void {
    for (const held of this.#all()) this.#end(held, reason)
  }

  #all(): readonly Held[] {
    return [...this.#ending, ...(this.#current === undefined ? [] : [this.#current])]
  }

  #end(held: Held, reason: string): void {
    if (this.#current === held) this.#current = undefined
    this.#ending.delete(held)
    const pending = [...held.pending]
    held.pending.clear()
    held.worker.terminate()
    for (const [workId, answered] of pending) answered(Result.fail(new WorkerFailed({ workId, reason })))
  }

  /** Takes no job any more. */
  #retire(held: Held): void {
    if (this.#current === held) this.#current = undefined
    this.#ending.add(held)
  }

  #endIfDone(held: Held): void {
    if (this.#ending.has(held) && held.pending.size === 0) this.#end(held, 'it has banned')
  }

  #running(): Held {
    if (this.#current !== undefined) return this.#current
    const worker = this.#load()
    const held: Held = { worker, pending: new Map() }
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer | EngineReport>) => {
      if (data.kind === 'engine') {
        this.#loaded(data)
        return
      }
      const answered = held.pending.get(data.workId)
      held.pending.delete(data.workId)
      if (data.kind === 'progress' && data.progress.kind === 'ban') this.#retire(held)
      this.#endIfDone(held)
      answered?.(Result.succeed(data))
    }
    worker.onerror = ({ message }) => this.#end(held, message || 'it could not be loaded')
    worker.onmessageerror = () => this.#end(held, 'an answer could not be read')
    worker.postMessage(this.#start)
    this.#current = held
    return held
  }
}
