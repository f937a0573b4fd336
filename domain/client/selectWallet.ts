import * as Effect from 'effect/Effect'
import type { User } from '../model/User.ts'
import * as WalletSelection from '../model/WalletSelection.ts'
import type { WalletType } from '../model/WalletTypes.ts'
import { currentSession } from './touch.ts'
import { listWallets, supportedWalletTypes } from './wallets.ts'
import { WalletState } from './WalletState.ts'

/** The wallet of a call: the one of this id, or the first usable one of the current ids. */
export const selectWallet = Effect.fnUntraced(function* (walletId: string | undefined, types?: readonly WalletType[]) {
  const { currentWalletIds } = yield* currentSession
  const known = yield* (yield* WalletState).get
  const wallets = known.length > 0 ? known : yield* listWallets()
  const criteria = yield* criteriaOf(types)
  return walletId === undefined
    ? yield* Effect.fromResult(WalletSelection.first(wallets, currentWalletIds ?? {}, criteria))
    : yield* Effect.fromResult(WalletSelection.select(wallets, walletId, criteria))
})

export const criteriaOf = Effect.fnUntraced(function* (types?: readonly WalletType[]) {
  const { userId, email } = yield* currentSession
  const user: User = { userId, email }
  return { user, supported: yield* supportedWalletTypes, types }
})
