import {
  constants,
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as Hybrid from '../../../domain/crypto/Hybrid.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import * as Wrap from '../../../domain/crypto/Wrap.ts'
import { times } from '../../kit/long.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const opened = <A, E>(result: Result.Result<A, E>) => (Result.isSuccess(result) ? result.success : undefined)

/** Every text that differs from this one in one character. */
const changes = (text: string) =>
  [...text].map((character, index) => text.slice(0, index) + (character === 'A' ? 'B' : 'A') + text.slice(index + 1))

describe('the v2 envelope', () => {
  const key = randomBytes(32)
  const aad = randomBytes(32)
  const iv = randomBytes(12)

  it('is what node:crypto makes of IV, ciphertext and tag', () => {
    const plaintext = Buffer.from('root key')
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])

    const text = Wrap.seal({ key, aad, plaintext, iv })

    expect(text).toBe(`v2.${Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url')}`)
  })

  it('opens what was sealed, under the same key and associated data only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (plaintext) => {
        const text = Wrap.seal({ key, aad, plaintext, iv })
        expect(opened(Wrap.open({ key, aad, text }))).toEqual(plaintext)
        expect(opened(Wrap.open({ key: randomBytes(32), aad, text }))).toBeUndefined()
        expect(opened(Wrap.open({ key, aad: randomBytes(32), text }))).toBeUndefined()
      }),
    )
  })

  it('does not open when a character is changed, missing or added', () => {
    const text = Wrap.seal({ key, aad, plaintext: Buffer.from('abc'), iv })

    const changed = [...changes(text), text.slice(0, -1), `${text}A`, `${text}=`, ` ${text}`, '', 'v2.', 'v2.AAAA']
    expect(changed.map((other) => opened(Wrap.open({ key, aad, text: other })))).toEqual(changed.map(() => undefined))
  })
})

/** geth's ECIES, implemented a second time on node:crypto. */
const independentEcies = {
  keys: (shared: Buffer) => {
    const derived = createHash('sha256')
      .update(Buffer.from([0, 0, 0, 1]))
      .update(shared)
      .digest()
    return {
      encryption: derived.subarray(0, 16),
      mac: createHash('sha256').update(derived.subarray(16)).digest(),
    }
  },
  open: (secret: Uint8Array, text: string) => {
    const all = Buffer.from(text, 'base64')
    const ecdh = createECDH('secp256k1')
    ecdh.setPrivateKey(secret)
    const { encryption, mac } = independentEcies.keys(ecdh.computeSecret(all.subarray(0, 65)))
    const body = all.subarray(65, -32)
    if (!createHmac('sha256', mac).update(body).digest().equals(all.subarray(-32))) return undefined
    const cipher = createDecipheriv('aes-128-ctr', encryption, body.subarray(0, 16))
    return Buffer.concat([cipher.update(body.subarray(16)), cipher.final()]).toString('utf16le')
  },
  seal: (publicKey: Buffer, text: string) => {
    const ecdh = createECDH('secp256k1')
    const point = ecdh.generateKeys()
    const { encryption, mac } = independentEcies.keys(ecdh.computeSecret(publicKey))
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-128-ctr', encryption, iv)
    const body = Buffer.concat([iv, cipher.update(Buffer.from(text, 'utf16le')), cipher.final()])
    return Buffer.concat([point, body, createHmac('sha256', mac).update(body).digest()]).toString('base64')
  },
}

