/**
 * What a wallet signs, on an EVM chain that accepts it: transactions of every type, an authorization, typed data that a
 * contract hashes itself, and the signatures of a smart account. Both parties draw the nonce of a signature, so no two are
 * the same: what a key of viem makes of the same request is compared byte for byte around r, s and yParity.
 */
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  encodeAbiParameters,
  getAddress,
  http,
  keccak256,
  parseEther,
  parseSignature,
  parseTransaction,
  serializeTransaction,
  size,
  stringToHex,
  type Hex,
  type TransactionSerializable,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, expect, it } from 'vitest'
import type { Para } from '../../adapters/browser/sdk.ts'
import { permitVerifier, smartAccount } from './contracts.ts'

export type EvmSigner = Pick<
  Para,
  'signTransaction' | 'sendTransaction' | 'signAuthorization' | 'signTypedData' | 'signMessage'
>

/** The address is that of the signer's first EVM wallet; the service sends to the chain at the URL. */
export type EvmWorld = { readonly device: EvmSigner; readonly address: string; readonly url: string }

/** A key of the library's own. */
const key = privateKeyToAccount(generatePrivateKey())

export const evmChainSuite = (world: () => EvmWorld) => {
  // The chain checks its first blob after it has loaded the setup of KZG, which takes seconds.
  const transport = () => http(world().url, { timeout: 60_000, retryCount: 0 })
  let client: ReturnType<typeof clientOf>
  let test: ReturnType<typeof testOf>
  let address: Hex
  const clientOf = () => createPublicClient({ chain: foundry, transport: transport(), pollingInterval: 50 })
  const testOf = () => createTestClient({ chain: foundry, mode: 'anvil', transport: transport() })

  beforeAll(async () => {
    client = clientOf()
    test = testOf()
    address = getAddress(world().address)
    await test.setBalance({ address, value: parseEther('10') })
  })

  const chainId = foundry.id
  const to: Hex = '0x000000000000000000000000000000000000dEaD'
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const
  const nonceOf = () => client.getTransactionCount({ address })
  const mined = async (hash: Hex) => {
    const { status, from, type } = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
    return { status, from: getAddress(from), type }
  }
  /** Other tests on the same chain have contracts elsewhere. */
  const placeOf = (name: string): Hex =>
    getAddress(`0x${keccak256(concatHex([address, stringToHex(name)])).slice(-40)}`)

  const call = { chainId, to, gas: 100_000n } as const
  const accessList = [{ address: to, storageKeys: [`0x${'11'.repeat(32)}`] }] as const
  const kinds: readonly (readonly [string, TransactionSerializable])[] = [
    ['legacy', { type: 'legacy', ...call, gasPrice: 100_000_000_000n, value: 1n }],
    ['eip2930', { type: 'eip2930', ...call, gasPrice: 100_000_000_000n, accessList, data: '0x1234' }],
    ['eip1559', { type: 'eip1559', ...call, ...fees, accessList, value: 5n }],
    ['eip1559, which creates a contract', { type: 'eip1559', ...fees, chainId, gas: 100_000n, data: '0x00' }],
  ]

  it.each(kinds)('a transaction is sent by the service and mined: %s', async (_, kind) => {
    const transaction = { ...kind, nonce: await nonceOf() } as TransactionSerializable
    const sent = await world().device.sendTransaction({ transaction: serializeTransaction(transaction), chainId })

    expect(await mined(sent.transactionHash)).toEqual({ status: 'success', from: address, type: kind.type })
    expect(keccak256(await asKeyMakes(transaction, sent))).toBe(sent.transactionHash)
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
      gas: 200_000n,
      blobVersionedHashes: [`0x01${digest.slice(2)}`],
    } as const
    const signature = await world().device.signTransaction({ transaction: serializeTransaction(bare), chainId })
    const sidecars = [{ blob: `0x${'00'.repeat(131_072)}`, commitment: infinity, proof: infinity }] as const
    const serializedTransaction = await asKeyMakes({ ...bare, sidecars }, signature)

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
      const asked = { address: delegate, chainId, nonce: nonce + 1 }
      const authorization = await world().device.signAuthorization(asked)
      const { r, s, yParity, ...said } = authorization
      expect(said).toEqual(asked)
      expectLowS({ r, s, yParity })
      const transaction = {
        type: 'eip7702',
        ...fees,
        chainId,
        nonce,
        to,
        gas: 200_000n,
        authorizationList: [authorization],
      } as const
      const sent = await world().device.sendTransaction({ transaction: serializeTransaction(transaction), chainId })
      expect(await mined(sent.transactionHash)).toEqual({ status: 'success', from: address, type: 'eip7702' })
      expect(keccak256(await asKeyMakes(transaction, sent))).toBe(sent.transactionHash)
      return client.getCode({ address })
    }

    expect(await authorize(to)).toBe(`0xef0100${to.slice(2).toLowerCase()}`)
    expect(await authorize(`0x${'00'.repeat(20)}`)).toBeUndefined()
  })

  const permitAt = (verifyingContract: Hex) =>
    ({
      types: { Permit: [{ name: 'value', type: 'uint256' }] },
      primaryType: 'Permit',
      domain: { chainId, verifyingContract },
      message: { value: 2n ** 255n + 7n },
    }) as const

  it('a contract that hashes typed data itself finds the wallet as its signer, and a key of viem as its own', async () => {
    const permit = permitAt(placeOf('verifier'))
    await test.setCode({ address: permit.domain.verifyingContract, bytecode: permitVerifier })
    const word = { type: 'uint256' } as const
    const signerOf = async (value: bigint, signature: Hex) => {
      const { r, s, yParity } = parseSignature(signature)
      const parameters = encodeAbiParameters(
        [word, word, word, word],
        [value, BigInt(27 + yParity), BigInt(r), BigInt(s)],
      )
      const { data } = await client.call({ to: permit.domain.verifyingContract, data: parameters })
      return getAddress(`0x${(data ?? '0x').slice(-40)}`)
    }
    const [own, theirs] = [await world().device.signTypedData({ typedData: permit }), await key.signTypedData(permit)]

    expect(await signerOf(permit.message.value, own)).toBe(address)
    expect(await signerOf(1n, own)).not.toBe(address)
    expect(await signerOf(permit.message.value, theirs)).toBe(key.address)
    expectFormOf(own, theirs)
  })

  it('a smart account takes typed data, messages and the hash of an operation from its owner (ERC-1271)', async () => {
    const account = placeOf('account')
    const permit = permitAt(account)
    await test.setCode({ address: account, bytecode: smartAccount(address) })
    const signature = await world().device.signTypedData({ typedData: permit })

    expect(await client.verifyTypedData({ ...permit, address: account, signature })).toBe(true)
    const other = concatHex([`0x${'11'.repeat(32)}`, `0x${signature.slice(66)}`])
    expect(await client.verifyTypedData({ ...permit, address: account, signature: other })).toBe(false)

    const operation = new Uint8Array(32).fill(9)
    for (const message of ['for Grüße & <tea>', Uint8Array.of(0, 255), operation]) {
      const { ethereumSignature = '0x' } = await world().device.signMessage({ message })
      const signable = typeof message === 'string' ? message : { raw: message }
      expect(await client.verifyMessage({ address: account, message: signable, signature: ethereumSignature })).toBe(
        true,
      )
      expectFormOf(ethereumSignature, await key.signMessage({ message: signable }))
    }
  })
}

type Signature = { readonly r: Hex; readonly s: Hex; readonly yParity: 0 | 1 }

/** The transaction as a key of viem signs it, with this signature in the place of the key's. */
const asKeyMakes = async (transaction: TransactionSerializable, { r, s, yParity }: Signature) => {
  expectLowS({ r, s, yParity })
  const signed: TransactionSerializable = parseTransaction(await key.signTransaction(transaction))
  return serializeTransaction(signed, { r, s, yParity, v: BigInt(27 + yParity) })
}

/** As Ethereum requires it (EIP-2), and as every library's key makes it. */
const expectLowS = ({ s }: Signature) => {
  expect(2n * BigInt(s)).toBeLessThan(secp256k1.Point.CURVE().n)
}

const expectFormOf = (own: Hex, theirs: Hex) => {
  const { r, s, yParity } = parseSignature(own)
  expectLowS({ r, s, yParity: yParity === 1 ? 1 : 0 })
  expect(own.slice(-2)).toMatch(/^1[bc]$/)
  expect(size(own)).toBe(size(theirs))
}
