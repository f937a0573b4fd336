import { createWalletClient, http, parseEther } from 'viem'
import { sepolia } from 'viem/chains'
import { toViemAccount, type ViemSdk } from '../../../adapters/browser/bridges/viem.ts'

export const pay = (para: ViemSdk) => {
  const wallet = createWalletClient({ account: toViemAccount(para), chain: sepolia, transport: http() })
  return wallet.sendTransaction({ to: '0x000000000000000000000000000000000000dEaD', value: parseEther('0.01') })
}
