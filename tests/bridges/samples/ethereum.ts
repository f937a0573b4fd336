import { announce, toEthereumProvider, type EthereumSdk } from '../../../adapters/browser/bridges/ethereum.ts'

export const offer = (para: EthereumSdk, connect: () => Promise<unknown>) => {
  const chains = [{ id: 1, rpcUrl: 'https://eth.example.com' }] as const
  const provider = toEthereumProvider(para, { chains, connect })
  const icon = 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'
  const stop = announce(provider, { name: 'Shop wallet', rdns: 'com.shop', icon })
  return { provider, stop }
}
