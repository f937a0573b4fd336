import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import type { Partner } from '../../../domain/service/Partner.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import {
  makePartner,
  makeUser,
  putWallet,
  signIn,
  startWorld,
  value,
  type SignedIn,
  type World,
} from '../../kit/cosignerWorld.ts'
import { keyOf } from '../../kit/device.ts'

let world: World
let partner: Partner

beforeAll(async () => {
  world = await startWorld()
  partner = await makePartner(world)
})

afterAll(() => world.stop())

describe('attempts at new shares', () => {
  const beginsWithWallets = async () => {
    const user = await makeUser(world)
    const host = await signIn(world, user, partner)
    const [evm, solana] = [await putWallet(world, user, partner, 'EVM'), await putWallet(world, user, partner, 'SOLANA')]
    const begin = ({ walletId }: { readonly walletId: string }) => host.as({}, refreshKeys(user.userId, walletId))
    return { evm, solana, begin }
  }

  it('are limited by user and minute, whichever wallet they are for', async () => {
    const { evm, solana, begin } = await beginsWithWallets()
    value(await begin(evm))
    const drained = { tokens: 1, updated_at: world.now() + 60_000 }
    await world.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.updateTable('rate_limits').set(drained).where('bucket', '=', 'refreshes').execute()),
      ),
    )
    value(await begin(solana))

    const refused = { tag: 'TooManyAttempts', message: 'too many attempts' }
    expect([await begin(evm), await begin(solana)]).toMatchObject([refused, refused])
    const other = await beginsWithWallets()
    expect(value(await other.begin(other.evm)).protocolId).toHaveLength(36)
    world.advance(62_000)
    expect(value(await begin(evm)).protocolId).toHaveLength(36)
  })

  it('of another device wait for the one that is under way, for as long as its lease', async () => {
    const user = await makeUser(world)
    const { walletId } = await putWallet(world, user, partner, 'EVM')
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const begin = (by: SignedIn) => by.as({}, refreshKeys(user.userId, walletId))

    value(await begin(first))
    world.advance(60_000)
    expect(await begin(second)).toMatchObject({ tag: 'AnotherRunInProgress' })
    world.advance(30_000)
    value(await begin(second))
    expect(await begin(first)).toMatchObject({ tag: 'AnotherRunInProgress' })
  })

  it('are neither gone on with nor ended by another session of the user', async () => {
    const user = await makeUser(world)
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const created = value(await first.createWallet({ type: 'SOLANA' }))
    const { share } = keyOf(await first.device.keygen({ ...created, scheme: 'ED25519' }, user.rootPublicKey))
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, share.walletId)))

    expect(await second.device.refresh(share, protocolId)).toMatchObject({ kind: 'refused', tag: 'NotFound' })
    expect(await first.device.refresh(share, protocolId)).toMatchObject({ kind: 'done' })
  })

  it('make OT state for the device that refreshes, and for no other one of the user', async () => {
    const user = await makeUser(world)
    const [first, second] = [await signIn(world, user, partner), await signIn(world, user, partner)]
    const created = value(await first.createWallet({ type: 'EVM' }))
    const made = keyOf(await first.device.keygen({ ...created, scheme: 'DKLS' }, user.rootPublicKey))
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, made.walletId)))
    const key = keyOf(await first.device.refresh(made.share, protocolId))
    const hello = { kind: 'eip191', message: '00' } as const

    expect(await second.device.sign(key, hello)).toMatchObject({ kind: 'refused', tag: 'DeviceNotAttached' })
    expect(await first.device.sign(key, hello)).toMatchObject({ kind: 'done' })
  })

  it('end the tombstones of the epoch before, a day after its runs and with the next acknowledgement', async () => {
    const user = await makeUser(world)
    const first = await signIn(world, user, partner)
    const created = value(await first.createWallet({ type: 'SOLANA' }))
    const key = keyOf(await first.device.keygen({ ...created, scheme: 'ED25519' }, user.rootPublicKey))
    const { walletId } = key
    const { protocolId } = value(await first.as({}, refreshKeys(user.userId, walletId)))
    const { share } = keyOf(await first.device.refresh(key.share, protocolId))
    const acknowledge = ({ device, sessionId }: SignedIn) => {
      const of = { scheme: share.scheme, protocolId, sessionId, walletId, epoch: share.epoch, shareId: share.shareId }
      const rest = { step: 1, attempt: new Uint8Array(16), body: new Uint8Array(0) }
      return device.send(device.signFrame({ operation: 'ACK', ...of, ...rest, deviceKeyThumb: device.deviceKeyThumb }))
    }
    const runs = async () => ((await world.dump())['runs'] ?? []).filter((row) => row['wallet_id'] === walletId)

    expect(await acknowledge(first)).toMatchObject({ status: 'OK' })
    expect((await runs()).map(({ kind }) => kind).sort()).toEqual(['keygen', 'refresh'])
    world.advance(24 * 60 * 60_000 + 1)
    expect(await acknowledge(await signIn(world, user, partner))).toMatchObject({ status: 'OK' })
    expect(await runs()).toEqual([])
  })
})
