/**
 * Final formats. With fixed seeds every message of every run stays the same, as long as the draws do; layouts stay
 * whatever is drawn. Everything that version 1 wrote can be read, except for the state of a run that lacks what is
 * checked now: it ends its run, which has minutes to live. These runs wrote the samples in fixtures/. In frames.v1.json
 * every field is the SHA-256 of a name in this file; the secret keys of device and co-signer are those of their names.
 */
import { readFileSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Result from 'effect/Result'
import { beforeAll, describe, expect, it } from 'vitest'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as Address from '../../domain/model/Address.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { Scheme } from '../../domain/mpc/Protocol.ts'
import * as ShareRecord from '../../domain/mpc/ShareRecord.ts'
import * as Ed25519 from './ed25519.ts'
import { find, run, serverStep, type Outcome, type Setup } from './run.ts'
import { enrolSetup, keygenSetup, makeWallet, refreshSetup, signSetup, type Wallet } from './wallet.ts'
import { openAnswer } from '../kit/openAnswer.ts'
import { noble } from '../../domain/crypto/Signatures.ts'

type Fixtures = {
  readonly shares: Readonly<Record<'USER' | 'PROVIDER' | 'ED25519 without a root key', string>>
  readonly otRecords: Readonly<Record<'USER' | 'PROVIDER', string>>
  readonly serverStates: Readonly<Record<string, string>>
}
const stored = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'))
const fixtures = stored('dkls') as Fixtures

type Kind = 'keygen' | 'attach' | 'sign' | 'refresh'

let wallet: Wallet
let runs: Readonly<Record<Kind, readonly [Setup, Outcome]>>
beforeAll(() => {
  wallet = makeWallet()
  const played = (setup: Setup) => [setup, run(setup)] as const
  runs = {
    keygen: [keygenSetup, wallet.keygen],
    attach: played(enrolSetup(wallet, 'attach')),
    sign: played(signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign')),
    refresh: played(refreshSetup(wallet, 'refresh')),
  }
})

const edWallet = Ed25519.makeWallet()
const edKeygen = Ed25519.keygenSetup('keygen')
const edRefresh = Ed25519.refreshSetup(edWallet, 'refresh')
const edRuns: Readonly<Record<'keygen' | 'refresh', readonly [Setup, Outcome]>> = {
  keygen: [edKeygen, edWallet.keygen],
  refresh: [edRefresh, run(edRefresh)],
}

const messagesOf = ({ positions }: Outcome) =>
  positions.map(({ to, round, message }) => [
    `${to === 'server' ? 'request' : 'response'} ${round}`,
    `${message.length} ${bytesToHex(sha256(message))}`,
  ])

describe('every message, by its length and SHA-256', () => {
  const nothing = '0 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  it('of keygen', () => {
    expect(Object.fromEntries(messagesOf(runs.keygen[1]))).toEqual({
      'request 1': '194 7b4d382202f522bfe333ce87e54cc8bfb1f673fe7843e7cef3b6a2dc4ebc332b',
      'response 1': '4516 5a35a237e637e586a412bef989e4b4444e9475f7fd3a39849c6940fa6a408e8e',
      'request 2': '8514 2f78929be518723d1dbc29ae5b029dad94a355be3a824d0d0c27fa8dc338833b',
      'response 2': '8192 f655bc5eae41f5e386a5944c632186f9e57a1b3f43ceb4e7c72a072146517838',
      'request 3': '12288 84a2827ff0f1ced72290393aecd143d0989db1b7f84ff4f15e76e2773c4275a3',
      'response 3': '8257 68192bc4454f7dd17351bf7255bbcf4fc53c839b235283d458969297e67f2a8b',
      'request 4': '65 f8613ea949ead1b2a5252869ef9bbd35114350d65b0e6c876c0e51682c89c3a7',
      'response 4': nothing,
    })
  })

  it('of attach', () => {
    expect(Object.fromEntries(messagesOf(runs.attach[1]))).toEqual({
      'request 1': '227 2a80e5c29bfb36f6979345c5c02d09b54b1973d6bb0ca2e158c489177d7e8dcf',
      'response 1': '4451 99af8f41030f344c89428ee300b3faaa2fb7ddea78748a713077f71d2bb806f7',
      'request 2': '8352 3cf3fd4628ab6a78445b47d73a0b432356d650dd0983d20b25b3d69c3ce0ae5f',
      'response 2': '8192 74ee8d8b0e33f0a9b52e50034974978cf97cfa079b0da58deb513f8db6c95dec',
      'request 3': '12288 05c1234b5e477d6f7ee1a315fe4d07c99fc1044255768476a8bc3d812d8e8f91',
      'response 3': '8257 0a2eafeff2d7ff552a206ad34383f8ebe5209031cdd13614c8d7468e4d6ef080',
      'request 4': '65 cc498b2633d4d38ca64ad32ed02b1995de4b4c30738c88d19196bfc2a7e9a2dd',
      'response 4': nothing,
    })
  })

  it('of sign', () => {
    expect(Object.fromEntries(messagesOf(runs.sign[1]))).toEqual({
      'request 1': '10864 469ec68484041ae6f863c467b4c8ad5de9e27da3152f79ccab9649461c4c63ea',
      'response 1': '50963 ec92cce7ca0727d1b8626ee283723382b9e95396a5a761ce48ab792bad2c6791',
      'request 2': '40259 b0b31851986e7160a8c235f45e2e7ffeff5a55b057e537f43927d7872d952b49',
      'response 2': '65 4c2b1ca82d80ae6e7feca8f26075e3cbb61198eca06657de7b366d702257cc63',
    })
  })

  it('of refresh', () => {
    expect(Object.fromEntries(messagesOf(runs.refresh[1]))).toEqual({
      'request 1': '260 7a7c9ae53ebfd3ee94a1decdf2c0c0207f4251e4e039ae59fa7685e7c2316a71',
      'response 1': '4484 81099cc11a74bce27df55b6faa654569e231bfe2ccfc290e38d4fef7741c12c0',
      'request 2': '8352 96cba1b9839d2b090aff89477c6642f2c8c650e1d8f259de1eda4942118834a5',
      'response 2': '8192 89d7bd0785f3611e32fe12574373c1e4b12406cb79f1ed9bef374d7c1dc53424',
      'request 3': '12288 664e092d0d44554dc4d5f9930d31635af8d0dfc266e5d9b857f64c64df47c94f',
      'response 3': '8257 00fb018941fbd98863705fb4403a9c97049036a3b5ebcf60aa89b636118fb490',
      'request 4': '65 6b74758819d80746753b5c393410d9a69a39718c57d1e4d71f7660e991768896',
      'response 4': nothing,
    })
  })

  it('of the refresh of an ED25519 key; its other runs stand in ed25519.v1.json, whole', () => {
    expect(Object.fromEntries(messagesOf(edRuns.refresh[1]))).toEqual({
      'request 1': '160 8afdeab9de1fbc5d0568fb5b50e9b29c14dacc898b2b3cebb91f1999ec44a4b4',
      'response 1': '160 0559ac8b2bd76f7b55435a6fc5c1fcc81bc7600e6034fa3c9d51c73972926949',
      'request 2': '64 5cafa419dcacadbdfbc7a88fecb3f5efadc51fe074d05d56766e4235b63ef366',
      'response 2': nothing,
    })
  })
})

