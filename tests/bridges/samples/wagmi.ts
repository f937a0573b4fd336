import { createConfig, http, type Config } from 'wagmi'
import { mainnet, sepolia } from 'wagmi/chains'
import { tandem } from '../../../adapters/browser/bridges/wagmi.ts'
import type { EthereumSdk } from '../../../adapters/browser/bridges/ethereum.ts'

export const configOf = (para: EthereumSdk, connect: () => Promise<unknown>): Config => {
  const icon = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'
  return createConfig({
    chains: [mainnet, sepolia],
    connectors: [tandem(para, { name: 'Shop wallet', rdns: 'com.shop', icon, connect })],
    transports: { [mainnet.id]: http(), [sepolia.id]: http() },
  })
}