describe('ECIES to a recovery key', () => {
  const recipient = createECDH('secp256k1')
  recipient.generateKeys()
  const secretKey = recipient.getPrivateKey()
  const publicKey = recipient.getPublicKey().subarray(1)
  const seal = (plaintext: string) =>
    Ecies.seal({ publicKey, plaintext, ephemeralSecret: randomBytes(32), iv: randomBytes(16) })

  it('adds 113 bytes to the UTF-16LE plaintext', () => {
    expect(Ecies.overhead).toBe(113)
    expect(Buffer.from(seal('recovery share'), 'base64').length).toBe(113 + 2 * 'recovery share'.length)
  })

  it('is compatible in both directions with an implementation on node:crypto', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40, unit: 'binary' }), (plaintext) => {
        expect(independentEcies.open(secretKey, seal(plaintext))).toBe(plaintext)
        const text = independentEcies.seal(recipient.getPublicKey(), plaintext)
        expect(opened(Ecies.open({ secretKey, text }))).toBe(plaintext)
      }),
      { numRuns: times(20, 200) },
    )
  })

  it('does not open for another key, changed, truncated or with an invalid point', () => {
    const text = seal('ab')
    const all = Buffer.from(text, 'base64')
    const changed = Array.from(all, (_, index) => {
      const other = Buffer.from(all)
      other[index] = (other[index] ?? 0) ^ 1
      return other.toString('base64')
    })

    const refused = [...changed, all.subarray(1).toString('base64'), all.subarray(0, -1).toString('base64'), '', 'AA']
    expect(refused.map((other) => opened(Ecies.open({ secretKey, text: other })))).toEqual(refused.map(() => undefined))
    const stranger = createECDH('secp256k1')
    stranger.generateKeys()
    expect(opened(Ecies.open({ secretKey: stranger.getPrivateKey(), text }))).toBeUndefined()
  })
})

