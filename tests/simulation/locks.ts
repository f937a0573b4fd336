/** Web Locks: one holder a name in all tabs of a device, first come first served; a page that is closed holds none. */
import * as Effect from 'effect/Effect'
import type { Locks } from '../../domain/client/ports/Locks.ts'
import type { Owner, Sim } from './Sim.ts'

type Asking = { readonly owner: Owner; readonly grant: () => void }
type Lock = { holder: Asking | undefined; readonly queue: Asking[] }

export class LockTable {
  readonly #sim: Sim
  readonly #locks = new Map<string, Lock>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  portOf(owner: Owner): Locks['Service'] {
    return {
      alone: (name, effect) =>
        Effect.suspend(() => {
          const lock = this.#locks.get(name) ?? { holder: undefined, queue: [] }
          this.#locks.set(name, lock)
          const asking: { owner: Owner; grant: () => void } = { owner, grant: () => undefined }
          const granted = Effect.callback<void>((resume) => {
            asking.grant = () => resume(Effect.void)
            lock.queue.push(asking)
            this.#grant(name, lock)
            // A caller that no longer waits leaves the queue.
            return Effect.sync(() => this.#leave(name, lock, asking))
          })
          return Effect.acquireUseRelease(
            Effect.interruptible(granted),
            () => effect,
            () => Effect.sync(() => this.#leave(name, lock, asking)),
          )
        }),
    }
  }

  /** A page was closed: what it held is free. */
  released(): void {
    for (const [name, lock] of this.#locks) this.#grant(name, lock)
  }

  /** Names of the locks with a living holder. */
  held(): readonly string[] {
    return [...this.#locks].flatMap(([name, { holder }]) => (holder?.owner.alive === true ? [name] : []))
  }

  #leave(name: string, lock: Lock, asking: Asking): void {
    if (lock.holder === asking) lock.holder = undefined
    const at = lock.queue.indexOf(asking)
    if (at >= 0) lock.queue.splice(at, 1)
    this.#grant(name, lock)
  }

  #grant(name: string, lock: Lock): void {
    if (lock.holder?.owner.alive === true) return
    lock.holder = undefined
    let next = lock.queue.shift()
    while (next !== undefined && !next.owner.alive) next = lock.queue.shift()
    if (next === undefined) return
    lock.holder = next
    const { owner, grant } = next
    this.#sim.add(owner, `has ${name.split(':').slice(0, 2).join(':')}`, grant)
  }
}
