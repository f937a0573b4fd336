import type { Wallet } from '../../adapters/browser/sdk.ts'
import * as CurrentWalletIds from '../../domain/model/CurrentWalletIds.ts'
import { hasAddress, typeOf } from '../../domain/model/Wallet.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import { useSession } from './useSession.ts'

/** The wallet of a type that signs where a call names none, once it has its address. */
export const useWallet = ({ type }: { readonly type: WalletType }): AddressedWallet | undefined => {
  const { wallets, currentWalletIds = {} } = useSession()
  const ofType = wallets.filter((wallet) => typeOf(wallet) === type)
  const wallet = CurrentWalletIds.first(currentWalletIds, ofType)
  return wallet !== undefined && hasAddress(wallet) ? wallet : undefined
}

export type AddressedWallet = Wallet & { readonly address: string }
