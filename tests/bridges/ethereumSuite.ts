/** The provider under viem and ethers, over the real co-signer, and each of its methods with its refusals. */
import { BrowserProvider, verifyMessage } from 'ethers'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  encodeAbiParameters,
  getAddress,
  http,
  parseEther,
  parseSignature,
  parseTransaction,
  recoverTransactionAddress,
  type Hex,
  type TransactionSerialized,
} from 'viem'
import { foundry } from 'viem/chains'
import { createStore } from 'mipd'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  announce,
  toEthereumProvider,
  type EthereumOptions,
  type EthereumProvider,
} from '../../adapters/browser/bridges/ethereum.ts'
import { toViemAccount } from '../../adapters/browser/bridges/viem.ts'
import { isLong } from '../kit/long.ts'
import { permitVerifier } from '../service/contracts.ts'
import { Device, logIn, makeStorage } from '../service/people.ts'
import { onChain, type World } from './world.ts'

const to: Hex = '0x000000000000000000000000000000000000dEaD'
const other: Hex = `0x${'22'.repeat(20)}`

const verifyingContract: Hex = `0x${'71'.repeat(20)}`
const permit = {
  types: { Permit: [{ name: 'value', type: 'uint256' }] },
  primaryType: 'Permit',
  domain: { chainId: foundry.id, verifyingContract },
  message: { value: 2n ** 255n + 7n },
} as const

const memory = () => {
  const { local } = makeStorage().override
  return local as NonNullable<EthereumOptions['storage']>
}

/** A node that answers nothing but what it is told to. */
const nodeOf = (answers: Readonly<Record<string, unknown>>) => {
  const asked: string[] = []
  return {
    asked,
    request: async ({ method }: { readonly method: string }) => {
      asked.push(method)
      const answer = answers[method]
      if (answer === undefined) throw new Error('fetch failed')
      return answer
    },
  }
}

const filled = { nonce: '0x1', gas: '0x5208', gasPrice: '0x2', to } as const

