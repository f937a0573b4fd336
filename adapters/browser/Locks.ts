/**
 * Web Locks in a page, which hold among all documents of its origin, as its storage does. On a server each instance of the
 * SDK has a storage of its own, and so a queue of its own for each name.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Semaphore from 'effect/Semaphore'
import { Locks } from '../../domain/client/ports/Locks.ts'

export const LocksWeb = Layer.sync(Locks, () =>
  typeof window === 'undefined'
    ? queues()
    : { alone: (name, effect) => underWebLock(window.navigator.locks, name, effect) },
)

/** Waits for the lock and holds it as long as the effect lasts, however it ends. */
const underWebLock = <A, E, R>(manager: LockManager, name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.callback<() => void>((resume) => {
      const abort = new AbortController()
      manager
        .request(name, { signal: abort.signal }, () => new Promise<void>((release) => resume(Effect.succeed(release))))
        .catch((cause: unknown) => resume(Effect.die(cause)))
      return Effect.sync(() => abort.abort())
    }),
    () => effect,
    (release) => Effect.sync(release),
  )

const queues = (): Locks['Service'] => {
  const semaphores = new Map<string, Semaphore.Semaphore>()
  return {
    alone: (name, effect) => {
      const semaphore = semaphores.get(name) ?? Semaphore.makeUnsafe(1)
      semaphores.set(name, semaphore)
      return semaphore.withPermits(1)(effect)
    },
  }
}
