import * as Effect from 'effect/Effect'
import * as WalletSelection from '../model/WalletSelection.ts'
import { criteriaOf } from './selectWallet.ts'
import { listWallets } from './wallets.ts'

/** The user's wallet with this address. One whose key was not generated, or never was on this device, has none. */
export const findWallet = Effect.fn('wallets.find')(function* (address: string) {
  const wallets = yield* listWallets()
  return yield* Effect.fromResult(WalletSelection.byAddress(wallets, address, yield* criteriaOf()))
})
