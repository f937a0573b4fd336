import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Waits } from '../../../domain/service/ports/Waits.ts'

export const WaitsNode = Layer.sync(Waits, () => {
  const taken = new Map<string, number>()
  const add = (key: string, change: 1 | -1) => {
    const count = (taken.get(key) ?? 0) + change
    if (count === 0) taken.delete(key)
    else taken.set(key, count)
  }
  return Waits.of({
    take: (limits) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const hasRoom = limits.every(({ key, most }) => (taken.get(key) ?? 0) < most)
          if (hasRoom) for (const { key } of limits) add(key, 1)
          return hasRoom
        }),
        (hasRoom) =>
          Effect.sync(() => {
            if (hasRoom) for (const { key } of limits) add(key, -1)
          }),
      ),
  })
})
