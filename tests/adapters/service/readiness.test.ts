import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Layer from 'effect/Layer'
import * as TestClock from 'effect/testing/TestClock'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { Database, make } from '../../../adapters/service/database/Database.ts'
import { readiness } from '../../../adapters/service/http/admin.ts'
import type { Tables } from '../../../adapters/service/database/Tables.ts'
import { CosignerEngine } from '../../../domain/service/ports/CosignerEngine.ts'

/** As pg's, with a server that never answers: its queries cannot be interrupted. */
class HangingDriver extends DummyDriver {
  override acquireConnection(): Promise<never> {
    return new Promise(() => undefined)
  }
}

const readyWhileItHangs = (hasWorkers: boolean, arePagesBuilt?: () => Promise<boolean>) => {
  const hanging = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new HangingDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const world = Layer.mergeAll(
    Layer.succeed(Database, make(hanging)),
    Layer.mock(CosignerEngine)({ sign: () => Effect.succeed(new Uint8Array(0)) }),
    TestClock.layer(),
  )
  const asking = Effect.gen(function* () {
    const asked = yield* Effect.forkChild(readiness(hasWorkers, arePagesBuilt))
    yield* TestClock.adjust('5 seconds')
    return yield* Fiber.join(asked)
  })

  return Effect.runPromise(Effect.provide(asking, world))
}

it('says after five seconds that a database which hangs is not ready, and all the rest is', async () => {
  expect(await readyWhileItHangs(true, () => Promise.resolve(true))).toEqual({
    database: false,
    migrations: false,
    workers: true,
    pages: true,
  })
})

it('says nothing of parts that the process does not have', async () => {
  expect(await readyWhileItHangs(false)).toEqual({ database: false, migrations: false })
})