describe('the hybrid envelope of shares', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
  const rsaEncrypt = (plain: Uint8Array) => Promise.resolve(publicEncrypt({ key: pair.publicKey, ...oaep }, plain))
  const rsaDecrypt = async (block: Uint8Array) => privateDecrypt({ key: pair.privateKey, ...oaep }, block)
  const iv = Buffer.from('794241bc819a125a', 'latin1')

  it('is opened with node:crypto alone', async () => {
    const messageKey = randomBytes(16)

    const sealed = await Hybrid.seal({ plaintext: '{"share":1}', messageKey, rsaEncrypt })

    const block = Buffer.from(Buffer.from(sealed.encryptedKeyHex, 'hex').toString('utf8'), 'latin1')
    const key = privateDecrypt({ key: pair.privateKey, ...oaep }, block)
    const cipher = createDecipheriv('aes-128-cbc', key, iv)
    const message = Buffer.from(sealed.encryptedMessageHex, 'hex')
    expect(key).toEqual(messageKey)
    expect(Buffer.concat([cipher.update(message), cipher.final()]).toString('latin1')).toBe('{"share":1}')
    expect(sealed.encryptedKeyHex.length).toBeGreaterThan(512)
  })

  it('opens what was made with node:crypto alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 100 }), bytes(16), async (plaintext, messageKey) => {
        const cipher = createCipheriv('aes-128-cbc', messageKey, iv)
        const block = publicEncrypt({ key: pair.publicKey, ...oaep }, messageKey)
        const encryption = {
          encryptedMessageHex: cipher.update(plaintext, 'latin1', 'hex') + cipher.final('hex'),
          encryptedKeyHex: Buffer.from(block.toString('latin1'), 'utf8').toString('hex'),
        }
        expect(opened(await Hybrid.open(encryption, rsaDecrypt))).toBe(plaintext)
      }),
      { numRuns: times(25, 250) },
    )
  })

  it('opens the stored sample of an envelope', async () => {
    const sample = JSON.parse(readFileSync(new URL('fixtures/hybrid.json', import.meta.url), 'utf8')) as {
      readonly privateKey: string
      readonly plaintext: string
    } & Hybrid.HybridEncryption
    const der = RsaKey.privateDer(Redacted.make(sample.privateKey))
    const key = createPrivateKey({ key: Buffer.from(der ?? []), format: 'der', type: 'pkcs1' })

    const text = await Hybrid.open(sample, async (block) => privateDecrypt({ key, ...oaep }, block))

    expect(opened(text)).toBe(sample.plaintext)
  })

  it('refuses a key block that is not the UTF-8 of 256 bytes, or not for this key', async () => {
    const sealed = await Hybrid.seal({ plaintext: 'abc', messageKey: randomBytes(16), rsaEncrypt })
    const block = Buffer.from(Buffer.from(sealed.encryptedKeyHex, 'hex').toString('utf8'), 'latin1')
    const asHex = (text: string) => Buffer.from(text, 'utf8').toString('hex')
    const keys = [
      '',
      'zz',
      block.toString('hex'),
      asHex(block.subarray(1).toString('latin1')),
      asHex(`${block.toString('latin1')}A`),
      asHex(`${block.subarray(1).toString('latin1')}€`),
      `${sealed.encryptedKeyHex}c3`,
      sealed.encryptedKeyHex.replace(/^((?:[0-7].)*)c2/, '$1c6').replace(/^((?:[0-7].)*)c3/, '$1c7'),
      asHex(randomBytes(256).toString('latin1')),
      sealed.encryptedKeyHex.toUpperCase(),
    ]

    for (const encryptedKeyHex of keys) {
      const result = await Hybrid.open({ ...sealed, encryptedKeyHex }, rsaDecrypt)
      expect([encryptedKeyHex.slice(0, 8), opened(result)]).toEqual([encryptedKeyHex.slice(0, 8), undefined])
    }
  })

  it('refuses a message that is not whole blocks, badly padded, or not ASCII', async () => {
    const messageKey = randomBytes(16)
    const sealed = await Hybrid.seal({ plaintext: 'abc', messageKey, rsaEncrypt })
    const cipher = createCipheriv('aes-128-cbc', messageKey, iv)
    const notAscii = cipher.update('é', 'latin1', 'hex') + cipher.final('hex')
    const unpadded = createCipheriv('aes-128-cbc', messageKey, iv).setAutoPadding(false)
    const badPadding = unpadded.update(Buffer.alloc(16), undefined, 'hex') + unpadded.final('hex')

    for (const encryptedMessageHex of ['', '00', sealed.encryptedMessageHex.slice(2), notAscii, badPadding, 'xx']) {
      expect(opened(await Hybrid.open({ ...sealed, encryptedMessageHex }, rsaDecrypt))).toBeUndefined()
    }
  })

  it('does not seal text that is not ASCII, nor under a key of another size', async () => {
    const messageKey = randomBytes(16)
    await expect(Hybrid.seal({ plaintext: 'é', messageKey, rsaEncrypt })).rejects.toThrow('non-ASCII char')
    await expect(Hybrid.seal({ plaintext: 'a', messageKey: randomBytes(32), rsaEncrypt })).rejects.toThrow(
      'AES-128-CBC: key 16 bytes',
    )
  })
})

