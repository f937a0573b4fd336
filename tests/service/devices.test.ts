/** The rights of a token, a device key or the co-signer's key alone, and the power of a proxy between both sides. */
import { randomUUID } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { verifyMessage } from 'viem/utils'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as Header from '../../domain/model/Header.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import type { SigningRequest } from '../../domain/mpc/SigningRequest.ts'
import { sweep } from '../../domain/service/protocol/ending.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import { keyOf, type Meddle, type WalletKey } from '../kit/device.ts'
import { startService, type TestService } from '../kit/service.ts'
import { Device, logIn, makeStorage, portal, shop, signUp, type Person } from './people.ts'
import { passOn, startProxy, type Handle, type Proxy } from './proxy.ts'
import { storedState } from './rows.ts'
import {
  ask,
  deviceHeader,
  heldBy,
  postFrame,
  refusal,
  sign,
  success,
  unsignedAnswer,
  type Client,
  type Held,
} from './wire.ts'

let service: TestService
/** Between every device of the tests and the co-signer, and between them and the api. */
let toCosigner: Proxy
let toApi: Proxy
let ada: Person
let evmId: string
let solanaId: string
let adas: Held

const message = 'as it was sent'
const hello: SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('hello')) }

beforeAll(async () => {
  service = await startService({ environment: { COSIGNER_THREADS: '2' } })
  toCosigner = await startProxy(service.addresses.cosigner)
  toApi = await startProxy(service.addresses.api)
  const addresses = { ...service.addresses, api: toApi.address, cosigner: toCosigner.address }
  ada = await signUp(service, { addresses, types: { EVM: true, SOLANA: true } })
  const wallets = await ada.device.getWallets()
  const idOf = (type: string) => wallets.find((wallet) => wallet.type === type)?.id ?? ''
  evmId = idOf('EVM')
  solanaId = idOf('SOLANA')
  adas = await heldBy(service, ada.device)
})

beforeEach(() => {
  toCosigner.handle = passOn
})

afterAll(async () => {
  await toCosigner.stop()
  await toApi.stop()
  await service.stop()
})

const unchanged = async <A>(asking: () => Promise<A>): Promise<A> => {
  const before = await storedState(service)
  const answered = await asking()
  expect(await storedState(service)).toEqual(before)
  return answered
}

/** The wallet still signs, and the signature is valid. */
const expectSignature = async (device: Device = ada.device) => {
  const { address, ethereumSignature = '0x' } = await device.signMessage({ walletId: evmId, message })
  expect(await verifyMessage({ address: address as `0x${string}`, message, signature: ethereumSignature })).toBe(true)
}

/** A frame of the device with other fields, signed by it again. */
const altered = (held: Held, request: Uint8Array, changes: Partial<Frame.Frame>): Uint8Array => {
  const decoded = Frame.decode(request)
  if (decoded === undefined) throw new Error('not a frame')
  return held.protocol.signFrame({ ...decoded.frame, ...changes })
}

/** The first request of a signature, not sent yet. */
const firstRequest = async (held: Held, key: WalletKey): Promise<Uint8Array> => {
  const captured: Uint8Array[] = []
  const capture: Meddle = (bytes) => {
    captured.push(bytes)
    throw new Error('captured')
  }
  await held.protocol.sign(key, hello, { meddle: capture }).catch(() => undefined)
  const [first] = captured
  if (first === undefined) throw new Error('nothing was captured')
  return first
}

const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

