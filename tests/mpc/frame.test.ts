import { createHash, randomBytes } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as CosignerKey from '../../domain/crypto/CosignerKey.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import { hash } from '../../domain/crypto/Transcript.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import { openAnswer } from '../kit/openAnswer.ts'
import { noble } from '../../domain/crypto/Signatures.ts'

const bytes = (length: number) => new Uint8Array(randomBytes(length))
const deviceSecret = createHash('sha256').update('device').digest()
const devicePublicKey = p256.getPublicKey(deviceSecret, false)

const frame: Frame.Frame = {
  operation: 'SIGN',
  scheme: 'DKLS',
  step: 1,
  protocolId: '11111111-2222-4333-8444-555555555555',
  sessionId: '22222222-2222-4333-8444-555555555555',
  walletId: '33333333-2222-4333-8444-555555555555',
  epoch: 0xfffffffe,
  shareId: bytes(32),
  attempt: bytes(16),
  deviceKeyThumb: DeviceKey.thumbprint(devicePublicKey),
  body: bytes(40),
}

const sign = (of: Frame.Frame, cosigner = 'cosigner.example') => {
  const unsigned = Frame.encodeUnsigned(of)
  const signature = p256.sign(Frame.signedMessage(cosigner, unsigned), deviceSecret, { lowS: false })
  return Frame.appendSignature(unsigned, signature)
}

/** The frame as a co-signer of that name reads it, if the bytes are one and its device signed it for this name. */
const receive = (request: Uint8Array, cosigner = 'cosigner.example') => {
  const signed = Frame.decode(request)
  if (signed === undefined) return undefined
  const isSigned = DeviceKey.verify(devicePublicKey, Frame.signedMessage(cosigner, signed.unsigned), signed.signature)
  return isSigned ? signed.frame : undefined
}

describe('a request frame', () => {
  it('has the layout of the page for auditors', () => {
    const request = sign(frame)

    const expected = Buffer.concat([
      Buffer.from('TDM1'),
      Buffer.from([2, 1, 1]),
      Buffer.from(frame.protocolId.replaceAll('-', ''), 'hex'),
      Buffer.from(frame.sessionId.replaceAll('-', ''), 'hex'),
      Buffer.from(frame.walletId.replaceAll('-', ''), 'hex'),
      Buffer.from([0xff, 0xff, 0xff, 0xfe]),
      frame.shareId,
      frame.attempt,
      frame.deviceKeyThumb,
      Buffer.from([0, 0, 0, 40]),
      frame.body,
    ])
    expect(Buffer.from(request.subarray(0, -64))).toEqual(expected)
    expect(Frame.signedMessage('name', expected)).toEqual(hash('tandem/frame/v1', ['name', expected]))
  })

  it('is decoded unchanged, for each operation and scheme, with and without a share', () => {
    for (const operation of Frame.operations) {
      for (const scheme of ['DKLS', 'ED25519'] as const) {
        for (const shareId of [frame.shareId, new Uint8Array(0)]) {
          const one = { ...frame, operation, scheme, shareId, body: bytes(3) }
          expect(receive(sign(one))).toEqual(one)
        }
      }
    }
    expect(receive(sign({ ...frame, body: new Uint8Array(0) }))?.body).toEqual(new Uint8Array(0))
  })

  it('is refused with any one byte changed', () => {
    const request = sign(frame)

    for (let index = 0; index < request.length; index++) {
      const changed = request.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect([index, receive(changed)]).toEqual([index, undefined])
    }
  })

  it('is refused for a co-signer of another name', () => {
    expect(receive(sign(frame), 'other.example')).toBeUndefined()
  })

  it('is refused when it is truncated or extended, anywhere', () => {
    const request = sign(frame)
    const head = request.subarray(0, -64)
    const tail = request.subarray(-64)

    for (let length = 0; length < request.length; length++) {
      expect(Frame.decode(request.subarray(0, length))).toBeUndefined()
    }
    expect(Frame.decode(Buffer.concat([request, Buffer.from([0])]))).toBeUndefined()
    expect(Frame.decode(Buffer.concat([head, Buffer.from([0]), tail]))).toBeUndefined()
    expect(Frame.decode(Buffer.concat([head.subarray(0, -1), tail]))).toBeUndefined()
  })

  it('is refused with an unknown magic, operation or scheme, and with step 0', () => {
    const request = sign(frame)
    const at = (index: number, value: number) => {
      const changed = request.slice()
      changed[index] = value
      return Frame.decode(changed)
    }

    expect([
      at(3, 0x32),
      at(4, 0),
      at(4, Frame.operations.length + 1),
      at(4, 255),
      at(5, 0),
      at(5, 3),
      at(6, 0),
    ]).toEqual(Array.from({ length: 7 }, () => undefined))
    expect(at(6, 2)?.frame.step).toBe(2)
  })

  it('has at most 256 KiB', () => {
    const most = Frame.maximumLength - sign({ ...frame, body: new Uint8Array(0) }).length
    const largest = sign({ ...frame, body: bytes(most) })

    expect(largest.length).toBe(256 * 1024)
    expect(receive(largest)?.body.length).toBe(most)
    expect(() => sign({ ...frame, body: bytes(most + 1) })).toThrow('a frame has at most 256 KiB')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(most + 1)
    const larger = Buffer.concat([largest.subarray(0, 139), length, largest.subarray(143), Buffer.from([0])])
    expect(Frame.decode(larger)).toBeUndefined()
  })
})

