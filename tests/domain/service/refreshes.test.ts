import * as Effect from 'effect/Effect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import type { Partner } from '../../../domain/service/Partner.ts'
import { refreshKeys } from '../../../domain/service/refreshes.ts'
import { makePartner, makeUser, putWallet, signIn, startWorld, value, type World } from '../../kit/cosignerWorld.ts'

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
})
