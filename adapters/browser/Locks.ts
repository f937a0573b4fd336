/**
 * One at a time among all that share a storage: Web Locks in a browser, which hold among the pages and workers of an origin,
 * and on a server a queue for each name, of the instances that were given the same storage.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Locks } from '../../domain/client/ports/Locks.ts'

export const LocksWeb = (storage: object = {}) =>
  Layer.sync(Locks, () =>
    typeof window === 'undefined'
      ? queued(storage)
      : { alone: (name, effect) => underWebLock(window.navigator.locks, name, effect) },
  )

/** A worker has no window, and shares the locks of its origin's pages. */
export const LocksOfWorker = () =>
  Layer.succeed(Locks, { alone: (name, effect) => underWebLock(navigator.locks, name, effect) })

/**
 * Waits for the lock and holds it as long as the effect lasts, however it ends. The wait can be interrupted, which
 * leaves the queue; `acquireRelease` would make it uninterruptible.
 */
const underWebLock = <A, E, R>(manager: LockManager, name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const abort = new AbortController()
    const over = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()))
    const granted = Effect.callback<void>((resume) => {
      manager
        .request(name, { signal: abort.signal }, () => {
          resume(Effect.void)
          return over
        })
        .catch((cause: unknown) => resume(Effect.die(cause)))
    })
    return Effect.ensuring(
      Effect.andThen(granted, effect),
      Effect.sync(() => abort.abort()),
    )
  })

/** No page loads the queues. */
const queued = (storage: object): Locks['Service'] => ({
  alone: (name, effect) =>
    Effect.flatMap(
      Effect.promise(() => import('./lockQueues.ts')),
      ({ queuesOf }) => queuesOf(storage).alone(name, effect),
    ),
})
