/** viem's local account over the real co-signer: viem itself recovers the signer of everything. */
import { createHash } from 'node:crypto'
import {
  createTestClient,
  createWalletClient,
  hashTypedData,
  hexToBytes,
  http,
  parseEther,
  parseTransaction,
  publicActions,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type Hex,
  type SignableMessage,
  type TransactionSerializable,
  type TransactionSerialized,
  type TypedDataDomain,
} from 'viem'
import { foundry } from 'viem/chains'
import { recoverAuthorizationAddress } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { toViemAccount, type TandemAccount } from '../../adapters/browser/bridges/viem.ts'
import { PayloadRefused } from '../../domain/mpc/SigningRequest.ts'
import { casesOf, isLong } from '../kit/long.ts'
import { Device } from '../service/people.ts'
import { onChain, type World } from './world.ts'

const to: Hex = '0x000000000000000000000000000000000000dEaD'
const call = { chainId: 1, nonce: 3, to, gas: 21_000n, value: 5n } as const
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const
const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }] as const
const infinity: Hex = `0xc0${'00'.repeat(47)}`
const sidecars = [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }] as const

const transactions: readonly (readonly [string, (account: TandemAccount) => Promise<TransactionSerializable>])[] = [
  ['legacy', async () => ({ type: 'legacy', ...call, gasPrice: 2n })],
  [
    'legacy on a chain with an id above 32 bits',
    async () => ({ type: 'legacy', ...call, chainId: 2 ** 33 + 1, gasPrice: 2n }),
  ],
  ['eip2930', async () => ({ type: 'eip2930', ...call, gasPrice: 2n, accessList })],
  ['eip1559', async () => ({ ...call, ...fees, data: '0x1234' })],
  [
    'eip4844',
    async () => ({
      ...call,
      ...fees,
      maxFeePerBlobGas: 1n,
      blobVersionedHashes: [`0x01${'22'.repeat(31)}`],
      sidecars,
    }),
  ],
  [
    'eip7702',
    async (account) => ({
      ...call,
      ...fees,
      authorizationList: [await account.signAuthorization({ contractAddress: to, chainId: 1, nonce: 4 })],
    }),
  ],
]