describe('an answer frame', () => {
  const secretKey = createHash('sha256').update('co-signer').digest()
  const publicKey = CosignerKey.publicKeyOf(secretKey)
  const request = sign(frame)

  it('is decoded unchanged, for each status', () => {
    for (const [index, status] of Frame.statuses.entries()) {
      const answer = { status, body: bytes(9) }
      const answered = Frame.signAnswer(secretKey, request, answer, noble)

      expect(answered[0]).toBe(index + 1)
      expect(openAnswer(publicKey, request, answered)).toEqual(answer)
    }
  })

  it('is the same bytes for the same answer to the same request', () => {
    const answer = { status: 'OK', body: bytes(100) } as const

    expect(Frame.signAnswer(secretKey, request, answer, noble)).toEqual(
      Frame.signAnswer(secretKey, request, answer, noble),
    )
  })

  it('is dropped with any one byte changed, truncated or extended', () => {
    const answered = Frame.signAnswer(secretKey, request, { status: 'BAN', body: bytes(5) }, noble)

    for (let index = 0; index < answered.length; index++) {
      const changed = answered.slice()
      changed[index] = (changed[index] ?? 0) ^ 1
      expect([index, openAnswer(publicKey, request, changed)]).toEqual([index, undefined])
      expect([index, openAnswer(publicKey, request, answered.subarray(0, index))]).toEqual([index, undefined])
    }
    expect(openAnswer(publicKey, request, Buffer.concat([answered, Buffer.from([0])]))).toBeUndefined()
  })

  it('is dropped when it is for another request or by another co-signer', () => {
    const answered = Frame.signAnswer(secretKey, request, { status: 'OK', body: bytes(5) }, noble)
    const others = [
      sign({ ...frame, step: 2 }),
      sign({ ...frame, body: bytes(40) }),
      sign({ ...frame, protocolId: frame.walletId }),
      sign(frame, 'other.example'),
    ]

    expect(others.map((other) => openAnswer(publicKey, other, answered))).toEqual(others.map(() => undefined))
    expect(openAnswer(devicePublicKey, request, answered)).toBeUndefined()
    expect(openAnswer(new Uint8Array(65), request, answered)).toBeUndefined()
  })

  it('answers frames only', () => {
    const sign = () => Frame.signAnswer(secretKey, request.subarray(1), { status: 'OK', body: bytes(1) }, noble)
    expect(sign).toThrow('only a frame is answered')
  })
})

