/** The model of refresh against the real code. `npm run bench -- model` runs more of it. */
import { bytesToHex } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { times } from '../kit/long.ts'
import { runSequences } from '../kit/refreshModel.ts'
import { startModelWorld, type Arithmetic, type ModelWorld } from '../kit/refreshScene.ts'

let world: ModelWorld

const startWith = (arithmetic: Arithmetic) => {
  beforeAll(async () => {
    world = await startModelWorld(arithmetic)
  })

  afterAll(() => world.stop())
}

describe.each([
  ['toy', times(4, 120)],
  ['real', times(1, 10)],
] as const)('a refresh with %s arithmetic', { timeout: 900_000 }, (arithmetic, count) => {
  startWith(arithmetic)

  it(`keeps both halves of one sharing, and signs in the end, in ${count} sequences`, async () => {
    const { sequences } = await runSequences(world, { count, arithmetic })

    expect(sequences).toBe(count)
  })
})

describe('a device whose share is newer than a restored database', () => {
  startWith('toy')

  it('stores the backups of its share before a refresh that takes a login', async () => {
    const { laptop, witness, snapshot, restore, look } = await world.makeScene('ED25519')
    const cheat = async () => {
      witness.cheats = true
      expect(await laptop.sign()).toEqual({ kind: 'failed', tag: 'KeyShareLocked' })
      witness.cheats = false
    }
    await cheat()
    await laptop.login()
    const copy = await snapshot()
    await cheat()
    await restore(copy)

    expect(await laptop.sign()).toEqual({ kind: 'failed', tag: 'KeyShareLocked' })
    const { active, backups } = await look()
    expect(backups.map(({ shareId }) => bytesToHex(shareId))).toContain(active)
    expect(await laptop.login()).toEqual({ kind: 'done' })
    expect(await laptop.sign()).toEqual({ kind: 'done' })
  })
})
