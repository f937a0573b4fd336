/** The local EVM chain of a development stack, by viem: test money, transfers and their receipts. */
import { createPublicClient, createWalletClient, http, parseEther, parseTransaction, serializeTransaction } from 'viem'
import type { Address, Hex } from 'viem'
import type { Chain } from './config.ts'

export type Ledger = ReturnType<typeof openLedger>

/** An address without a known key. */
const till: Address = '0x00000000000000000000000000000000c0ffee00'

export const price = parseEther('0.004')

export const openLedger = ({ id, url }: Chain) => {
  const client = createPublicClient({ transport: http(url), pollingInterval: 200 })
  const wallet = createWalletClient({ transport: http(url) })

  return {
    chainId: id,
    balance: (address: Address) => client.getBalance({ address }),

    /** Asks the chain's first account, which is open on development chains, for one test coin. */
    fund: async (address: Address) => {
      const [from] = await wallet.getAddresses()
      if (from === undefined) throw new Error('this chain gives no test money')
      const hash = await wallet.sendTransaction({ account: from, chain: null, to: address, value: parseEther('1') })
      await client.waitForTransactionReceipt({ hash })
    },

    /** The price of a coffee, to the shop's till; serialised and not signed. */
    payment: async (from: Address): Promise<Hex> => {
      const [nonce, fees] = await Promise.all([
        client.getTransactionCount({ address: from }),
        client.estimateFeesPerGas(),
      ])
      const transfer = { chainId: id, nonce, to: till, value: price, gas: 21_000n, ...fees } as const
      return serializeTransaction({ type: 'eip1559', ...transfer })
    },

    /** The block in which it was mined, or nothing if the chain refused it. A failure says nothing about it. */
    mined: async (hash: Hex): Promise<bigint | undefined> => {
      const { status, blockNumber } = await client.waitForTransactionReceipt({ hash, timeout: 20_000 })
      return status === 'success' ? blockNumber : undefined
    },

    isNonceUsed: async (address: Address, transaction: Hex): Promise<boolean> => {
      const { nonce = 0 } = parseTransaction(transaction)
      return (await client.getTransactionCount({ address })) > nonce
    },
  }
}
