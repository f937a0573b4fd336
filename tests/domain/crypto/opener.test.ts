import { createECDH, hkdfSync, randomBytes } from 'node:crypto'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Opener from '../../../domain/crypto/Opener.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'

const uuid = '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const hex = (length: number) => randomBytes(length).toString('hex')

const handshake: Opener.Handshake = {
  v: 1,
  type: 'tandem.hello',
  openingId: uuid,
  sessionId: uuid,
  page: 'create-password',
  record: uuid,
  nonce: hex(32),
  sealed: hex(256),
}
const answer: Opener.HandshakeAnswer = {
  v: 1,
  type: 'tandem.answer',
  openingId: uuid,
  ticket: hex(32),
  unsealed: hex(32),
  hostSecret: hex(32),
  recoveryPublicKey: hex(64),
  deviceSignature: hex(64),
}
const done: Opener.Done = { v: 1, type: 'tandem.done', openingId: uuid, result: 'login', sealedResult: 'v2.AAAA' }
const close: Opener.Close = { v: 1, type: 'tandem.bye', openingId: uuid }

type Case = {
  readonly name: string
  readonly message: object
  readonly read: (data: unknown) => object | undefined
  readonly optional: readonly string[]
}

const messages: readonly Case[] = [
  { name: 'hello', message: handshake, read: Opener.readHandshake, optional: ['record', 'sealed'] },
  { name: 'answer', message: answer, read: Opener.readAnswer, optional: ['unsealed', 'recoveryPublicKey'] },
  { name: 'done', message: done, read: Opener.readDone, optional: ['sealedResult'] },
  { name: 'bye', message: close, read: Opener.readClose, optional: [] },
]

describe.each(messages)('the message $name', ({ message, read, optional }) => {
  it('is read when every field is well-formed, with and without optional fields', () => {
    const required = Object.fromEntries(Object.entries(message).filter(([name]) => !optional.includes(name)))

    expect(read(message)).toEqual(message)
    expect(read(required)).toEqual(required)
  })

  it('is dropped with an unknown field, another type or version, and when it is not an object', () => {
    const others: readonly unknown[] = [
      { ...message, more: 1 },
      { ...message, toString: 1 },
      { ...message, v: 2 },
      { ...message, v: '1' },
      { ...message, type: 'tandem.other' },
      undefined,
      null,
      'tandem',
      [],
      JSON.stringify(message),
    ]

    expect(others.map((other) => read(other))).toEqual(others.map(() => undefined))
  })

  it('is dropped when a field is missing or malformed', () => {
    for (const name of Object.keys(message)) {
      const without = Object.fromEntries(Object.entries(message).filter(([other]) => other !== name))
      if (!optional.includes(name)) expect([name, read(without)]).toEqual([name, undefined])
      for (const value of [0, null, {}, ['a'], true]) {
        expect([name, read({ ...message, [name]: value })]).toEqual([name, undefined])
      }
      if (name === 'sealedResult') continue
      for (const value of ['', 'A'.repeat(64), 'ab', `${uuid}0`, uuid.toUpperCase(), ` ${uuid}`]) {
        expect([name, value, read({ ...message, [name]: value })]).toEqual([name, value, undefined])
      }
    }
  })
})

