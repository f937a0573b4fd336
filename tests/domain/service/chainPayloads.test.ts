/** Transactions of Solana and documents of Cosmos, signed by both parties and taken by the chains' own tools. */
import { encodeSecp256k1Pubkey, pubkeyToAddress, serializeSignDoc, type StdSignDoc } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { AuthInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { start, type ProgramTestContext } from 'solana-bankrun'
import { serializeTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import * as TypedData from '../../../domain/mpc/TypedData.ts'
import { factsOf } from '../../../domain/service/policy/facts.ts'
import { signMessage, signTransaction } from '../../../domain/service/signing.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { keyOf, type Ended, type WalletKey } from '../../kit/device.ts'

let world: World
let host: SignedIn
let solana: WalletKey
let cosmos: WalletKey
let evm: WalletKey

beforeAll(async () => {
  world = await startWorld()
  const user = await makeUser(world)
  host = await signIn(world, user, await makePartner(world))
  const make = async (type: 'EVM' | 'SOLANA' | 'COSMOS') => {
    const wallet = value(await host.createWallet({ type }))
    const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
    return keyOf(await host.device.keygen({ ...wallet, scheme }, user.rootPublicKey))
  }
  solana = await make('SOLANA')
  cosmos = await make('COSMOS')
  evm = await make('EVM')
})

afterAll(() => world.stop())

const signatureOf = (ended: Ended): Uint8Array => {
  if (ended.kind !== 'done' || ended.made.signature === undefined) throw new Error(JSON.stringify(ended))
  return ended.made.signature
}

describe('a kind of another chain', () => {
  const typedData = TypedData.read({ types: { Ping: [] }, primaryType: 'Ping', message: {} })?.text ?? ''
  const transaction = serializeTransaction({ type: 'eip1559', chainId: 1, nonce: 0 }).slice(2)
  const ofEvm: readonly SigningRequest[] = [
    { kind: 'eip191', message: '00' },
    { kind: 'eip712', typedData },
    { kind: 'authorization', address: '12'.repeat(20), chainId: '1', nonce: '0' },
    { kind: 'transaction', transaction, chainId: '1', send: false },
  ]
  const refusal = { tag: 'PayloadNotSupported', message: 'payload is not supported' }

  it('is refused by a wallet of Cosmos, whose key has the same scheme', async () => {
    for (const asked of ofEvm) {
      expect(await host.device.sign(cosmos, asked)).toMatchObject(refusal)
      expect((await host.device.sign(evm, asked)).kind).toBe('done')
    }
  })

  it('is refused by a wallet of Cosmos beside a bare digest, too', async () => {
    const call = ({ walletId }: WalletKey) => {
      const protocolId = crypto.randomUUID()
      const body = { transaction: Buffer.from(transaction, 'hex').toString('base64'), chainId: '1', protocolId }
      return host.as({}, signTransaction(host.user.userId, walletId, body))
    }

    expect(await call(cosmos)).toMatchObject(refusal)
    expect(await call(evm)).toMatchObject({ kind: 'success' })
  })

  it('is refused by a wallet of EVM: documents that name its key and the address of its key', async () => {
    const pubkey = encodeSecp256k1Pubkey(evm.share.publicKey)
    const value = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: {} }
    const body = new Registry().encodeTxBody({ messages: [value] })
    const authInfo = makeAuthInfoBytes([{ pubkey: encodePubkey(pubkey), sequence: 0 }], [], 1, undefined, undefined)
    const direct = makeSignBytes(makeSignDoc(body, authInfo, 'cosmoshub-4', 7))
    const amino = CosmosMessage.signDoc(pubkeyToAddress(pubkey, 'cosmos'), utf8ToBytes('hello'))

    for (const [kind, document] of [
      ['cosmosDirect', direct],
      ['cosmosAmino', amino],
    ] as const) {
      expect(await host.device.sign(evm, { kind, signDoc: bytesToHex(document) })).toMatchObject(refusal)
    }
  })
})

describe('a document beside a bare digest', () => {
  const document = serializeSignDoc({
    chain_id: 'cosmoshub-4',
    account_number: '7',
    sequence: '0',
    fee: { amount: [], gas: '1' },
    msgs: [{ type: 'an/App', value: {} }],
    memo: '',
  })
  const call = (key: WalletKey, cosmosSignDoc: string, digestOf: Uint8Array = document) =>
    host.as(
      {},
      signMessage(host.user.userId, key.walletId, {
        message: base64.encode(sha256(digestOf)),
        protocolId: crypto.randomUUID(),
        cosmosSignDoc,
      }),
    )

  it('is one of Cosmos, in base64, that the digest is of, and for a wallet of Cosmos', async () => {
    const text = utf8ToBytes('what is signed')
    const refused = [
      await call(cosmos, base64.encode(text), text),
      await call(cosmos, base64.encode(utf8ToBytes('something else'))),
      await call(cosmos, '%'),
      await call(evm, base64.encode(document)),
    ]

    expect(await call(cosmos, base64.encode(document))).toMatchObject({ kind: 'success' })
    expect(refused).toMatchObject(refused.map(() => ({ tag: 'PayloadNotSupported' })))
  })

  it('names no other wallet’s address', async () => {
    const of = (publicKey: Uint8Array) =>
      CosmosMessage.signDoc(pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), 'cosmos'), utf8ToBytes('hello'))
    const foreign = of(evm.share.publicKey)
    const own = of(cosmos.share.publicKey)

    expect(await call(cosmos, base64.encode(foreign), foreign)).toMatchObject({ tag: 'AddressNotInWallet' })
    expect(await call(cosmos, base64.encode(own), own)).toMatchObject({ kind: 'success' })
  })
})

