/** What a provider signs and sends. It is loaded with the first signature. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Para } from '../sdk.ts'
import type { TypedDataInput } from '../verbs.ts'
import { makeCalls } from './ethereumCalls.ts'
import { askNode, type EthereumChain } from './ethereumChains.ts'
import type { StateStore } from './ethereumState.ts'
import { completeTransaction, serialize } from './ethereumTransactions.ts'
import { fieldsOf, invalid, type Hex } from './ethereumValues.ts'
import { codes, RpcError, toRpcError } from './RpcError.ts'
import type { Account } from './sessionWallets.ts'

type Parts = {
  readonly para: Pick<Para, 'signMessage' | 'signTypedData' | 'signTransaction'>
  readonly signing: { readonly timeoutMs?: number }
  readonly state: StateStore
  readonly chains: readonly EthereumChain[]
  /** The account of a call; fails with 4100 for another's address. */
  readonly own: (address: unknown) => Account
  /** The chain of an id, else fails with the code. */
  readonly chainOf: (chainId: unknown, unknown: number) => EthereumChain
}

export type EthereumSigning = ReturnType<typeof makeSigning>

export const makeSigning = ({ para, signing, state, chains, own, chainOf }: Parts) => {
  const askOf = (chain: EthereumChain) => (method: string, params: readonly unknown[]) =>
    askNode(chain, { method, params })

  const personalSign = async ([one, other]: readonly unknown[]) => {
    const [data, address] = isAddress(one) && !isAddress(other) ? [other, one] : [one, other]
    const { walletId } = own(address)
    if (typeof data !== 'string') throw invalid('the message is no text')
    const message = /^0x(?:[0-9a-fA-F]{2})*$/.test(data) ? hexToBytes(data.slice(2)) : data
    return (await para.signMessage({ ...signing, walletId, message })).ethereumSignature
  }

  const signTypedData = ([one, other]: readonly unknown[], { id }: EthereumChain) => {
    const [address, given] = isAddress(other) && !isAddress(one) ? [other, one] : [one, other]
    const { walletId } = own(address)
    const { types, primaryType, domain, message } = fieldsOf(
      typeof given === 'string' ? parse(given) : given,
      'typed data',
    ) as TypedDataInput['typedData']
    const { chainId } = fieldsOf(domain ?? {}, 'the domain')
    if (chainId !== undefined && !isSameNumber(chainId, id)) {
      throw invalid('the chain of the typed data is not the chain that is chosen')
    }
    return para.signTypedData({ ...signing, walletId, typedData: { types, primaryType, domain, message } })
  }

  const signed = async (given: unknown, chain: EthereumChain, block?: 'latest' | 'pending') => {
    const { walletId, address } = own(fieldsOf(given, 'transaction')['from'])
    const complete = { chainId: chain.id, from: address, ask: askOf(chain), ...(block === undefined ? {} : { block }) }
    const transaction = await completeTransaction(given, complete)
    const asked = { ...signing, walletId, transaction: serialize(transaction), chainId: chain.id }
    return serialize(transaction, await para.signTransaction(asked))
  }

  // The nonce of the next one counts this one.
  let last: Promise<unknown> = Promise.resolve()
  const send = (given: unknown, chain: EthereumChain, block?: 'latest' | 'pending'): Promise<Hex> => {
    const sent = last.then(async () => broadcast(chain, await signed(given, chain, block)))
    last = sent.catch(() => undefined)
    return sent
  }

  const chainById = (id: number): EthereumChain => {
    const chain = chains.find((one) => one.id === id)
    if (chain === undefined) throw new RpcError(codes.unsupportedChain, `chain ${id} is not configured`)
    return chain
  }

  const calls = makeCalls({
    state,
    requireOwn: own,
    chainOf: (chainId) => chainOf(chainId, codes.unsupportedChain).id,
    ask: (chainId) => askOf(chainById(chainId)),
    send: (call, chainId, block) => send(call, chainById(chainId), block),
  })

  return {
    personalSign,
    signTypedData,
    signTransaction: async (given: unknown, chain: EthereumChain) => toHex(await signed(given, chain)),
    send,
    calls,
  }
}

const toHex = (content: Uint8Array): Hex => `0x${bytesToHex(content)}`

const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalid('typed data is no JSON')
  }
}

const isSameNumber = (value: unknown, number: number): boolean => {
  try {
    return BigInt(value as string | number | bigint) === BigInt(number)
  } catch {
    return false
  }
}

/**
 * Sends a signed transaction. The same bytes are executed once, so they go again into silence; then its hash says
 * whether the node has it.
 */
const broadcast = async (chain: EthereumChain, transaction: Uint8Array): Promise<Hex> => {
  const [raw, hash] = [toHex(transaction), toHex(keccak_256(transaction))]
  const ask = (method: string, param: string) => askNode(chain, { method, params: [param] })
  const isSilent = (error: unknown) => toRpcError(error).code === codes.chainDisconnected
  try {
    await ask('eth_sendRawTransaction', raw)
    return hash
  } catch (error) {
    if (!isSilent(error)) throw error
  }
  try {
    await ask('eth_sendRawTransaction', raw)
    return hash
  } catch (error) {
    const isKnown = await ask('eth_getTransactionByHash', hash).then(
      (found) => found !== null,
      () => undefined,
    )
    if (isKnown === true) return hash
    if (isKnown === false && !isSilent(error)) throw error
    throw new RpcError(codes.chainDisconnected, 'it is not known whether the transaction was sent', {
      cause: error,
      data: { transactionHash: hash, transaction: raw },
    })
  }
}
