/** A signer of ethers over the real co-signer, beside ethers' own wallet where what it makes has no randomness. */
import {
  AbstractSigner,
  isError,
  JsonRpcProvider,
  parseEther,
  Transaction,
  verifyAuthorization,
  verifyMessage,
  verifyTypedData,
  Wallet,
  type TransactionRequest,
} from 'ethers'
import { createTestClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { toEthersSigner, type EthersSdk } from '../../adapters/browser/bridges/ethers.ts'
import { connectionCanceled, connectionError } from '../../domain/model/ApiError.ts'
import { OperationTimedOut } from '../../domain/model/Timeout.ts'
import { TransactionReviewDenied } from '../../domain/model/TransactionReview.ts'
import { KeyShareNotLoaded } from '../../domain/client/ports/ShareStore.ts'
import { PayloadRefused } from '../../domain/mpc/SigningRequest.ts'
import { casesOf } from '../kit/long.ts'
import { Device } from '../service/people.ts'
import { onChain, type World } from './world.ts'

const to = '0x000000000000000000000000000000000000dEaD'
const call = { chainId: 1, nonce: 3, to, gasLimit: 21_000, value: 5n } as const
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const
const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }]
const infinity = `0xc0${'00'.repeat(47)}`
const blob = { data: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }

const requests: readonly (readonly [string, TransactionRequest])[] = [
  ['legacy', { type: 0, ...call, gasPrice: 2n }],
  ['access list', { type: 1, ...call, gasPrice: 2n, accessList }],
  ['fee market', { ...call, ...fees, data: '0x1234' }],
  ['creation of a contract', { ...call, ...fees, to: null, data: '0x00' }],
  ['blobs', { type: 3, ...call, ...fees, maxFeePerBlobGas: 1n, blobs: [blob] }],
]

export const ethersSuite = (world: () => World) =>
  describe('a signer of ethers', () => {
    let signer: AbstractSigner
    let address: string
    const local = Wallet.createRandom()
    beforeAll(() => {
      signer = toEthersSigner(world().ada.device)
      address = world().wallet.address
    })

    it('is the session’s wallet', async () => {
      expect(await signer.getAddress()).toBe(address)
      expect(signer.provider).toBeNull()
      const provider = new JsonRpcProvider('http://127.0.0.1:1', 1, { staticNetwork: true })
      onTestFinished(() => provider.destroy())
      expect(signer.connect(provider).provider).toBe(provider)
      expect(await signer.connect(provider).getAddress()).toBe(address)
    })

    it.each(casesOf(requests, ([kind]) => ['fee market', 'blobs'].includes(kind)))(
      'signs a transaction as ethers’ own wallet: %s',
      async (_, request) => {
        const signed = Transaction.from(await signer.signTransaction({ ...request, from: address.toLowerCase() }))
        const expected = Transaction.from(await local.signTransaction(request))

        expect(signed.from).toBe(address)
        expect(signed.unsignedSerialized).toBe(expected.unsignedSerialized)
        expected.signature = signed.signature
        expect(signed.serialized).toBe(expected.serialized)
      },
    )

    it('signs a transaction with an authorization of its own', async () => {
      const authorization = await signer.authorize({ address: to, chainId: 1n, nonce: 4n })
      const signed = Transaction.from(
        await signer.signTransaction({ type: 4, ...call, ...fees, authorizationList: [authorization] }),
      )

      expect(signed.from).toBe(address)
      expect(authorization).toMatchObject({ address: to, chainId: 1n, nonce: 4n })
      expect(verifyAuthorization(authorization, authorization.signature)).toBe(address)
      expect(signed.authorizationList?.map(({ signature }) => signature.serialized)).toEqual([
        authorization.signature.serialized,
      ])
    })

    it('signs text and bytes', async () => {
      expect(verifyMessage('0x1234', await signer.signMessage('0x1234'))).toBe(address)
      expect(verifyMessage(Uint8Array.of(1, 2), await signer.signMessage(Uint8Array.of(1, 2)))).toBe(address)
    })

    it('signs typed data', async () => {
      const types = {
        Order: [
          { name: 'amounts', type: 'uint256[2][]' },
          { name: 'delta', type: 'int64' },
          { name: 'items', type: 'Item[]' },
        ],
        Item: [{ name: 'owner', type: 'address' }],
      }
      const value = { amounts: [[2n ** 256n - 1n, 0n]], delta: -5, items: [{ owner: to }] }

      for (const domain of [{}, { name: 'Shop', version: '1', chainId: 1n, verifyingContract: to }]) {
        expect(verifyTypedData(domain, types, value, await signer.signTypedData(domain, types, value))).toBe(address)
      }
    })

    it('refuses another’s transaction, and one of no chain', async () => {
      const foreign = signer.signTransaction({ ...call, ...fees, from: to })
      await expect(foreign).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' })
      await expect(signer.signTransaction({ type: 0, to, nonce: 1, gasLimit: 1, gasPrice: 1 })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        shortMessage: 'a transaction needs the id of its chain',
      })
      await expect(signer.authorize({ address: to, chainId: 0n, nonce: 1n })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        cause: expect.any(PayloadRefused),
      })
      // What ethers itself cannot read.
      await expect(signer.signTransaction({ ...call, value: 'much' })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument: 'request.value',
      })
      const { partner, addresses } = world().service
      expect(() => toEthersSigner(new Device({ apiKey: partner.apiKey, addresses }))).toThrow(
        expect.objectContaining({ code: 'UNSUPPORTED_OPERATION' }),
      )
    })

    it.each([
      ['ACTION_REJECTED', new TransactionReviewDenied()],
      ['ACTION_REJECTED', connectionCanceled()],
      ['UNSUPPORTED_OPERATION', new KeyShareNotLoaded({ walletId: 'a' })],
      ['NETWORK_ERROR', connectionError()],
      ['TIMEOUT', new OperationTimedOut({ ms: 1 })],
    ] as const)('fails with %s for %s', async (code, cause) => {
      const signMessage = async () => {
        throw cause
      }
      const { session } = world().ada.device
      const failing = toEthersSigner({ session, signMessage } as unknown as EthersSdk)
      const error: unknown = await failing.signMessage('secret text').catch((failure: unknown) => failure)

      expect(isError(error, code)).toBe(true)
      expect(error).toMatchObject({ shortMessage: cause.message, cause })
      expect(String(error)).not.toContain('secret')
    })

    onChain(world, 'sends what it completes by its provider', async ({ url }) => {
      const client = createTestClient({ chain: foundry, mode: 'anvil', transport: http(url) })
      await client.setBalance({ address: world().wallet.address, value: parseEther('10') })
      const provider = new JsonRpcProvider(url, foundry.id, { polling: true, pollingInterval: 20, cacheTimeout: -1 })
      onTestFinished(() => provider.destroy())
      const authorization = await signer.connect(provider).authorize({ address: to, nonce: 0 })
      expect(authorization.chainId).toBe(BigInt(foundry.id))
      const response = await signer.connect(provider).sendTransaction({ to, value: 1n })

      expect(await response.wait()).toMatchObject({ status: 1, from: address, to })
    })
  })