describe('the token alone', () => {
  const recordOf = {
    userId: () => ada.userId,
    walletId: () => evmId,
    openingId: () => randomUUID(),
    passwordId: () => randomUUID(),
    delegationId: () => randomUUID(),
  }
  const targetOf = ({ path }: Operation) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => recordOf[name as keyof typeof recordOf]()) +
    (path.endsWith('/temporary-shares') ? `?sessionLookupId=${adas.lookupId}` : '')
  const bodies: Readonly<Record<string, unknown>> = {
    createOpeningTicket: { page: 'login-password' },
    redeemOpening: { proof: '00'.repeat(32) },
    createPasskey: { status: 'PENDING', type: 'WEB' },
    createPassword: { status: 'PENDING' },
    createWallet: { scheme: 'DKLS', type: 'COSMOS' },
    claimPregenWallets: { userId: '', walletIds: [] },
    refreshKeys: {},
    createWalletKeyShares: { keyShares: [] },
    createKeyShares: { keyShares: [] },
    createRecoveryPublicKeys: { publicKeys: ['ab'.repeat(64)] },
    createSessionJwt: undefined,
    createDelegation: {
      devicePublicKey: 'ab'.repeat(65),
      scope: 'SIGN',
      issuedAt: Date.now(),
      expiresAt: Date.now() + 60_000,
      signature: 'ab'.repeat(64),
    },
    endDelegation: undefined,
  }
  const marked = Object.entries(operations as Readonly<Record<string, Operation>>).filter(
    ([, { device }]) => device === true,
  )
  const deviceSignatureRequired = '403 DeviceSignatureRequired: device signature required'

  it('is tested with every call that needs a device signature', () => {
    expect(marked.map(([id]) => id).sort()).toEqual([...Object.keys(bodies), 'deleteTemporaryShares'].sort())
  })

  it.each(marked)('is refused %s', async (id, operation) => {
    const answer = await unchanged(() => ask(adas.tokenAlone, operation.method, targetOf(operation), bodies[id]))

    expect(refusal(answer)).toBe(deviceSignatureRequired)
  })

  it('is refused with the signature of another request', async () => {
    const [method, target, body] = [
      'POST',
      `/users/${ada.userId}/recovery-public-keys`,
      JSON.stringify(bodies.createRecoveryPublicKeys),
    ] as const
    const right = { method, target, body: utf8ToBytes(body) }
    const [{ sessionId, secretKey }, thiefs] = [adas, p256.utils.randomSecretKey()]
    // Each is signed when it is sent, 10 s outside the window, because a busy machine takes seconds between them.
    const headers = [
      () => 'x',
      () => deviceHeader({ sessionId, secretKey: thiefs }, right),
      () => deviceHeader({ sessionId: randomUUID(), secretKey }, right),
      () => deviceHeader({ sessionId, secretKey, clockOffset: -70_000 }, right),
      () => deviceHeader({ sessionId, secretKey, clockOffset: 70_000 }, right),
      () => deviceHeader({ sessionId, secretKey }, { ...right, method: 'DELETE' }),
      () => deviceHeader({ sessionId, secretKey }, { ...right, target: `${target}?` }),
      () => deviceHeader({ sessionId, secretKey }, { ...right, body: utf8ToBytes(`${body} `) }),
    ]

    for (const header of headers) {
      const answer = await unchanged(() => ask(adas.tokenAlone, method, target, body, { [Header.device]: header() }))
      expect(refusal(answer)).toBe(deviceSignatureRequired)
    }
    const answer = await ask(adas.tokenAlone, method, target, body, {
      [Header.device]: deviceHeader({ sessionId, secretKey }, right),
    })
    expect(refusal(answer)).not.toContain('DeviceSignatureRequired')
  })

  it('gets no signature, attach or ban by frames of its own key', async () => {
    const request = await firstRequest(adas, adas.keyOf(evmId))
    const thief = p256.utils.randomSecretKey()
    const thumb = DeviceKey.thumbprint(p256.getPublicKey(thief, false))
    const { frame } = Frame.decode(request) ?? {}
    if (frame === undefined) throw new Error('not a frame')
    const frames = (['SIGN', 'ATTACH', 'KEYGEN', 'CONFIRM', 'REFRESH', 'EXPORT'] as const).flatMap((operation) =>
      [frame.deviceKeyThumb, thumb].map((deviceKeyThumb) => {
        const unsigned = Frame.encodeUnsigned({ ...frame, operation, deviceKeyThumb })
        return Frame.appendSignature(unsigned, sign(thief, Frame.signedMessage('localhost', unsigned)))
      }),
    )

    for (const bytes of frames) {
      const answer = await unchanged(() => postFrame(service, adas.token, bytes))
      expect(refusal(answer)).toBe('403 FrameRefused: device signature refused')
    }
    await expectSignature()
  })

  it('does not change the keys of its session', async () => {
    const secretKey = p256.utils.randomSecretKey()
    const devicePublicKey = p256.getPublicKey(secretKey, false)
    const proof = sign(secretKey, DeviceKey.sessionKeysMessage({ sessionId: adas.sessionId, devicePublicKey }))
    const register = (body: object) => ask(adas.tokenAlone, 'POST', `/sessions/${adas.sessionId}/keys`, body)

    const changed = await unchanged(() =>
      register({ devicePublicKey: bytesToHex(devicePublicKey), proof: bytesToHex(proof) }),
    )
    const forged = await unchanged(() =>
      register({ devicePublicKey: bytesToHex(p256.getPublicKey(adas.secretKey, false)), proof: bytesToHex(proof) }),
    )

    expect(refusal(changed)).toBe('409 DeviceKeyIsSet: device key is set')
    expect(refusal(forged)).toBe('400 InvalidSessionKeys: invalid session keys')
  })

  it('is not accepted as a token of the portal, nor the portal’s as a host’s', async () => {
    const pages = toApi.seen.filter(({ request }) => request.headers.origin === portal)
    const portalToken = pages.flatMap(({ reply }) => reply.headers[Header.session] ?? []).at(-1)
    const hosts: Client = { ...adas.client, origin: undefined, token: portalToken }
    const pagesOwn: Client = { ...adas.tokenAlone, origin: undefined }
    const target = `/users/${ada.userId}`

    expect(portalToken).toMatch(/^[\w-]{43}$/)
    expect((await ask(hosts, 'GET', `${target}/wallets`)).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', `${target}/wallets`, bodies.createWallet],
      ['POST', `${target}/key-shares`, { keyShares: [] }],
      [
        'POST',
        `${target}/wallets/${solanaId}/messages/sign`,
        { message: 'AA==', scheme: 'ED25519', protocolId: randomUUID() },
      ],
      ['GET', `${target}/temporary-shares?sessionLookupId=${adas.lookupId}`, undefined],
      ['POST', `${target}/session/keep-alive`, undefined],
    ] as const) {
      expect([path, refusal(await unchanged(() => ask(hosts, method, path, body)))]).toEqual([
        path,
        '401 NoSignedInUser: no signed-in user',
      ])
    }
    for (const [method, path, body] of [
      ['POST', `${target}/wallets/set`, { walletIds: {}, needsWallet: true }],
      ['POST', `${target}/temporary-shares`, { shares: [] }],
      ['GET', `${target}/passwords/key-shares?passwordId=${randomUUID()}`, undefined],
      [
        'POST',
        '/passwords/verify',
        { signature: '00'.repeat(64), publicKey: '00'.repeat(32), passwordId: randomUUID() },
      ],
      ['PATCH', `${target}/passwords/${randomUUID()}`, { status: 'COMPLETE' }],
    ] as const) {
      expect([path, refusal(await unchanged(() => ask(pagesOwn, method, path, body)))]).toEqual([
        path,
        '401 NoSignedInUser: no signed-in user',
      ])
    }
  })

  it('redeems a ticket once', async () => {
    const entrance = toApi.seen.find(({ request }) => request.target.endsWith('/token'))
    if (entrance === undefined) throw new Error('no page was entered')

    const again = await unchanged(() =>
      ask(
        { base: service.addresses.api, apiKey: service.partner.apiKey, origin: portal },
        'POST',
        entrance.request.target,
        entrance.request.body,
      ),
    )

    expect(entrance.reply.status).toBe(200)
    expect(refusal(again)).toBe('410 LinkExpired: link expired')
  })
})

