/** Signed transactions of Solana and Cosmos on their way to a node: a Solana runtime, and a stand-in of Cosmos. */
import { createHash } from 'node:crypto'
import { encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Frame } from '../../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../../domain/mpc/SigningRequest.ts'
import { defaultRates } from '../../../domain/service/rates.ts'
import { sendTransaction } from '../../../domain/service/signing.ts'
import { accountNumber, startCosmosNode, startSolanaNode, type ChainNode } from '../../kit/chainNodes.ts'
import { makePartner, makeUser, signIn, startWorld, value, type SignedIn, type World } from '../../kit/cosignerWorld.ts'
import { keyOf, type WalletKey } from '../../kit/device.ts'

let nodes: { readonly solana: ChainNode; readonly cosmos: ChainNode }
let world: World
let host: SignedIn
let stranger: SignedIn
let solana: WalletKey
let cosmos: WalletKey

beforeAll(async () => {
  nodes = { solana: await startSolanaNode(), cosmos: await startCosmosNode('cosmoshub-4') }
  const chains = new Map([
    ['solana:localnet', nodes.solana.url],
    ['cosmos:cosmoshub-4', nodes.cosmos.url],
    ['solana:devnet', 'http://127.0.0.1:1'],
    ['cosmos:theta-1', 'http://127.0.0.1:1'],
  ])
  world = await startWorld({ configuration: { chains } })
  const [user, partner] = [await makeUser(world), await makePartner(world)]
  host = await signIn(world, user, partner)
  stranger = await signIn(world, await makeUser(world), partner)
  const make = async (type: 'SOLANA' | 'COSMOS') => {
    const wallet = value(await host.createWallet({ type }))
    const scheme = type === 'SOLANA' ? 'ED25519' : 'DKLS'
    return keyOf(await host.device.keygen({ ...wallet, scheme }, user.rootPublicKey))
  }
  solana = await make('SOLANA')
  cosmos = await make('COSMOS')
  await rpc('requestAirdrop', [own().toBase58(), 10 * sol])
})

afterAll(async () => {
  await world.stop()
  await Promise.all([nodes.solana.stop(), nodes.cosmos.stop()])
})

type ToSend = Parameters<typeof sendTransaction>[2]

const send = (key: WalletKey, body: ToSend, by = host) => by.as({}, sendTransaction(by.user.userId, key.walletId, body))

const signed = async (key: WalletKey, request: SigningRequest) => {
  const protocolId = crypto.randomUUID()
  const ended = await host.device.sign(key, request, { protocolId })
  if (ended.kind !== 'done' || ended.made.signature === undefined) throw new Error(JSON.stringify(ended))
  return { protocolId, signature: ended.made.signature }
}

const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const invalid = { tag: 'InvalidTransaction', message: 'invalid transaction' }
const notSigned = { tag: 'TransactionNotSigned', message: 'the co-signer has not signed this transaction' }

const sol = 1_000_000_000
const own = () => new PublicKey(solana.share.publicKey)
const rpc = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = (await (await fetch(nodes.solana.url, { method: 'POST', body })).json()) as {
    readonly result: unknown
  }
  return answer.result
}

