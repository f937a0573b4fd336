import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as PasskeyKeys from '../../../domain/crypto/PasskeyKeys.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'

const passwordId = '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const masterKey = createHash('sha256').update('master key').digest()
const pepper = createHash('sha256').update('pepper').digest()
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const hkdf = (key: Uint8Array, info: string) => Buffer.from(hkdfSync('sha256', key, passwordId, info, 32))

describe('a password', () => {
  const common = new Set(['password', 'ﬁ'.normalize('NFKC') + 'refly'])
  const check = (password: string) => {
    const result = PasswordKeys.passwordBytes(password, common)
    return Result.isSuccess(result) ? hex(result.success) : result.failure._tag
  }

  it('has at least 8 characters, counted in NFKC as characters and not as code units', () => {
    expect(check('1234567')).toBe('PasswordTooShort')
    expect(check('12345678')).toBe(hex(Buffer.from('12345678')))
    expect(check('😀😀😀😀')).toBe('PasswordTooShort')
    expect(check('😀'.repeat(8))).toBe(hex(Buffer.from('😀'.repeat(8))))
    expect(check('e\u0301'.repeat(4))).toBe('PasswordTooShort')
  })

  it('is the same password in every Unicode form', () => {
    expect(check('Å-passwort')).toBe(check('A\u030a-passwort'))
    expect(check('ﬁ-passwort')).toBe(check('fi-passwort'))
  })

  it('is not a common one, in any case', () => {
    expect(check('PassWord')).toBe('PasswordTooCommon')
    expect(check('ﬁrefly!')).not.toBe('PasswordTooCommon')
  })
})

describe('the parameters of Argon2id', () => {
  const of = (changes: Partial<PasswordKeys.Kdf>) =>
    PasswordKeys.isAcceptableKdf({ ...PasswordKeys.defaultKdf, ...changes })

  it('have the default 64 MiB, 3 passes, 1 lane', () => {
    expect(PasswordKeys.defaultKdf).toEqual({ algorithm: 'argon2id', memoryKiB: 65536, iterations: 3, parallelism: 1 })
    expect(of({})).toBe(true)
  })

  it('have a floor of 19 MiB and 2, and a ceiling of 256 MiB and 10', () => {
    expect(of({ memoryKiB: 19 * 1024, iterations: 2 })).toBe(true)
    expect(of({ memoryKiB: 256 * 1024, iterations: 10 })).toBe(true)
    const refused = [
      { memoryKiB: 19 * 1024 - 1 },
      { memoryKiB: 256 * 1024 + 1 },
      { memoryKiB: 65536.5 },
      { memoryKiB: Number.NaN },
      { iterations: 1 },
      { iterations: 11 },
      { parallelism: 2 },
      { parallelism: 0 },
      { algorithm: 'argon2i' as 'argon2id' },
    ]
    expect(refused.map(of)).toEqual(refused.map(() => false))
  })

  it('take salt and record id as one salt of 32 bytes', () => {
    const salt = randomBytes(16)

    expect(hex(PasswordKeys.argonSalt(salt, passwordId))).toBe(hex(salt) + passwordId.replaceAll('-', ''))
    expect(() => PasswordKeys.argonSalt(randomBytes(15), passwordId)).toThrow('salt and record id have 16 bytes each')
    expect(() => PasswordKeys.argonSalt(salt, 'abcd')).toThrow('salt and record id have 16 bytes each')
  })
})