describe('the bodies of frames', () => {
  const signBody: Frame.SignBody = {
    request: { kind: 'eip191', message: '68656c6c6f' },
    digestClaim: bytes(32),
    timeoutMs: 30_000,
    otId: bytes(32),
    message: bytes(7),
  }
  const keygenBody: Frame.KeygenBody = { rootPublicKey: bytes(32), message: bytes(7) }
  const confirmed: Frame.ConfirmedBody = { address: '0xAbC', capsule: bytes(50) }
  const held: Frame.HeldBody = { pendingTransactionId: frame.walletId, contentHash: bytes(32) }
  type Body = { readonly encoded: Uint8Array; readonly decode: (bytes: Uint8Array) => object | undefined }
  const bodies: readonly Body[] = [
    { encoded: Frame.encodeSign(signBody), decode: Frame.decodeSign },
    { encoded: Frame.encodeKeygen(keygenBody), decode: Frame.decodeKeygen },
    { encoded: Frame.encodeConfirmed(confirmed), decode: Frame.decodeConfirmed },
    { encoded: Frame.encodeHeld(held), decode: Frame.decodeHeld },
  ]

  it('are decoded unchanged', () => {
    const { request, ...rest } = Frame.decodeSign(Frame.encodeSign(signBody)) ?? {}
    const { request: expected, ...others } = signBody

    expect(request && Result.getOrThrow(request)).toEqual(expected)
    expect(rest).toEqual(others)
    expect(Frame.decodeKeygen(Frame.encodeKeygen(keygenBody))).toEqual(keygenBody)
    expect(Frame.decodeConfirmed(Frame.encodeConfirmed(confirmed))).toEqual(confirmed)
    expect(Frame.decodeHeld(Frame.encodeHeld(held))).toEqual(held)
  })

  it('may have no root key, no claim and no OT record', () => {
    const none = new Uint8Array(0)

    expect(Frame.decodeKeygen(Frame.encodeKeygen({ ...keygenBody, rootPublicKey: none }))?.rootPublicKey).toEqual(none)
    const bare = Frame.decodeSign(Frame.encodeSign({ ...signBody, digestClaim: none, otId: none }))
    expect([bare?.digestClaim, bare?.otId]).toEqual([none, none])
  })

  it('are refused when truncated, extended or of fields with another length', () => {
    for (const { encoded, decode } of bodies) {
      for (let length = 0; length < encoded.length; length++) {
        expect(decode(encoded.subarray(0, length))).toBeUndefined()
      }
      expect(decode(Buffer.concat([encoded, Buffer.from([0])]))).toBeUndefined()
      expect(decode(new Uint8Array(20).fill(255))).toBeUndefined()
    }
    expect(Frame.decodeKeygen(Frame.encodeKeygen({ ...keygenBody, rootPublicKey: bytes(31) }))).toBeUndefined()
    expect(Frame.decodeSign(Frame.encodeSign({ ...signBody, digestClaim: bytes(31) }))).toBeUndefined()
    expect(Frame.decodeSign(Frame.encodeSign({ ...signBody, otId: bytes(33) }))).toBeUndefined()
    expect(Frame.decodeHeld(Frame.encodeHeld({ ...held, contentHash: bytes(31) }))).toBeUndefined()
  })

  it('distinguish an unsupported request from an invalid frame', () => {
    const body = Frame.encodeSign({ ...signBody, request: { kind: 'eip712' } as unknown as typeof signBody.request })
    const request = Frame.decodeSign(body)?.request

    expect(request && Result.isFailure(request) && request.failure.reason).toBe('malformed')
    const notJson = Frame.encodeSign(signBody)
    notJson[4] = 0x2c
    const broken = Frame.decodeSign(notJson)?.request
    expect(broken && Result.isFailure(broken) && broken.failure.reason).toBe('malformed')
  })

  it('have a timeout of whole milliseconds', () => {
    for (const timeoutMs of [-1, 0.5, 2 ** 32, Number.NaN]) {
      expect(() => Frame.encodeSign({ ...signBody, timeoutMs })).toThrow('a timeout is a whole number of milliseconds')
    }
  })
})