describe('a Solana transaction', () => {
  const to = new PublicKey(new Uint8Array(32).fill(9))
  const other = Keypair.fromSeed(new Uint8Array(32).fill(5))
  let blockhash: string
  let lamports = sol

  beforeAll(async () => {
    const { value: latest } = (await rpc('getLatestBlockhash')) as { readonly value: { readonly blockhash: string } }
    blockhash = latest.blockhash
    await rpc('requestAirdrop', [other.publicKey.toBase58(), 10 * sol])
  })

  // A runtime executes a message once, so each has an amount of its own.
  beforeEach(() => {
    lamports += 1
  })

  const unsigned = (payerKey = own(), blockhashOf = blockhash) => {
    const instructions = [SystemProgram.transfer({ fromPubkey: own(), toPubkey: to, lamports })]
    return new TransactionMessage({ payerKey, recentBlockhash: blockhashOf, instructions }).compileToV0Message()
  }
  const made = async (message = unsigned(), cosigners: readonly Keypair[] = []) => {
    const request = { kind: 'solanaTransaction', message: bytesToHex(message.serialize()) } as const
    const { protocolId, signature } = await signed(solana, request)
    const transaction = new VersionedTransaction(message)
    transaction.sign([...cosigners])
    transaction.addSignature(own(), signature)
    const [bytes, id] = [transaction.serialize(), base58.encode(transaction.signatures[0] ?? new Uint8Array(0))]
    return { bytes, id, body: { transaction: base64(bytes), chainId: 'solana:localnet', protocolId } }
  }
  const paid = async () => ((await rpc('getBalance', [to.toBase58()])) as { readonly value: number }).value

  it('is executed once, however often it is sent, and named by its first signature', async () => {
    const [before, { id, body }] = [await paid(), await made()]

    const answers = [await send(solana, body), await send(solana, body)]

    expect(answers).toEqual(answers.map(() => ({ kind: 'success', value: { txHash: id } })))
    expect((await paid()) - before).toBe(lamports)
  })

  it('is named by the signature of the fee payer, who is another', async () => {
    const { id, body } = await made(unsigned(other.publicKey), [other])

    expect(await send(solana, body)).toEqual({ kind: 'success', value: { txHash: id } })
  })

  it('is found on the chain where the answer of the node was lost', async () => {
    const [before, { id, body }] = [await paid(), await made()]
    nodes.solana.loseAnswers(1)

    expect(await send(solana, body)).toMatchObject({ tag: 'ChainUnavailable' })
    expect(await send(solana, body)).toEqual({ kind: 'success', value: { txHash: id } })
    expect((await paid()) - before).toBe(lamports)
  })

  it('is refused with the reason of the node', async () => {
    const { body } = await made(unsigned(own(), to.toBase58()))

    expect(await send(solana, body)).toEqual({
      kind: 'refused',
      tag: 'BroadcastRefused',
      message: expect.stringMatching(/^transaction refused: Transaction simulation failed: .*Blockhash not found/i),
    })
  })

  it('never reaches a node unless the co-signer signed exactly it for this wallet', async () => {
    const { bytes, body } = await made(unsigned(other.publicKey), [other])
    const another = await made()
    const count = nodes.solana.sent.length

    const refused: readonly (readonly [ToSend, object])[] = [
      [{ ...body, protocolId: crypto.randomUUID() }, notSigned],
      [{ ...body, protocolId: another.body.protocolId }, notSigned],
      [{ ...body, transaction: base64(flipped(bytes, 3)) }, invalid],
      [{ ...body, transaction: base64(flipped(bytes, 64 + 3)) }, invalid],
      [{ ...body, transaction: base64(flipped(bytes, bytes.length - 2)) }, notSigned],
      [{ ...body, transaction: base64(bytes.slice().fill(0, 1, 65)) }, invalid],
      [{ ...body, transaction: base64(Uint8Array.from([1, ...bytes.subarray(65)])) }, invalid],
      [{ ...body, transaction: base64(bytes.subarray(1 + 2 * 64)) }, invalid],
      [{ ...body, transaction: '' }, invalid],
      [{ ...body, transaction: '%' }, { tag: 'PayloadNotSupported' }],
    ]
    for (const [asked, refusal] of refused) expect(await send(solana, asked)).toMatchObject(refusal)
    expect(await send(solana, another.body, stranger)).toMatchObject({ tag: 'WalletDoesNotExist' })
    expect(nodes.solana.sent).toHaveLength(count)
  })

  it('goes to the named chain alone: one that is configured, and of the wallet’s type', async () => {
    const { body } = await made()
    const of = async (chainId: string, key = solana) => send(key, { ...body, chainId })

    expect(await of('solana:mainnet')).toMatchObject({
      tag: 'ChainNotConfigured',
      message: 'chain solana:mainnet is not configured',
    })
    expect(await of('solana:devnet')).toMatchObject({
      tag: 'ChainUnavailable',
      message: 'chain solana:devnet does not answer',
    })
    expect(await of('cosmos:cosmoshub-4')).toMatchObject({ tag: 'WalletTypeNotSelectable' })
    expect(await of('solana:localnet', cosmos)).toMatchObject({ tag: 'WalletTypeNotSelectable' })
    expect(await of('1')).toMatchObject({ tag: 'WalletSchemeNotSelectable' })
    expect(await of('solana:')).toMatchObject({ tag: 'WalletSchemeNotSelectable' })
  })
})

