import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { Failpoints } from '../../../domain/service/ports/Failpoints.ts'

/** FAILPOINT=name@n: the process ends when a flow reaches the name for the n-th time. */
export type Failpoint = { readonly name: string; readonly nth: number }

/** Ends the process like a power cut: nothing is flushed, closed or answered. */
const end = Effect.andThen(
  Effect.sync(() => {
    process.kill(process.pid, 'SIGKILL')
  }),
  Effect.never,
)

export const FailpointsNode = (failpoint: Failpoint | undefined): Layer.Layer<Failpoints> =>
  Layer.sync(Failpoints, () => {
    let reached = 0
    return {
      reach: (name) =>
        Effect.suspend(() => {
          if (failpoint?.name !== name) return Effect.void
          reached += 1
          return reached === failpoint.nth ? end : Effect.void
        }),
    }
  })
