/**
 * What a wallet signs, on an EVM chain that accepts it: transactions of every type, an authorization, typed data that a
 * contract hashes itself, and the signatures of a smart account.
 */
import { createHash } from 'node:crypto'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  encodeAbiParameters,
  getAddress,
  http,
  parseEther,
  parseSignature,
  serializeTransaction,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChain } from '../../adapters/development/chain.ts'
import { isLong } from '../kit/long.ts'
import { freePort } from '../kit/ports.ts'
import { startService, type TestService } from '../kit/service.ts'
import { permitVerifier, smartAccount } from './contracts.ts'
import { signUp, type Person } from './people.ts'

/** Undefined also where the platform has no binary of anvil. */
const chain = isLong ? await startChain(await freePort()) : undefined

describe.skipIf(chain === undefined)('on a local EVM chain', () => {
  // The chain checks its first blob after it has loaded the setup of KZG, which takes seconds.
  const transport = http(chain?.url, { timeout: 60_000, retryCount: 0 })
  const client = createPublicClient({ chain: foundry, transport, pollingInterval: 50 })
  const test = createTestClient({ chain: foundry, mode: 'anvil', transport })
  const chainId = foundry.id
  const to: Hex = '0x000000000000000000000000000000000000dEaD'
  let service: TestService
  let ada: Person
  let address: Hex

  beforeAll(async () => {
    service = await startService({ environment: { CHAIN_RPC_URLS: `${chainId}=${chain?.url ?? ''}` } })
    ada = await signUp(service, { types: { EVM: true } })
    const [wallet] = await ada.device.getWallets()
    address = getAddress(wallet?.address ?? '')
    await test.setBalance({ address, value: parseEther('10') })
  })

  afterAll(async () => {
    await service.stop()
    await chain?.stop()
  })

  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const
  const nonceOf = () => client.getTransactionCount({ address })
  const mined = async (hash: Hex) => {
    const { status, from, type } = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
    return { status, from: getAddress(from), type }
  }

  const call = { chainId, to, gas: 100_000n } as const
  const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }] as const
  const kinds: readonly TransactionSerializable[] = [
    { type: 'legacy', ...call, gasPrice: 100_000_000_000n, value: 1n },
    { type: 'eip2930', ...call, gasPrice: 100_000_000_000n, accessList, data: '0x1234' },
    { type: 'eip1559', ...call, ...fees, accessList, value: 5n },
  ]

  it.each(kinds)('a transaction of type $type is sent by the service and mined', async (kind) => {
    const transaction = serializeTransaction({ ...kind, nonce: await nonceOf() })
    const sent = await ada.device.sendTransaction({ transaction, chainId })

    expect(await mined(sent.transactionHash)).toEqual({ status: 'success', from: address, type: kind.type })
  })

  it('a contract is created', async () => {
    const create = { type: 'eip1559', ...fees, chainId, nonce: await nonceOf(), gas: 100_000n, data: '0x00' } as const
    const { transactionHash } = await ada.device.sendTransaction({ transaction: serializeTransaction(create), chainId })

    expect(await mined(transactionHash)).toMatchObject({ status: 'success', from: address })
  })

  it('a transaction with a blob is signed without the blob, and mined with it', async () => {
    // The blob of zeros: its commitment and its proof are the point at infinity.
    const infinity: Hex = `0xc0${'00'.repeat(47)}`
    const digest = createHash('sha256')
      .update(Buffer.from(infinity.slice(2), 'hex'))
      .digest('hex')
    const bare = {
      type: 'eip4844',
      ...fees,
      maxFeePerBlobGas: 100_000_000_000n,
      chainId,
      nonce: await nonceOf(),
      to,
      gas: 100_000n,
      blobVersionedHashes: [`0x01${digest.slice(2)}`],
    } as const
    const { r, s, yParity } = await ada.device.signTransaction({ transaction: serializeTransaction(bare), chainId })
    const sidecars = [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }] as const
    const serializedTransaction = serializeTransaction({ ...bare, sidecars }, { r, s, yParity })

    expect(await mined(await client.sendRawTransaction({ serializedTransaction }))).toEqual({
      status: 'success',
      from: address,
      type: 'eip4844',
    })
  })

  it('an authorization lets a contract act for the account, and the zero address ends that', async () => {
    const authorize = async (delegate: Hex) => {
      const nonce = await nonceOf()
      // The transaction, which the account sends itself, takes the nonce before.
      const authorization = await ada.device.signAuthorization({ address: delegate, chainId, nonce: nonce + 1 })
      const transaction = { type: 'eip7702', ...fees, chainId, nonce, to, gas: 200_000n } as const
      const { transactionHash } = await ada.device.sendTransaction({
        transaction: serializeTransaction({ ...transaction, authorizationList: [authorization] }),
        chainId,
      })
      expect(await mined(transactionHash)).toEqual({ status: 'success', from: address, type: 'eip7702' })
      return client.getCode({ address })
    }

    expect(await authorize(to)).toBe(`0xef0100${to.slice(2).toLowerCase()}`)
    expect(await authorize(`0x${'00'.repeat(20)}`)).toBeUndefined()
  })

  const verifyingContract: Hex = `0x${'71'.repeat(20)}`
  const permit = {
    types: { Permit: [{ name: 'value', type: 'uint256' }] },
    primaryType: 'Permit',
    domain: { chainId, verifyingContract },
    message: { value: 2n ** 255n + 7n },
  } as const

  it('a contract that hashes typed data itself finds the wallet as its signer', async () => {
    await test.setCode({ address: verifyingContract, bytecode: permitVerifier })
    const { r, s, yParity } = parseSignature(await ada.device.signTypedData({ typedData: permit }))
    const word = { type: 'uint256' } as const
    const signerOf = async (value: bigint) => {
      const parameters = encodeAbiParameters(
        [word, word, word, word],
        [value, BigInt(27 + yParity), BigInt(r), BigInt(s)],
      )
      const { data } = await client.call({ to: verifyingContract, data: parameters })
      return getAddress(`0x${(data ?? '0x').slice(-40)}`)
    }

    expect(await signerOf(permit.message.value)).toBe(address)
    expect(await signerOf(1n)).not.toBe(address)
  })

  it('a smart account takes typed data and the hash of an operation from its owner (ERC-1271)', async () => {
    const account: Hex = `0x${'12'.repeat(20)}`
    await test.setCode({ address: account, bytecode: smartAccount(address) })
    const signature = await ada.device.signTypedData({ typedData: permit })
    const operation = new Uint8Array(32).fill(9)
    const { ethereumSignature = '0x' } = await ada.device.signMessage({ message: operation })

    expect(await client.verifyTypedData({ ...permit, address: account, signature })).toBe(true)
    expect(
      await client.verifyMessage({ address: account, message: { raw: operation }, signature: ethereumSignature }),
    ).toBe(true)
    const other = concatHex([`0x${'11'.repeat(32)}`, `0x${signature.slice(66)}`])
    expect(await client.verifyTypedData({ ...permit, address: account, signature: other })).toBe(false)
  })
})
