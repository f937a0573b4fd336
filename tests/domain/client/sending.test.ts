/** What the SDK asks of the service to have a transaction of Solana or Cosmos sent, and to say before a run what it signs. */
import { createHash } from 'node:crypto'
import { pubkeyToAddress, encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import type * as ManagedRuntime from 'effect/ManagedRuntime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StorageFailed } from '../../../adapters/browser/StorageFailed.ts'
import { createWallet } from '../../../domain/client/createWallet.ts'
import { preSignMessage } from '../../../domain/client/preSignMessage.ts'
import { Mpc, type BegunRun } from '../../../domain/client/ports/Mpc.ts'
import { Progress, type Step } from '../../../domain/client/ports/Progress.ts'
import { ShareStore } from '../../../domain/client/ports/ShareStore.ts'
import { sendCosmosTransaction } from '../../../domain/client/sendCosmosTransaction.ts'
import { sendSolanaTransaction } from '../../../domain/client/sendSolanaTransaction.ts'
import { sendTransaction } from '../../../domain/client/signEthereum.ts'
import { ApiError } from '../../../domain/model/ApiError.ts'
import { WorkerFailed } from '../../../domain/model/MpcWorker.ts'
import * as Frame from '../../../domain/mpc/Frame.ts'
import type { Input } from '../../../generated/handlers.ts'
import { sentHash } from '../../kit/cosigner.ts'
import { silence } from '../../kit/hostStage.ts'
import { partnerId } from '../../kit/loginScene.ts'
import { makeWalletWorld, userId } from '../../kit/walletWorld.ts'

let world: Awaited<ReturnType<typeof makeWalletWorld>>
let steps: Step['step'][] = []

beforeAll(async () => {
  world = await makeWalletWorld()
  world.answer('getPartner', () => ({
    partner: { id: partnerId, displayName: 'Shop', policiesEnabled: true, supportedAuthMethods: [] },
  }))
})
afterAll(() => world.runtime.dispose())
beforeEach(() => {
  steps = []
  world.asked.length = 0
  world.pauses.length = 0
  world.cosigner.frames.length = 0
})

type Services = ManagedRuntime.ManagedRuntime.Services<(typeof world)['runtime']>
type Flow<A, E> = Effect.Effect<A, E, Services>
const run = <A, E>(flow: Flow<A, E>): Promise<A> =>
  world.runtime.runPromise(Effect.provideService(flow, Progress, ({ step }) => void steps.push(step)))
const failed = <A, E>(flow: Flow<A, E>) => run(Effect.flip(flow))

const calls = () =>
  world.asked
    .filter(({ operation }) => operation === 'sendTransaction')
    .map(({ input }) => input as Input<'sendTransaction'>)
const runIds = () => [
  ...new Set(world.cosigner.frames.filter(({ operation }) => operation === 'SIGN').map(({ protocolId }) => protocolId)),
]

const pendingTransactionId = 'dd0c7a10-1f6e-4c1d-9a44-0d7d8c3b1a0d'
const held = Frame.encodeHeld({ pendingTransactionId, contentHash: new Uint8Array(32) })

const unavailable = new ApiError({ message: 'chain x does not answer', code: 'ChainUnavailable', status: 503 })
const refused = new ApiError({ message: 'transaction refused: no', code: 'BroadcastRefused', status: 400 })

const lost = new ApiError({ message: 'run lost', code: 'RunLost', status: 409 })
const uncertified = new ApiError({ message: 'device not certified', code: 'DeviceNotCertified', status: 403 })

describe('an Ethereum transaction', () => {
  const transaction = Buffer.from(`02df0180010182520894${'00'.repeat(20)}0180c0`, 'hex')
  let send: ReturnType<typeof sendTransaction>

  beforeAll(async () => {
    const { walletId } = await world.runtime.runPromise(createWallet({ type: 'EVM' }))
    send = sendTransaction({ walletId }, { transaction, chainId: '1' })
  })
  afterEach(() => world.cosigner.between((exchange) => exchange()))

  /** The first answers to the request of that step. */
  const answers = (step: number, outcomes: readonly ('silence' | ApiError)[]) => {
    const left = [...outcomes]
    world.cosigner.between((exchange, frame) =>
      frame.operation === 'SIGN' && frame.step === step ? (left.shift() ?? exchange()) : exchange(),
    )
  }
  /** The answers to the first run, one after another, to the second, and so on. */
  const answersOfRuns = (runs: readonly (readonly (Uint8Array | 'silence' | ApiError | undefined)[])[]) => {
    const left = runs.map((outcomes) => [...outcomes])
    world.cosigner.between((exchange, { operation }) =>
      operation === 'SIGN' ? (left[runIds().length - 1]?.shift() ?? exchange()) : exchange(),
    )
  }
  const lasts = () => world.cosigner.frames.filter(({ operation, step }) => operation === 'SIGN' && step === 2)

  it('is asked for again by the same bytes into silence and where the node does not answer', async () => {
    answers(2, ['silence', unavailable, 'silence', unavailable])
    const { transactionHash } = await run(send)

    expect(transactionHash).toEqual(sentHash)
    expect(lasts()).toEqual(Array.from({ length: 5 }, () => lasts()[0]))
    expect(runIds()).toHaveLength(1)
    expect(world.pauses).toEqual([200, 400, 800, 1_600])
  })

  it.each([
    ['silence', 'silence' as const],
    ['a node that does not answer', unavailable],
  ])('may have been sent after %s: no other run signs it', async (_, outcome) => {
    answers(
      2,
      Array.from({ length: 9 }, () => outcome),
    )

    expect(await failed(send)).toMatchObject({
      _tag: 'TransactionNotSent',
      message: 'it is not known whether the transaction was sent',
    })
    expect(lasts()).toHaveLength(5)
    expect(runIds()).toHaveLength(1)
  })

  it('is signed in another run where its last request had not left, or a restart ended the run', async () => {
    answers(1, ['silence', 'silence', 'silence'])
    expect((await run(send)).transactionHash).toEqual(sentHash)
    expect(runIds()).toHaveLength(2)

    world.cosigner.frames.length = 0
    answers(2, [lost])
    expect((await run(send)).transactionHash).toEqual(sentHash)
    expect(runIds()).toHaveLength(2)
  })

  it('may have been sent where it is refused after an unclear answer, unless the node refuses it', async () => {
    answers(2, [unavailable, uncertified])
    expect(await failed(send)).toMatchObject({ _tag: 'TransactionNotSent', cause: uncertified })
    answers(2, [uncertified])
    expect(await failed(send)).toMatchObject({ code: 'DeviceNotCertified' })
    answers(2, ['silence', refused])
    expect(await failed(send)).toMatchObject({ code: 'BroadcastRefused' })
    answers(2, ['silence', lost])
    expect((await run(send)).transactionHash).toEqual(sentHash)
  })

  it('may have been sent where a run before was unclear, also if the next one is refused', async () => {
    answersOfRuns([[undefined, 'silence', lost], [uncertified]])
    expect(await failed(send)).toMatchObject({ _tag: 'TransactionNotSent', cause: uncertified })
  })

  it('may have been sent where a run before was unclear, also if the node refuses that of the next one', async () => {
    answersOfRuns([
      [undefined, 'silence', lost],
      [undefined, 'silence', refused],
    ])
    expect(await failed(send)).toMatchObject({ _tag: 'TransactionNotSent', cause: refused })
  })

  it('was not sent where the node refuses it after four unclear answers', async () => {
    answers(2, ['silence', 'silence', 'silence', 'silence', refused])
    expect(await failed(send)).toMatchObject({ code: 'BroadcastRefused' })
  })

  /** That request is the last one that the device sent. */
  const isAt = (step: number) => {
    const last = world.cosigner.frames.at(-1)
    return last?.operation === 'SIGN' && last.step === step
  }
  const withKeys = (keys: (known: ShareStore['Service']['cosignerKeys']) => ShareStore['Service']['cosignerKeys']) =>
    Effect.flatMap(ShareStore, (store) =>
      Effect.provideService(send, ShareStore, { ...store, cosignerKeys: keys(store.cosignerKeys) }),
    )
  const storageFailed = new StorageFailed({ cause: new Error('the disk cannot be read') })
  const storageFails = (step: number) =>
    withKeys((known) => Effect.suspend(() => (isAt(step) ? Effect.die(storageFailed) : known)))

  const workerFailed = new WorkerFailed({ workId: 'a run', reason: 'another run has banned' })
  const workerFails = (step: number) =>
    Effect.flatMap(Mpc, (mpc) => {
      const failing = (begun: BegunRun): BegunRun => ({
        ...begun,
        receive: (round, response) => (isAt(step) ? Effect.fail(workerFailed) : begun.receive(round, response)),
      })
      const begin: Mpc['Service']['begin'] = (given) =>
        Effect.map(mpc.begin(given), (begun) => ('kind' in begun ? begun : failing(begun)))
      return Effect.provideService(send, Mpc, { ...mpc, begin })
    })

  const answerIsUnsigned = (step: number) => {
    world.cosigner.between((exchange) => (isAt(step) ? new TextEncoder().encode('<html>') : exchange()))
    return send
  }
  const unsigned = { _tag: 'ProtocolAborted', by: 'client' }

  it.each([
    ['the storage fails', storageFails, storageFailed, storageFailed],
    ['the worker fails', workerFails, workerFailed, { _tag: 'TransactionSigningFailed', cause: workerFailed }],
    ['an answer is not signed', answerIsUnsigned, unsigned, { _tag: 'TransactionSigningFailed', cause: unsigned }],
  ])('may have been sent where %s once the last request has left, and not before', async (_, at, cause, before) => {
    expect(await failed(at(2))).toMatchObject({
      _tag: 'TransactionNotSent',
      message: 'it is not known whether the transaction was sent',
      cause,
    })
    expect(runIds()).toHaveLength(1)

    const ended = await run(Effect.flip(Effect.sandbox(at(1))))
    expect(Cause.squash(ended)).toMatchObject(before)
  })

  it('was not sent where a restart ended its run and the next one fails before its last request', async () => {
    answersOfRuns([[undefined, lost], [new Uint8Array(0)]])
    expect(await failed(send)).toMatchObject({ _tag: 'TransactionSigningFailed', cause: unsigned })
  })

  it('was not sent where the co-signer ends or holds the run under its key', async () => {
    const says = (status: Frame.Status, body?: Uint8Array) => {
      world.cosigner.between((exchange, _, say) => (isAt(2) ? say(status, body) : exchange()))
      return failed(send)
    }
    expect(await says('ABORT')).toMatchObject({ _tag: 'TransactionSigningFailed', cause: { by: 'cosigner' } })
    expect(await says('HELD', held)).toMatchObject({ _tag: 'TransactionReviewError' })
    expect(await says('BAN')).toMatchObject({ _tag: 'KeyShareLocked' })
    await run(Effect.flatMap(ShareStore, ({ unlockAll }) => unlockAll))
  })

  it('is cancelled as any other call, also once its last request has left', async () => {
    const ended = await run(
      Effect.flip(Effect.sandbox(withKeys((known) => Effect.suspend(() => (isAt(2) ? Effect.interrupt : known))))),
    )
    expect(Cause.hasInterruptsOnly(ended)).toBe(true)
  })

  it('is not asked for again once it is refused', async () => {
    answers(2, [refused])

    expect(await failed(send)).toMatchObject({ code: 'BroadcastRefused' })
    expect(lasts()).toHaveLength(1)
  })
})

describe('a Solana transaction', () => {
  const other = Keypair.fromSeed(new Uint8Array(32).fill(5))
  let walletId: string
  let own: PublicKey

  beforeAll(async () => {
    ;({ walletId } = await world.runtime.runPromise(createWallet({ type: 'SOLANA' })))
    own = new PublicKey(world.cosigner.addresses.get(walletId) ?? '')
  })

  const made = (payerKey: PublicKey, cosigners: readonly Keypair[], version: 'legacy' | 0 = 0, fromPubkey = own) => {
    const instructions = [SystemProgram.transfer({ fromPubkey, toPubkey: other.publicKey, lamports: 1 })]
    const message = new TransactionMessage({ payerKey, recentBlockhash: own.toBase58(), instructions })
    const transaction = new VersionedTransaction(
      version === 0 ? message.compileToV0Message() : message.compileToLegacyMessage(),
    )
    transaction.sign([...cosigners])
    return transaction.serialize()
  }
  const answer = (outcomes: (string | ApiError)[]) => {
    world.answer('sendTransaction', ({ body }) => {
      const outcome = outcomes.shift() ?? idOf(body.transaction)
      if (outcome instanceof ApiError) throw outcome
      return { txHash: outcome }
    })
  }
  const idOf = (transaction: string) => base58.encode(Buffer.from(transaction, 'base64').subarray(1, 65))
  const send = (transaction: Uint8Array, chainId = 'solana:mainnet') =>
    sendSolanaTransaction({ walletId }, { transaction, chainId })

  it.each(['legacy', 0] as const)(
    'is handed back with the wallet’s signature in its place: version %s',
    async (version) => {
      answer([])
      const sent = await run(send(made(other.publicKey, [other], version)))
      const [call] = calls()

      const { signatures, message } = VersionedTransaction.deserialize(sent.transaction)
      expect(
        signatures.map((one, index) =>
          ed25519.verify(one, message.serialize(), [other.publicKey, own][index]!.toBytes()),
        ),
      ).toEqual([true, true])
      expect(call).toEqual({
        path: { userId, walletId },
        body: {
          transaction: Buffer.from(sent.transaction).toString('base64'),
          chainId: 'solana:mainnet',
          protocolId: runIds()[0],
        },
      })
      expect(sent.transactionHash).toBe(base58.encode(signatures[0] ?? new Uint8Array(0)))
      expect(steps.slice(-2)).toEqual(['verifying', 'sending'])
    },
  )

  it('is sent again, the same bytes after one signature, into silence and where the node does not answer', async () => {
    answer([silence, unavailable])
    const { transactionHash } = await run(send(made(own, [])))
    const bodies = calls().map(({ body }) => body)

    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
    expect(transactionHash).toBe(idOf(bodies[0]?.transaction ?? ''))
    expect(world.pauses).toEqual([1_000, 1_000])
    expect(runIds()).toHaveLength(1)
  })

  it.each([
    ['silence', [silence, silence, silence]],
    ['a node that does not answer', [unavailable, unavailable, unavailable]],
    ['silence, and a refusal of the repetition', [silence, uncertified]],
    ['an answer about another transaction', ['other']],
  ])('may have been sent after %s: the app gets it as it is signed', async (_, outcomes) => {
    const count = outcomes.length
    answer([...outcomes])
    const error = await failed(send(made(own, [])))
    const [call] = calls()

    expect(error).toMatchObject({
      _tag: 'SendingUnclear',
      message: 'the transaction was signed, but it is not known whether it was sent',
      transaction: Uint8Array.from(Buffer.from(call?.body.transaction ?? '', 'base64')),
      transactionHash: idOf(call?.body.transaction ?? ''),
    })
    expect(calls()).toHaveLength(count)
  })

  it('is not waited for where a policy holds it: the call fails with the page to open, and works once it is accepted', async () => {
    let isHeld = true
    world.cosigner.between((exchange, _, say) => (isHeld ? say('HELD', held) : exchange()))
    answer([])
    const transaction = made(own, [])
    const error = await failed(send(transaction))
    isHeld = false

    expect(error).toMatchObject({
      _tag: 'TransactionReviewError',
      transactionReviewUrl: expect.stringContaining(pendingTransactionId),
    })
    expect([world.popups.opened, calls(), steps]).toEqual([[], [], ['signing']])
    expect(VersionedTransaction.deserialize((await run(send(transaction))).transaction).signatures).toHaveLength(1)
  })

  it('is not sent again once a node refused it', async () => {
    answer([refused])

    expect(await failed(send(made(own, [])))).toMatchObject({ message: 'transaction refused: no' })
    expect(calls()).toHaveLength(1)
  })

  it('is not signed where it could not be sent', async () => {
    const whole = made(other.publicKey, [other])
    const impossible = [
      send(whole, '1'),
      send(whole, 'solana:'),
      send(whole, 'cosmos:cosmoshub-4'),
      send(made(other.publicKey, [])),
      send(made(other.publicKey, [other], 'legacy').subarray(0, -1)),
      send(whole.subarray(1)),
      send(new Uint8Array(0)),
      send(made(other.publicKey, [other], 0, other.publicKey)),
      send(Uint8Array.from([2, ...whole.subarray(1, 65), ...whole.subarray(1, 65), ...made(own, []).subarray(65)])),
      send(whole.map((byte, index) => (index === 0 ? 3 : byte))),
      send(made(own, []).map((byte, index) => (index > 68 && index < 101 ? 1 : byte))),
    ]
    for (const flow of impossible) {
      expect(await failed(flow)).toMatchObject({ _tag: 'PayloadRefused', message: 'payload is not supported' })
    }
    expect(world.cosigner.frames).toEqual([])
    expect(calls()).toEqual([])
  })
})

describe('a Cosmos transaction', () => {
  let walletId: string
  let publicKey: Uint8Array
  let signerAddress: string

  beforeAll(async () => {
    ;({ walletId } = await world.runtime.runPromise(createWallet({ type: 'COSMOS' })))
    publicKey = world.cosigner.publicKeys.get(walletId) ?? new Uint8Array(0)
    signerAddress = pubkeyToAddress(encodeSecp256k1Pubkey(publicKey), 'cosmos')
  })

  const documentOf = (chainId = 'cosmoshub-4') => {
    const value = { fromAddress: signerAddress, toAddress: signerAddress, amount: [{ denom: 'uatom', amount: '1' }] }
    const body = new Registry().encodeTxBody({ messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }] })
    const signers = [{ pubkey: encodePubkey(encodeSecp256k1Pubkey(publicKey)), sequence: 3 }]
    return makeSignDoc(body, makeAuthInfoBytes(signers, [], 200_000, undefined, undefined), chainId, 7)
  }
  const hashOf = (transaction: string) => createHash('sha256').update(transaction, 'base64').digest('hex').toUpperCase()
  const send = (document = documentOf()) => sendCosmosTransaction({ walletId, signerAddress }, document)

  it('is handed back as cosmjs reads it, with the document that was signed', async () => {
    world.answer('sendTransaction', ({ body }) => ({ txHash: hashOf(body.transaction) }))
    const document = documentOf()
    const sent = await run(send(document))
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(sent.transaction)

    expect({ bodyBytes, authInfoBytes }).toEqual({
      bodyBytes: document.bodyBytes,
      authInfoBytes: document.authInfoBytes,
    })
    expect(signatures).toHaveLength(1)
    expect(secp256k1.verify(signatures[0] ?? new Uint8Array(0), makeSignBytes(document), publicKey)).toBe(true)
    expect(TxRaw.encode(TxRaw.decode(sent.transaction)).finish()).toEqual(sent.transaction)
    expect(calls()).toEqual([
      {
        path: { userId, walletId },
        body: {
          transaction: Buffer.from(sent.transaction).toString('base64'),
          chainId: 'cosmos:cosmoshub-4',
          protocolId: runIds()[0],
          cosmosSignDoc: Buffer.from(makeSignBytes(document)).toString('base64'),
        },
      },
    ])
    expect(sent.transactionHash).toBe(hashOf(calls()[0]?.body.transaction ?? ''))
  })

  it('is not waited for where a policy holds it', async () => {
    world.cosigner.between((exchange, { operation }, say) => (operation === 'SIGN' ? say('HELD', held) : exchange()))
    const error = await failed(send())
    world.cosigner.between((exchange) => exchange())

    expect(error).toMatchObject({ _tag: 'TransactionReviewError' })
    expect(calls()).toEqual([])
  })

  it('is not signed where it could not be sent', async () => {
    for (const chainId of ['', 'a'.repeat(33), 'a b']) {
      expect(await failed(send(documentOf(chainId)))).toMatchObject({ message: 'payload is not supported' })
    }
    expect(world.cosigner.frames).toEqual([])
  })
})

