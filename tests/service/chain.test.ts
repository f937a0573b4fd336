/** What a device signs is taken by a local EVM chain (evmChainSuite.ts). */
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe } from 'vitest'
import { startChain } from '../../adapters/development/chain.ts'
import { isLong } from '../kit/long.ts'
import { freePort } from '../kit/ports.ts'
import { startService, type TestService } from '../kit/service.ts'
import { evmChainSuite, type EvmWorld } from './evmChainSuite.ts'
import { signUp } from './people.ts'

/** Undefined also where the platform has no binary of anvil. */
const chain = isLong ? await startChain(await freePort()) : undefined

describe.skipIf(chain === undefined)('on a local EVM chain', () => {
  let service: TestService
  let world: EvmWorld

  beforeAll(async () => {
    const url = chain?.url ?? ''
    service = await startService({ environment: { CHAIN_RPC_URLS: `${foundry.id}=${url}` } })
    const { device } = await signUp(service, { types: { EVM: true } })
    const [wallet] = await device.getWallets()
    world = { device, address: wallet?.address ?? '', url }
  })
  afterAll(async () => {
    await service.stop()
    await chain?.stop()
  })

  evmChainSuite(() => world)
})
