import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { PasswordHash, type Argon2idInput } from '../../domain/client/ports/PasswordHash.ts'

/**
 * In a worker, so that the page stays responsive for the second that Argon2id takes. Without a worker the page hashes
 * itself and blocks meanwhile; the result is the same.
 */
export const PasswordHashWorker = Layer.succeed(PasswordHash, {
  argon2id: (input) =>
    Effect.catch(
      Effect.acquireUseRelease(startWorker, (worker) => hashIn(worker, input), end),
      () => Effect.promise(async () => (await import('./argon2id.ts')).argon2id(input)),
    ),
})

const startWorker = Effect.try({
  try: () => new Worker(new URL('./PasswordHash.worker.ts', import.meta.url), { type: 'module' }),
  catch: () => new WorkerUnusable(),
})

const hashIn = (worker: Worker, input: Argon2idInput) =>
  Effect.callback<Uint8Array, WorkerUnusable>((resume) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => resume(Effect.succeed(data)))
    worker.addEventListener('error', () => resume(Effect.fail(new WorkerUnusable())))
    worker.postMessage(input)
  })

/** Frees the thread's memory, which held the password. */
const end = (worker: Worker) => Effect.sync(() => worker.terminate())

class WorkerUnusable extends Data.TaggedError('WorkerUnusable') {}
