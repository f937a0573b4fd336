/**
 * The protocol worker (spec §4, worker jobs): runs are computed here, away from the page, and a run's secrets never
 * leave it. It computes by the kernel where that loads and is the one that the package pins, else by noble.
 */
import type { ClientRun } from '../../domain/mpc/ClientRun.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import { loadKernel } from './kernel.ts'
import { beginRun } from './runs.ts'
import type { Answer, Engine, Job, Start } from './workerMessages.ts'

const runs = new Map<string, ClientRun>()
let arithmetic: Promise<Arithmetic> | undefined

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

/** Where WebAssembly is forbidden, or the kernel is not the pinned one. */
const noble = async (): Promise<Arithmetic> => (await import('../../domain/mpc/noble.ts')).noble

const arithmeticOf = async (addresses: readonly string[]): Promise<Arithmetic> => {
  const kernel = await loadKernel(addresses)
  const engine: Engine = { kind: 'engine', engine: kernel === undefined ? 'noble' : 'kernel' }
  self.postMessage(engine)
  return kernel ?? noble()
}

const begin = async ({ workId, run }: Extract<Job, { functionType: 'begin' }>): Promise<Answer> => {
  const begun = beginRun(run, random, await (arithmetic ??= noble()))
  if ('kind' in begun) return { workId, kind: 'not-begun', outcome: begun }
  runs.set(workId, begun)
  // Nobody asks for it any more by then, and what it knows need not wait longer.
  setTimeout(() => runs.delete(workId), workerJobExpiryMs)
  return { workId, kind: 'begun', request: begun.request }
}

const receive = ({ workId, runId, round, response }: Extract<Job, { functionType: 'receive' }>): Answer => {
  const run = runs.get(runId)
  if (run === undefined) return { workId, kind: 'failed', reason: 'the run is over' }
  const progress = run.receive(round, response)
  if (progress.kind !== 'request') runs.delete(runId)
  return { workId, kind: 'progress', progress }
}

const work = async (job: Job): Promise<Answer> => {
  switch (job.functionType) {
    case 'begin':
      return begin(job)
    case 'receive':
      return receive(job)
    default:
      return unknownJob(job)
  }
}

/** Whoever loads the worker by hand may ask for anything (spec §8). */
const unknownJob = ({ workId, functionType }: { readonly workId: string; readonly functionType: string }): Answer => ({
  workId,
  kind: 'failed',
  reason: `functionType: ${functionType} not supported`,
})

self.addEventListener('message', ({ data }: MessageEvent<Job | Start>) => {
  if (data.functionType === 'start') {
    arithmetic ??= arithmeticOf(data.kernel)
    return
  }
  work(data).then(
    (answer) => self.postMessage(answer),
    // A mistake of ours: the page hears that its worker failed, and begins another.
    (error: unknown) => reportError(error),
  )
})