describe('every version of stored records is opened', () => {
  it('shares', () => {
    for (const [role, party] of [
      ['USER', wallet.client],
      ['PROVIDER', wallet.server],
    ] as const) {
      const stored = base64.decode(fixtures.shares[role])
      expect(ShareRecord.decode(stored)).toEqual(party.share)
      expect(ShareRecord.encode(party.share)).toEqual(stored)
    }
    const small = base64.decode(fixtures.shares['ED25519 without a root key'])
    const byte = (value: number, length = 32) => new Uint8Array(length).fill(value)
    expect(ShareRecord.decode(small)).toEqual({
      scheme: 'ED25519',
      role: 'USER',
      walletId: '01010101-0101-0101-0101-010101010101',
      epoch: 0x02030405,
      shareId: byte(6),
      secret: byte(7),
      clientPublic: byte(8),
      serverPublic: byte(9),
      publicKey: byte(10),
      chainCode: byte(11),
      rootPublicKey: byte(0, 0),
    })
  })

  it('shares of ED25519, which sign for their address', () => {
    const shares = stored('ed25519Shares.v1') as Readonly<Record<ShareRecord.Role, string>>
    const recordOf = (role: ShareRecord.Role) => ShareRecord.decode(base64.decode(shares[role]))
    const [client, server] = [recordOf('USER'), recordOf('PROVIDER')]
    expect([client, server]).toEqual([edWallet.client, edWallet.server])

    const message = utf8ToBytes('hello')
    const { signature } = run(Ed25519.signSetup({ client: client!, server: server! }, message, 'sign')).client ?? {}
    expect(Address.fromPublicKey('SOLANA', client!.publicKey)).toBe('Cpe923Ss7DcSrPhNujXieXECh7ekcgimFAcQmQKwGp4Q')
    expect(ed25519.verify(signature!, message, client!.publicKey, { zip215: false })).toBe(true)
  })

  it('nothing else is read as a share', () => {
    const stored = base64.decode(fixtures.shares.USER)
    const wrong = [
      stored.subarray(1),
      stored.subarray(0, -1),
      new Uint8Array(0),
      new Uint8Array(stored.length),
      stored.with(3, 0x32),
      stored.with(4, 1),
      stored.with(4, 2),
      stored.with(5, 2),
      stored.with(stored.length - 33, 2),
    ]
    for (const bytes of wrong) expect(ShareRecord.decode(bytes)).toBeUndefined()
  })

  it('OT records', () => {
    for (const [role, party] of [
      ['USER', wallet.client],
      ['PROVIDER', wallet.server],
    ] as const) {
      const stored = base64.decode(fixtures.otRecords[role])
      const record = OtRecord.decode(stored)
      expect(stored).toEqual(party.ot)
      expect(record && { ...record, delta: 0, chosenSeeds: 0, zeroSeeds: 0, oneSeeds: 0 }).toMatchObject({
        role,
        walletId: party.share.walletId,
        epoch: party.share.epoch,
        shareId: party.share.shareId,
        otId: party.context.otId,
      })
      expect(record && OtRecord.encode(record)).toEqual(stored)
      expect(OtRecord.decode(stored.with(3, 0x32))).toBeUndefined()
    }
  })

  type States = Readonly<Record<string, string>>
  const [first, second] = [stored('states.v1') as States, stored('states.v2') as States]

  const stateOf = ([name, state]: readonly [string, string]) => {
    const [scheme, kind, step] = name.split(' ') as [Scheme, Kind, string]
    return { scheme, kind, step: Number(step), state: base64.decode(state) }
  }

  /** Every step's state but the last one's, which leaves none; of each the last version. */
  const states = Object.entries({
    ...Object.fromEntries(Object.entries(fixtures.serverStates).map(([name, state]) => [`DKLS ${name}`, state])),
    ...first,
    ...second,
  }).map(stateOf)

  /** The next request, with a state of the test's choice before it. */
  const nextOf = ({ scheme, kind, step, state }: (typeof states)[number]) => {
    const [setup, outcome] = scheme === 'DKLS' ? runs[kind] : edRuns[kind === 'keygen' ? kind : 'refresh']
    const { position } = find(outcome, 'server', step + 1)
    return { answer: serverStep(setup, { ...position, serverState: state }), outcome, round: position.round }
  }

  it.each(states)("the server's state of $scheme, $kind, step $step: the next step goes on from it", (of) => {
    const { answer, outcome, round } = nextOf(of)

    const response = answer.kind === 'answer' || answer.kind === 'done' ? answer.response : answer
    // The client does not read the last answer of a setup.
    const expected = outcome.positions.find((position) => position.to === 'client' && position.round === round)
    expect(response).toEqual(expected?.message ?? new Uint8Array(0))
  })

  it.each(
    Object.entries(first)
      .filter(([name]) => name in second)
      .map(stateOf),
  )('of $scheme, $kind, step $step: a state of version 1, which does not name its run, ends the run', (of) => {
    expect(nextOf(of).answer).toEqual({ kind: 'abort', reason: 'state of another step' })
  })

  it.each(states)('of $scheme, $kind, step $step: a state that this version did not write ends the run', (of) => {
    const { state } = of
    const others = [
      new Uint8Array(0),
      state.subarray(1),
      state.subarray(0, -1),
      new Uint8Array([...state, 0]),
      // ED25519's states have no version: the next one's must differ in length.
      ...(of.scheme === 'DKLS' ? [state.with(3, 0x32), state.with(5, of.step + 1)] : []),
    ]
    for (const other of others) expect(nextOf({ ...of, state: other }).answer.kind).toBe('abort')
  })
})

