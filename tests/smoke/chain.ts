/** The local EVM chain of the development world: pays, recovers, mines. */
import {
  createPublicClient,
  createTestClient,
  getAddress,
  http,
  parseEther,
  parseSignature,
  recoverTransactionAddress,
  serializeTransaction,
  type Hex,
} from 'viem'
import { foundry } from 'viem/chains'
import type { TransactionSignature } from '../../adapters/browser/sdk.ts'

export type LocalChain = Awaited<ReturnType<typeof localChain>>

const nobody = '0x000000000000000000000000000000000000dEaD'
const ecrecoverPrecompile = '0x0000000000000000000000000000000000000001'

export const localChain = async (url: string | undefined) => {
  if (url === undefined) {
    console.error('There is no local chain on this platform, so transactions cannot be mined.')
    return process.exit(1)
  }
  const transport = http(url)
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 50 })
  const test = createTestClient({ chain: foundry, mode: 'anvil', transport })
  const id = await client.getChainId()

  return {
    id,
    fund: async (address: Hex) => test.setBalance({ address, value: parseEther('1') }),
    /** The address that the chain's own implementation recovers, in lower case. */
    ecrecover: async (digest: Hex, signature: Hex): Promise<string> => {
      const { r, s, v, yParity } = parseSignature(signature)
      const word = (value: bigint) => value.toString(16).padStart(64, '0')
      const data: Hex = `0x${digest.slice(2)}${word(v ?? BigInt(27 + yParity))}${r.slice(2)}${s.slice(2)}`
      const answer = await client.call({ to: ecrecoverPrecompile, data })
      return `0x${(answer.data ?? '0x').slice(-40)}`
    },
    /** A transfer that can be mined now. */
    transfer: async (from: Hex) => {
      const transaction = {
        type: 'eip1559',
        chainId: id,
        nonce: await client.getTransactionCount({ address: from }),
        to: nobody,
        value: parseEther('0.01'),
        gas: 21_000n,
        maxFeePerGas: 100_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      } as const
      const signedBy = ({ r, s, yParity }: Pick<TransactionSignature, 'r' | 's' | 'yParity'>) =>
        serializeTransaction(transaction, { r, s, yParity })
      return {
        serialized: serializeTransaction(transaction),
        recover: (signature: Pick<TransactionSignature, 'r' | 's' | 'yParity'>) =>
          recoverTransactionAddress({ serializedTransaction: signedBy(signature) }),
        /** Sends it, waits for its receipt, and tells whom the chain saw as its sender. */
        submit: async (signature: Pick<TransactionSignature, 'r' | 's' | 'yParity'>) => {
          const hash = await client.sendRawTransaction({ serializedTransaction: signedBy(signature) })
          return senderOf(hash)
        },
      }
    },
    /** Whom the chain saw as the sender of a mined transaction. */
    sender: senderOf,
  }

  async function senderOf(hash: Hex): Promise<Hex> {
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: 20_000 })
    if (receipt.status !== 'success') throw new Error('the transaction was reverted')
    const { from } = await client.getTransaction({ hash })
    return getAddress(from)
  }
}
