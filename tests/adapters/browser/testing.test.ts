/** What the package has for tests of apps; the virtual passkeys are tested with the browser that has them (tests/browser). */
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { PublicKey, SystemProgram, TransactionMessage } from '@solana/web3.js'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toViemAccount } from '../../../adapters/browser/bridges/viem.ts'
import { isSdkError } from '../../../adapters/browser/sdk.ts'
import { makeStandIn, standInCode } from '../../../adapters/browser/testing/testing.ts'
import { signDoc } from '../../../domain/model/CosmosMessage.ts'
import type { Client } from '../../../react/Client.ts'

const key = `0x${'42'.repeat(32)}` as const
const local = privateKeyToAccount(key)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('a stand-in', () => {
  const ada = (options = {}) => makeStandIn({ email: 'ada@example.com', ...options })
  const walletOf = async (client: Client, type: string) => (await client.getWallets()).find((one) => one.type === type)!

  it('signs as a local account of viem with the same key', async () => {
    const account = toViemAccount(ada({ keys: { EVM: key } }))
    const call = { chainId: 1, nonce: 3, gas: 21_000n, to: local.address, value: 5n } as const
    const typed = {
      domain: { name: 'Shop', chainId: 1 },
      types: { Order: [{ name: 'count', type: 'uint256' }] },
      primaryType: 'Order',
      message: { count: 3n },
    } as const
    const authorization = { address: local.address, chainId: 1, nonce: 0 } as const

    expect(account.address).toBe(local.address)
    expect(await account.signMessage({ message: 'hello' })).toBe(await local.signMessage({ message: 'hello' }))
    expect(await account.signTypedData(typed)).toBe(await local.signTypedData(typed))
    for (const transaction of [
      { ...call, maxFeePerGas: 2n },
      { ...call, type: 'legacy', gasPrice: 2n },
    ] as const) {
      expect(await account.signTransaction(transaction)).toBe(await local.signTransaction(transaction))
    }
    const { r, s, yParity } = await local.signAuthorization(authorization)
    expect(await account.signAuthorization(authorization)).toMatchObject({ ...authorization, r, s, yParity })
  })

  it('signs with wallets of Solana and Cosmos', async () => {
    const client = ada()
    const [solana, cosmos] = [await walletOf(client, 'SOLANA'), await walletOf(client, 'COSMOS')]
    const bySolana = await client.signMessage({ walletId: solana.id, message: 'hello' })
    expect(ed25519.verify(bySolana.bytes, utf8ToBytes('hello'), base58.decode(bySolana.address))).toBe(true)

    const payerKey = new PublicKey(bySolana.address)
    const transfer = SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: PublicKey.default, lamports: 1 })
    const asked = { payerKey, recentBlockhash: base58.encode(new Uint8Array(32)), instructions: [transfer] }
    const message = new TransactionMessage(asked).compileToV0Message().serialize()
    const { bytes, signature: shown } = await client.signSolanaTransaction({ message })
    expect(ed25519.verify(bytes, message, payerKey.toBytes())).toBe(true)
    expect(base58.decode(shown)).toEqual(bytes)

    const byCosmos = await client.signMessage({ walletId: cosmos.id, message: 'hello' })
    const digest = sha256(signDoc(byCosmos.address, utf8ToBytes('hello')))
    const signature = Secp256k1Signature.fromFixedLength(byCosmos.bytes.subarray(0, 64))
    expect(Secp256k1.verifySignature(signature, digest, hexToBytes(cosmos.publicKey ?? ''))).toBe(true)
  })

  it('leads through a sign-up without the network, and a login finds the same wallets', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const client = makeStandIn()
    const seen: unknown[] = []
    client.session.subscribe(() => {
      const { status, operator } = client.session.get()
      seen.push([status, operator?.name])
    })
    const told: unknown[] = []
    client.on('paraAccountSetup', ({ data }) => told.push(data))

    expect(client).toMatchObject({ isStandIn: true })
    await client.createUser({ email: 'eve@example.com' })
    await expect(client.verifyEmail('654321')).rejects.toMatchObject({ code: 'InvalidVerificationCode' })
    await client.verifyEmail(standInCode)
    const setup = await client.setUpPasskey()
    const { wallets, userId } = client.session.get()
    await client.logout()
    expect(await client.checkUserExists({ email: 'eve@example.com' })).toBe(true)
    expect(await client.login({ email: 'eve@example.com' })).toMatchObject({ userId })

    expect(seen).toEqual([
      ['anonymous', 'Tandem'],
      ['needs-setup', 'Tandem'],
      ['ready', 'Tandem'],
      ['anonymous', 'Tandem'],
      ['ready', 'Tandem'],
    ])
    expect(told).toEqual([setup])
    expect(client.session.get().wallets).toEqual(wallets)
    expect(wallets.map(({ id }) => id)).toEqual(setup.walletIds)
    expect(wallets.map(({ address }) => address)).not.toEqual((await ada().getWallets()).map(({ address }) => address))
    expect(fetched).not.toHaveBeenCalled()
  })

  it('fails as the SDK does, with codes, and as the test wants', async () => {
    const denied = Object.assign(new Error('denied'), { code: 'TransactionReviewDenied' })
    const client = ada({ verbs: { signMessage: () => Promise.reject(denied) } })
    const failure = await client.signMessage({ message: 'hello' }).catch((error: unknown) => error)
    expect(isSdkError(failure) && failure.code).toBe('TransactionReviewDenied')

    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'none',
        (error: unknown) => isSdkError(error) && error.code,
      )
    const { id: walletId } = await walletOf(client, 'EVM')
    const message = new Uint8Array(4)
    expect(await codeOf(client.signSolanaTransaction({ message }))).toBe('PayloadRefused')
    expect(await codeOf(client.signSolanaTransaction({ walletId, message }))).toBe('WalletTypeNotSelectable')
    expect(await codeOf(client.exportSession())).toBe('NotBuilt')
    await client.logout()
    expect(await codeOf(client.signTransaction({ transaction: '0x', chainId: 1 }))).toBe('NoSignedInUser')
    expect(await codeOf(client.getWallets())).toBe('NoSignedInUser')
  })
})

describe('a build', () => {
  it('for production has no stand-in, nor a page that no bundler has built', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => makeStandIn()).toThrow('is not for a build for production')
    vi.stubEnv('NODE_ENV', 'development')
    expect(makeStandIn().isStandIn).toBe(true)
    const withoutBundler = () => {
      vi.stubGlobal('process', undefined)
      try {
        return makeStandIn()
      } finally {
        vi.unstubAllGlobals()
      }
    }
    expect(withoutBundler).toThrow('is not for a build for production')
  })
})