describe('a frame that is not the device’s own', () => {
  let phone: Held

  beforeAll(async () => {
    phone = await heldBy(service, await logIn(service, ada))
  })

  it('is refused, changes nothing, and the wallet signs afterwards', async () => {
    const request = await firstRequest(adas, adas.keyOf(evmId))
    const decoded = Frame.decode(request)
    if (decoded === undefined) throw new Error('not a frame')
    const { deviceKeyThumb } = phone.protocol
    const refused: readonly (readonly [string, Held, Uint8Array, string])[] = [
      [
        'without a signature',
        adas,
        Frame.appendSignature(decoded.unsigned, new Uint8Array(64)),
        '403 FrameRefused: device signature refused',
      ],
      [
        'with a changed signature',
        adas,
        flipped(request, request.length - 1),
        '403 FrameRefused: device signature refused',
      ],
      ['with a changed body', adas, flipped(request, 300), '403 FrameRefused: device signature refused'],
      [
        'signed for another co-signer',
        adas,
        signedFor('elsewhere', decoded.unsigned),
        '403 FrameRefused: device signature refused',
      ],
      ['of another session under this token', phone, request, '401 NoSignedInUser: no signed-in user'],
      [
        'of another device in this session',
        adas,
        altered(phone, request, {}),
        '403 FrameRefused: device signature refused',
      ],
      [
        'of another device by its name',
        adas,
        altered(phone, request, { deviceKeyThumb }),
        '403 FrameRefused: device signature refused',
      ],
      [
        'of another role',
        adas,
        altered(adas, request, { operation: 'CONFIRM' }),
        '409 StepOutOfOrder: step out of order',
      ],
      [
        'of an unknown operation',
        adas,
        altered(adas, request, { operation: 'EXPORT' }),
        '400 OperationNotOffered: operation is not offered',
      ],
      [
        'of another scheme',
        adas,
        altered(adas, request, { scheme: 'ED25519' }),
        '400 OperationNotOffered: operation is not offered',
      ],
      [
        'of another epoch',
        adas,
        altered(adas, request, { epoch: 2 }),
        '409 KeyShareOutOfDate: key share is out of date, log in again',
      ],
      [
        'of an earlier epoch',
        adas,
        altered(adas, request, { epoch: 0 }),
        '409 KeyShareOutOfDate: key share is out of date, log in again',
      ],
      [
        'of another share',
        adas,
        altered(adas, request, { shareId: new Uint8Array(32).fill(9) }),
        '409 KeyShareOutOfDate: key share is out of date, log in again',
      ],
      [
        'of another wallet',
        adas,
        altered(adas, request, { walletId: solanaId }),
        '400 OperationNotOffered: operation is not offered',
      ],
      [
        'of a wallet that does not exist',
        adas,
        altered(adas, request, { walletId: '00000000-0000-4000-8000-000000000000' }),
        '404 WalletDoesNotExist: wallet with id 00000000-0000-4000-8000-000000000000 does not exist',
      ],
    ]
    for (const [name, by, bytes, line] of refused) {
      expect([name, refusal(await unchanged(() => postFrame(service, by.token, bytes)))]).toEqual([name, line])
    }
    const aheadOfItsTurn = altered(adas, request, { step: 2 })
    expect(await unchanged(() => adas.protocol.send(aheadOfItsTurn))).toMatchObject({ status: 'ABORT' })
    await expectSignature()
  })

  it('is refused with an OT record that does not exist', async () => {
    const request = await firstRequest(adas, adas.keyOf(evmId))
    const body = signBodyOf(request)
    const renamed = altered(adas, request, { body: Frame.encodeSign({ ...body, otId: new Uint8Array(32).fill(7) }) })

    const answer = await unchanged(() => postFrame(service, adas.token, renamed))

    expect(refusal(answer)).toBe('409 DeviceNotAttached: device is not attached to this wallet')
  })

  it('does not touch a run that is under way', async () => {
    const meddle: Meddle = async (request, frame) => {
      if (frame.step === 1) return request
      for (const [by, bytes] of [
        [adas, flipped(request, request.length - 1)],
        [adas, altered(adas, request, { epoch: 2 })],
        [adas, altered(adas, request, { attempt: new Uint8Array(16).fill(1) })],
        [phone, altered(phone, request, { sessionId: phone.sessionId, deviceKeyThumb: phone.protocol.deviceKeyThumb })],
      ] as const) {
        const answer = await unchanged(() => postFrame(service, by.token, bytes))
        expect(answer.status).toBeGreaterThanOrEqual(400)
      }
      return request
    }

    expect((await adas.protocol.sign(adas.keyOf(evmId), hello, { meddle })).kind).toBe('done')
  })

  it('waits while another device’s run is in progress, which is not disturbed', async () => {
    const enrolled = keyOf(await phone.protocol.attach(phone.keyOf(evmId).share), phone.keyOf(evmId).share)
    const other: SigningRequest = { kind: 'eip191', message: bytesToHex(utf8ToBytes('meanwhile')) }
    const meddle: Meddle = async (request, frame) => {
      if (frame.step === 2) {
        expect(await phone.protocol.sign(enrolled, other)).toMatchObject({
          message: '409 AnotherRunInProgress: another run is in progress',
        })
      }
      return request
    }

    expect((await adas.protocol.sign(adas.keyOf(evmId), hello, { meddle })).kind).toBe('done')
    expect((await phone.protocol.sign(enrolled, other)).kind).toBe('done')
  })
})