export const ethereumSuite = (world: () => World) => {
  describe('a provider', () => {
    let provider: EthereumProvider
    let address: Hex
    const node = nodeOf({ eth_blockNumber: '0x10', eth_getTransactionCount: '0x7', eth_sendRawTransaction: '0x' })
    const chains = [
      { id: 1, ...node },
      { id: 5, ...nodeOf({}) },
    ] as const

    beforeEach(() => {
      address = world().wallet.address
      provider = toEthereumProvider(world().ada.device, { chains, storage: memory() })
    })

    const ask = (method: string, ...params: readonly unknown[]) => provider.request({ method, params })

    it('answers what needs no signature', async () => {
      expect(await ask('eth_requestAccounts')).toEqual([address])
      expect(await ask('eth_accounts')).toEqual([address])
      expect(await ask('eth_chainId')).toBe('0x1')
      expect(await ask('net_version')).toBe('1')
      expect(await ask('eth_blockNumber')).toBe('0x10')
      const capabilities = { atomic: { status: 'unsupported' } }
      expect(await ask('wallet_getCapabilities', address)).toEqual({ '0x1': capabilities, '0x5': capabilities })
      expect(await ask('wallet_getCapabilities', address, ['0x5', '0x7'])).toEqual({ '0x5': capabilities })
    })

    it('signs text, bytes and swapped parameters, and names no other account', async () => {
      const signed = async (...params: readonly unknown[]) => String(await ask('personal_sign', ...params))

      expect(verifyMessage('hello', await signed('0x68656c6c6f', address.toLowerCase()))).toBe(address)
      expect(verifyMessage('hello', await signed(address, 'hello'))).toBe(address)
      // An address may be the message itself.
      expect(verifyMessage(Buffer.from(other.slice(2), 'hex'), await signed(other, address))).toBe(address)
    })

    it('signs a transaction that it completes', async () => {
      const { nonce: _, ...rest } = filled
      const signed = (await ask('eth_signTransaction', { ...rest, from: address })) as TransactionSerialized

      expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(address)
      expect(node.asked).toContain('eth_getTransactionCount')
    })

    const typedData = JSON.stringify({ ...permit, message: { value: '1' }, domain: { chainId: 1 } })
    const batch = { version: '2.0.0', chainId: '0x1', calls: [{ to }] }
    it.each<readonly [string, readonly unknown[], number]>([
      ['personal_sign', ['hello', other], 4100],
      ['personal_sign', [5, undefined], -32_602],
      ['eth_signTypedData_v4', [other, typedData], 4100],
      ['eth_signTypedData_v4', [undefined, '{'], -32_602],
      ['eth_signTypedData_v4', [undefined, typedData.replace('"chainId":1', '"chainId":5')], -32_602],
      ['eth_signTypedData_v4', [undefined, typedData.replace('Permit"', 'Permission"')], -32_602],
      ['eth_sendTransaction', [{ ...filled, from: other }], 4100],
      ['eth_sendTransaction', [{ ...filled, chainId: '0x5' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, value: '1' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, data: '0x1' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, data: '0x12', input: '0x34' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, maxFeePerGas: '0x1' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, type: '0x3' }], -32_602],
      ['eth_sendTransaction', [{ ...filled, type: '0x4' }], -32_602],
      ['eth_sendTransaction', ['text'], -32_602],
      ['eth_sendTransaction', [{ to }], 4901],
      ['eth_sign', [], 4200],
      ['eth_signTypedData', [], 4200],
      ['eth_signTypedData_v3', [], 4200],
      ['eth_decrypt', [], 4200],
      ['eth_getEncryptionPublicKey', [], 4200],
      ['wallet_switchEthereumChain', [{ chainId: '0x7' }], 4902],
      ['wallet_switchEthereumChain', ['0x1'], -32_602],
      ['wallet_addEthereumChain', [{ chainId: '0x7', rpcUrls: ['https://example.org'] }], 4200],
      ['wallet_requestPermissions', [{ eth_accounts: {}, other: {} }], -32_602],
      ['wallet_getCapabilities', [other], 4100],
      ['wallet_sendTransaction', [], -32_601],
      ['wallet_connect', [], -32_601],
      ['wallet_showCallsStatus', ['0x1'], -32_601],
      ['toString', [], -32_601],
      ['eth_getLogs', [], 4901],
      ['wallet_getCallsStatus', ['0x1'], 5730],
      ['wallet_sendCalls', [{ ...batch, version: '1.0' }], -32_602],
      ['wallet_sendCalls', [{ ...batch, from: other }], 4100],
      ['wallet_sendCalls', [{ ...batch, calls: [] }], -32_602],
      ['wallet_sendCalls', [{ ...batch, chainId: '0x7' }], 5710],
      ['wallet_sendCalls', [{ ...batch, calls: Array(33).fill({ to }) }], 5740],
      ['wallet_sendCalls', [{ ...batch, atomicRequired: true, calls: [{ to }, { to }] }], 5760],
      ['wallet_sendCalls', [{ ...batch, capabilities: { paymasterService: {} } }], 5700],
      ['wallet_sendCalls', [{ ...batch, calls: [{ to, capabilities: { paymasterService: {} } }] }], 5700],
      ['wallet_sendCalls', [{ ...batch, capabilities: { paymasterService: { optional: true } } }], 4901],
    ])('%s %j fails with %i', async (method, params, code) => {
      await expect(ask(method, ...params)).rejects.toMatchObject({ name: 'ProviderRpcError', code })
    })

    it('shows the app’s own view of a batch of calls that it knows', async () => {
      const showCalls = vi.fn()
      const storage = memory()
      storage.setItem('@tandem/ethereum', '{"bundles":{"one":{"chainId":1,"hashes":[],"calls":1}}}')
      provider = toEthereumProvider(world().ada.device, { chains, storage, showCalls })

      expect(await ask('wallet_showCallsStatus', 'one')).toBeNull()
      await expect(ask('wallet_showCallsStatus', 'two')).rejects.toMatchObject({ code: 5730 })
      expect(showCalls.mock.calls).toEqual([['one']])
    })

    it('completes each call of a batch on what came before it, and says how the batch stands', async () => {
      const blocks: unknown[] = []
      let receipts: readonly unknown[] = []
      const answers: Readonly<Record<string, unknown>> = {
        eth_getBlockByNumber: { baseFeePerGas: '0x7' },
        eth_maxPriorityFeePerGas: '0x2',
        eth_getTransactionCount: '0x1',
        eth_sendRawTransaction: '0x',
      }
      const request = async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
        if (method === 'eth_getTransactionReceipt') return receipts[0] ?? null
        if (method === 'eth_estimateGas') return blocks.push((params as unknown[])[1]) && '0x5208'
        return answers[method]
      }
      provider = toEthereumProvider(world().ada.device, { chains: [{ id: 1, request }], storage: memory() })
      const calls = [{ to }, { to, value: '0x1' }]
      expect(await ask('wallet_sendCalls', { version: '2.0.0', chainId: '0x1', id: 'one', calls })).toEqual({
        id: 'one',
      })
      expect(blocks).toEqual(['latest', 'pending'])

      const statusOf = async () => ((await ask('wallet_getCallsStatus', 'one')) as { readonly status: number }).status
      expect(await statusOf()).toBe(100)
      receipts = [{ status: '0x0' }]
      expect(await statusOf()).toBe(500)
      receipts = [{ status: '0x1' }]
      expect(await ask('wallet_getCallsStatus', 'one')).toMatchObject({ version: '2.0.0', status: 200, atomic: false })

      const signed = (await ask('eth_signTransaction', { to })) as Hex
      expect(parseTransaction(signed)).toMatchObject({
        maxFeePerGas: 16n,
        maxPriorityFeePerGas: 2n,
        gas: 21_000n,
        nonce: 1,
      })
    })

    it('signs for the chain that was chosen when it was asked', async () => {
      const asked = ask('eth_signTransaction', filled)
      await ask('wallet_switchEthereumChain', { chainId: '0x5' })

      expect(parseTransaction((await asked) as Hex).chainId).toBe(1)
    })

    it('keeps the chosen chain over a reload, and tells of a change only', async () => {
      const storage = memory()
      const first = toEthereumProvider(world().ada.device, { chains, storage })
      const changed = vi.fn()
      first.on('chainChanged', changed)
      for (const chainId of ['0x1', '0x5', '0x05']) {
        expect(await first.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })).toBeNull()
      }
      expect(changed.mock.calls).toEqual([['0x5']])
      first.removeListener('chainChanged', changed)
      await first.request({ method: 'wallet_addEthereumChain', params: [{ chainId: '0x1' }] })
      expect(changed).toHaveBeenCalledTimes(1)
      await first.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x5' }] })

      const reloaded = toEthereumProvider(world().ada.device, { chains, storage })
      expect(await reloaded.request({ method: 'eth_chainId' })).toBe('0x5')
      storage.setItem('@tandem/ethereum', '{')
      const broken = toEthereumProvider(world().ada.device, { chains, storage })
      expect(await broken.request({ method: 'eth_chainId' })).toBe('0x1')
    })

    it('tells each listener, and has done what it was asked, also where one throws', async () => {
      const uncaught: (() => void)[] = []
      const changed = vi.fn()
      const broken = () => {
        throw new Error('a defect of the app')
      }
      for (const listener of [broken, changed]) provider.on('chainChanged', listener)

      vi.stubGlobal('queueMicrotask', (task: () => void) => uncaught.push(task))
      const asked = ask('wallet_switchEthereumChain', { chainId: '0x5' })
      vi.unstubAllGlobals()

      expect(await asked).toBeNull()
      expect(changed.mock.calls).toEqual([['0x5']])
      expect(uncaught).toHaveLength(1)
      expect(uncaught[0]).toThrow('a defect of the app')
    })

    it('asks for a login where the session is locked, and needs it to be finished', async () => {
      const { device } = world().ada
      let status: 'locked' | 'ready' = 'locked'
      const session = { ...device.session, get: () => ({ ...device.session.get(), status }) }
      const para = Object.assign(Object.create(device) as typeof device, { session })
      const connect = vi.fn(async () => undefined)
      provider = toEthereumProvider(para, { chains, storage: memory() })
      expect(await ask('eth_requestAccounts')).toEqual([address])
      provider = toEthereumProvider(para, { chains, storage: memory(), connect })

      await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
      connect.mockImplementationOnce(async () => void (status = 'ready'))
      expect(await ask('eth_requestAccounts')).toEqual([address])
      expect(connect).toHaveBeenCalledTimes(2)
      expect(await ask('eth_requestAccounts')).toEqual([address])
      expect(connect).toHaveBeenCalledTimes(2)
    })

    it('has no account after it was left, until the next request, also after a reload', async () => {
      const storage = memory()
      const events: unknown[] = []
      provider = toEthereumProvider(world().ada.device, { chains, storage })
      for (const name of ['connect', 'accountsChanged', 'disconnect']) {
        provider.on(name, (...args: readonly unknown[]) => void events.push([name, ...args]))
      }
      const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }]
      expect(await ask('wallet_getPermissions')).toEqual([{ parentCapability: 'eth_accounts', caveats }])
      expect(await ask('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()

      expect(events).toEqual([
        ['accountsChanged', []],
        ['disconnect', expect.objectContaining({ code: 4900 })],
      ])
      expect(await ask('eth_accounts')).toEqual([])
      expect(await ask('wallet_getPermissions')).toEqual([])
      await expect(ask('personal_sign', 'hello', address)).rejects.toMatchObject({ code: 4100 })
      provider = toEthereumProvider(world().ada.device, { chains, storage })
      expect(await ask('eth_accounts')).toEqual([])
      expect(await ask('wallet_requestPermissions', { eth_accounts: {} })).toEqual([
        { parentCapability: 'eth_accounts', caveats },
      ])
      expect(await ask('eth_accounts')).toEqual([address])
    })

    it('signs in once for requests at once, within the click, and tells of it', async () => {
      const { service, ada } = world()
      const { apiKey } = service.partner
      const device = new Device({ apiKey, addresses: service.addresses, password: ada.password })
      await device.isSessionActive()
      const signedOut = toEthereumProvider(device, { chains, storage: memory() })
      await expect(signedOut.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4100 })
      expect(await signedOut.request({ method: 'eth_accounts' })).toEqual([])
      await expect(signedOut.request({ method: 'personal_sign', params: ['hello', address] })).rejects.toMatchObject({
        code: 4100,
      })

      const left = toEthereumProvider(device, { chains, storage: memory(), connect: async () => undefined })
      await expect(left.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })

      const connect = vi.fn(() => device.login({ email: ada.email }))
      const events: unknown[] = []
      provider = toEthereumProvider(device, { chains, storage: memory(), connect })
      for (const name of ['connect', 'accountsChanged']) {
        provider.on(name, (...args: readonly unknown[]) => void events.push([name, ...args]))
      }
      const asked = [
        ask('eth_requestAccounts'),
        ask('eth_requestAccounts'),
        ask('wallet_requestPermissions', { eth_accounts: {} }),
      ]
      expect(connect).toHaveBeenCalledTimes(1)

      expect((await Promise.all(asked)).slice(0, 2)).toEqual([[address], [address]])
      expect(connect).toHaveBeenCalledTimes(1)
      expect(events).toEqual([
        ['connect', { chainId: '0x1' }],
        ['accountsChanged', [address]],
      ])
      await device.logout()
      expect(events.slice(2)).toEqual([['accountsChanged', []]])
    })

    it.runIf(isLong)('finds the session of a page that was loaded again', async () => {
      const { service, ada } = world()
      const device = await logIn(service, ada)
      const { apiKey } = service.partner
      const reloaded = new Device({ apiKey, addresses: service.addresses, storage: device.storage })
      expect(reloaded.session.get().status).toBe('loading')
      provider = toEthereumProvider(reloaded, { chains, storage: memory() })

      expect(await ask('eth_accounts')).toEqual([address])
      expect(verifyMessage('hello', String(await ask('personal_sign', 'hello', address)))).toBe(address)
    })

    it('sends the same bytes again into silence, and says when it does not know', async () => {
      const { ada } = world()
      const raw: unknown[] = []
      let known: unknown = { hash: '0x' }
      const silent = {
        id: 1,
        request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
          if (method === 'eth_getTransactionByHash') return known
          raw.push(params)
          if (raw.length % 2 === 0) throw Object.assign(new Error('already known'), { code: -32_000 })
          throw new Error('fetch failed')
        },
      }
      provider = toEthereumProvider(ada.device, { chains: [silent], storage: memory() })
      expect(await ask('eth_sendTransaction', filled)).toMatch(/^0x[0-9a-f]{64}$/)
      expect(raw).toHaveLength(2)
      expect(raw[0]).toEqual(raw[1])

      known = null
      await expect(ask('eth_sendTransaction', filled)).rejects.toMatchObject({
        code: -32_000,
        message: 'already known',
      })
      provider = toEthereumProvider(ada.device, { chains: [{ id: 1, ...nodeOf({}) }], storage: memory() })
      await expect(ask('eth_sendTransaction', filled)).rejects.toMatchObject({
        code: 4901,
        message: 'it is not known whether the transaction was sent',
        data: {
          transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          transaction: expect.stringMatching(/^0xf8/),
        },
      })
    })
  })

  describe('a provider on a page', () => {
    beforeEach(() => {
      vi.stubGlobal('window', new EventTarget())
    })
    afterEach(() => vi.unstubAllGlobals())

    const info = { name: 'Shop wallet', rdns: 'com.shop', icon: 'data:image/svg+xml,%3Csvg/%3E' }

    it('is one entry of a list, however often a page asks, and none once it is over', () => {
      const provider = toEthereumProvider(world().ada.device, { chains: [{ id: 1, ...nodeOf({}) }], storage: memory() })
      const stops = [announce(provider, info), announce(provider, info)]
      const store = createStore()
      for (let time = 0; time < 10; time += 1) window.dispatchEvent(new Event('eip6963:requestProvider'))

      expect(store.getProviders()).toEqual([{ info: { ...info, uuid: expect.any(String) }, provider }])
      for (const stop of stops) stop()
      store.reset()
      expect(store.getProviders()).toEqual([])
      expect('ethereum' in window).toBe(false)
      for (const icon of ['https://example.org/icon.png', undefined as unknown as string])
        expect(() => announce(provider, { ...info, icon })).toThrow(expect.objectContaining({ code: -32_602 }))
    })
  })

  describe('a provider on a local EVM chain', () => {
    let address: Hex
    let provider: EthereumProvider
    beforeAll(async () => {
      const { chain } = world()
      if (chain === undefined) return
      address = world().wallet.address
      const storage = memory()
      provider = toEthereumProvider(world().ada.device, { chains: [{ id: foundry.id, rpcUrl: chain.url }], storage })
      await testClient().setBalance({ address, value: parseEther('10') })
    })

    const transport = () => http(world().chain?.url, { retryCount: 0 })
    const testClient = () => createTestClient({ chain: foundry, mode: 'anvil', transport: transport() })
    const client = () => createPublicClient({ chain: foundry, transport: transport(), pollingInterval: 20 })
    const wallet = () =>
      createWalletClient({ account: address, chain: foundry, transport: custom(provider), pollingInterval: 20 })
    const mined = async (hash: Hex) => {
      const { status, from, type } = await client().waitForTransactionReceipt({ hash, timeout: 30_000 })
      return { status, from: getAddress(from), type }
    }
    onChain(world, 'sends each type of transaction by viem, several at once', async () => {
      const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }] as const
      const account = toViemAccount(world().ada.device)
      const base = { to, value: 1n } as const
      const sent = await Promise.all([
        wallet().sendTransaction({ ...base, type: 'legacy', gasPrice: 10_000_000_000n }),
        wallet().sendTransaction({ ...base, type: 'eip2930', gasPrice: 10_000_000_000n, accessList }),
        wallet().sendTransaction({ ...base, data: '0x1234', accessList }),
        wallet().sendTransaction({ data: '0x00' }),
      ])
      const types = (await Promise.all(sent.map(mined))).map(({ status, from, type }) => [status, from, type])
      expect(types).toEqual(['legacy', 'eip2930', 'eip1559', 'eip1559'].map((type) => ['success', address, type]))

      const nonce = (await client().getTransactionCount({ address })) + 1
      const authorization = await account.signAuthorization({ address: to, chainId: foundry.id, nonce })
      const hash = await wallet().sendTransaction({ to: address, authorizationList: [authorization] })
      expect(await mined(hash)).toEqual({ status: 'success', from: address, type: 'eip7702' })
      expect(await client().getCode({ address })).toBe(`0xef0100${to.slice(2).toLowerCase()}`)
      await testClient().setCode({ address, bytecode: '0x' })
    })

    onChain(world, 'sends by ethers, whose signer it is', async () => {
      const browser = new BrowserProvider(provider, foundry.id, { pollingInterval: 20, cacheTimeout: -1 })
      onTestFinished(() => browser.destroy())
      const signer = await browser.getSigner()
      const response = await signer.sendTransaction({ to, value: 3n })

      expect(await response.wait()).toMatchObject({ status: 1, from: address })
      expect(await signer.getAddress()).toBe(address)
      expect(verifyMessage('hello', await signer.signMessage('hello'))).toBe(address)
    })

    onChain(world, 'refuses with the node’s own words', async () => {
      const value = parseEther('1000000')
      const asked = provider.request({
        method: 'eth_sendTransaction',
        params: [{ to, value: `0x${value.toString(16)}` }],
      })

      await expect(asked).rejects.toMatchObject({
        code: -32_003,
        message: expect.stringContaining('nsufficient funds'),
      })
    })

    onChain(world, 'signs typed data for a contract that hashes it itself', async () => {
      await testClient().setCode({ address: verifyingContract, bytecode: permitVerifier })
      const { r, s, yParity } = parseSignature(await wallet().signTypedData(permit))
      const word = { type: 'uint256' } as const
      const parameters = [permit.message.value, BigInt(27 + yParity), BigInt(r), BigInt(s)] as const
      const asked = { to: verifyingContract, data: encodeAbiParameters([word, word, word, word], parameters) }
      const { data } = await client().call(asked)

      expect(getAddress(`0x${(data ?? '0x').slice(-40)}`)).toBe(address)
    })

    onChain(world, 'sends a batch of calls in order, and knows it after a reload', async ({ url: rpcUrl }) => {
      const storage = memory()
      const make = () => toEthereumProvider(world().ada.device, { chains: [{ id: foundry.id, rpcUrl }], storage })
      provider = make()
      const { id } = await wallet().sendCalls({
        calls: [
          { to, value: 1n },
          { to, data: '0x12' },
        ],
      })
      provider = make()
      const { status, statusCode, receipts, atomic } = await wallet().waitForCallsStatus({ id, pollingInterval: 20 })

      expect({ status, statusCode, atomic }).toEqual({ status: 'success', statusCode: 200, atomic: false })
      expect(receipts?.map((receipt) => receipt.status)).toEqual(['success', 'success'])
      await expect(wallet().sendCalls({ id, calls: [{ to }] })).rejects.toMatchObject({ cause: { code: 5720 } })

      // The second one would revert: what was sent before cannot be taken back.
      await testClient().setCode({ address: other, bytecode: '0x5f5ffd' })
      const partly = await wallet().sendCalls({ calls: [{ to }, { to: other }, { to }] })
      const answer = await wallet().waitForCallsStatus({ id: partly.id, pollingInterval: 20 })
      expect(answer.statusCode).toBe(600)
      expect(answer.receipts).toHaveLength(1)
    })
  })
}
