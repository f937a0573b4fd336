import { createHash, randomBytes, webcrypto } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import * as Result from 'effect/Result'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerMessage, type SignedAnswer } from '../../../domain/crypto/CosignerAnswer.ts'
import * as CosignerKey from '../../../domain/crypto/CosignerKey.ts'
import type { Link, SignedLink } from '../../../domain/crypto/CosignerLink.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import { hash } from '../../../domain/crypto/Transcript.ts'
import { noble, verifyP256 } from '../../../domain/crypto/Signatures.ts'

/** A device key as the browser has it. */
const makeDevice = async () => {
  const pair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  return {
    publicKey: new Uint8Array(await webcrypto.subtle.exportKey('raw', pair.publicKey)),
    sign: async (message: Uint8Array) =>
      new Uint8Array(await webcrypto.subtle.sign(algorithm, pair.privateKey, message)),
  }
}

let device: Awaited<ReturnType<typeof makeDevice>>
beforeAll(async () => {
  device = await makeDevice()
})

describe('a device signature', () => {
  it('is made by WebCrypto and verified here, with high s as with low', async () => {
    const message = randomBytes(32)
    const signature = await device.sign(message)
    const { r, s } = p256.Signature.fromBytes(signature)
    const other = new p256.Signature(r, p256.Point.Fn.ORDER - s).toBytes()

    expect(DeviceKey.verify(device.publicKey, message, signature)).toBe(true)
    expect(DeviceKey.verify(device.publicKey, message, other)).toBe(true)
    expect(DeviceKey.verify(device.publicKey, randomBytes(32), signature)).toBe(false)
    expect(DeviceKey.verify((await makeDevice()).publicKey, message, signature)).toBe(false)
  })

  it('is refused, not thrown at, when key or signature are malformed', async () => {
    const message = randomBytes(32)
    const signature = await device.sign(message)
    const offCurve = device.publicKey.slice()
    offCurve[64] = (offCurve[64] ?? 0) ^ 1
    const compressed = p256.Point.fromBytes(device.publicKey).toBytes(true)
    const keys = [new Uint8Array(0), compressed, offCurve, new Uint8Array(65), device.publicKey.subarray(1)]
    const signatures = [new Uint8Array(0), new Uint8Array(64), new Uint8Array(64).fill(255), signature.subarray(1)]

    expect(keys.map((key) => DeviceKey.verify(key, message, signature))).toEqual(keys.map(() => false))
    expect(keys.map((key) => DeviceKey.isPublicKey(key))).toEqual(keys.map(() => false))
    expect(signatures.map((other) => DeviceKey.verify(device.publicKey, message, other))).toEqual(
      signatures.map(() => false),
    )
  })

  it('has a key thumbprint', () => {
    expect(DeviceKey.thumbprint(device.publicKey)).toEqual(hash('tandem/device-key/v1', [device.publicKey]))
  })
})

