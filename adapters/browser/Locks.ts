/** Web Locks where there are any, else one queue for each name in this process. */
import * as Layer from 'effect/Layer'
import * as Semaphore from 'effect/Semaphore'
import { Locks } from '../../domain/client/ports/Locks.ts'

export const LocksWeb = Layer.sync(Locks, () => {
  const semaphores = new Map<string, Semaphore.Semaphore>()
  const semaphore = (name: string) => {
    const found = semaphores.get(name) ?? Semaphore.makeUnsafe(1)
    semaphores.set(name, found)
    return found
  }
  return { alone: (name, effect) => semaphore(name).withPermits(1)(effect) }
})
