/** What the page and its protocol worker say to each other. A run goes by the id of the job that began it. */
import type { Run } from '../../domain/client/ports/Mpc.ts'
import type { Progress } from '../../domain/mpc/ClientRun.ts'
import type { Abort } from '../../domain/mpc/Protocol.ts'

export type Job =
  | { readonly functionType: 'begin'; readonly workId: string; readonly run: Run }
  | {
      readonly functionType: 'receive'
      readonly workId: string
      readonly runId: string
      readonly round: number
      readonly response: Uint8Array
    }

/** The first message: where the kernel may be fetched, the first address that has it counts. */
export type Start = { readonly functionType: 'start'; readonly kernel: readonly string[] }

/** What the worker computes with; it says so once, when it knows. */
export type Engine = { readonly kind: 'engine'; readonly engine: 'kernel' | 'noble' }

export type Answer =
  | { readonly workId: string; readonly kind: 'begun'; readonly request: Uint8Array }
  | { readonly workId: string; readonly kind: 'not-begun'; readonly outcome: Abort }
  | { readonly workId: string; readonly kind: 'progress'; readonly progress: Progress }
  /** `reason` is a sentence of ours, never anything of the run. */
  | { readonly workId: string; readonly kind: 'failed'; readonly reason: string }
