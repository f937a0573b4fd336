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
  /** The account of a call, `current` where it names none; fails with 4100 where that is not connected now. */
  readonly own: (address: unknown, current: Hex) => Account
  /** The chain of an id, else fails with the code. */
  readonly chainOf: (chainId: unknown, unknown: number) => EthereumChain
}

export type EthereumSigning = ReturnType<typeof makeSigning>

/** What a call means that names neither chain nor account. */
export type Asked = {
  readonly chain: EthereumChain
  /** The account when it was asked: the queue and reviews take time. */
  readonly current: Hex
  readonly block?: 'latest' | 'pending'
}

type Sending = Asked & {
  /** Is told the hash before a node gets the transaction. */
  readonly willSend?: (hash: Hex) => void
}

export const makeSigning = ({ para, signing, state, chains, own, chainOf }: Parts) => {
  const askOf = (chain: EthereumChain) => (method: string, params: readonly unknown[]) =>
    askNode(chain, { method, params })

  const personalSign = async ([one, other]: readonly unknown[], current: Hex) => {
    const [data, address] = isAddress(one) && !isAddress(other) ? [other, one] : [one, other]
    const { walletId } = own(address, current)
    if (typeof data !== 'string') throw invalid('the message is no text')
    const message = /^0x(?:[0-9a-fA-F]{2})*$/.test(data) ? hexToBytes(data.slice(2)) : data
    return (await para.signMessage({ ...signing, walletId, message })).ethereumSignature
  }

  const signTypedData = ([one, other]: readonly unknown[], { chain, current }: Asked) => {
    const [address, given] = isAddress(other) && !isAddress(one) ? [other, one] : [one, other]
    const { walletId } = own(address, current)
    const { types, primaryType, domain, message } = fieldsOf(
      typeof given === 'string' ? parse(given) : given,
      'typed data',
    ) as TypedDataInput['typedData']
    const { chainId } = fieldsOf(domain ?? {}, 'the domain')
    if (chainId !== undefined && !isSameNumber(chainId, chain.id)) {
      throw invalid('the chain of the typed data is not the chain that is chosen')
    }
    return para.signTypedData({ ...signing, walletId, typedData: { types, primaryType, domain, message } })
  }

  const signed = async (given: unknown, { chain, current, block }: Asked) => {
    const { walletId, address } = own(fieldsOf(given, 'transaction')['from'], current)
    const complete = { chainId: chain.id, from: address, ask: askOf(chain), ...(block === undefined ? {} : { block }) }
    const transaction = await completeTransaction(given, complete)
    const asked = { ...signing, walletId, transaction: serialize(transaction), chainId: chain.id }
    return serialize(transaction, await para.signTransaction(asked))
  }

  // The nonce of the next one counts this one.
  let last: Promise<unknown> = Promise.resolve()
  const send = (given: unknown, { willSend, ...asked }: Sending): Promise<Hex> => {
    const sent = last.then(async () => {
      const transaction = await signed(given, asked)
      const hash = toHex(keccak_256(transaction))
      willSend?.(hash)
      return broadcast(asked.chain, { hash, raw: toHex(transaction) })
    })
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
    own,
    chainOf: (chainId) => chainOf(chainId, codes.unsupportedChain).id,
    ask: (chainId) => askOf(chainById(chainId)),
    send: (call, { chainId, from, ...how }) => send(call, { chain: chainById(chainId), current: from, ...how }),
  })

  return {
    personalSign,
    signTypedData,
    signTransaction: async (given: unknown, asked: Asked) => toHex(await signed(given, asked)),
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
const broadcast = async (
  chain: EthereumChain,
  { hash, raw }: { readonly hash: Hex; readonly raw: Hex },
): Promise<Hex> => {
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
