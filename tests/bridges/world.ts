/** What the suites of the bridges share: a service with its co-signer, a device that has signed up, and a chain. */
import { it } from 'vitest'
import type { LocalChain } from '../../adapters/development/chain.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'
import type { TestService } from '../kit/service.ts'
import type { Person } from '../service/people.ts'

export type World = {
  readonly service: TestService
  readonly ada: Person
  /** Her only wallet of EVM. */
  readonly wallet: Wallet & { readonly address: `0x${string}` }
  /** Undefined where the platform has no binary of anvil. */
  readonly chain: LocalChain | undefined
}

/** A test that needs a local EVM chain. */
export const onChain = (world: () => World, name: string, test: (chain: LocalChain) => Promise<void>) =>
  it(name, async ({ skip }) => {
    const { chain } = world()
    if (chain === undefined) return skip()
    await test(chain)
  })
