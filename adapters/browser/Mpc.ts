/**
 * Runs the protocols in a worker of the page, or on the calling thread: in Node, where no worker starts, and where an app disables workers. The
 * code is loaded with the first run, or while a person is at the portal.
 */
import * as Data from 'effect/Data'
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
import { staticFile } from '../../domain/model/PortalFiles.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import { workerRungs, type Rung } from './workerLadder.ts'
import type { WorkerAnswer, EngineReport, WorkerJob, WorkerLike, Start } from './workerMessages.ts'

/** The kernel where it loads, else noble. */
const kernelOrNoble = async (): Promise<Arithmetic> => {
  const { loadKernel, readKernel } = await import('./kernel.ts')
  return (await readKernel()) ?? (await loadKernel([])) ?? (await import('../../domain/mpc/noble.ts')).noble
}

/** Runs on the calling thread. */
const onThread = (random: RandomSource, loadArithmetic: () => Promise<Arithmetic>): Mpc['Service'] => {
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
        const begun = beginRun(run, random, computer)
        if ('kind' in begun) return begun
        return {
          request: begun.request,
          receive: (round: number, response: Uint8Array) => Effect.sync(() => begun.receive(round, response)),
        }
      }),
  }
}

type RandomSource = Random['Service']['source']

/** On the thread that begins the run, with this arithmetic. */
export const MpcWith = (loadArithmetic: () => Promise<Arithmetic>) =>
  Layer.effect(
    Mpc,
    Effect.map(Random, ({ source }) => onThread(source, loadArithmetic)),
  )

export const MpcInline = MpcWith(kernelOrNoble)

/** Names of the steps that did not start on this page. They are not tried again. */
const failedOnPage = new Set<string>()

/** In a worker, and on the page's thread where none starts. */
export const MpcWorker = (
  loading: Loading = {},
  rungs: readonly Rung[] = workerRungs(loading.workerUrl),
  failed: Set<string> = failedOnPage,
) =>
  Layer.effect(
    Mpc,
    Effect.gen(function* () {
      const { environment, hosts } = yield* Settings
      const random = yield* Random
      const run = Effect.runForkWith(yield* Effect.context())
      const { kernel, why } = Result.match(kernelSource(loading, environment), {
        onFailure: ({ message }) => ({ kernel: [], why: `, and ${message}` }),
        onSuccess: (from) => ({ kernel: from === 'portal' ? [staticFile(hosts, 'main.wasm')] : [], why: '' }),
      })
      const inline = onThread(random.source, kernelOrNoble)
      const told: Told = {
        computes: (engine) =>
          run(
            engine === 'kernel'
              ? Effect.logInfo('the protocols are computed by the kernel')
              : Effect.logWarning(`the protocols are computed by noble, because the kernel does not run here${why}`),
          ),
        fell: (from, to) =>
          run(
            Effect.logWarning(
              `the protocol worker does not start from ${from.name}; ` +
                (to === undefined ? 'the page computes on its own thread' : `the next try is ${to.name}`),
            ),
          ),
      }
      const worker = yield* Effect.acquireRelease(
        Effect.sync(() => new ResettingWorker({ rungs, failed, start: { functionType: 'start', kernel }, told })),
        (held) => Effect.sync(() => held.reset('the SDK was disposed of')),
      )

      const ask = (make: (workId: string) => WorkerJob) =>
        Effect.flatMap(random.uuid, (workId) =>
          Effect.callback<WorkerAnswer, WorkerFailed | NoWorker>((resume) => {
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
          (answer) => (answer.kind === 'progress' ? Effect.succeed(answer.progress) : wrong(answer)),
        ).pipe(
          // Its worker has ended, and no other one starts.
          Effect.catchTag('NoWorker', () =>
            Effect.fail(new WorkerFailed({ workId: runId, reason: 'the run is over' })),
          ),
        )

      return Mpc.of({
        prepare: Effect.suspend(() => (worker.prepare() ? Effect.void : inline.prepare)),
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
                  return wrong(answer)
              }
            },
          ).pipe(Effect.catchTag('NoWorker', () => inline.begin(begun))),
      })
    }),
  )

const wrong = (answer: WorkerAnswer) =>
  Effect.fail(
    new WorkerFailed({
      workId: answer.workId,
      reason: answer.kind === 'failed' ? answer.reason : `it answered ${answer.kind}`,
    }),
  )

/** No step starts a worker on this page. */
class NoWorker extends Data.TaggedError('NoWorker') {}

type WorkOutcome = Result.Result<WorkerAnswer, WorkerFailed | NoWorker>

type Pending = { readonly job: WorkerJob; readonly answered: (outcome: WorkOutcome) => void }

/** A worker and the jobs that wait for its answers. */
type Held = {
  readonly pending: Map<string, Pending>
  /** Undefined until it starts. */
  worker: WorkerLike | undefined
  /** Whether it has said anything. Until then it has done no job, and another worker can do them all. */
  isHeard: boolean
  isEnded: boolean
}

