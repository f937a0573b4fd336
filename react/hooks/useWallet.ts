import type { Wallet } from '../../adapters/browser/sdk.ts'
import { hasAddress, typeOf } from '../../domain/model/Wallet.ts'
import type { WalletType } from '../../domain/model/WalletTypes.ts'
import { useWallets } from './useWallets.ts'

/** The first wallet of a type, once it has its address. */
export const useWallet = ({ type }: { readonly type: WalletType }): AddressedWallet | undefined =>
  useWallets()
    .filter(hasAddress)
    .find((wallet) => typeOf(wallet) === type)

export type AddressedWallet = Wallet & { readonly address: string }
