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

  /** The database is older than the refresh of a laptop, whose share alone makes a usable pair. */
  const behind = async () => {
    const scene = await world.makeScene('ED25519')
    const copy = await scene.snapshot()
    expect(await scene.laptop.refresh()).toEqual({ kind: 'done' })
    const { active } = await scene.look()
    await scene.restore(copy)
    expect((await scene.look()).active).not.toBe(active)
    return { ...scene, refreshed: active }
  }

  const lost = (at: number) => ({ at, kind: 'request lost', lasts: true, failpoint: 0 }) as const
  const refused = { kind: 'failed', tag: 'BackupNotStored' }

  it('does not log out before the provider has its share back, and the service the backups that a login takes', async () => {
    const { laptop, phone, look, refreshed, faults } = await behind()
    // After the wallets and the status, twice: the provider's share, then the question for backups.
    for (const at of [4, 5]) expect(await laptop.logout(lost(at))).toEqual(refused)
    expect((await laptop.held()).map(({ shareId }) => bytesToHex(shareId))).toEqual([refreshed])

    expect(await laptop.logout()).toEqual({ kind: 'done' })
    expect(await laptop.held()).toEqual([])
    const { active, backups } = await look()
    expect([active, faults]).toEqual([refreshed, []])
    expect(backups.map(({ shareId }) => bytesToHex(shareId))).toContain(refreshed)
    for (const device of [phone, laptop]) {
      expect(await device.login()).toEqual({ kind: 'done' })
      expect(await device.sign()).toEqual({ kind: 'done' })
    }
  })

  it('logs out where the service says nothing, as offline', async () => {
    const { laptop } = await behind()

    expect(await laptop.logout(lost(1))).toEqual({ kind: 'done' })
    expect(await laptop.held()).toEqual([])
  })

  it('logs out with a share that another refresh has left behind, although the database is older than both', async () => {
    const { laptop, phone, snapshot, restore } = await world.makeScene('ED25519')
    const copy = await snapshot()
    expect(await laptop.refresh()).toEqual({ kind: 'done' })
    expect(await phone.login()).toEqual({ kind: 'done' })
    expect(await phone.refresh()).toEqual({ kind: 'done' })
    await restore(copy)

    expect(await laptop.logout()).toEqual({ kind: 'done' })
    expect(await laptop.held()).toEqual([])
    expect(await phone.sign()).toEqual({ kind: 'done' })
    expect(await laptop.login()).toEqual({ kind: 'done' })
    expect(await laptop.sign()).toEqual({ kind: 'done' })
  })

  it('logs out with a share that has no capsule, or in whose place there is a later one', async () => {
    const { laptop, phone, snapshot, restore } = await world.makeScene('ED25519')
    expect(await phone.refresh()).toEqual({ kind: 'done' })
    const copy = await snapshot()
    expect(await laptop.login()).toEqual({ kind: 'done' })
    expect(await laptop.refresh()).toEqual({ kind: 'done' })
    expect(await phone.logout()).toEqual({ kind: 'done' })
    expect(await phone.login()).toEqual({ kind: 'done' })
    await restore(copy)
    expect(await phone.logout()).toEqual({ kind: 'done' })
    expect(await phone.held()).toEqual([])
  })
})
