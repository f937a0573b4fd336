/** What the package has for tests of apps; the virtual passkeys are tested with the browser that has them (tests/browser). */
import { Secp256k1Wallet } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { keccak256, serializeTransaction, toHex, zeroHash, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toViemAccount } from '../../../adapters/browser/bridges/viem.ts'
import { isSdkError } from '../../../adapters/browser/sdk.ts'
import { makeStandIn, standInCode } from '../../../adapters/browser/testing/testing.ts'
import { verbNames, type VerbName } from '../../../adapters/browser/verbs.ts'
import { signDoc } from '../../../domain/model/CosmosMessage.ts'
import * as Events from '../../../domain/model/Events.ts'
import type { Client } from '../../../react/Client.ts'

const none = new Uint8Array(0)
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

  it('keeps transactions of EVM that it was asked to send, as viem signs them with the same key', async () => {
    const client = ada({ keys: { EVM: key } })
    const call = { chainId: 1, nonce: 3, gas: 21_000n, to: local.address, value: 5n } as const
    const fees = { ...call, maxFeePerGas: 2n } as const
    const authorization = await local.signAuthorization({ address: local.address, chainId: 1, nonce: 0 })
    const transactions: readonly TransactionSerializable[] = [
      { ...call, type: 'legacy', gasPrice: 2n },
      { ...call, type: 'eip2930', gasPrice: 2n, accessList: [{ address: local.address, storageKeys: [zeroHash] }] },
      { ...fees, type: 'eip1559', data: '0x00ff' },
      { ...fees, type: 'eip4844', maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${'11'.repeat(31)}`] },
      { ...fees, type: 'eip7702', authorizationList: [authorization] },
    ]
    const { id: walletId } = await walletOf(client, 'EVM')
    const expected = []
    for (const transaction of transactions) {
      const signed = await local.signTransaction(transaction)
      const sent = await client.sendTransaction({ transaction: serializeTransaction(transaction), chainId: 1 })

      expect(sent).toMatchObject({ walletId, address: local.address, transactionHash: keccak256(signed) })
      expected.push({ walletId, chainId: '1', transaction: signed, transactionHash: keccak256(signed) })
    }
    expect(client.sent.map((one) => ({ ...one, transaction: toHex(one.transaction) }))).toEqual(expected)
  })

  it('signs documents of Cosmos as wallets of cosmjs with the same key, and keeps what it was asked to send', async () => {
    const client = ada({ keys: { COSMOS: key } })
    const bytes = hexToBytes(key.slice(2))
    const amino = {
      chain_id: 'cosmoshub-4',
      account_number: '1',
      sequence: '0',
      fee: { amount: [{ denom: 'uatom', amount: '1' }], gas: '200000' },
      msgs: [{ type: 'cosmos-sdk/MsgSend', value: { note: 'a & b', left: undefined } }],
      memo: 'espresso',
    }
    for (const prefix of ['cosmos', 'osmo']) {
      const theirs = await Secp256k1Wallet.fromKey(bytes, prefix)
      const signerAddress = (await theirs.getAccounts())[0]?.address ?? ''
      const asked = { signerAddress, ...(prefix === 'cosmos' ? {} : { prefix }) }

      expect(await client.signCosmosAmino({ ...asked, signDoc: amino })).toEqual(
        await theirs.signAmino(signerAddress, amino),
      )
    }
    const theirs = await DirectSecp256k1Wallet.fromKey(bytes)
    const signerAddress = (await theirs.getAccounts())[0]?.address ?? ''
    const signDoc = {
      bodyBytes: Uint8Array.of(10, 1, 1),
      authInfoBytes: Uint8Array.of(18, 1, 1),
      chainId: 'cosmoshub-4',
      accountNumber: 7n,
    }
    const direct = await theirs.signDirect(signerAddress, signDoc)
    const transaction = TxRaw.encode({
      bodyBytes: signDoc.bodyBytes,
      authInfoBytes: signDoc.authInfoBytes,
      signatures: [base64.decode(direct.signature.signature)],
    }).finish()
    const transactionHash = bytesToHex(sha256(transaction)).toUpperCase()

    expect(await client.signCosmosDirect({ signerAddress, signDoc })).toEqual(direct)
    expect(client.sent).toEqual([])
    expect(await client.sendCosmosTransaction({ signerAddress, signDoc })).toEqual({
      ...direct,
      transaction,
      transactionHash,
    })
    const { id: walletId } = await walletOf(client, 'COSMOS')
    expect(client.sent).toEqual([{ walletId, chainId: 'cosmos:cosmoshub-4', transaction, transactionHash }])
  })

  it('puts its signature into a transaction of Solana that it is asked to send, and keeps it', async () => {
    const client = ada()
    const { id: walletId, address } = await walletOf(client, 'SOLANA')
    const [payer, own] = [Keypair.generate(), new PublicKey(address ?? '')]
    const transfer = SystemProgram.transfer({ fromPubkey: own, toPubkey: PublicKey.default, lamports: 1 })
    const asked = { recentBlockhash: base58.encode(new Uint8Array(32)), instructions: [transfer] }
    const message = new TransactionMessage({ ...asked, payerKey: payer.publicKey }).compileToV0Message()
    const unsigned = new VersionedTransaction(message)
    const chainId = 'solana:mainnet'
    const sending = (to: string) => client.sendSolanaTransaction({ transaction: unsigned.serialize(), chainId: to })
    await expect(sending(chainId)).rejects.toMatchObject({ code: 'PayloadRefused' })
    unsigned.sign([payer])
    await expect(sending('cosmos:cosmoshub-4')).rejects.toMatchObject({ code: 'PayloadRefused' })
    const sent = await sending(chainId)
    const { signatures } = VersionedTransaction.deserialize(sent.transaction)

    expect(signatures).toEqual([unsigned.signatures[0], sent.bytes])
    expect(ed25519.verify(sent.bytes, message.serialize(), own.toBytes())).toBe(true)
    expect(sent.transactionHash).toBe(base58.encode(unsigned.signatures[0]!))
    const { transaction, transactionHash } = sent
    expect(client.sent).toEqual([{ walletId, chainId, transaction, transactionHash }])
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

  it('tells the events of the SDK, also where a listener throws', async () => {
    const client = makeStandIn({ keys: { EVM: key } })
    const told: unknown[] = []
    client.on('paraLogin', () => {
      throw new Error('a listener')
    })
    for (const name of Events.told)
      client.on(name, ({ data, error }) => told.push(error ? [name, data, error.code] : [name, data]))
    const logged = vi.spyOn(console, 'log').mockReturnValue()
    const email = 'eve@example.com'

    const userId = await client.createUser({ email })
    await client.verifyEmail(standInCode)
    const setup = await client.setUpPassword()
    const made = setup.walletIds.flatMap((walletId) => [
      ['paraWalletCreated', { walletId }],
      ['paraWalletsChange', { walletIds: [walletId] }],
    ])
    expect(made).toHaveLength(6)
    expect(told.splice(0)).toEqual([['paraAccountCreation', { userId }], ...made, ['paraAccountSetup', setup]])

    const nothing = { walletIds: [], recoverySecret: null }
    expect(await client.finishSetup()).toEqual(nothing)
    await client.logout()
    await client.login({ email })
    expect(told.splice(0)).toEqual([
      ['paraAccountSetup', nothing],
      ['paraLogout', null],
      ['paraLogin', { userId, needsWallet: false, missing: [] }],
    ])
    expect(logged).toHaveBeenCalledTimes(1)

    const account = toViemAccount(client)
    const { id: walletId } = await walletOf(client, 'EVM')
    const { id: ofSolana } = await walletOf(client, 'SOLANA')
    await account.signMessage({ message: 'hello' })
    await account.signAuthorization({ address: local.address, chainId: 1, nonce: 0 })
    await account.signTransaction({ chainId: 1, nonce: 3, gas: 21_000n, to: local.address, maxFeePerGas: 2n })
    await expect(client.signSolanaTransaction({ message: new Uint8Array(4) })).rejects.toMatchObject({
      code: 'PayloadRefused',
    })
    expect(told).toEqual([
      ['paraSignMessage', { walletId }],
      ['paraSignMessage', { walletId }],
      ['paraSignTransaction', { walletId }],
      ['paraSignTransaction', { walletId: ofSolana }, 'PayloadRefused'],
    ])
  })

  it('has a user and no wallet before the credential, as the SDK, and refuses what the SDK refuses then', async () => {
    const client = makeStandIn()
    const email = 'eve@example.com'
    await expect(client.finishSetup()).rejects.toMatchObject({ code: 'NoSignedInUser' })
    const userId = await client.createUser({ email })
    await client.verifyEmail(standInCode)
    expect(client.session.get()).toEqual({
      status: 'needs-setup',
      setup: 'credential',
      userId,
      email,
      wallets: [],
      operator: { name: 'Tandem' },
    })
    await expect(client.finishSetup()).rejects.toMatchObject({ code: 'NoSignedInUser' })
    expect(client.session.get().status).toBe('needs-setup')
    await client.setUpPassword()
    await expect(client.setUpPasskey()).rejects.toMatchObject({ code: 'UserAlreadyExists' })
  })

  it.each(['login', 'createUser', 'checkUserExists', 'getSupportedAuthMethods'] as const)(
    'refuses %s without an address, as the SDK does',
    async (verb) => {
      const client = makeStandIn()
      for (const email of ['', 'null', 'undefined']) {
        await expect(client[verb]({ email })).rejects.toMatchObject({ code: 'InvalidAuthObject' })
      }
      expect(client.session.get().status).toBe('anonymous')
    },
  )

  it('knows one user by one address, whatever its case, and verifies none after a logout', async () => {
    const client = makeStandIn({ email: 'Ada@Example.com' })
    const { userId, email } = client.session.get()
    expect(email).toBe('ada@example.com')
    expect(await client.checkUserExists({ email: 'aDa@example.com' })).toBe(true)
    expect(await client.getSupportedAuthMethods({ email: 'aDa@example.com' })).toEqual(['PASSWORD'])
    expect(await client.login({ email: 'ADA@example.com' })).toMatchObject({ userId })
    await expect(client.createUser({ email: 'ADA@example.com' })).rejects.toMatchObject({ code: 'UserAlreadyExists' })

    await client.logout()
    await expect(client.verifyEmail(standInCode)).rejects.toMatchObject({ code: 'NoSignedInUser' })
    await client.createUser({ email: 'eve@example.com' })
    await client.login({ email: 'ada@example.com' })
    await expect(client.verifyEmail(standInCode)).rejects.toMatchObject({ code: 'NoSignedInUser' })
  })

  it('lets nobody in, and signs nobody up, while another user is there', async () => {
    const client = ada()
    const before = client.session.get()
    await expect(client.login({ email: 'eve@example.com' })).rejects.toMatchObject({ code: 'OtherAccountSignedIn' })
    await expect(client.createUser({ email: 'eve@example.com' })).rejects.toMatchObject({ code: 'OtherAccount' })
    expect(client.session.get()).toEqual(before)

    await client.logout()
    const userId = await client.createUser({ email: 'eve@example.com' })
    await client.verifyEmail(standInCode)
    await expect(client.createUser({ email: 'bob@example.com' })).rejects.toMatchObject({ code: 'OtherAccount' })
    expect(await client.createUser({ email: 'eve@example.com' })).toBe(userId)
    expect(client.session.get().status).toBe('needs-setup')
    expect(await client.login({ email: 'ada@example.com' })).toMatchObject({ userId: before.userId })
  })

  it('has not built what the guide says', async () => {
    const client = ada() as unknown as Record<VerbName, (input: unknown) => Promise<unknown>>
    const inputs: Partial<Record<VerbName, unknown>> = {
      preSignMessage: { message: none },
      importSession: 'a text',
      endDelegation: { id: 'an id' },
      createShortLink: 'a link',
    }
    const codes = await Promise.all(
      verbNames.map(async (name) => {
        const failure: unknown = await client[name](inputs[name]).catch((error: unknown) => error)
        return [name, isSdkError(failure) && failure.code] as const
      }),
    )
    const notBuilt = codes.filter(([, code]) => code === 'NotBuilt').map(([name]) => `\`${name}\``)
    const guide = readFileSync(join(import.meta.dirname, '../../../react/docs/guide.md'), 'utf8').replace(/\s+/g, ' ')
    expect(/Verbs that need a service \((.*?)\)/.exec(guide)?.[1]).toBe(notBuilt.join(', '))
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

    const signDoc = { bodyBytes: none, authInfoBytes: none, chainId: 'cosmoshub-4', accountNumber: 1n }
    const { id: ofCosmos, address: signerAddress } = await walletOf(client, 'COSMOS')
    const cosmos = { signerAddress: signerAddress ?? '', signDoc }
    const evm = { transaction: '0xc0', chainId: 1 }
    const delegate = { chainId: 1, nonce: 0 }
    const notAmino = { fee: 1n } as unknown as Parameters<Client['signCosmosAmino']>[0]['signDoc']
    const refusals: readonly (readonly [code: string, call: () => Promise<unknown>])[] = [
      ['InvalidInput', () => ada().signMessage({ message: 1 as unknown as string })],
      ['InvalidInput', () => client.signCosmosDirect({ ...cosmos, prefix: 1 as unknown as string })],
      ['ConnectionCanceled', () => ada().signMessage({ message: 'hello' }, { signal: AbortSignal.abort() })],
      ['PayloadRefused', () => client.signAuthorization({ ...delegate, address: `00${'11'.repeat(20)}` as '0x' })],
      ['PayloadRefused', () => client.sendTransaction(evm)],
      ['PayloadRefused', () => client.sendTransaction({ ...evm, transaction: '0xodd' })],
      ['WalletTypeNotSelectable', () => client.sendTransaction({ ...evm, walletId: ofCosmos })],
      ['PayloadRefused', () => client.signCosmosDirect({ ...cosmos, signDoc: { ...signDoc, accountNumber: -1 } })],
      ['PayloadRefused', () => client.signCosmosDirect({ ...cosmos, prefix: 'O' })],
      ['PayloadRefused', () => client.signCosmosAmino({ ...cosmos, signDoc: notAmino })],
      ['AddressNotInWallet', () => client.signCosmosDirect({ ...cosmos, prefix: 'osmo' })],
      ['WalletTypeNotSelectable', () => client.signCosmosDirect({ ...cosmos, walletId })],
      ['PayloadRefused', () => client.sendCosmosTransaction({ ...cosmos, signDoc: { ...signDoc, chainId: 'a b' } })],
      ['PayloadRefused', () => client.sendSolanaTransaction({ transaction: none, chainId: 'solana:mainnet' })],
      ['RawHashSigningNotImplemented', () => client.signRawHash({ hash: none })],
    ]
    for (const [code, call] of refusals) expect([String(call), await codeOf(call())]).toEqual([String(call), code])
    expect(client.sent).toEqual([])
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