describe('a Solana transaction', () => {
  const to = new PublicKey(new Uint8Array(32).fill(9))
  const other = Keypair.fromSeed(new Uint8Array(32).fill(5))
  /** A lookup table that has `to`. */
  const table = new PublicKey(new Uint8Array(32).fill(11))
  const sol = 1_000_000_000
  let chain: ProgramTestContext
  let own: PublicKey

  beforeAll(async () => {
    own = new PublicKey(solana.share.publicKey)
    const account = { lamports: 10 * sol, data: Buffer.alloc(0), owner: SystemProgram.programId, executable: false }
    // Kind, slots, index, no authority, and from byte 56 the addresses (AddressLookupTableAccount.deserialize).
    const data = Buffer.concat([Buffer.alloc(56), to.toBytes()])
    data.writeUInt32LE(1, 0)
    data.writeBigUInt64LE(2n ** 64n - 1n, 4)
    chain = await start(
      [],
      [
        ...[own, other.publicKey].map((address) => ({ address, info: account })),
        { address: table, info: { ...account, data, owner: AddressLookupTableProgram.programId } },
      ],
    )
  })

  const pay = (from: PublicKey, lamports: number) =>
    SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
  const messageOf = (payerKey: PublicKey, ...instructions: readonly TransactionInstruction[]) =>
    new TransactionMessage({ payerKey, recentBlockhash: chain.lastBlockhash, instructions: [...instructions] })
  const asked = (message: Uint8Array): SigningRequest => ({ kind: 'solanaTransaction', message: bytesToHex(message) })
  const paid = () => chain.banksClient.getBalance(to)

  it.each(['legacy', 'version 0'] as const)('is executed by a Solana runtime: %s', async (version) => {
    const form = messageOf(own, pay(own, sol))
    const message = version === 'legacy' ? form.compileToLegacyMessage() : form.compileToV0Message()
    const before = await paid()
    const transaction = new VersionedTransaction(message)
    transaction.addSignature(own, signatureOf(await host.device.sign(solana, asked(message.serialize()))))
    await chain.banksClient.processTransaction(transaction)

    expect((await paid()) - before).toBe(BigInt(sol))
  })

  it('is executed beside a second signer, who pays the fee', async () => {
    const message = messageOf(other.publicKey, pay(own, sol), pay(other.publicKey, sol)).compileToV0Message()
    const before = await paid()
    const transaction = new VersionedTransaction(message)
    transaction.sign([other])
    transaction.addSignature(own, signatureOf(await host.device.sign(solana, asked(message.serialize()))))
    await chain.banksClient.processTransaction(transaction)

    expect((await paid()) - before).toBe(BigInt(2 * sol))
  })

  it('is executed with a lookup table, whose accounts the co-signer names unknown', async () => {
    const { data = new Uint8Array(0) } = (await chain.banksClient.getAccount(table)) ?? {}
    const account = new AddressLookupTableAccount({ key: table, state: AddressLookupTableAccount.deserialize(data) })
    expect(account.state.addresses).toEqual([to])

    const message = messageOf(own, pay(own, sol)).compileToV0Message([account])
    const request = asked(message.serialize())
    const before = await paid()
    const transaction = new VersionedTransaction(message)
    transaction.addSignature(own, signatureOf(await host.device.sign(solana, request)))
    await chain.banksClient.processTransaction(transaction)
    expect((await paid()) - before).toBe(BigInt(sol))

    const wallet = { type: 'SOLANA', address: own.toBase58(), ageMs: 0 } as const
    const common = { scheme: 'ED25519', wallet, deviceAgeMs: 0, origin: null, optedIn: false } as const
    const facts = (of: SigningRequest) => factsOf({ ...common, request: of })
    expect(facts(request).fields.get('recipient')).toEqual({ values: [], isUnknown: true })
    expect(facts(request).fields.get('lamports')).toEqual({ values: [String(sol)], isUnknown: false })
    expect(facts(request).warnings).toEqual([{ code: 'LOOKUP_TABLE', subject: table.toBase58() }])
    const resolved = facts(asked(messageOf(own, pay(own, sol)).compileToV0Message().serialize()))
    expect(resolved.fields.get('recipient')).toEqual({ values: [to.toBase58()], isUnknown: false })
    expect(resolved.warnings).toEqual([])
  })

  it('is refused where the wallet is none of its signers, and where it does not decode', async () => {
    const foreign = messageOf(other.publicKey, pay(other.publicKey, 1)).compileToV0Message().serialize()
    const named = SystemProgram.transfer({ fromPubkey: other.publicKey, toPubkey: own, lamports: 1 })
    const message = messageOf(own, pay(own, 1)).compileToV0Message().serialize()
    const refused = [
      foreign,
      messageOf(other.publicKey, named).compileToLegacyMessage().serialize(),
      message.subarray(0, -1),
      Uint8Array.from([...message, 0]),
    ]

    for (const bytes of refused) {
      expect(await host.device.sign(solana, asked(bytes))).toMatchObject({ tag: 'PayloadNotSupported' })
    }
  })
})