describe('a signed request', () => {
  const request = { method: 'POST', target: '/touch?regenerate=true', sessionId: 'session', body: Buffer.from('{}') }
  const now = 1_800_000_000_000
  const headerOf = async (ms = now) => ({
    keyThumb: DeviceKey.thumbprint(device.publicKey),
    ms,
    signature: await device.sign(DeviceKey.requestMessage({ ...request, ms })),
  })
  const check = (header: DeviceKey.DeviceHeader, of = request, at = now) => {
    const result = DeviceKey.checkRequest(header, device.publicKey, of, at)
    return Result.isSuccess(result) ? 'accepted' : result.failure.reason
  }

  it('signs method, target, time, session and body in its transcript', () => {
    const expected = hash('tandem/request/v1', [
      'POST',
      '/touch?regenerate=true',
      '1800000000000',
      'session',
      createHash('sha256').update('{}').digest(),
    ])

    expect(DeviceKey.requestMessage({ ...request, ms: now })).toEqual(expected)
    expect(DeviceKey.requestMessage({ ...request, method: 'post', ms: now })).toEqual(expected)
  })

  it('travels as keyThumb.ms.sig and is read back strictly', async () => {
    const header = await headerOf()
    const text = DeviceKey.formatHeader(header)
    const [thumb = '', ms = '', sig = ''] = text.split('.')
    const malformed = [
      '',
      thumb,
      `${thumb}.${ms}`,
      `${text}.`,
      `${thumb}.0${ms}.${sig}`,
      `${thumb}.-1.${sig}`,
      `${thumb}.1e3.${sig}`,
      `${thumb}. ${ms}.${sig}`,
      `${thumb}.99999999999999999.${sig}`,
      `${thumb.slice(2)}.${ms}.${sig}`,
      `${thumb}.${ms}.${sig.slice(2)}`,
      `${thumb.toUpperCase()}.${ms}.${sig}`,
    ]

    expect(DeviceKey.parseHeader(text)).toEqual(header)
    expect(malformed.map(DeviceKey.parseHeader)).toEqual(malformed.map(() => undefined))
  })

  it('holds for a minute around its time and for exactly this request', async () => {
    const header = await headerOf()

    expect(check(header)).toBe('accepted')
    expect(check(header, request, now + 60_000)).toBe('accepted')
    expect(check(header, request, now - 60_000)).toBe('accepted')
    expect(check(header, request, now + 60_001)).toBe('not in its time')
    expect(check(header, request, now - 60_001)).toBe('not in its time')
    expect(check({ ...header, ms: now + 1 })).toBe('wrong signature')
    expect(check(header, { ...request, method: 'GET' })).toBe('wrong signature')
    expect(check(header, { ...request, target: '/touch?regenerate=false' })).toBe('wrong signature')
    expect(check(header, { ...request, sessionId: 'other' })).toBe('wrong signature')
    expect(check(header, { ...request, body: Buffer.from('{ }') })).toBe('wrong signature')
  })

  it("is of the session's device key", async () => {
    const other = await makeDevice()
    const header = await headerOf()
    const foreign = { ...header, keyThumb: DeviceKey.thumbprint(other.publicKey) }

    expect(check(foreign)).toBe('another device key')
    expect(check({ ...header, signature: await other.sign(randomBytes(32)) })).toBe('wrong signature')
  })
})

/** Changing any one field of a signed thing changes what is signed. */
const differ = <A extends object>(message: (of: A) => Uint8Array, of: A, others: readonly Partial<A>[]) => {
  const variants = [of, ...others.map((other) => ({ ...of, ...other }))]
  const all = variants.map((one) => Buffer.from(message(one)).toString('hex'))
  expect(new Set(all).size).toBe(all.length)
}

describe('other device signatures', () => {
  it('cover the keys of its session', () => {
    const keys: DeviceKey.SessionKeys = { sessionId: 'session', devicePublicKey: device.publicKey }
    differ(DeviceKey.sessionKeysMessage, keys, [
      { sessionId: 'other' },
      { devicePublicKey: randomBytes(65) },
      { recoveryPublicKey: randomBytes(64) },
    ])
    expect(DeviceKey.sessionKeysMessage(keys)).toEqual(
      hash('tandem/keys/v1', ['session', new Uint8Array(0), device.publicKey, new Uint8Array(0)]),
    )
    expect(() => DeviceKey.sessionKeysMessage({ ...keys, loginPublicKey: 'ab' })).toThrow(
      'a login key is RSA 2048 with e 65537',
    )
  })

  it('cover backups of the share', () => {
    const backup: DeviceKey.SignedBackup = {
      userId: 'user',
      walletId: 'wallet',
      shareId: randomBytes(32),
      publicKey: randomBytes(33),
      encryptor: 'PASSWORD',
      keyRef: 'password',
      encryptedShare: 'aa',
      encryptedKey: 'bb',
    }
    differ(DeviceKey.backupMessage, backup, [
      { userId: 'other' },
      { walletId: 'other' },
      { shareId: randomBytes(32) },
      { publicKey: randomBytes(33) },
      { encryptor: 'BIOMETRICS' },
      { keyRef: 'other' },
      { encryptedShare: 'ab' },
      { encryptedKey: 'bc' },
      { encryptedKey: undefined },
    ])
  })

  it("cover answers to the portal's page", () => {
    const proof: DeviceKey.OpenerProof = {
      openingId: 'opening',
      sessionId: 'session',
      portalOrigin: 'https://portal.example',
      page: 'login-password',
      nonce: randomBytes(32),
      ticket: randomBytes(32),
      hostSecret: randomBytes(32),
    }
    differ(DeviceKey.openerMessage, proof, [
      { openingId: 'other' },
      { sessionId: 'other' },
      { portalOrigin: 'https://evil.example' },
      { page: 'login-passkey' },
      { record: 'record' },
      { nonce: randomBytes(32) },
      { ticket: randomBytes(32) },
      { loginKeyThumbprint: randomBytes(32) },
      { hostSecret: randomBytes(32) },
      { recoveryPublicKey: randomBytes(64) },
    ])
  })
})

