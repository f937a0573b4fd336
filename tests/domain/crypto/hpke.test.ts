import { randomBytes } from 'node:crypto'
import { concatBytes } from '@noble/hashes/utils.js'
import { base64urlnopad } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Export from '../../../domain/crypto/Export.ts'
import * as Hpke from '../../../domain/crypto/Hpke.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const random = (length: number) => new Uint8Array(randomBytes(length))

/** RFC 9180, A.2.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305, base mode, sequence number 0. */
const rfc = {
  info: hex('4f6465206f6e2061204772656369616e2055726e'),
  skEm: hex('f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600'),
  pkEm: hex('1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a'),
  pkRm: hex('4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a'),
  skRm: hex('8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb'),
  pt: hex('4265617574792069732074727574682c20747275746820626561757479'),
  aad: hex('436f756e742d30'),
  ct: hex('1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28'),
}

const sealed = new Uint8Array([...rfc.pkEm, ...rfc.ct])

/** Public keys with which X25519 gives 0. */
const smallOrder = [
  '00'.repeat(32),
  '01' + '00'.repeat(31),
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(hex)

describe('HPKE', () => {
  it('seals and opens the vectors of RFC 9180, A.2.1', () => {
    const { info, aad } = rfc

    expect(Hpke.publicKeyOf(rfc.skRm)).toEqual(rfc.pkRm)
    expect(
      Hpke.seal({ recipientPublicKey: rfc.pkRm, ephemeralSecretKey: rfc.skEm, info, aad, plaintext: rfc.pt }),
    ).toEqual(sealed)
    expect(Hpke.open({ recipientSecretKey: rfc.skRm, info, aad, sealed })).toEqual(rfc.pt)
  })

  it('opens nothing whose key, info, aad or any bit differs, or that is cut short', () => {
    const { info, aad } = rfc
    const right = { recipientSecretKey: rfc.skRm, info, aad, sealed }
    const wrong = [
      { ...right, recipientSecretKey: random(32) },
      { ...right, info: hex('00') },
      { ...right, aad: hex('00') },
      ...Array.from({ length: sealed.length }, (_, length) => ({ ...right, sealed: sealed.slice(0, length) })),
    ]

    expect(wrong.map(Hpke.open)).toEqual(wrong.map(() => undefined))
    fc.assert(
      fc.property(fc.nat({ max: 8 * sealed.length - 1 }), (bit) => {
        const changed = sealed.slice()
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        // X25519 ignores the top bit of a public key, which the key schedule does not.
        return Hpke.open({ ...right, sealed: changed }) === undefined
      }),
    )
  })

  it('refuses a key of small order', () => {
    const { info, aad, pt: plaintext } = rfc

    for (const key of smallOrder) {
      expect(
        Hpke.seal({ recipientPublicKey: key, ephemeralSecretKey: random(32), info, aad, plaintext }),
      ).toBeUndefined()
      const fromIt = new Uint8Array([...key, ...rfc.ct])
      expect(Hpke.open({ recipientSecretKey: rfc.skRm, info, aad, sealed: fromIt })).toBeUndefined()
    }
  })
})

describe("the sealed provider's half", () => {
  const binding: Export.Binding = {
    walletId: '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab',
    shareId: random(32),
    epoch: 3,
    openingId: '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ac',
    sessionId: '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ad',
    userId: '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ae',
    serverPublic: random(33),
    publicKey: random(33),
  }
  const recipient = random(32)
  const secret = random(32)
  const sealing = { recipientPublicKey: Hpke.publicKeyOf(recipient), ephemeralSecretKey: random(32) }
  const text = Export.seal(binding, secret, sealing)

  it('opens for its recipient and page', () => {
    expect(text).toMatch(/^hpke1\.[A-Za-z0-9_-]{107}$/)
    expect(Export.open(binding, text ?? '', recipient)).toEqual(secret)
  })

  it('opens for no other recipient or page', () => {
    const others: readonly Export.Binding[] = [
      { ...binding, walletId: binding.openingId },
      { ...binding, shareId: random(32) },
      { ...binding, epoch: 4 },
      { ...binding, openingId: binding.walletId },
      { ...binding, sessionId: binding.walletId },
      { ...binding, userId: binding.walletId },
      { ...binding, serverPublic: random(33) },
      { ...binding, publicKey: random(33) },
    ]

    expect(others.map((other) => Export.open(other, text ?? '', recipient))).toEqual(others.map(() => undefined))
    expect(Export.open(binding, text ?? '', random(32))).toBeUndefined()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const respelt = Array.from(alphabet, (last) => `${text?.slice(0, -1)}${last}`).filter((one) => one !== text)
    const shortened = ['', 'hpke1.', 'hpke1.!', text?.slice(6) ?? '']
    for (const broken of [...shortened, `${text}A`, `${text}=`, 'v2.AAAA', ...respelt]) {
      expect(Export.open(binding, broken, recipient)).toBeUndefined()
    }
  })

  it('does not open with a changed bit, length or part', () => {
    const written = (bytes: Uint8Array) => `hpke1.${base64urlnopad.encode(bytes)}`
    const bytes = base64urlnopad.decode(text?.slice(6) ?? '')
    const [enc, ciphertext, tag] = [bytes.slice(0, 32), bytes.slice(32, 64), bytes.slice(64)]
    /** Both sealed for the same page: the same secret under another key, and another secret under the same key. */
    const others = [
      Export.seal(binding, secret, { ...sealing, ephemeralSecretKey: random(32) }),
      Export.seal(binding, random(32), sealing),
    ].map((other) => base64urlnopad.decode(other?.slice(6) ?? ''))
    const spliced = others.flatMap((other) => [
      [other.slice(0, 32), ciphertext, tag],
      [enc, other.slice(32, 64), tag],
      [enc, ciphertext, other.slice(64)],
    ])
    const wrong = [
      ...Array.from({ length: bytes.length }, (_, at) => bytes.with(at, (bytes[at] ?? 0) ^ (1 << (at & 7)))),
      bytes.with(31, (bytes[31] ?? 0) ^ 0x80),
      ...smallOrder.map((key) => concatBytes(key, ciphertext, tag)),
      ...Array.from({ length: bytes.length }, (_, length) => bytes.slice(0, length)),
      ...Array.from({ length: 32 }, (_, length) => concatBytes(enc, ciphertext.slice(0, length), tag)),
      concatBytes(bytes, bytes),
      concatBytes(enc, ciphertext, tag, ciphertext, tag),
      ...[...spliced, [enc, others[0]?.slice(32) ?? tag]].map((parts) => concatBytes(...parts)),
    ].filter((changed) => Buffer.compare(changed, bytes) !== 0)

    expect([bytes.length, tag.length]).toEqual([80, 16])
    expect(Export.open(binding, written(bytes), recipient)).toEqual(secret)
    expect(wrong.filter((changed) => Export.open(binding, written(changed), recipient) !== undefined)).toEqual([])
  })
})
