/** A connector of wagmi, and its entries for RainbowKit and ConnectKit (adapters/browser/bridges/README.md#wagmi). */
import type { Connector, CreateConnectorFn } from 'wagmi'
import {
  toEthereumProvider,
  type Announcement,
  type EthereumChain,
  type EthereumOptions,
  type EthereumProvider,
  type EthereumSdk,
  type RpcRequest,
} from './ethereum.ts'
import { codes, RpcError } from './RpcError.ts'

export type WagmiOptions = Omit<EthereumOptions, 'chains'> &
  Announcement & {
    /** Signing in connects the wallet, and not only a request to connect. */
    readonly syncSession?: boolean
  }

type Address = `0x${string}`
type Stored = { 'tandem.disconnected': boolean }
type Create = CreateConnectorFn<EthereumProvider, Record<string, unknown>, Stored>
type Config = Parameters<Create>[0]
type Connected = { readonly accounts: readonly Address[]; readonly chainId: number }

/**
 * A connector for `createConfig`, over one provider of the page. Its chains and their nodes are the config's. Connecting is a
 * login where no user is signed in; disconnecting leaves the session as it is.
 */
export const tandem = (para: EthereumSdk, options: WagmiOptions): Create => {
  let provider: EthereumProvider | undefined
  return (config) => connectorOf((provider ??= providerOf(para, options, config)), options, config)
}

const id = 'tandem'

const connectorOf = (
  provider: EthereumProvider,
  { name, rdns, icon, syncSession = false }: WagmiOptions,
  { chains, emitter, storage }: Config,
) => {
  const getAccounts = async () => (await provider.request({ method: 'eth_accounts' })) as readonly Address[]
  const requestAccounts = async () => {
    try {
      return (await provider.request({ method: 'eth_requestAccounts' })) as readonly Address[]
    } catch (error) {
      const { code, message } = error as RpcError
      throw code === codes.rejected ? new UserRejectedRequestError(code, message, { cause: error }) : error
    }
  }
  const getChainId = async () => Number(await provider.request({ method: 'eth_chainId' }))
  /** Whether the person has disconnected since they last connected: a reload does not connect then. */
  const isDisconnected = async () => (await storage?.getItem('tandem.disconnected')) === true

  const onAccountsChanged = (accounts: readonly string[]) => {
    if (accounts.length === 0) onDisconnect()
    else emitter.emit('change', { accounts: accounts as readonly Address[] })
  }
  const onChainChanged = (chainId: string) => {
    emitter.emit('change', { chainId: Number(chainId) })
  }
  const onDisconnect = () => {
    stop()
    emitter.emit('disconnect')
  }

  let isListening = false
  const listen = () => {
    if (isListening) return
    isListening = true
    provider.on('accountsChanged', onAccountsChanged)
    provider.on('chainChanged', onChainChanged)
  }
  const stop = () => {
    isListening = false
    provider.removeListener('accountsChanged', onAccountsChanged)
    provider.removeListener('chainChanged', onChainChanged)
  }

  const switchChain = async ({ chainId }: { readonly chainId: number }) => {
    const chain = chains.find((one) => one.id === chainId)
    if (chain === undefined) throw new SwitchChainError(chainId)
    const params = [{ chainId: `0x${chainId.toString(16)}` }]
    await provider.request({ method: 'wallet_switchEthereumChain', params })
    return chain
  }

  const connect = async ({ chainId, isReconnecting, withCapabilities }: Asked = {}) => {
    // The login's window opens within the click: nothing is awaited before.
    const accounts = await (isReconnecting === true ? getAccounts() : requestAccounts())
    if (accounts.length === 0) throw new RpcError(codes.unauthorized, 'no user is signed in')
    listen()
    if (chainId !== undefined && chainId !== (await getChainId())) await switchChain({ chainId })
    if (isReconnecting !== true) await storage?.removeItem('tandem.disconnected')
    const listed = accounts.map((address) => (withCapabilities === true ? { address, capabilities: {} } : address))
    // The type of the list follows the parameter.
    return { accounts: listed as never, chainId: await getChainId() }
  }

  const connectSignedIn = async (accounts: readonly Address[]) => {
    if (accounts.length === 0) return storage?.removeItem('tandem.disconnected')
    if (isListening || (await isDisconnected())) return
    listen()
    emitter.emit('connect', { accounts, chainId: await getChainId() } satisfies Connected)
  }

  return {
    id,
    type: id,
    name,
    rdns,
    icon,
    setup: () => {
      if (syncSession) provider.on('accountsChanged', (accounts: readonly Address[]) => void connectSignedIn(accounts))
      return Promise.resolve()
    },
    connect,
    disconnect: async () => {
      stop()
      await storage?.setItem('tandem.disconnected', true)
    },
    getAccounts,
    getChainId,
    getProvider: () => Promise.resolve(provider),
    isAuthorized: async () => !(await isDisconnected()) && (await getAccounts()).length > 0,
    switchChain,
    onAccountsChanged,
    onChainChanged,
    onDisconnect,
  } satisfies ReturnType<Create>
}

type Asked = {
  readonly chainId?: number | undefined
  readonly isReconnecting?: boolean | undefined
  readonly withCapabilities?: boolean | undefined
}

/** By the names and the codes that viem's have, which are not imported for it. */
class UserRejectedRequestError extends RpcError {
  override readonly name = 'UserRejectedRequestError'
}

class SwitchChainError extends RpcError {
  override readonly name = 'SwitchChainError'

  constructor(chainId: number) {
    super(codes.unrecognizedChain, `chain ${chainId} is not configured`)
  }
}

/** The nodes are those that the config's transports ask, else the chains' own. */
const providerOf = (para: EthereumSdk, options: WagmiOptions, { chains, transports }: Config): EthereumProvider => {
  const [first, ...others] = chains.map((chain): EthereumChain => {
    const transport = transports?.[chain.id]
    if (transport === undefined) return { id: chain.id, rpcUrl: chain.rpcUrls.default.http[0] ?? '' }
    const { request } = transport({ chain, retryCount: 0 })
    return { id: chain.id, request: (asked: RpcRequest) => request(asked as never) }
  })
  if (first === undefined) throw new TypeError('a config of wagmi has a chain')
  return toEthereumProvider(para, { ...options, chains: [first, ...others] })
}

/** What RainbowKit hands to the connector that it makes. */
type WalletDetails = Readonly<Record<string, unknown>>

/** A wallet for a list of RainbowKit's `connectorsForWallets`. */
export const rainbowKitWallet = (para: EthereumSdk, options: WagmiOptions & { readonly iconBackground?: string }) => {
  const connector = tandem(para, options)
  const { name, rdns, icon: iconUrl, iconBackground = '#ffffff' } = options
  const createConnector =
    (details: WalletDetails) =>
    (config: Config): Connector =>
      ({ ...connector(config), ...details }) as unknown as Connector
  return () => ({ id, name, rdns, iconUrl, iconBackground, installed: true, createConnector })
}

/**
 * The connector for a config under ConnectKit. It connects what it knows by name and what is injected; of any other it says that its
 * extension is not installed.
 */
export const connectKitConnector = (para: EthereumSdk, options: WagmiOptions): Create => {
  const connector = tandem(para, options)
  return (config) => ({ ...connector(config), type: 'injected' })
}
