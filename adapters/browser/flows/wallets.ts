/** Key shares that are made, made anew, or were left unfinished. */
import * as Effect from 'effect/Effect'
import { createWallet } from '../../../domain/client/createWallet.ts'
import { refreshKeys } from '../../../domain/client/refreshKeys.ts'
import { tellTabs } from '../../../domain/client/tabNews.ts'
import type { Flows } from '../flows.ts'

export { resumeWallets } from '../../../domain/client/createWallet.ts'

export const flows = {
  createWallet: (wallet = {}) => Effect.tap(createWallet(wallet), tellTabs({ type: 'wallets' })),
  refreshKeys: (wallet) => refreshKeys(wallet?.walletId),
} satisfies Partial<Flows>
