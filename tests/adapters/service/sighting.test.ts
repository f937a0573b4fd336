/** Which other co-signers a start waits for. */
import * as Clock from 'effect/Clock'
import * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { seenByOthers } from '../../../adapters/service/database/sighting.ts'
import { generationParts } from '../../../domain/service/generationParts.ts'
import { DatabaseGeneration } from '../../../domain/service/ports/DatabaseGeneration.ts'
import { clockAt } from '../../kit/clock.ts'
import { startWorld, type World } from '../../kit/cosignerWorld.ts'

const machine = Effect.runSync(Clock.Clock)

let world: World
beforeAll(async () => {
  world = await startWorld({ isScheduled: false })
})
afterAll(() => world.stop())

/** What the clock of the start says: it stands, so that no pause of this process ages a heartbeat. */
let at = 0
beforeEach(async () => {
  at = world.now()
  await world.run(Effect.flatMap(Database, ({ query }) => query((db) => db.deleteFrom('boots').execute())))
})

/** A heartbeat of another process, so many milliseconds old. */
const beats = (boot: string, ago = 0) =>
  world.run(
    Effect.flatMap(Database, ({ query }) =>
      query((db) =>
        db
          .insertInto('boots')
          .values({ boot, beat_at: at - ago })
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

const start = () => {
  let isOver = false
  let looks = 0
  const clock = clockAt(
    () => at,
    () =>
      Effect.andThen(
        Effect.sync(() => (looks += 1)),
        machine.sleep(Duration.millis(1)),
      ),
  )
  const over = world.run(Effect.provideService(seenByOthers, Clock.Clock, clock)).then(() => {
    isOver = true
  })
  /** Whether it still waits after a look that began after this call: it pauses after each, and one may be under way. */
  const waits = async () => {
    const from = looks
    await vi.waitUntil(() => isOver || looks >= from + 2, { timeout: 30_000, interval: 1 })
    return !isOver
  }
  return { waits, over }
}

it('waits for none that has ended, and for none that has seen it', async () => {
  await beats('ended', 10_000)
  await beats('seeing')
  await sees('seeing')

  await start().over
})

it('waits for one that is alive until that has seen it', async () => {
  await beats('alive', 9_999)
  const { waits, over } = start()
  expect(await waits()).toBe(true)

  await sees('alive')
  await over
})

it.each([
  ['for one that beats no more until that has ended', 7_000, 3_000],
  ['four seconds for one whose clock is ahead', -600_000, 4_000],
])('waits %s', async (_, ago, ms) => {
  await beats('other', ago)
  const { waits, over } = start()
  expect(await waits()).toBe(true)

  at += ms - 1
  expect(await waits()).toBe(true)
  at += 1
  await over
})