export const viemSuite = (world: () => World) =>
  describe('a local account of viem', () => {
    let account: TandemAccount
    beforeAll(() => {
      account = toViemAccount(world().ada.device)
    })

    it('is the session’s wallet', () => {
      const { ada, wallet } = world()

      expect(account).toMatchObject({
        address: wallet.address,
        publicKey: `0x${wallet.publicKey ?? ''}`,
        type: 'local',
        source: 'tandem',
      })
      expect(account.publicKey).toMatch(/^0x0[23][0-9a-f]{64}$/)
      expect(() => toViemAccount(ada.device, { wallet: { id: 'another' } })).toThrow(
        expect.objectContaining({ code: 4100 }),
      )
    })

    it.each(casesOf(transactions, ([kind]) => ['legacy', 'eip4844', 'eip7702'].includes(kind)))(
      'signs a transaction: %s',
      async (_, make) => {
        const transaction = await make(account)
        const signed = (await account.signTransaction(transaction)) as TransactionSerialized
        const parsed = Object.fromEntries(
          Object.entries(parseTransaction(signed)).filter(([name]) => !['r', 's', 'v', 'yParity'].includes(name)),
        ) as TransactionSerializable

        expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(account.address)
        // What was signed is what was asked for, with its blobs.
        expect(serializeTransaction(parsed)).toBe(serializeTransaction(transaction))
      },
    )

    it('signs with the serialiser of a chain, and refuses what the co-signer cannot read', async () => {
      const serializer = async (...args: Parameters<typeof serializeTransaction>) => serializeTransaction(...args)
      const signed = await account.signTransaction(
        { ...call, ...fees },
        { serializer: serializer as unknown as typeof serializeTransaction },
      )
      expect(await recoverTransactionAddress({ serializedTransaction: signed as TransactionSerialized })).toBe(
        account.address,
      )

      await expect(
        account.signTransaction(
          { ...call, ...fees },
          { serializer: (() => '0x7b01') as unknown as typeof serializeTransaction },
        ),
      ).rejects.toMatchObject({ code: -32_602, cause: expect.any(PayloadRefused) })
      await expect(
        account.signTransaction({ type: 'legacy', nonce: 0, gasPrice: 1n, gas: 21_000n }),
      ).rejects.toMatchObject({ code: -32_602, message: 'a transaction needs the id of its chain' })
    })

    const messages: readonly (readonly [string, SignableMessage])[] = [
      ['text', 'hello'],
      ['text that looks like bytes', '0x1234'],
      ['bytes in digits', { raw: '0x1234' }],
      ['bytes', { raw: Uint8Array.of(1, 2, 3) }],
      ['the hash of an operation', { raw: `0x${'09'.repeat(32)}` }],
    ]
    it.each(casesOf(messages, ([kind]) => kind.includes('bytes')))('signs a message: %s', async (_, message) => {
      const signature = await account.signMessage({ message })

      expect(await recoverMessageAddress({ message, signature })).toBe(account.address)
      expect(hexToBytes(signature)).toHaveLength(65)
    })

    const types = {
      Order: [
        { name: 'amounts', type: 'uint256[2][]' },
        { name: 'salt', type: 'bytes32' },
        { name: 'delta', type: 'int64' },
        { name: 'items', type: 'Item[]' },
      ],
      Item: [{ name: 'owner', type: 'address' }],
    } as const
    const message = {
      amounts: [[2n ** 256n - 1n, 0n]],
      salt: `0x${'ab'.repeat(32)}`,
      delta: -5n,
      items: [{ owner: to }],
    } as const

    const domains: readonly (readonly [string, TypedDataDomain])[] = [
      ['a whole domain', { name: 'Shop', version: '1', chainId: 1, verifyingContract: to, salt: message.salt }],
      ['a chain id as bigint', { chainId: 2n ** 53n + 1n }],
      ['an empty domain', {}],
    ]
    it.each(casesOf(domains, ([kind]) => kind === 'a whole domain'))(
      'signs typed data without the type of its domain, raw as libraries hand it on: %s',
      async (_, domain) => {
        const typedData = { types, primaryType: 'Order', domain, message } as const
        const signature = await account.signTypedData(typedData)

        expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(account.address)
        expect(hashTypedData(typedData)).not.toBe(hashTypedData({ ...typedData, message: { ...message, delta: 5n } }))
      },
    )

    it('reads the chain id of a domain as text, too, which viem leaves out where it makes the type', async () => {
      const typedData = { types, primaryType: 'Order', message } as const
      const signature = await account.signTypedData({ ...typedData, domain: { chainId: '1' as unknown as number } })

      expect(await recoverTypedDataAddress({ ...typedData, domain: { chainId: 1 }, signature })).toBe(account.address)
    })

    it('refuses typed data that says two things', async () => {
      const typedData = { types, primaryType: 'Order', domain: {}, message: { ...message, delta: 2n ** 63n } } as const

      await expect(account.signTypedData(typedData)).rejects.toMatchObject({ code: -32_602 })
    })

    it('signs an authorization as transactions take it', async () => {
      for (const delegate of [{ address: to }, { contractAddress: to }]) {
        const authorization = await account.signAuthorization({ ...delegate, chainId: 5, nonce: 9 })
        expect(authorization).toMatchObject({ address: to, chainId: 5, nonce: 9 })
        expect(await recoverAuthorizationAddress({ authorization })).toBe(account.address)
      }
      await expect(account.signAuthorization({ address: to, chainId: 0, nonce: 9 })).rejects.toMatchObject({
        code: -32_602,
      })
    })

    // The chain checks its first blob after it has loaded the setup of KZG, which takes seconds.
    describe.runIf(isLong)('on a local EVM chain', () => {
      onChain(world, 'has each type of transaction mined, sent by viem', async ({ url }) => {
        const transport = http(url, { timeout: 60_000, retryCount: 0 })
        const test = createTestClient({ chain: foundry, mode: 'anvil', transport })
        await test.setBalance({ address: account.address, value: parseEther('10') })
        const client = createWalletClient({ account, chain: foundry, transport, pollingInterval: 50 }).extend(
          publicActions,
        )
        const digest = createHash('sha256').update(hexToBytes(infinity)).digest('hex')
        const blobs = {
          sidecars,
          blobVersionedHashes: [`0x01${digest.slice(2)}`],
          maxFeePerBlobGas: 10n ** 11n,
        } as const
        const mined = async (hash: Hex) => {
          const { status, type } = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
          return [status, type]
        }
        const send = async (request: { readonly type: 'legacy' | 'eip2930' | 'eip1559' }) =>
          mined(await client.sendTransaction({ to, value: 1n, ...request }))
        expect(await send({ type: 'legacy' })).toEqual(['success', 'legacy'])
        expect(await send({ type: 'eip2930', ...{ accessList } })).toEqual(['success', 'eip2930'])
        expect(await send({ type: 'eip1559' })).toEqual(['success', 'eip1559'])

        const prepared = await client.prepareTransactionRequest({ type: 'eip1559', to, gas: 21_000n })
        const { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = prepared
        const common = { chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } as const
        const serializedTransaction = await account.signTransaction({ type: 'eip4844', to, ...common, ...blobs })
        expect(await mined(await client.sendRawTransaction({ serializedTransaction }))).toEqual(['success', 'eip4844'])

        const authorization = await client.signAuthorization({ contractAddress: to, executor: 'self' })
        const delegating = await client.sendTransaction({ to, authorizationList: [authorization] })
        expect(await mined(delegating)).toEqual(['success', 'eip7702'])
        expect(await client.getCode({ address: account.address })).toBe(`0xef0100${to.slice(2).toLowerCase()}`)
        await test.setCode({ address: account.address, bytecode: '0x' })
      })
    })

    it('signs no bare hash', async () => {
      await expect(account.sign({ hash: `0x${'11'.repeat(32)}` })).rejects.toMatchObject({
        code: 4200,
        message: 'not implemented',
      })
    })

    it('needs a session', async () => {
      const { partner, addresses } = world().service
      const other = new Device({ apiKey: partner.apiKey, addresses })

      expect(() => toViemAccount(other)).toThrow(expect.objectContaining({ code: 4100 }))
    })
  })
