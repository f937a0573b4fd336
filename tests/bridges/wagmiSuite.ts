/** The connector under wagmi's own core and hooks' actions, over the real co-signer: connections, reloads, chains. */
import { verifyMessage } from 'viem'
import { createConfig, createStorage, custom, type Config, type CreateConnectorFn } from 'wagmi'
import { connect, disconnect, getConnection, reconnect, signMessage, switchChain } from 'wagmi/actions'
import { mainnet, optimism, sepolia } from 'wagmi/chains'
import { describe, expect, it, vi } from 'vitest'
import type { EthereumOptions } from '../../adapters/browser/bridges/ethereum.ts'
import {
  connectKitConnector,
  rainbowKitWallet,
  tandem,
  type WagmiOptions,
} from '../../adapters/browser/bridges/wagmi.ts'
import { isLong } from '../kit/long.ts'
import { Device, logIn, makeStorage } from '../service/people.ts'
import type { World } from './world.ts'

const info = { name: 'Shop wallet', rdns: 'com.shop', icon: 'data:image/svg+xml,%3Csvg/%3E' }

/** A page: a config of wagmi and a connector, over the storage of one browser. */
const browser = () => {
  const { local } = makeStorage().override
  const storage = local as NonNullable<EthereumOptions['storage']> & { removeItem: (key: string) => void }
  return {
    options: { ...info, storage },
    load: (connector: unknown): Config =>
      createConfig({
        chains: [mainnet, sepolia],
        connectors: [connector as CreateConnectorFn],
        transports: {
          [mainnet.id]: custom({ request: async () => '0x10' }),
          [sepolia.id]: custom({ request: async () => '0x20' }),
        },
        storage: createStorage({ storage }),
        multiInjectedProviderDiscovery: false,
      }),
  }
}

const connectorOf = ({ connectors }: Config) => connectors[0]!

