/**
 * The protocol worker (spec §4, worker jobs): runs are computed here, away from the page, and a run's secrets never
 * leave it. It computes by the kernel where that loads and is the one that the package pins, else by noble.
 */
import type { Run } from '../../domain/client/ports/Mpc.ts'
import { wipeRecords, type ClientRun } from '../../domain/mpc/ClientRun.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { workerJobExpiryMs } from '../../domain/model/Limits.ts'
import { loadKernel } from './kernel.ts'
import { beginRun } from './runs.ts'
import type { Answer, Engine, Job, Start } from './workerMessages.ts'

/** Runs by their id, each with the records that the page has given copies of for it. */
const runs = new Map<string, { readonly begun: ClientRun; readonly run: Run }>()
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

/** What is said is copied on its way: what it was made of may be overwritten then. */
const say = (answer: Answer): void => self.postMessage(answer)

const begin = async ({ workId, run }: Extract<Job, { functionType: 'begin' }>): Promise<void> => {
  const begun = beginRun(run, random, await (arithmetic ??= noble()))
  if ('kind' in begun) {
    wipeRecords(run)
    say({ workId, kind: 'not-begun', outcome: begun })
    return
  }
  runs.set(workId, { begun, run })
  // Nobody asks for it any more by then, and what it knows need not wait longer.
  setTimeout(() => end(workId), workerJobExpiryMs)
  say({ workId, kind: 'begun', request: begun.request })
}

const receive = ({ workId, runId, round, response }: Extract<Job, { functionType: 'receive' }>): void => {
  const held = runs.get(runId)
  if (held === undefined) return say({ workId, kind: 'failed', reason: 'the run is over' })
  const progress = held.begun.receive(round, response)
  say({ workId, kind: 'progress', progress })
  if (progress.kind !== 'request') end(runId)
}

/** Leaves nothing of the run (mpc-review 20). */
const end = (runId: string): void => {
  const held = runs.get(runId)
  if (held === undefined) return
  runs.delete(runId)
  held.begun.end()
  wipeRecords(held.run)
}

const work = async (job: Job): Promise<void> => {
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

/** Whoever loads the worker by hand may ask for anything (spec §8). */
const unknownJob = ({ workId, functionType }: { readonly workId: string; readonly functionType: string }): void =>
  say({ workId, kind: 'failed', reason: `functionType: ${functionType} not supported` })

self.addEventListener('message', ({ data }: MessageEvent<Job | Start>) => {
  if (data.functionType === 'start') {
    arithmetic ??= arithmeticOf(data.kernel)
    return
  }
  // A mistake of ours: the page hears that its worker failed, and begins another.
  work(data).catch((error: unknown) => reportError(error))
})
