/** The worker as the package has it. The package's build writes another file in the place of this one. */
import type { WorkerLike } from './workerMessages.ts'

type PackagedWorker = {
  /** SHA-256 of the worker's file, hex(32). */
  readonly digest: string
  /** The content of the worker's file. */
  readonly text: () => Promise<string>
  /** The worker that computes by noble, for pages that may not run the kernel: from its file, and its content. */
  readonly startNoble: () => WorkerLike
  readonly nobleText: () => Promise<string>
}

/** Undefined where a build takes the sources: its worker is a file, and loads noble by itself. */
export const packagedWorker: PackagedWorker | undefined = undefined
