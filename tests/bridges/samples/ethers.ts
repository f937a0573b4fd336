import { JsonRpcProvider, parseEther } from 'ethers'
import { toEthersSigner, type EthersSdk } from '../../../adapters/browser/bridges/ethers.ts'

export const pay = async (para: EthersSdk) => {
  const signer = toEthersSigner(para, new JsonRpcProvider('https://eth.example.com'))
  return signer.sendTransaction({ to: '0x000000000000000000000000000000000000dEaD', value: parseEther('0.01') })
}
