/**
 * A wallet as a provider of EIP-1193, and its announcement by EIP-6963 (adapters/browser/bridges/README.md#ethereum).
 * Signatures are made here; what is read or sent goes to the node that the app names for the chain.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Para } from '../sdk.ts'
import type { TypedDataInput } from '../verbs.ts'
import { coded, codes, RpcError, toRpcError } from './RpcError.ts'
import { makeCalls } from './ethereumCalls.ts'
import { askNode, isRead, type EthereumChain, type RpcRequest } from './ethereumChains.ts'
import { makeState, pageStorage, type StateStorage } from './ethereumState.ts'
import {
  completeTransaction,
  fieldsOf,
  invalid,
  quantityOf,
  serialize,
  toHex,
  type Hex,
} from './ethereumTransactions.ts'
import { evmAccount, settledSession, walletsOf } from './sessionWallets.ts'

export type { EthereumChain, RpcRequest } from './ethereumChains.ts'

export type EthereumSdk = Pick<Para, 'session' | 'getWallets' | 'signMessage' | 'signTypedData' | 'signTransaction'>

export type EthereumOptions = {
  /** The first is chosen until another is. */
  readonly chains: readonly [EthereumChain, ...EthereumChain[]]
  /**
   * A request for accounts while nobody is signed in calls it, within the click, and goes on when it resolves. Without it
   * such a request fails with 4100.
   */
  readonly connect?: () => Promise<unknown>
  /** How long a review may take where a policy asks for one, in milliseconds; by default 30 s. */
  readonly timeoutMs?: number
  /** Keeps the chosen chain and batches of calls over a reload; by default `localStorage`. */
  readonly storage?: StateStorage
  /** Shows the app's own view of a batch of calls. Without it there is no `wallet_showCallsStatus`. */
  readonly showCalls?: (id: string) => void
}

type Listener = (...args: readonly never[]) => void

export type EthereumProvider = {
  readonly request: (asked: RpcRequest) => Promise<unknown>
  readonly on: (event: string, listener: Listener) => EthereumProvider
  readonly removeListener: (event: string, listener: Listener) => EthereumProvider
}

/**
 * The session's current EVM wallet as a provider. Make one for a page: it keeps the chosen chain. Events: `connect`,
 * `disconnect`, `chainChanged`, `accountsChanged`. Each failure has a code of EIP-1193, EIP-1474 or EIP-5792.
 */