/** The fields of a signature's first request. */
const signBodyOf = (request: Uint8Array): Frame.SignBody => {
  const body = Frame.decodeSign(Frame.decode(request)?.frame.body ?? new Uint8Array(0))
  if (body?.request._tag !== 'Success') throw new Error('not the first request of a signature')
  return { ...body, request: body.request.success }
}

const signedFor = (cosigner: string, unsigned: Uint8Array): Uint8Array =>
  Frame.appendSignature(unsigned, sign(adas.secretKey, Frame.signedMessage(cosigner, unsigned)))

describe('a line between the device and the co-signer', () => {
  const isSign = (body: Uint8Array) => Frame.decode(body)?.frame.operation === 'SIGN'

  const expectAborted = () =>
    expect(ada.device.signMessage({ walletId: evmId, message })).rejects.toMatchObject({
      message: `error signing for account with userId ${ada.userId} and walletId ${evmId}`,
      cause: { _tag: 'ProtocolAborted', message: 'the protocol run was aborted' },
    })

  /** Changes the answers to signing frames. */
  const changing =
    (change: (answer: Uint8Array) => Uint8Array): Handle =>
    async (request, pass) => {
      const reply = await pass()
      return isSign(request.body) ? { ...reply, body: change(reply.body) } : reply
    }

  const changes: readonly (readonly [string, (answer: Uint8Array) => Uint8Array])[] = [
    ['its signature changed', (answer) => flipped(answer, answer.length - 1)],
    ['its body changed', (answer) => flipped(answer, 20)],
    ['its status made a BAN', (answer) => answer.map((byte, index) => (index === 0 ? 4 : byte))],
    ['its signature cut off', (answer) => answer.subarray(0, -64)],
    ['an empty body', () => new Uint8Array(0)],
  ]

  it.each(changes)('cannot pass off an answer with %s, and causes no ban by it', async (_, change) => {
    const before = adas.keyOf(evmId).otId
    toCosigner.handle = changing(change)

    await expectAborted()

    toCosigner.handle = passOn
    expect(adas.keyOf(evmId).otId).toEqual(before)
    await expectSignature()
  })

  it('cannot pass off the answer to another request', async () => {
    const answers: Uint8Array[] = []
    toCosigner.handle = async (request, pass) => {
      const reply = await pass()
      answers.push(reply.body)
      return isSign(request.body) && answers.length > 1 ? { ...reply, body: answers[0] ?? reply.body } : reply
    }

    await expectAborted()

    toCosigner.handle = passOn
    await expectSignature()
  })

  it('may deliver every request twice: the answers are the same, and the signature is valid', async () => {
    const twice: (readonly [Uint8Array, Uint8Array])[] = []
    toCosigner.handle = async (_, pass) => {
      const [first, second] = [await pass(), await pass()]
      twice.push([first.body, second.body])
      return second
    }

    await expectSignature()
    const tablet = await logIn(service, ada, { addresses: { ...service.addresses, cosigner: toCosigner.address } })
    await expectSignature(tablet)

    expect(twice.length).toBe(2 + 4 + 2)
    for (const [first, second] of twice) expect(unsignedAnswer(second)).toBe(unsignedAnswer(first))
  })

  it('may lose an answer of the set-up: the device asks again with the same bytes', async () => {
    const frames: Uint8Array[] = []
    let lost = 0
    toCosigner.handle = async (request, pass) => {
      frames.push(request.body)
      const reply = await pass()
      const step = Frame.decode(request.body)?.frame.step
      if (step === 2 && lost++ === 0) throw new Error('the line is cut')
      return reply
    }
    const watch = await logIn(service, ada, { addresses: { ...service.addresses, cosigner: toCosigner.address } })

    await expectSignature(watch)

    expect(bytesToHex(frames[2] ?? new Uint8Array(0))).toBe(bytesToHex(frames[1] ?? new Uint8Array(1)))
    expect(frames).toHaveLength(5 + 2)
  })
})