type Told = {
  readonly computes: (engine: 'kernel' | 'noble') => void
  readonly fell: (from: Rung, to: Rung | undefined) => void
}

type Starting = {
  readonly rungs: readonly Rung[]
  readonly failed: Set<string>
  readonly start: Start
  readonly told: Told
}

/**
 * A worker that starts with the first job, and starts again after a failure, which rejects every pending job. One that
 * fails before it has said anything could not be loaded: the next step of the ladder takes its jobs over. After a
 * ban the worker takes no more jobs and is terminated, with the secrets of every run that it holds. Jobs that it has
 * already taken are answered first: a verdict that is lost would give a cheating co-signer a guess without a ban
 * (domain/service/protocol/README.md#guesses).
 */
class ResettingWorker {
  readonly #starting: Starting
  #current: Held | undefined
  /** Workers that have banned and still have jobs to answer. */
  readonly #ending = new Set<Held>()

  constructor(starting: Starting) {
    this.#starting = starting
  }

  ask(job: WorkerJob, answered: (outcome: WorkOutcome) => void): void {
    if (!this.prepare()) {
      answered(Result.fail(new NoWorker()))
      return
    }
    const held = this.#current
    held?.pending.set(job.workId, { job, answered })
    try {
      held?.worker?.postMessage(job)
    } catch {
      if (held !== undefined) this.#end(held, 'a job could not be sent')
    }
  }

  /** Whether there is a worker, or a step that may start one. */
  prepare(): boolean {
    if (this.#current !== undefined) return true
    const held: Held = { pending: new Map(), worker: undefined, isHeard: false, isEnded: false }
    this.#current = held
    this.#climb(held)
    return !held.isEnded
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

  /** Each pending job fails, with the reason or because there is no worker. */
  #end(held: Held, reason: string | undefined): void {
    if (this.#current === held) this.#current = undefined
    this.#ending.delete(held)
    held.isEnded = true
    const pending = [...held.pending]
    held.pending.clear()
    held.worker?.terminate()
    for (const [workId, { answered }] of pending) {
      answered(Result.fail(reason === undefined ? new NoWorker() : new WorkerFailed({ workId, reason })))
    }
  }

  /** Takes no job any more. */
  #retire(held: Held): void {
    if (this.#current === held) this.#current = undefined
    this.#ending.add(held)
  }

  #endIfDone(held: Held): void {
    if (this.#ending.has(held) && held.pending.size === 0) this.#end(held, 'it has banned')
  }

  #next(): Rung | undefined {
    return this.#starting.rungs.find(({ name }) => !this.#starting.failed.has(name))
  }

  #climb(held: Held): void {
    const rung = this.#next()
    if (rung === undefined) {
      this.#end(held, undefined)
      return
    }
    const fall = () => this.#fall(held, rung)
    try {
      const started = rung.start()
      if (started instanceof Promise) started.then((worker) => this.#started(held, rung, worker)).catch(fall)
      else this.#started(held, rung, started)
    } catch {
      fall()
    }
  }

  #fall(held: Held, from: Rung): void {
    const { failed, told } = this.#starting
    const isNews = !failed.has(from.name)
    failed.add(from.name)
    if (isNews) told.fell(from, this.#next())
    if (held.isEnded) return
    held.worker?.terminate()
    held.worker = undefined
    this.#climb(held)
  }

  /** The kernel does not run on this page, whatever the worker that has it starts from. */
  #fallToNoble(held: Held): void {
    const { rungs, failed } = this.#starting
    for (const { name, engine } of rungs) if (engine === 'kernel') failed.add(name)
    held.worker?.terminate()
    held.worker = undefined
    this.#climb(held)
  }

  #started(held: Held, rung: Rung, worker: WorkerLike): void {
    if (held.isEnded) {
      worker.terminate()
      return
    }
    held.worker = worker
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer | EngineReport>) => {
      if (held.worker !== worker) return
      if (data.kind === 'engine') {
        if (data.engine === 'none') this.#fallToNoble(held)
        else {
          held.isHeard = true
          this.#starting.told.computes(data.engine)
        }
        return
      }
      held.isHeard = true
      const pending = held.pending.get(data.workId)
      held.pending.delete(data.workId)
      if (data.kind === 'progress' && data.progress.kind === 'ban') this.#retire(held)
      this.#endIfDone(held)
      pending?.answered(Result.succeed(data))
    }
    worker.onerror = ({ message }) => {
      if (held.worker !== worker) return
      if (held.isHeard) this.#end(held, message || 'it has failed')
      else this.#fall(held, rung)
    }
    worker.onmessageerror = () => this.#end(held, 'an answer could not be read')
    worker.postMessage(this.#starting.start)
    for (const { job } of held.pending.values()) worker.postMessage(job)
  }
}