describe('what is said before a run', () => {
  let wallets: Readonly<Record<'EVM' | 'SOLANA' | 'COSMOS', string>>

  beforeAll(async () => {
    const make = async (type: 'EVM' | 'SOLANA' | 'COSMOS') =>
      (await world.runtime.runPromise(createWallet({ type }))).walletId
    wallets = { EVM: await make('EVM'), SOLANA: await make('SOLANA'), COSMOS: await make('COSMOS') }
  })

  const protocolId = '6c7d8e9f-0a1b-4c2d-8e3f-4a5b6c7d8e9f'
  const digest = new Uint8Array(32).fill(7)
  const said = () =>
    world.asked.filter(({ operation }) => operation === 'signMessage').map(({ input }) => input as Input<'signMessage'>)

  it('is the digest in base64 without a scheme, under a new id of a run', async () => {
    world.answer('signMessage', () => ({}))
    const walletId = wallets.EVM
    const answered = await run(preSignMessage({ walletId }, { message: digest }))

    expect(answered).toEqual({ walletId, protocolId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    const message = Buffer.from(digest).toString('base64')
    expect(said()).toEqual([
      { path: { userId, walletId }, body: { walletId, message, scheme: null, protocolId: answered.protocolId } },
    ])
  })

  it('is of Cosmos with the document, and of Solana the message with its scheme, under the app’s own id', async () => {
    world.answer('signMessage', () => ({ pendingTransactionId: protocolId }))
    const cosmos = { message: digest, cosmosSignDoc: Uint8Array.of(1, 2, 3), protocolId }
    const held = await run(preSignMessage({ walletId: wallets.COSMOS, timeoutMs: 5_000 }, cosmos))
    await run(preSignMessage({ walletId: wallets.SOLANA }, { message: Uint8Array.of(1, 2, 3), protocolId }))

    expect(held).toEqual({ walletId: wallets.COSMOS, protocolId, pendingTransactionId: protocolId })
    expect(said().map(({ body }) => body)).toEqual([
      {
        walletId: wallets.COSMOS,
        message: Buffer.from(digest).toString('base64'),
        scheme: null,
        protocolId,
        cosmosSignDoc: 'AQID',
        timeout: 5_000,
      },
      { walletId: wallets.SOLANA, message: 'AQID', scheme: 'ED25519', protocolId },
    ])
  })

  it.each([
    [2_500.4, 2_500],
    [-1, 1_000],
    [Infinity, 600_000],
    [NaN, 30_000],
  ])('has the time of its review as every signature has it: %s is %s', async (timeoutMs, timeout) => {
    world.answer('signMessage', () => ({}))
    await run(preSignMessage({ walletId: wallets.EVM, timeoutMs }, { message: digest }))

    expect(said()).toMatchObject([{ body: { timeout } }])
  })

  it('answers the signature that the run has made already', async () => {
    const signature = { r: '11'.repeat(32), s: '22'.repeat(32), v: '01' }
    world.answer('signMessage', () => ({ signature }))

    expect(await run(preSignMessage({ walletId: wallets.EVM }, { message: digest }))).toMatchObject({ signature })
  })

  it('is refused where it is no digest', async () => {
    const flow = preSignMessage({ walletId: wallets.EVM }, { message: digest.subarray(1) })

    expect(await failed(flow)).toMatchObject({ message: 'payload is not supported' })
    expect(said()).toEqual([])
  })
})