describe('a device that was interrupted', () => {
  it('while its attach was confirmed signs afterwards', async () => {
    const addresses = { ...service.addresses, cosigner: toCosigner.address }
    const watch = await logIn(service, ada, { addresses })
    const cancel = new AbortController()
    // A run that it left open does not block the tests that follow.
    onTestFinished(async () => {
      service.advance(91_000)
      await service.run(sweep())
    })
    toCosigner.handle = (request, pass) => {
      if (Frame.decode(request.body)?.frame.operation !== 'CONFIRM') return pass()
      cancel.abort()
      return Promise.reject(new Error('the line is cut'))
    }

    await expect(watch.signMessage({ walletId: evmId, message }, { signal: cancel.signal })).rejects.toMatchObject({
      message: 'Connection canceled',
    })

    toCosigner.handle = passOn
    await expectSignature(watch)
  })
})

describe('two devices', () => {
  it('that sign with the same wallet at the same moment both get their signature', async () => {
    const phone = await logIn(service, ada)
    await expectSignature(phone)

    const signed = await Promise.allSettled([expectSignature(ada.device), expectSignature(phone)])

    expect(signed).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ])
  })
})

describe('one device', () => {
  it('that is asked for two signatures of one wallet at the same moment gives both', async () => {
    const messages = ['the first', 'the second']

    const signed = await Promise.allSettled(
      messages.map((text) => ada.device.signMessage({ walletId: evmId, message: text })),
    )

    expect(signed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    for (const [index, one] of signed.entries()) {
      if (one.status !== 'fulfilled') continue
      const { address, ethereumSignature = '0x' } = one.value
      const signature = {
        address: address as `0x${string}`,
        message: messages[index] ?? '',
        signature: ethereumSignature,
      }
      expect(await verifyMessage(signature)).toBe(true)
    }
  })
})

describe('another body for a round', () => {
  it.each([1, 2])(
    'that was answered ends the run at step %d, for the true body as well; a new run signs',
    async (forkedStep) => {
      const statuses: string[] = []
      const send = async (bytes: Uint8Array) => {
        const answer = await adas.protocol.send(bytes)
        statuses.push('status' in answer ? answer.status : answer.tag)
      }
      const requests: Uint8Array[] = []
      const meddle: Meddle = async (request, frame) => {
        requests.push(request)
        if (frame.step === 2 && forkedStep === 1) {
          const [first = request] = requests
          await send(altered(adas, first, { body: Frame.encodeSign({ ...signBodyOf(first), timeoutMs: 1 }) }))
          await send(first)
        }
        return request
      }

      const ended = await adas.protocol.sign(adas.keyOf(evmId), hello, { meddle })
      if (forkedStep === 2) {
        const [, second] = requests
        if (second === undefined) throw new Error('no second request')
        await send(altered(adas, second, { body: flipped(Frame.decode(second)?.frame.body ?? second, 40) }))
        await send(second)
      }

      expect(ended.kind === 'stopped' ? ended.status : ended.kind).toBe(forkedStep === 1 ? 'ABORT' : 'done')
      expect(statuses).toEqual(forkedStep === 1 ? ['ABORT', 'ABORT'] : ['ABORT', 'OK'])
      await expectSignature()
    },
  )
})

describe('two tabs', () => {
  it('that register keys for one session at the same moment write one device key', async () => {
    const page: Client = { base: service.addresses.api, apiKey: service.partner.apiKey, origin: shop }
    const begun = await ask(page, 'POST', '/touch?regenerate=false')
    const sessionId = String(success(begun).sessionId)
    const tabs = Array.from({ length: 2 }, () => p256.utils.randomSecretKey())
    const register = (secretKey: Uint8Array) => {
      const devicePublicKey = p256.getPublicKey(secretKey, false)
      const proof = sign(secretKey, DeviceKey.sessionKeysMessage({ sessionId, devicePublicKey }))
      const body = { devicePublicKey: bytesToHex(devicePublicKey), proof: bytesToHex(proof) }
      return ask({ ...page, token: begun.token ?? '' }, 'POST', `/sessions/${sessionId}/keys`, body)
    }

    const answers = await Promise.all(tabs.map(register))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = answers.findIndex(({ status }) => status === 409)
    expect(refusal(answers[loser] ?? begun)).toBe('409 DeviceKeyIsSet: device key is set')
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = tabs
    const [winnersKey, losersKey] = loser === 0 ? [second, first] : [first, second]
    const rows = await storedState(service)
    const row = rows['sessions']?.find((text) => text.includes(sessionId)) ?? ''
    expect(row).toContain(bytesToHex(p256.getPublicKey(winnersKey, false)))
    expect(row).not.toContain(bytesToHex(p256.getPublicKey(losersKey, false)))
    expect((await unchanged(() => register(winnersKey))).status).toBe(200)
    expect(refusal(await unchanged(() => register(losersKey)))).toBe('409 DeviceKeyIsSet: device key is set')
  })

  it('that share a storage log in under one device key', async () => {
    const storage = makeStorage()
    const tab = () =>
      new Device({ apiKey: service.partner.apiKey, addresses: service.addresses, password: ada.password, storage })
    const [first, second] = [tab(), tab()]

    await first.login({ email: ada.email })
    await second.signMessage({ walletId: solanaId, message })
    await first.signMessage({ walletId: solanaId, message })

    expect([...storage.local.keys()].filter((key) => key.startsWith('@CAPSULE/tandem/keys/'))).toHaveLength(1)
  })
})

/** Last: it turns the clock. */
describe('touch?regenerate=true', () => {
  it('without the device’s signature is 200 and leaves the token as it is', async () => {
    const answer = await unchanged(() => ask(adas.tokenAlone, 'POST', '/touch?regenerate=true'))
    const forged = deviceHeader(
      { sessionId: adas.sessionId, secretKey: p256.utils.randomSecretKey() },
      { method: 'POST', target: '/touch?regenerate=true', body: new Uint8Array(0) },
    )
    const withForged = await unchanged(() =>
      ask(adas.tokenAlone, 'POST', '/touch?regenerate=true', undefined, { [Header.device]: forged }),
    )

    for (const { status, token, text } of [answer, withForged]) {
      expect([status, token]).toEqual([200, null])
      expect(JSON.parse(text)).toMatchObject({ isAuthenticated: true, sessionId: adas.sessionId, userId: ada.userId })
    }
  })

  it('with it gives a new token; the old one is valid for 90 s, in which it cannot begin anything', async () => {
    const phone = await heldBy(service, await logIn(service, ada))
    const wallets = `/users/${ada.userId}/wallets`

    const rotated = await ask(phone.client, 'POST', '/touch?regenerate=true')

    expect(success(rotated)).toMatchObject({
      isAuthenticated: true,
      sessionId: phone.sessionId,
      sessionLookupId: phone.lookupId,
    })
    expect(rotated.token).toMatch(/^[\w-]{43}$/)
    expect(rotated.token).not.toBe(phone.token)
    const fresh: Client = { ...phone.client, token: rotated.token ?? '' }
    service.advance(85_000)
    expect((await ask(phone.client, 'GET', wallets)).status).toBe(200)
    expect(
      refusal(await ask(after(phone.client, 85_000), 'POST', wallets, { scheme: 'ED25519', type: 'SOLANA' })),
    ).toBe('401 NoSignedInUser: no signed-in user')
    service.advance(6_000)
    expect(refusal(await ask(phone.client, 'GET', wallets))).toBe('401 NoSignedInUser: no signed-in user')
    expect((await ask(fresh, 'GET', wallets)).status).toBe(200)
  })

  const after = (client: Client, ms: number): Client => ({
    ...client,
    device: client.device && { ...client.device, clockOffset: (client.device.clockOffset ?? 0) + ms },
  })
})
