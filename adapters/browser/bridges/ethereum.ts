/**
 * A wallet as a provider of EIP-1193, and its announcement by EIP-6963 (adapters/browser/bridges/README.md#ethereum).
 * Signatures are made here; what is read or sent goes to the node that the app names for the chain.
 */
import type { Para } from '../sdk.ts'
import type { EthereumChain, RpcRequest } from './ethereumChains.ts'
import type { Asked, EthereumSigning } from './ethereumSigning.ts'
import { makeState, pageStorage, type StateStorage } from './ethereumState.ts'
import { fieldsOf, invalid, quantityOf, type Hex } from './ethereumValues.ts'
import { coded, codes, RpcError } from './RpcError.ts'
import { evmAccount, settledSession, walletsOf } from './sessionWallets.ts'

export type { EthereumChain, RpcRequest } from './ethereumChains.ts'

export type EthereumSdk = Pick<Para, 'session' | 'getWallets' | 'signMessage' | 'signTypedData' | 'signTransaction'>

export type EthereumOptions = {
  /** The first is chosen until another is. */
  readonly chains: readonly [EthereumChain, ...EthereumChain[]]
  /**
   * A request for accounts while no user is signed in, or the session is `locked`, calls it, within the click, and goes
   * on when it resolves. Without it such a request fails with 4100 where there is no account.
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
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(...(args as readonly never[]))
      } catch (thrown) {
        // Uncaught, as in a listener of the page: what the wallet has done is done. An import of uncaught.ts would load a chunk that this
        // bridge does not need.
        queueMicrotask(() => {
          throw thrown
        })
      }
    }
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

  /** The account of a call. A call that names none means `current`. */
  const own = (address: unknown, current?: Hex) => {
    const account = evmAccount(para)
    const named = address === undefined ? (current ?? account.address) : address
    const isOwn = typeof named === 'string' && named.toLowerCase() === account.address.toLowerCase()
    if (!isOwn || state.get().isRevoked === true) {
      throw new RpcError(codes.unauthorized, 'the address is not of an account that is connected')
    }
    return account
  }

  const signIn = async () => {
    if (session.get().status === 'loading') await settledSession(para)
    const isWithoutWallet = () => walletsOf(session.get(), 'EVM').length === 0
    const { connect } = options
    if (connect === undefined) {
      if (isWithoutWallet()) throw new RpcError(codes.unauthorized, 'no user is signed in')
    } else if (isWithoutWallet() || session.get().status === 'locked') {
      await connect()
      const { status } = await settledSession(para)
      if (isWithoutWallet() || status === 'locked') throw new RpcError(codes.rejected, 'the login was not finished')
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
  const choose = (chosen: EthereumChain) => {
    if (chosen.id === chain.id) return null
    chain = chosen
    state.set({ chainId: chosen.id })
    emit('chainChanged', idOf(chosen))
    return null
  }

  let loading: Promise<EthereumSigning> | undefined
  /** Signing is loaded with its first call. */
  const load = (): Promise<EthereumSigning> => {
    loading ??= import('./ethereumSigning.ts').then(({ makeSigning }) =>
      makeSigning({ para, signing, state, chains: options.chains, own, chainOf }),
    )
    return loading.catch((error: unknown) => {
      loading = undefined
      throw error
    })
  }
  /** A call is for the chain that was chosen, and by the account that was current, when it was made. */
  const signs = async <A>(work: (signing: EthereumSigning, asked: Asked) => A): Promise<Awaited<A>> => {
    const asked = { chain, current: own(undefined).address }
    return await work(await load(), asked)
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
    personal_sign: (params) => signs(({ personalSign }, { current }) => personalSign(params, current)),
    eth_signTypedData_v4: (params) => signs(({ signTypedData }, asked) => signTypedData(params, asked)),
    eth_signTransaction: ([given]) => signs(({ signTransaction }, asked) => signTransaction(given, asked)),
    eth_sendTransaction: ([given]) => signs(({ send }, asked) => send(given, asked)),
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
    wallet_sendCalls: (params) => signs(({ calls }, { current }) => calls.sendCalls(params, current)),
    wallet_getCallsStatus: async (params) => (await load()).calls.getCallsStatus(params),
    ...(options.showCalls === undefined
      ? {}
      : {
          wallet_showCallsStatus: async ([id]) => {
            const { calls } = await load()
            calls.known(id)
            options.showCalls?.(String(id))
            return null
          },
        }),
  }

  const answer = async ({ method, params = [] }: RpcRequest): Promise<unknown> => {
    if (forbidden.has(method)) throw new RpcError(codes.unsupported, `${method} is not supported`)
    if (Object.hasOwn(methods, method)) return methods[method]?.(Array.isArray(params) ? params : [params])
    const chosen = chain
    const { askNode, isRead } = await import('./ethereumChains.ts')
    if (isRead(method)) return askNode(chosen, { method, params })
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
 * before a module is replaced. Does nothing on a server. Fails with -32602 where the icon is no data URI.
 */
export const announce = (provider: EthereumProvider, { name, rdns, icon }: Announcement): (() => void) => {
  if (!/^data:image\//.test(icon)) throw invalid('the icon of a wallet is a data URI of an image')
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
