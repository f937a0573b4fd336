/**
 * One at a time among all that share a storage: Web Locks in a page, which hold among the documents of its origin, and
 * on a server a queue for each name, of the instances that were given the same storage.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Semaphore from 'effect/Semaphore'
import { Locks } from '../../domain/client/ports/Locks.ts'

export const LocksWeb = (storage: object = {}) =>
  Layer.sync(Locks, () =>
    typeof window === 'undefined'
      ? queuesOf(storage)
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

const known = new WeakMap<object, Locks['Service']>()

const queuesOf = (storage: object): Locks['Service'] => {
  const found = known.get(storage) ?? makeQueues()
  known.set(storage, found)
  return found
}

const makeQueues = (): Locks['Service'] => {
  const semaphores = new Map<string, Semaphore.Semaphore>()
  return {
    alone: (name, effect) => {
      const semaphore = semaphores.get(name) ?? Semaphore.makeUnsafe(1)
      semaphores.set(name, semaphore)
      return semaphore.withPermits(1)(effect)
    },
  }
}
