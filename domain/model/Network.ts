/** Networks and currencies. */
import type { WalletType } from './WalletTypes.ts'

export const networks = [
  'ETHEREUM',
  'SEPOLIA',
  'ARBITRUM',
  'BASE',
  'OPTIMISM',
  'POLYGON',
  'SOLANA',
  'COSMOS',
  'CELO',
  'NOBLE',
  'SOLANA_DEVNET',
] as const
export type Network = (typeof networks)[number]

export const currencies = ['ETH', 'CELO', 'MATIC'] as const
export type Currency = (typeof currencies)[number]

/** The type of wallet that has an address on a network. */
export const walletTypeOf = (network: Network): WalletType => {
  switch (network) {
    case 'SOLANA':
    case 'SOLANA_DEVNET':
      return 'SOLANA'
    case 'COSMOS':
    case 'NOBLE':
      return 'COSMOS'
    default:
      return 'EVM'
  }
}