it('is looked at as often as a user may sign', async () => {
  const small = await startWorld({
    configuration: { rates: { ...defaultRates, R4_SIGN: { burst: 2, perMs: 60_000 } } },
  })
  const user = await makeUser(small)
  const bob = await signIn(small, user, await makePartner(small))
  const wallet = value(await bob.createWallet({ type: 'SOLANA' }))
  const key = keyOf(await bob.device.keygen({ ...wallet, scheme: 'ED25519' }, user.rootPublicKey))
  const asked = { transaction: '', chainId: 'solana:localnet', protocolId: crypto.randomUUID() }
  const refused = [await send(key, asked, bob), await send(key, asked, bob), await send(key, asked, bob)]
  await small.stop()

  expect(refused).toMatchObject([invalid, invalid, { tag: 'TooManyAttempts' }])
})

describe('a Cosmos transaction', () => {
  const pubkey = () => encodeSecp256k1Pubkey(cosmos.share.publicKey)
  const stranger = secp256k1.getPublicKey(new Uint8Array(32).fill(7))
  let sequence = 0

  const documentOf = (chainId = 'cosmoshub-4', keys = [encodePubkey(pubkey())]) => {
    const address = pubkeyToAddress(pubkey(), 'cosmos')
    const value = { fromAddress: address, toAddress: address, amount: [{ denom: 'uatom', amount: '1' }] }
    const body = new Registry().encodeTxBody({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }] })
    const signers = keys.map((key) => ({ pubkey: key, sequence }))
    const authInfo = makeAuthInfoBytes(signers, [], 200_000, undefined, undefined)
    return makeSignDoc(body, authInfo, chainId, accountNumber)
  }
  const made = async (document = documentOf()) => {
    const signDoc = makeSignBytes(document)
    const { protocolId, signature } = await signed(cosmos, { kind: 'cosmosDirect', signDoc: bytesToHex(signDoc) })
    const { bodyBytes, authInfoBytes } = document
    const raw = { bodyBytes, authInfoBytes, signatures: [signature.subarray(0, 64)] }
    const chainId = `cosmos:${document.chainId}`
    return { raw, body: { ...encoded(raw), chainId, protocolId, cosmosSignDoc: base64(signDoc) } }
  }
  const encoded = (raw: TxRaw) => ({ transaction: base64(TxRaw.encode(raw).finish()) })
  const hashOf = ({ transaction }: { readonly transaction: string }) =>
    createHash('sha256').update(transaction, 'base64').digest('hex').toUpperCase()

  it('is taken once, however often it is sent, and named by its hash', async () => {
    const { body } = await made()

    const answers = [await send(cosmos, body), await send(cosmos, body)]

    sequence += 1
    expect(answers).toEqual(answers.map(() => ({ kind: 'success', value: { txHash: hashOf(body) } })))
  })

  it('is found on the chain where the answer of the node was lost', async () => {
    const { body } = await made()
    nodes.cosmos.loseAnswers(1)

    expect(await send(cosmos, body)).toMatchObject({ tag: 'ChainUnavailable' })
    expect(await send(cosmos, body)).toEqual({ kind: 'success', value: { txHash: hashOf(body) } })
    sequence += 1
  })

  it('is refused with the reason of the node', async () => {
    sequence += 5
    const { body } = await made()
    sequence -= 5

    expect(await send(cosmos, body)).toMatchObject({
      tag: 'BroadcastRefused',
      message: `transaction refused: account sequence mismatch, expected ${sequence}, got ${sequence + 5}`,
    })
  })

  it('never reaches a node unless the co-signer signed exactly it for this wallet', async () => {
    const { raw, body } = await made()
    const failed = crypto.randomUUID()
    const spoilt = (frame: Frame) => host.device.signFrame({ ...frame, body: frame.body.subarray(1) })
    const another = await made(documentOf('cosmoshub-4', [encodePubkey(pubkey()), encodePubkey(pubkey())]))
    const ended = await host.device.sign(
      cosmos,
      { kind: 'cosmosDirect', signDoc: Buffer.from(body.cosmosSignDoc, 'base64').toString('hex') },
      { protocolId: failed, meddle: (request, frame) => (frame.step === 1 ? request : spoilt(frame)) },
    )
    expect(ended).toMatchObject({ kind: 'stopped', status: 'ABORT' })
    const ofAnother = makeSignBytes({ ...documentOf(), accountNumber: 8n })
    const [signature = new Uint8Array(0)] = raw.signatures
    const count = nodes.cosmos.sent.length

    const refused: readonly (readonly [ToSend, object])[] = [
      [{ ...body, protocolId: crypto.randomUUID() }, notSigned],
      [{ ...body, protocolId: another.body.protocolId }, notSigned],
      [{ ...body, protocolId: failed }, notSigned],
      [{ ...body, cosmosSignDoc: base64(ofAnother) }, notSigned],
      [{ ...body, cosmosSignDoc: undefined }, invalid],
      [{ ...body, ...encoded({ ...raw, signatures: [flipped(signature, 40)] }) }, invalid],
      [{ ...body, ...encoded({ ...raw, signatures: [signature, signature] }) }, invalid],
      [{ ...body, ...encoded({ ...raw, signatures: [] }) }, invalid],
      [{ ...body, ...encoded({ ...raw, bodyBytes: another.raw.bodyBytes.subarray(2) }) }, invalid],
      [{ ...body, ...encoded({ ...raw, authInfoBytes: another.raw.authInfoBytes }) }, invalid],
      [{ ...body, transaction: base64(Uint8Array.from([...TxRaw.encode(raw).finish(), 0])) }, invalid],
      [another.body, invalid],
      [{ ...body, chainId: 'cosmos:theta-1' }, invalid],
    ]
    for (const [asked, refusal] of refused) expect(await send(cosmos, asked)).toMatchObject(refusal)
    expect(nodes.cosmos.sent).toHaveLength(count)
  })

  it('is refused with signatures in another mode, or of another’s key', async () => {
    const document = documentOf()
    const { signerInfos, fee } = AuthInfo.decode(document.authInfoBytes)
    const inMode = (mode: SignMode, publicKey = encodePubkey(pubkey())) => ({
      ...document,
      authInfoBytes: AuthInfo.encode(
        AuthInfo.fromPartial({
          signerInfos: signerInfos.map((info) => ({ ...info, publicKey, modeInfo: { single: { mode } } })),
          ...(fee === undefined ? {} : { fee }),
        }),
      ).finish(),
    })
    const amino = await made(inMode(SignMode.SIGN_MODE_LEGACY_AMINO_JSON))
    const withoutKey = await made({
      ...document,
      authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ signerInfos: [{}], ...(fee && { fee }) })).finish(),
    })

    expect(await send(cosmos, amino.body)).toMatchObject(invalid)
    expect(await send(cosmos, withoutKey.body)).toMatchObject(invalid)
    const foreign = [encodePubkey(encodeSecp256k1Pubkey(stranger)), encodePubkey(pubkey())]
    const ours = await made(documentOf('cosmoshub-4', foreign))
    const [signature = new Uint8Array(0)] = ours.raw.signatures
    const swapped = encoded({ ...ours.raw, signatures: [signature, new Uint8Array(64)] })
    expect(await send(cosmos, { ...ours.body, ...swapped })).toMatchObject(invalid)
  })
})
