/** Which other co-signers a start waits for. */
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { seenByOthers } from '../../../adapters/service/database/sighting.ts'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { startWorld, type World } from '../../kit/cosignerWorld.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ isScheduled: false })
})
afterAll(() => world.stop())

/** A heartbeat of another process, so many milliseconds old. */
const beats = (boot: string, ago = 0) =>
  world.run(
    Effect.flatMap(Database, ({ query }) =>
      query((db) =>
        db
          .insertInto('boots')
          .values({ boot, beat_at: world.now() - ago })
          .execute(),
      ),
    ),
  )

const sees = (seer: string) =>
  world.run(
    Effect.gen(function* () {
      const { query } = yield* Database
      const { boot: seen } = generationParts(yield* (yield* DatabaseGeneration).current)
      yield* query((db) => db.insertInto('boot_sightings').values({ seer, seen }).execute())
    }),
  )

/** Whether it still waits after a moment. */
const start = async () => {
  let isOver = false
  const over = world.run(seenByOthers).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  return { waits: !isOver, over }
}

it('waits for none that has ended, and for none that has seen it', async () => {
  await beats('ended', 3_001)
  await beats('seeing')
  await sees('seeing')

  const begunAt = world.now()
  await world.run(seenByOthers)
  expect(world.now() - begunAt).toBeLessThan(2_500)
})

it('waits for one that is alive until that has seen it', async () => {
  await beats('alive')
  const { waits, over } = await start()
  expect(waits).toBe(true)

  await sees('alive')
  await over
})

it('waits for one that beats no more until that has ended', async () => {
  await beats('ending')
  const { waits, over } = await start()
  expect(waits).toBe(true)

  world.advance(3_000)
  await over
})

it('waits four seconds for one whose clock is ahead', async () => {
  await beats('ahead', -600_000)
  const { waits, over } = await start()
  expect(waits).toBe(true)

  world.advance(4_000)
  await over
})