export const wagmiSuite = (world: () => World) =>
  describe('a connector of wagmi', () => {
    const signedOut = async () => {
      const { partner, addresses } = world().service
      const device = new Device({ apiKey: partner.apiKey, addresses, password: world().ada.password })
      await device.isSessionActive()
      return device
    }
    /** The same browser after a reload: a device that has not looked its session up. */
    const reloaded = ({ storage }: Device) => {
      const { partner, addresses } = world().service
      return new Device({ apiKey: partner.apiKey, addresses, storage })
    }
    const pageOf = (device: Device, options: Partial<WagmiOptions> = {}) => {
      const page = browser()
      const make = (of: Device) => page.load(tandem(of, { ...page.options, ...options }))
      return { config: make(device), make }
    }

    it('connects by one login, however often it is asked, and signs', async () => {
      const device = await signedOut()
      const login = vi.fn(() => device.login({ email: world().ada.email }))
      const { config } = pageOf(device, { connect: login })
      const connector = connectorOf(config)
      await reconnect(config)
      expect(getConnection(config).status).toBe('disconnected')
      expect(login).not.toHaveBeenCalled()

      const asked = [connect(config, { connector }), connect(config, { connector, withCapabilities: true })]
      expect(login).toHaveBeenCalledTimes(1)
      const [first, second] = await Promise.all(asked)

      const { address } = world().wallet
      expect(first).toEqual({ accounts: [address], chainId: 1 })
      expect(second).toEqual({ accounts: [{ address, capabilities: {} }], chainId: 1 })
      expect(getConnection(config)).toMatchObject({ status: 'connected', addresses: [address], chainId: 1 })
      const signature = await signMessage(config, { message: 'hello' })
      expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
      await expect(connect(config, { connector })).rejects.toThrow('Connector already connected.')

      await device.logout()
      expect(getConnection(config).status).toBe('disconnected')
      await connector.disconnect()
    })

    it('is connected again after a reload, on the chain that was chosen, by two reconnects at once', async () => {
      const device = await logIn(world().service, world().ada)
      const { config, make } = pageOf(device)
      await connect(config, { connector: connectorOf(config), chainId: sepolia.id })
      expect(getConnection(config)).toMatchObject({ chainId: sepolia.id, chain: { id: sepolia.id } })

      const again = make(reloaded(device))
      const [one, two] = await Promise.all([reconnect(again), reconnect(again)])
      expect([...one, ...two]).toHaveLength(1)
      expect(getConnection(again)).toMatchObject({ status: 'connected', chainId: sepolia.id })
      await switchChain(again, { chainId: mainnet.id })
      expect(getConnection(again).chainId).toBe(mainnet.id)
      const { address } = world().wallet
      const signature = await signMessage(again, { message: 'again' })
      expect(await verifyMessage({ address, message: 'again', signature })).toBe(true)
      // The node of the chain is asked by the config's transport.
      const provider = (await connectorOf(again).getProvider()) as { request: (asked: object) => Promise<unknown> }
      expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x10')

      await expect(connectorOf(again).switchChain?.({ chainId: optimism.id })).rejects.toMatchObject({
        name: 'SwitchChainError',
        code: 4902,
      })
      await disconnect(again)
      expect(await device.isSessionActive()).toBe(true)
      const third = make(reloaded(device))
      expect(await reconnect(third)).toEqual([])
      expect(getConnection(third).status).toBe('disconnected')
      await connect(third, { connector: connectorOf(third) })
      expect(await reconnect(make(reloaded(device)))).toHaveLength(1)
    })

    it('connects with the session where the app wants that, and not after the person has disconnected', async () => {
      const device = await signedOut()
      const { config, make } = pageOf(device, { syncSession: true })
      await device.login({ email: world().ada.email })
      await expect.poll(() => getConnection(config).status).toBe('connected')
      expect(getConnection(config)).toMatchObject({ addresses: [world().wallet.address], chainId: 1 })

      await disconnect(config)
      const after = reloaded(device)
      const again = make(after)
      await after.getWallets()
      expect(after.session.get().wallets).toHaveLength(1)
      expect(await connectorOf(again).isAuthorized()).toBe(false)
      expect(getConnection(again).status).toBe('disconnected')
      if (!isLong) return
      await device.logout()
      await device.login({ email: world().ada.email })
      await expect.poll(() => getConnection(config).status).toBe('connected')
    })

    it('asks for no login while a page loads', async () => {
      const login = vi.fn(async () => undefined)
      const { config } = pageOf(await signedOut(), { connect: login })

      await expect(connectorOf(config).connect({ isReconnecting: true })).rejects.toMatchObject({ code: 4100 })
      expect(login).not.toHaveBeenCalled()
      await expect(connect(config, { connector: connectorOf(config) })).rejects.toMatchObject({
        name: 'UserRejectedRequestError',
        code: 4001,
        message: 'the login was not finished',
      })
      expect(login).toHaveBeenCalledTimes(1)
    })

    it('is a wallet of RainbowKit, which adds its own details', async () => {
      const page = browser()
      const { createConnector, ...wallet } = rainbowKitWallet(world().ada.device, page.options)()
      expect(wallet).toEqual({
        id: 'tandem',
        name: 'Shop wallet',
        rdns: 'com.shop',
        iconUrl: info.icon,
        iconBackground: '#ffffff',
        installed: true,
      })
      const config = page.load(createConnector({ rkDetails: { groupName: 'Ours' } }))

      expect(connectorOf(config)).toMatchObject({ id: 'tandem', rkDetails: { groupName: 'Ours' } })
      expect(await connect(config, { connector: connectorOf(config) })).toMatchObject({
        accounts: [world().wallet.address],
      })
    })

    it('is injected for ConnectKit, which connects no other of those that it does not know', async () => {
      const page = browser()
      const config = page.load(connectKitConnector(world().ada.device, page.options))

      expect(connectorOf(config)).toMatchObject({ id: 'tandem', type: 'injected' })
      expect(await connect(config, { connector: connectorOf(config) })).toMatchObject({
        accounts: [world().wallet.address],
      })
    })
  })