describe('RSA keys as pemhex', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicPkcs1 = pair.publicKey.export({ type: 'pkcs1', format: 'der' })
  const privatePkcs1 = pair.privateKey.export({ type: 'pkcs1', format: 'der' })
  const pemHex = (pem: string | Buffer) => Buffer.from(String(pem).replaceAll('\n', '\r\n'), 'latin1').toString('hex')

  it('are the PKCS#1 PEM of node:crypto with CRLF line ends', () => {
    const publicText = pemHex(pair.publicKey.export({ type: 'pkcs1', format: 'pem' }))
    const privateText = pemHex(pair.privateKey.export({ type: 'pkcs1', format: 'pem' }))

    expect(RsaKey.publicPemHex(publicPkcs1)).toBe(publicText)
    expect(Redacted.value(RsaKey.privatePemHex(privatePkcs1))).toBe(privateText)
    expect(Buffer.from(RsaKey.publicDer(publicText) ?? []).equals(publicPkcs1)).toBe(true)
    expect(Buffer.from(RsaKey.privateDer(Redacted.make(privateText)) ?? []).equals(privatePkcs1)).toBe(true)
  })

  it('become SPKI and PKCS#8 as node:crypto writes them, and come back', () => {
    const spki = pair.publicKey.export({ type: 'spki', format: 'der' })
    const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })

    expect(Buffer.from(RsaKey.toSpki(publicPkcs1)).equals(spki)).toBe(true)
    expect(Buffer.from(RsaKey.toPkcs8(privatePkcs1)).equals(pkcs8)).toBe(true)
    expect(Buffer.from(RsaKey.fromSpki(spki) ?? []).equals(publicPkcs1)).toBe(true)
    expect(Buffer.from(RsaKey.fromPkcs8(pkcs8) ?? []).equals(privatePkcs1)).toBe(true)
    expect(RsaKey.fromSpki(pkcs8)).toBeUndefined()
    expect(RsaKey.fromPkcs8(spki)).toBeUndefined()
    expect(RsaKey.fromPkcs8(pkcs8.subarray(0, -1))).toBeUndefined()
  })

  it('are RSA 2048 with exponent 65537 and nothing else', () => {
    const of = (options: { modulusLength: number; publicExponent?: number }) =>
      pemHex(generateKeyPairSync('rsa', options).publicKey.export({ type: 'pkcs1', format: 'pem' }))
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })

    for (const text of [of({ modulusLength: 1024 }), of({ modulusLength: 3072 }), pemHex(ec), '', 'zz', '00']) {
      expect(RsaKey.publicDer(text)).toBeUndefined()
      expect(RsaKey.loginKeyThumbprint(text)).toBeUndefined()
    }
    expect(RsaKey.publicDer(of({ modulusLength: 2048, publicExponent: 3 }))).toBeUndefined()
  })

  it('have exactly one encoding', () => {
    const text = RsaKey.publicPemHex(publicPkcs1)
    const pem = Buffer.from(text, 'hex').toString('latin1')
    const even = Buffer.from(publicPkcs1)
    even[264] = (even[264] ?? 0) & 0xfe
    const short = Buffer.from(publicPkcs1)
    short[9] = 0x7f
    const others = [
      pem.replaceAll('\r\n', '\n'),
      pem.trimEnd(),
      `${pem}\r\n`,
      ` ${pem}`,
      pem.replaceAll('RSA PUBLIC', 'RSA PRIVATE'),
      pem.replace('\r\n', '\r\n\r\n'),
      pem.replaceAll('-----', '----'),
    ].map((other) => Buffer.from(other, 'latin1').toString('hex'))

    expect([...others, text.toUpperCase(), text.slice(2), text.slice(0, -2)].map(RsaKey.publicDer)).toEqual(
      Array.from({ length: others.length + 3 }, () => undefined),
    )
    expect(() => RsaKey.publicPemHex(even)).toThrow('not a PKCS#1 public key of RSA-2048')
    expect(() => RsaKey.publicPemHex(short)).toThrow('not a PKCS#1 public key of RSA-2048')
    expect(() => RsaKey.privatePemHex(publicPkcs1)).toThrow('not a PKCS#1 private key of RSA-2048')
  })

  it('have a thumbprint over the PEM', () => {
    const text = RsaKey.publicPemHex(publicPkcs1)
    const pem = Buffer.from(text, 'hex')
    const tag = Buffer.from('tandem/login-key/v1')
    const u32 = (value: number) => Buffer.from([0, 0, value >> 8, value & 255])
    const expected = createHash('sha256')
      .update(Buffer.concat([u32(tag.length), tag, u32(1), u32(pem.length), pem]))
      .digest('hex')

    expect(Buffer.from(RsaKey.loginKeyThumbprint(text) ?? []).toString('hex')).toBe(expected)
    expect(createPublicKey({ key: pem }).asymmetricKeyType).toBe('rsa')
  })
})