export const toEthereumProvider = (para: EthereumSdk, options: EthereumOptions): EthereumProvider => {
  const { session } = para
  const signing = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }
  const state = makeState(options.storage ?? pageStorage())
  let chain = options.chains.find(({ id }) => id === state.get().chainId) ?? options.chains[0]

  const listeners = new Map<string, Set<Listener>>()
  const emit = (event: string, ...args: readonly unknown[]) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(...(args as readonly never[]))
  }

  const accounts = (): readonly string[] => {
    if (state.get().isRevoked === true) return []
    return walletsOf(session.get(), 'EVM')
      .slice(0, 1)
      .map(({ address }) => address ?? '')
  }

  let shown = ''
  const showAccounts = () => {
    if (session.get().status === 'loading') return
    const list = accounts()
    const [now = ''] = list
    if (now === shown) return
    const before = shown
    shown = now
    if (before === '') emit('connect', { chainId: idOf(chain) })
    emit('accountsChanged', list)
    if (now === '') emit('disconnect', new RpcError(codes.disconnected, 'no account is connected any more'))
  }

  let stopWatching: (() => void) | undefined
  const watch = () => {
    const isHeard = [...listeners.values()].some(({ size }) => size > 0)
    if (isHeard && stopWatching === undefined) {
      shown = session.get().status === 'loading' ? '' : (accounts()[0] ?? '')
      stopWatching = session.subscribe(showAccounts)
    }
    if (!isHeard) {
      stopWatching?.()
      stopWatching = undefined
    }
  }

  /** The account of a call. A call that names none means it. */
  const own = (address: unknown) => {
    const account = evmAccount(para)
    const isOwn =
      address === undefined || (isAddress(address) && address.toLowerCase() === account.address.toLowerCase())
    if (!isOwn || state.get().isRevoked === true) {
      throw new RpcError(codes.unauthorized, 'the address is not of an account that is connected')
    }
    return account
  }

  const signIn = async () => {
    if (session.get().status === 'loading') await settledSession(para)
    if (walletsOf(session.get(), 'EVM').length === 0) {
      const { connect } = options
      if (connect === undefined) throw new RpcError(codes.unauthorized, 'no user is signed in')
      await connect()
      await settledSession(para)
      if (walletsOf(session.get(), 'EVM').length === 0) {
        throw new RpcError(codes.rejected, 'the login was not finished')
      }
    }
    state.set({ isRevoked: false })
    showAccounts()
    return accounts()
  }
  let signingIn: Promise<readonly string[]> | undefined
  const requestAccounts = () => {
    signingIn ??= signIn().finally(() => {
      signingIn = undefined
    })
    return signingIn
  }

  const chainOf = (chainId: unknown, unknown: number): EthereumChain => {
    const id = quantityOf(chainId, 'chainId')
    const found = options.chains.find((one) => BigInt(one.id) === id)
    if (found === undefined) throw new RpcError(unknown, `chain ${String(id)} is not configured`)
    return found
  }
  const chainById = (chainId: number) => options.chains.find(({ id }) => id === chainId) ?? chain
  const askOf = (of: EthereumChain) => (method: string, params: readonly unknown[]) => askNode(of, { method, params })

  const choose = (chosen: EthereumChain) => {
    if (chosen.id === chain.id) return null
    chain = chosen
    state.set({ chainId: chosen.id })
    emit('chainChanged', idOf(chosen))
    return null
  }

  const signed = async (given: unknown, of: EthereumChain, block?: 'latest' | 'pending') => {
    const { walletId, address } = own(fieldsOf(given, 'transaction')['from'])
    const complete = { chainId: of.id, from: address, ask: askOf(of), ...(block === undefined ? {} : { block }) }
    const transaction = await completeTransaction(given, complete)
    const asked = { ...signing, walletId, transaction: serialize(transaction), chainId: of.id }
    return serialize(transaction, await para.signTransaction(asked))
  }

  // The nonce of the next one counts this one.
  let last: Promise<unknown> = Promise.resolve()
  const send = (given: unknown, of: EthereumChain, block?: 'latest' | 'pending'): Promise<Hex> => {
    const sent = last.then(async () => broadcast(of, await signed(given, of, block)))
    last = sent.catch(() => undefined)
    return sent
  }

  const calls = makeCalls({
    state,
    requireOwn: own,
    chainOf: (chainId) => chainOf(chainId, codes.unsupportedChain).id,
    ask: (chainId) => askOf(chainById(chainId)),
    send: (call, chainId, block) => send(call, chainById(chainId), block),
  })

  const signTypedData = ([one, other]: readonly unknown[]) => {
    const [address, given] = isAddress(other) && !isAddress(one) ? [other, one] : [one, other]
    const { walletId } = own(address)
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

  const permissions = () => {
    const value = accounts()
    return value.length === 0
      ? []
      : [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] }]
  }
  const onlyAccounts = ([asked]: readonly unknown[]) => {
    const names = Object.keys(fieldsOf(asked, 'the permission'))
    if (names.join() !== 'eth_accounts') throw invalid('the only permission is eth_accounts')
  }

  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: requestAccounts,
    eth_accounts: async () => {
      await settledSession(para)
      return accounts()
    },
    eth_chainId: () => idOf(chain),
    net_version: () => String(chain.id),
    personal_sign: async ([one, other]) => {
      const [data, address] = isAddress(one) && !isAddress(other) ? [other, one] : [one, other]
      const { walletId } = own(address)
      if (typeof data !== 'string') throw invalid('the message is no text')
      const message = /^0x(?:[0-9a-fA-F]{2})*$/.test(data) ? hexToBytes(data.slice(2)) : data
      return (await para.signMessage({ ...signing, walletId, message })).ethereumSignature
    },
    eth_signTypedData_v4: signTypedData,
    eth_signTransaction: async ([given]) => toHex(await signed(given, chain)),
    eth_sendTransaction: ([given]) => send(given, chain),
    wallet_switchEthereumChain: ([asked]) =>
      choose(chainOf(fieldsOf(asked, 'the chain')['chainId'], codes.unrecognizedChain)),
    wallet_addEthereumChain: ([asked]) => choose(chainOf(fieldsOf(asked, 'the chain')['chainId'], codes.unsupported)),
    wallet_getPermissions: async () => {
      await settledSession(para)
      return permissions()
    },
    wallet_requestPermissions: async (params) => {
      onlyAccounts(params)
      await requestAccounts()
      return permissions()
    },
    wallet_revokePermissions: (params) => {
      onlyAccounts(params)
      state.set({ isRevoked: true })
      showAccounts()
      return null
    },
    wallet_getCapabilities: ([address, chainIds]) => {
      own(address)
      const all = options.chains.map(idOf)
      const asked = Array.isArray(chainIds) ? all.filter((id) => chainIds.includes(id)) : all
      return Object.fromEntries(asked.map((id) => [id, { atomic: { status: 'unsupported' } }]))
    },
    wallet_sendCalls: calls.sendCalls,
    wallet_getCallsStatus: calls.getCallsStatus,
    ...(options.showCalls === undefined
      ? {}
      : {
          wallet_showCallsStatus: ([id]) => {
            calls.known(id)
            options.showCalls?.(String(id))
            return null
          },
        }),
  }

  const answer = async ({ method, params = [] }: RpcRequest): Promise<unknown> => {
    if (forbidden.has(method)) throw new RpcError(codes.unsupported, `${method} is not supported`)
    if (Object.hasOwn(methods, method)) return methods[method]?.(Array.isArray(params) ? params : [params])
    if (isRead(method)) return askNode(chain, { method, params })
    throw new RpcError(codes.methodNotFound, `${method} does not exist`)
  }

  const provider: EthereumProvider = {
    request: (asked) => coded(() => answer(asked)),
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      watch()
      return provider
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
      watch()
      return provider
    },
  }
  return provider
}

