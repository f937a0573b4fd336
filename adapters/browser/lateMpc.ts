/** What computes the protocols is loaded with the first run, or while a person is at the portal: most pages only show the session. */
import * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import type * as Scope from 'effect/Scope'
import { Mpc } from '../../domain/client/ports/Mpc.ts'
import type { Random } from '../../domain/client/ports/Random.ts'
import type { Settings } from '../../domain/client/ports/Settings.ts'
import { WorkerFailed } from '../../domain/model/MpcWorker.ts'

type Code = typeof import('./Mpc.ts')

type Needs = Settings | Random

export const MpcLate = (layerOf: (code: Code) => Layer.Layer<Mpc, never, Needs>) =>
  Layer.effect(
    Mpc,
    Effect.gen(function* () {
      const context = yield* Effect.context<Needs | Scope.Scope>()
      let making: Promise<Mpc['Service']> | undefined
      const make = async () => {
        const build = Layer.build(layerOf(await import('./Mpc.ts')))
        return Context.get(await Effect.runPromise(Effect.provideContext(build, context)), Mpc)
      }
      /** One that fails makes room for the next, before any of its callers hears of it: the next run loads it again. */
      const load = () =>
        (making ??= make().catch((cause: unknown) => {
          making = undefined
          throw cause
        }))
      const made = Effect.tryPromise({
        try: load,
        catch: (cause) => new WorkerFailed({ workId: '', reason: 'its code cannot be loaded', cause }),
      })
      return Mpc.of({
        prepare: Effect.ignore(Effect.flatMap(made, ({ prepare }) => prepare)),
        begin: (run) => Effect.flatMap(made, ({ begin }) => begin(run)),
      })
    }),
  )
