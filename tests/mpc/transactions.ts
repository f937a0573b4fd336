/** Ethereum transactions of each type, as viem takes them. */
import type { TransactionSerializable } from 'viem'

export const to = '0x00000000000000000000000000000000000000aa'
export const typed: readonly TransactionSerializable[] = [
  { type: 'eip2930', chainId: 5, nonce: 1, gasPrice: 7n, gas: 21000n, to, value: 10n, data: '0x1234' },
  { type: 'eip1559', chainId: 5, nonce: 0, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, gas: 21000n, to, value: 0n },
  {
    type: 'eip1559',
    chainId: 5,
    maxFeePerGas: 9n,
    accessList: [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }],
    data: `0x${'ab'.repeat(300)}`,
  },
  {
    type: 'eip4844',
    chainId: 5,
    maxFeePerGas: 9n,
    maxFeePerBlobGas: 3n,
    to,
    blobVersionedHashes: [`0x01${'00'.repeat(31)}`],
  },
  {
    type: 'eip7702',
    chainId: 5,
    maxFeePerGas: 9n,
    to,
    authorizationList: [{ address: to, chainId: 5, nonce: 0, r: '0x1', s: '0x2', yParity: 0 }],
  },
]
export const legacy: TransactionSerializable = {
  type: 'legacy',
  nonce: 9,
  gasPrice: 20n,
  gas: 21000n,
  to,
  value: 10n ** 18n,
}
