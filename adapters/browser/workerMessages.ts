/** Messages between the page and its protocol worker. A run has the id of the job that began it. */
import type { Run } from '../../domain/client/ports/Mpc.ts'
import type { Progress } from '../../domain/mpc/ClientRun.ts'
import type { Abort } from '../../domain/mpc/Protocol.ts'

/** The part of Worker that the page uses. */
export type WorkerLike = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>

export type WorkerJob =
  | { readonly functionType: 'begin'; readonly workId: string; readonly run: Run }
  | {
      readonly functionType: 'receive'
      readonly workId: string
      readonly runId: string
      readonly round: number
      readonly response: Uint8Array
    }

/** The first message: addresses of the kernel, of which the first that has it is used. */
export type Start = { readonly functionType: 'start'; readonly kernel: readonly string[] }

/** The worker's arithmetic, reported once. With 'none' it runs no job: its kernel may not run, and it has nothing else. */
export type EngineReport = { readonly kind: 'engine'; readonly engine: 'kernel' | 'noble' | 'none' }

export type WorkerAnswer =
  | { readonly workId: string; readonly kind: 'begun'; readonly request: Uint8Array }
  | { readonly workId: string; readonly kind: 'not-begun'; readonly outcome: Abort }
  | { readonly workId: string; readonly kind: 'progress'; readonly progress: Progress }
  /** `reason` is a fixed sentence and contains nothing of the run. */
  | { readonly workId: string; readonly kind: 'failed'; readonly reason: string }