describe('the result that the portal seals for the host', () => {
  const secret = randomBytes(32)
  const result: Opener.PortalSessionResult = {
    userId: uuid,
    credentialId: uuid,
    rootPublicKey: hex(32),
    deviceCertificate: hex(200),
    recoverySignature: hex(64),
    wallets: [{ walletId: uuid, address: '0xabc', publicKey: hex(33), epoch: 1, shareId: hex(32), shareHash: hex(32) }],
    missing: [uuid],
  }
  const isOpened = (text: string, under: Uint8Array = secret, id = uuid) =>
    Result.isSuccess(Opener.openResult(under, id, text))
  const seal = (value: unknown) => Opener.sealResult(secret, uuid, value as Opener.PortalSessionResult, randomBytes(12))

  it('opens under the same secret for the same opening only', () => {
    const text = seal(result)

    expect(Result.getOrThrow(Opener.openResult(secret, uuid, text))).toEqual(result)
    expect(isOpened(text, randomBytes(32))).toBe(false)
    expect(isOpened(text, secret, uuid.replace('6', '7'))).toBe(false)
    expect(isOpened(`${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`)).toBe(false)
  })

  it('is refused when its content is malformed', () => {
    const [wallet] = result.wallets
    const others: readonly unknown[] = [
      null,
      [],
      { ...result, more: 1 },
      { ...result, rootPublicKey: hex(31) },
      { ...result, userId: 'user' },
      { ...result, wallets: {} },
      { ...result, wallets: [{ ...wallet, shareHash: '' }] },
      { ...result, wallets: [{ ...wallet, epoch: 1.5 }] },
      { ...result, wallets: [{ ...wallet, more: 1 }] },
      { ...result, missing: [1] },
      { ...result, recoverySignature: hex(63) },
      { userId: uuid },
    ]

    expect(others.map((other) => isOpened(seal(other)))).toEqual(others.map(() => false))
  })

  it('has a code whose proof is HKDF of it, and is never the code or the sealing key', () => {
    const proof = Opener.redeemProof(secret)

    expect(Buffer.from(proof)).toEqual(Buffer.from(hkdfSync('sha256', secret, '', 'tandem/redeem/v1', 32)))
    expect(Buffer.from(Opener.redeemHash(proof)).equals(Buffer.from(proof))).toBe(false)
    expect(() => Opener.redeemProof(randomBytes(16))).toThrow('a code has 32 bytes')
    expect(() => Opener.sealResult(randomBytes(31), uuid, result, randomBytes(12))).toThrow(
      'hostSecret and code have 32 bytes',
    )
  })
})

describe('the recovery secret', () => {
  const ecdh = createECDH('secp256k1')
  ecdh.generateKeys()
  // OpenSSL leaves out leading zeros, which one key in 256 has.
  const keyHex = ecdh.getPrivateKey('hex').padStart(64, '0')
  const backupDecryptionKey = new Uint8Array(Buffer.from(keyHex, 'hex'))
  const rootPublicKey = new Uint8Array(randomBytes(32))

  it('has the 64-byte public key without 04', () => {
    const publicKey = RecoverySecret.publicKeyOf(backupDecryptionKey)
    const offCurve = publicKey.slice()
    offCurve[63] = (offCurve[63] ?? 0) ^ 1

    expect(Buffer.from(publicKey)).toEqual(ecdh.getPublicKey().subarray(1))
    expect([publicKey, offCurve, publicKey.subarray(1), new Uint8Array(64)].map(RecoverySecret.isPublicKey)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('is the JSON of the contract with the root public key, and is read back', () => {
    const text = RecoverySecret.write({ walletId: uuid, backupDecryptionKey, rootPublicKey })

    expect(JSON.parse(text)).toEqual({
      walletId: uuid,
      keyshare: '',
      address: '',
      backupDecryptionKey: keyHex,
      rootPublicKey: Buffer.from(rootPublicKey).toString('hex'),
    })
    expect(RecoverySecret.read(`  ${text}\n`)).toEqual({ walletId: uuid, backupDecryptionKey, rootPublicKey })
  })

  it('is read in its older forms, which have no root public key', () => {
    const json = JSON.stringify({ walletId: uuid, keyshare: '', address: '', backupDecryptionKey: keyHex })

    expect(RecoverySecret.read(json)).toEqual({ walletId: uuid, backupDecryptionKey })
    expect(RecoverySecret.read(`${keyHex}|anything|else`)).toEqual({ backupDecryptionKey })
    expect(RecoverySecret.read(`${keyHex.toUpperCase()}|`)).toEqual({ backupDecryptionKey })
  })

  it('is not read from any other text', () => {
    const zero = '00'.repeat(32)
    const texts = [
      '',
      keyHex,
      '|x',
      `${keyHex.slice(2)}|x`,
      `${zero}|x`,
      `${'ff'.repeat(32)}|x`,
      '{}',
      '{',
      'null',
      JSON.stringify({ backupDecryptionKey: 1 }),
      JSON.stringify({ backupDecryptionKey: zero }),
      JSON.stringify({ backupDecryptionKey: keyHex, rootPublicKey: 'ab' }),
      JSON.stringify({ backupDecryptionKey: keyHex, rootPublicKey: null }),
    ]

    expect(texts.map(RecoverySecret.read)).toEqual(texts.map(() => undefined))
  })
})