describe('version 1 of the wire format', () => {
  const of = (name: string) => sha256(utf8ToBytes(name))
  const uuid = (digit: number) => `${String(digit).repeat(8)}-2222-4333-8444-555555555555`
  const devicePublicKey = p256.getPublicKey(of('device'), false)
  const cosignerKey = p256.getPublicKey(of('cosigner'), false)
  const none = new Uint8Array(0)
  const samples = stored('frames.v1') as Readonly<
    Record<Frame.Operation, { readonly request: string; readonly answer: string }>
  >

  /** What the frames say, read as far as their receivers read them. */
  const bodies: Readonly<Record<Frame.Operation, readonly [request: unknown, answer: unknown]>> = {
    KEYGEN: [
      { rootPublicKey: of('root'), message: of('message') },
      { status: 'OK', body: of('response') },
    ],
    SIGN: [
      {
        request: Result.succeed({ kind: 'eip191', message: '68656c6c6f' }),
        digestClaim: of('digest'),
        timeoutMs: 30_000,
        otId: of('OT record'),
        message: of('message'),
      },
      { status: 'HELD', body: { pendingTransactionId: uuid(7), contentHash: of('content') } },
    ],
    REFRESH: [of('message'), { status: 'ABORT', body: none }],
    CONFIRM: [
      of('message'),
      { status: 'OK', body: { address: '0x52908400098527886E0F7030069857D2E4169EE7', capsule: of('capsule') } },
    ],
    ACK: [none, { status: 'OK', body: none }],
    RECONCILE: [
      none,
      { status: 'OK', body: { epoch: 3, shareId: of('share id'), state: 'LOCKED', attempt: 'COMMITTED' } },
    ],
    EXPORT: [of('message'), { status: 'OK', body: of('response') }],
    ATTACH: [of('message'), { status: 'BAN', body: none }],
    REATTACH: [of('capsule'), { status: 'OK', body: none }],
    REISSUE: [of('capsule'), { status: 'OK', body: of('another capsule') }],
  }

  const same = (bytes: Uint8Array): unknown => bytes
  const requestReaders: Partial<Record<Frame.Operation, (bytes: Uint8Array) => unknown>> = {
    KEYGEN: Frame.decodeKeygen,
    SIGN: Frame.decodeSign,
  }
  const answerReaders: Partial<Record<Frame.Operation, (bytes: Uint8Array) => unknown>> = {
    SIGN: Frame.decodeHeld,
    CONFIRM: Frame.decodeConfirmed,
    RECONCILE: Frame.decodeWalletStatus,
  }

  it.each(Frame.operations.map((operation, index) => ({ operation, index })))(
    'the frame and the answer of $operation, under both signatures',
    ({ operation, index }) => {
      const [request, answer] = [hexToBytes(samples[operation].request), hexToBytes(samples[operation].answer)]
      const { frame, unsigned, signature } = Frame.decode(request)!
      const { body, ...head } = frame

      expect(head).toEqual({
        operation,
        scheme: index % 2 === 0 ? 'DKLS' : 'ED25519',
        step: index + 1,
        protocolId: uuid(1),
        sessionId: uuid(2),
        walletId: uuid(3),
        epoch: 3,
        shareId: operation === 'KEYGEN' ? none : of('share id'),
        attempt: of('attempt').subarray(0, 16),
        deviceKeyThumb: DeviceKey.thumbprint(devicePublicKey),
      })
      expect((requestReaders[operation] ?? same)(body)).toEqual(bodies[operation][0])
      expect(Frame.encodeUnsigned(frame)).toEqual(unsigned)
      expect(DeviceKey.verify(devicePublicKey, Frame.signedMessage('cosigner.example', unsigned), signature)).toBe(true)

      const opened = openAnswer(cosignerKey, request, answer)!
      expect({ ...opened, body: (answerReaders[operation] ?? same)(opened.body) }).toEqual(bodies[operation][1])
      expect(Frame.signAnswer(of('cosigner'), request, opened, noble)).toEqual(answer)
    },
  )

  it('the status of a wallet whose share the provider lost', () => {
    const status = { epoch: 3, shareId: of('share id'), state: 'LOST', attempt: 'NONE' } as const
    const bytes = concatBytes(hexToBytes('000000040000000300000020'), of('share id'), hexToBytes('000000020200'))
    expect(Frame.encodeWalletStatus(status)).toEqual(bytes)
    expect(Frame.decodeWalletStatus(bytes)).toEqual(status)
  })

  it('no frame of a later version is read, nor an answer of a status that is not known', () => {
    for (const { request, answer } of Object.values(samples)) {
      const [frame, bytes] = [hexToBytes(request), hexToBytes(answer)]
      expect(Frame.decode(frame.with(3, 0x32))).toBeUndefined()
      expect(Frame.decode(frame.with(4, Frame.operations.length + 1))).toBeUndefined()
      expect(openAnswer(cosignerKey, frame, bytes.with(0, Frame.statuses.length + 1))).toBeUndefined()
    }
  })
})
