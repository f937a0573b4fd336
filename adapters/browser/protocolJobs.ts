/**
 * The SDK's jobs in its worker. Runs are computed here, off the page's thread, and a run's secrets never leave it. It
 * uses the kernel if that loads and has the pinned digest, else noble.
 */
import type { Run } from '../../domain/client/ports/Mpc.ts'
import { wipeRecords, type ClientRun } from '../../domain/mpc/ClientRun.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import { loadKernel } from './kernel.ts'
import { loadNoble } from './lateNoble.ts'
import { beginRun } from './runs.ts'
import type { WorkerAnswer, EngineReport, WorkerJob, Start } from './workerMessages.ts'

/** Runs by their id, each with its copies of the page's records. */
const runs = new Map<string, { readonly begun: ClientRun; readonly run: Run }>()
let arithmetic: Promise<Arithmetic> | undefined

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

const report = (engine: EngineReport['engine']): void => self.postMessage({ kind: 'engine', engine })

const arithmeticOf = async (addresses: readonly string[], loaded: typeof report): Promise<Arithmetic> => {
  const kernel = await loadKernel(addresses)
  loaded(kernel !== undefined ? 'kernel' : loadNoble === undefined ? 'none' : 'noble')
  return kernel ?? noble()
}

/** Where WebAssembly is forbidden, or the kernel is not the pinned one. */
const noble = async (): Promise<Arithmetic> => {
  if (loadNoble === undefined) throw new Error('the kernel does not run here')
  return loadNoble()
}

/** The one of this worker, which is loaded once. The public client reads no report of it. */
export const sharedArithmetic = (addresses: readonly string[]): Promise<Arithmetic> =>
  (arithmetic ??= arithmeticOf(addresses, () => undefined))

/** postMessage clones, so the sender can wipe its copy afterwards. */
const say = (answer: WorkerAnswer): void => self.postMessage(answer)

const begin = async ({ workId, run }: Extract<WorkerJob, { functionType: 'begin' }>): Promise<void> => {
  const begun = beginRun(run, random, await (arithmetic ??= noble()))
  if ('kind' in begun) {
    wipeRecords(run)
    say({ workId, kind: 'not-begun', outcome: begun })
    return
  }
  runs.set(workId, { begun, run })
  // The page has dropped the job by then, so its secrets are wiped.
  setTimeout(() => end(workId), workerJobExpiryMs)
  say({ workId, kind: 'begun', request: begun.request })
}

const receive = ({ workId, runId, round, response }: Extract<WorkerJob, { functionType: 'receive' }>): void => {
  const held = runs.get(runId)
  if (held === undefined) return say({ workId, kind: 'failed', reason: 'the run is over' })
  const progress = held.begun.receive(round, response)
  say({ workId, kind: 'progress', progress })
  if (progress.kind !== 'request') end(runId)
}

/** Wipes all secrets of the run. */
const end = (runId: string): void => {
  const held = runs.get(runId)
  if (held === undefined) return
  runs.delete(runId)
  held.begun.end()
  wipeRecords(held.run)
}

const work = async (job: WorkerJob): Promise<void> => {
  switch (job.functionType) {
    case 'begin':
      return begin(job)
    case 'receive':
      receive(job)
      break
    default:
      unknownJob(job)
  }
}

/** A page that loads the worker itself can send any job. */
const unknownJob = ({ workId, functionType }: { readonly workId: string; readonly functionType: string }): void =>
  say({ workId, kind: 'failed', reason: `functionType: ${functionType} not supported` })

export const receiveJob = (data: WorkerJob | Start): void => {
  if (data.functionType === 'start') {
    if (arithmetic !== undefined) return
    arithmetic = arithmeticOf(data.kernel, report)
    // Its failure is reported, and again by each job.
    arithmetic.catch(() => undefined)
    return
  }
  // A bug: the page's onerror fires, and it starts another worker.
  work(data).catch((error: unknown) => reportError(error))
}
