/** Transactions and calls of EVM chains, as viem writes them. */
import { encodeFunctionData, parseAbi, serializeTransaction, type Hex, type TransactionSerializable } from 'viem'
import type { SigningRequest } from '../../../../domain/mpc/SigningRequest.ts'
import type { Asked } from '../../../../domain/service/policy/facts/Facts.ts'
import { ask } from './table.ts'

export const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
export const usdcAsset = `eip155:8453/erc20:${usdc}`
export const ether = 'eip155:8453/slip44:60'
export const friend = '0x1111111111111111111111111111111111111111'
export const thief = '0x6666666666666666666666666666666666666666'
export const contract = '0x7777777777777777777777777777777777777777'
export const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
export const most = 2n ** 256n - 1n

/** The data of a call by its signature. */
export const data = (signature: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args })

export const requestOf = (transaction: TransactionSerializable & { readonly chainId: number }): SigningRequest => ({
  kind: 'transaction',
  transaction: serializeTransaction(transaction).slice(2),
  chainId: String(transaction.chainId),
  send: false,
})

export const call = (to: string, called: Hex = '0x', value = 0n, chainId = 8453): Asked =>
  ask(requestOf({ type: 'eip1559', to: to as Hex, data: called, value, chainId }))

export const transfer = (to: string, amount: bigint): Hex => data('transfer(address,uint256)', to, amount)
