/** The model of refresh against the real code. `npm run bench -- model` runs more of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { times } from '../kit/long.ts'
import { runSequences } from '../kit/refreshModel.ts'
import { startModelWorld, type ModelWorld } from '../kit/refreshScene.ts'

describe.each([
  ['toy', times(4, 120)],
  ['real', times(1, 10)],
] as const)('a refresh with %s arithmetic', { timeout: 900_000 }, (arithmetic, count) => {
  let world: ModelWorld

  beforeAll(async () => {
    world = await startModelWorld(arithmetic)
  })

  afterAll(() => world.stop())

  it(`keeps both halves of one sharing, and signs in the end, in ${count} sequences`, async () => {
    const { sequences } = await runSequences(world, { count, arithmetic })

    expect(sequences).toBe(count)
  })
})
