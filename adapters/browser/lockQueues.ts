/** Locks of a server, which has no Web Locks: a queue for each name, of the instances that were given the same storage. */
import * as Semaphore from 'effect/Semaphore'
import type { Locks } from '../../domain/client/ports/Locks.ts'

const known = new WeakMap<object, Locks['Service']>()

export const queuesOf = (storage: object): Locks['Service'] => {
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