describe("the co-signer's answer signature", () => {
  const secretKey = createHash('sha256').update('co-signer').digest()
  const publicKey = CosignerKey.publicKeyOf(secretKey)
  const answer: SignedAnswer = {
    protocolId: 'protocol',
    step: 1,
    request: randomBytes(100),
    status: 1,
    body: randomBytes(50),
  }

  it('is the same bytes for the same answer', () => {
    expect(noble.signP256(secretKey, answerMessage(answer))).toEqual(noble.signP256(secretKey, answerMessage(answer)))
  })

  it('is verified by WebCrypto as well', async () => {
    const message = hash('tandem/answer/v1', [
      'protocol',
      Uint8Array.of(0, 0, 0, 1),
      createHash('sha256').update(answer.request).digest(),
      Uint8Array.of(0, 0, 0, 1),
      createHash('sha256').update(answer.body).digest(),
    ])
    const key = await webcrypto.subtle.importKey('raw', publicKey, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ])
    const signature = noble.signP256(secretKey, answerMessage(answer))

    expect(await webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, message)).toBe(true)
  })

  it('is for one protocol, step, request, status and body', () => {
    const signature = noble.signP256(secretKey, answerMessage(answer))
    const others: readonly Partial<SignedAnswer>[] = [
      { protocolId: 'other' },
      { step: 2 },
      { request: randomBytes(100) },
      { status: 4 },
      { body: new Uint8Array(0) },
    ]

    expect(verifyP256(publicKey, answerMessage(answer), signature)).toBe(true)
    expect(others.map((other) => verifyP256(publicKey, answerMessage({ ...answer, ...other }), signature))).toEqual(
      others.map(() => false),
    )
    expect(verifyP256(device.publicKey, answerMessage(answer), signature)).toBe(false)
  })
})

describe('a chain of the co-signer’s keys', () => {
  const [first, second, third, foreign] = [1, 2, 3, 4].map((fill) => new Uint8Array(32).fill(fill)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const linkOf = (by: Uint8Array, to: Uint8Array, from: number, changes: Partial<Link> = {}) =>
    CosignerKey.signLink(by, {
      name: 'tandem',
      oldKey: CosignerKey.publicKeyOf(by),
      newKey: CosignerKey.publicKeyOf(to),
      from,
      isCompromised: false,
      ...changes,
    })
  const [one, two] = [linkOf(first, second, 10), linkOf(second, third, 20, { isCompromised: true })]
  const walked = (links: readonly SignedLink[], pinned = first) =>
    CosignerKey.walk('tandem', CosignerKey.publicKeyOf(pinned), links)

  it('leads from each key on, in whatever order its links come', () => {
    expect(walked([two, one])).toEqual([one, two])
    expect(walked([one, two], second)).toEqual([two])
    expect(walked([one, two], third)).toEqual([])
    expect(walked([two])).toEqual([])
  })

  it('is signed by the old key over all that it says', async () => {
    const message = hash('tandem/cosigner-key/v1', ['tandem', one.oldKey, one.newKey, '10', Uint8Array.of(0)])
    const key = await webcrypto.subtle.importKey('raw', one.oldKey, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ])
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }

    expect(await webcrypto.subtle.verify(algorithm, key, one.signature, message)).toBe(true)
  })

  it.each<[string, SignedLink]>([
    ['another co-signer’s', linkOf(first, second, 10, { name: 'other' })],
    ['renamed', { ...linkOf(first, second, 10, { name: 'other' }), name: 'tandem' }],
    ['signed by a foreign key', { ...one, signature: linkOf(foreign, second, 10).signature }],
    ['to a foreign key', { ...one, newKey: CosignerKey.publicKeyOf(foreign) }],
    ['of another time', { ...one, from: 11 }],
    ['with another mark', { ...one, isCompromised: true }],
    ['without a signature', { ...one, signature: new Uint8Array(64) }],
    ['signed by the new key for itself', { ...one, signature: linkOf(second, second, 10).signature }],
  ])('ends before a link that is %s', (_, link) => {
    expect(walked([link, two])).toEqual([])
  })

  it.each([10, 9])('ends before a link whose time is no later: %i', (from) => {
    expect(walked([one, linkOf(second, third, from)])).toEqual([one])
  })

  it('ends where a key leads back', () => {
    expect(walked([one, linkOf(second, first, 20), two])).toEqual([one, linkOf(second, first, 20)])
  })
})