describe('a document of Cosmos', () => {
  const pubkey = () => ({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(cosmos.share.publicKey).toString('base64'),
  })
  const address = (prefix: string) => pubkeyToAddress(pubkey(), prefix)
  const stranger = secp256k1.getPublicKey(new Uint8Array(32).fill(7))
  const strange = { type: 'tendermint/PubKeySecp256k1', value: Buffer.from(stranger).toString('base64') }

  const body = () =>
    new Registry().encodeTxBody({
      messages: [
        {
          typeUrl: '/cosmos.bank.v1beta1.MsgSend',
          value: {
            fromAddress: address('cosmos'),
            toAddress: address('cosmos'),
            amount: [{ denom: 'uatom', amount: '1' }],
          },
        },
      ],
    })
  const direct = (publicKey: Any | undefined): Uint8Array => {
    const authInfo = AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [publicKey === undefined ? {} : { publicKey }],
        fee: { gasLimit: 200_000n },
      }),
    )
    return makeSignBytes(makeSignDoc(body(), authInfo.finish(), 'cosmoshub-4', 7))
  }
  const isSignedBy = (signature: Uint8Array, document: Uint8Array) =>
    secp256k1.verify(signature.subarray(0, 64), document, cosmos.share.publicKey)

  const amino = (changes: Partial<StdSignDoc> = {}): Uint8Array =>
    serializeSignDoc({
      chain_id: 'cosmoshub-4',
      account_number: '7',
      sequence: '0',
      fee: { amount: [], gas: '200000' },
      msgs: [{ type: 'cosmos-sdk/MsgSend', value: { from_address: address('cosmos') } }],
      memo: 'for & <tea>',
      ...changes,
    })
  const sign = (kind: 'cosmosDirect' | 'cosmosAmino', document: Uint8Array, prefix?: string) =>
    host.device.sign(cosmos, {
      kind,
      signDoc: bytesToHex(document),
      ...(prefix === undefined ? {} : { prefix }),
    })

  it('is signed: direct, with the wallet’s key or with none, amino, and a plain message', async () => {
    const plain = CosmosMessage.signDoc(address('cosmos'), utf8ToBytes('hello'))
    const signed = [
      ['cosmosDirect', direct(encodePubkey(pubkey()))],
      ['cosmosDirect', direct(undefined)],
      ['cosmosAmino', amino()],
      ['cosmosAmino', plain],
    ] as const

    for (const [kind, document] of signed) {
      expect(isSignedBy(signatureOf(await sign(kind, document)), document)).toBe(true)
    }
  })

  it('is signed under the prefix that was asked for', async () => {
    const plain = CosmosMessage.signDoc(address('osmo'), utf8ToBytes('hello'))

    expect(isSignedBy(signatureOf(await sign('cosmosAmino', plain, 'osmo')), plain)).toBe(true)
    expect(isSignedBy(signatureOf(await sign('cosmosAmino', amino(), 'a'.repeat(51))), amino())).toBe(true)
  })

  it('is refused with another’s key or address, in the catalogue’s words', async () => {
    const refused = [
      await sign('cosmosDirect', direct(encodePubkey(strange))),
      await sign('cosmosDirect', direct(encodePubkey(strange)), 'osmo'),
      await sign('cosmosAmino', CosmosMessage.signDoc(address('osmo'), utf8ToBytes('hello'))),
      await sign('cosmosAmino', CosmosMessage.signDoc(address('cosmos'), utf8ToBytes('hello')), 'osmo'),
    ]
    const named = [
      pubkeyToAddress(strange, 'cosmos'),
      pubkeyToAddress(strange, 'osmo'),
      address('osmo'),
      address('cosmos'),
    ]

    expect(refused).toMatchObject(
      named.map((one) => ({ tag: 'AddressNotInWallet', message: `Address ${one} not found in wallet` })),
    )
  })

  it('is refused with a key by which a chain hashes and addresses otherwise, and where it does not decode', async () => {
    const ethereum = { ...encodePubkey(pubkey()), typeUrl: '/ethermint.crypto.v1.ethsecp256k1.PubKey' }
    const refused = [
      await sign('cosmosDirect', direct(ethereum)),
      await sign('cosmosDirect', amino()),
      await sign('cosmosDirect', Uint8Array.from([...direct(encodePubkey(pubkey())), 0])),
      await sign('cosmosAmino', direct(encodePubkey(pubkey()))),
      await sign('cosmosAmino', Uint8Array.from([...amino(), 32])),
      await sign('cosmosAmino', amino(), 'a'.repeat(52)),
    ]

    expect(refused).toMatchObject(refused.map(() => ({ tag: 'PayloadNotSupported' })))
  })
})