describe('the keys derived from the master key', () => {
  it('are HKDF-SHA-256 under the documented labels, as node:crypto computes it', () => {
    const auth = PasswordKeys.authKey(masterKey, passwordId)
    const keys = PasswordKeys.passwordWrappingKeys(masterKey, pepper, passwordId)

    const wrap = hkdf(masterKey, 'tandem/password/v1/wrap')
    const kek = hkdf(Buffer.concat([wrap, pepper]), 'tandem/password/v1/kek')
    expect(hex(auth.seed)).toBe(hex(hkdf(masterKey, 'tandem/password/v1/auth')))
    expect(hex(auth.publicKey)).toBe(hex(ed25519.getPublicKey(auth.seed)))
    expect(hex(keys.privateKey)).toBe(hex(hkdf(kek, 'tandem/password/v1/ewpk')))
    expect(hex(keys.root)).toBe(hex(hkdf(kek, 'tandem/password/v1/root')))
  })

  it('differ for another record, pepper or master key', () => {
    const of = (key: Uint8Array, salt: Uint8Array, id: string) =>
      hex(PasswordKeys.passwordWrappingKeys(key, salt, id).privateKey)
    const all = [
      of(masterKey, pepper, passwordId),
      of(masterKey, pepper, passwordId.replace('6', '7')),
      of(masterKey, masterKey, passwordId),
      of(pepper, pepper, passwordId),
    ]

    expect(new Set(all).size).toBe(all.length)
    expect(() => PasswordKeys.passwordWrappingKeys(masterKey, randomBytes(16), passwordId)).toThrow(
      'pepper has 32 bytes',
    )
    expect(() => PasswordKeys.authKey(randomBytes(31), passwordId)).toThrow(
      'a key to derive from has at least 32 bytes',
    )
  })

  it('have a hash of the wrapping key that is not the key', () => {
    const keys = PasswordKeys.passwordWrappingKeys(masterKey, pepper, passwordId)

    expect(CredentialWrap.encryptionKeyHash(keys).length).toBe(32)
    expect(hex(CredentialWrap.encryptionKeyHash(keys))).not.toBe(hex(keys.privateKey))
    expect(hex(CredentialWrap.encryptionKeyHash(keys))).not.toBe(
      hex(CredentialWrap.encryptionKeyHash({ ...keys, privateKey: keys.root })),
    )
  })
})

describe('the proof that a password is known', () => {
  const { seed, publicKey } = PasswordKeys.authKey(masterKey, passwordId)
  const proof: PasswordKeys.PasswordProof = {
    portalHost: 'portal.localhost',
    partnerId: 'partner',
    sessionId: 'session',
    openingId: 'opening',
    passwordId,
    loginKeyThumbprint: randomBytes(32),
    challenge: randomBytes(32),
  }
  const signature = PasswordKeys.signPassword(seed, proof)

  it('holds for its challenge, page, session and login key only', () => {
    const others: readonly Partial<PasswordKeys.PasswordProof>[] = [
      { portalHost: 'portal.evil' },
      { partnerId: 'other' },
      { sessionId: 'other' },
      { openingId: 'other' },
      { passwordId: 'other' },
      { loginKeyThumbprint: new Uint8Array(0) },
      { challenge: randomBytes(32) },
      { partnerId: 'partners', sessionId: 'ession' },
    ]

    expect(PasswordKeys.isPasswordProof(publicKey, proof, signature)).toBe(true)
    for (const other of others) {
      expect(PasswordKeys.isPasswordProof(publicKey, { ...proof, ...other }, signature)).toBe(false)
    }
  })

  it('is refused, not thrown at, when key or signature are malformed', () => {
    const keys = [new Uint8Array(0), randomBytes(31), new Uint8Array(32).fill(0xff), new Uint8Array(32)]
    const signatures = [new Uint8Array(0), signature.subarray(1), new Uint8Array(64), new Uint8Array(64).fill(0xff)]

    expect(keys.map((key) => PasswordKeys.isPasswordProof(key, proof, signature))).toEqual(keys.map(() => false))
    expect(signatures.map((other) => PasswordKeys.isPasswordProof(publicKey, proof, other))).toEqual(
      signatures.map(() => false),
    )
  })
})

describe('the wrapping keys of a passkey', () => {
  it('come from the PRF output or the user handle by HKDF, under labels of their own', () => {
    const secret = randomBytes(32)
    for (const variant of ['prf', 'handle'] as const) {
      const kek = hkdf(secret, `tandem/passkey/${variant}/v1/kek`)
      const keys = PasskeyKeys.passkeyWrappingKeys(variant, secret, passwordId)

      expect(hex(keys.privateKey)).toBe(hex(hkdf(kek, `tandem/passkey/${variant}/v1/ewpk`)))
      expect(hex(keys.root)).toBe(hex(hkdf(kek, `tandem/passkey/${variant}/v1/root`)))
    }
    expect(() => PasskeyKeys.passkeyWrappingKeys('prf', randomBytes(64), passwordId)).toThrow(
      'PRF output and user handle have 32 bytes',
    )
  })

  it('use a constant PRF input', () => {
    expect(hex(PasskeyKeys.prfInput)).toBe(createHash('sha256').update('tandem/passkey-prf/v1').digest('hex'))
  })
})
