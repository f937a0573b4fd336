/** What the suites of the bridges share: a service with its co-signer, and a device that has signed up. */
import type { Wallet } from '../../domain/model/Wallet.ts'
import type { TestService } from '../kit/service.ts'
import type { Person } from '../service/people.ts'

export type World = {
  readonly service: TestService
  readonly ada: Person
  /** Her only wallet of EVM. */
  readonly wallet: Wallet & { readonly address: `0x${string}` }
}