/** Methods that sign what has no meaning of its own, or that give a key away (EIP-1193: 4200). */
const forbidden = new Set([
  'eth_sign',
  'eth_signTypedData',
  'eth_signTypedData_v1',
  'eth_signTypedData_v3',
  'eth_decrypt',
  'eth_getEncryptionPublicKey',
])

const idOf = ({ id }: EthereumChain): Hex => `0x${id.toString(16)}`

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
  const { keccak_256 } = await import('@noble/hashes/sha3.js')
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

export type Announcement = {
  /** The app's own: people see it in a list of wallets. */
  readonly name: string
  /** The app's domain in reverse order, for example `com.shop`. */
  readonly rdns: string
  /** A square image of 96 pixels or more as a data URI. */
  readonly icon: string
}

/**
 * Announces the provider at once and to each page that asks (EIP-6963). Returns a function that ends it, for example
 * before a module is replaced. Does nothing on a server. Throws where the icon is no data URI.
 */
export const announce = (provider: EthereumProvider, { name, rdns, icon }: Announcement): (() => void) => {
  if (!icon.startsWith('data:image/')) throw new TypeError('the icon of a wallet is a data URI of an image')
  if (typeof window === 'undefined') return () => undefined
  const uuid = uuids.get(provider) ?? crypto.randomUUID()
  uuids.set(provider, uuid)
  const detail = Object.freeze({ info: Object.freeze({ uuid, name, rdns, icon }), provider })
  const tell = () => void window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
  return () => window.removeEventListener('eip6963:requestProvider', tell)
}

/** The same in a page however often a provider is announced, so that lists of wallets have it once. */
const uuids = new WeakMap<EthereumProvider, string>()
