import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import {
  argon2Sync,
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PasswordHashWorker } from '../../../adapters/browser/PasswordHashWorker.ts'
import { checkBackup, type Backup } from '../../../domain/client/portal/checkBackup.ts'
import { masterKey } from '../../../domain/client/portal/masterKey.ts'
import { PasswordHash } from '../../../domain/client/ports/PasswordHash.ts'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as ShareText from '../../../domain/mpc/ShareText.ts'
import { makeShare, pair, partnerId, userId } from '../../kit/loginScene.ts'

const passwordId = '0f0e0d0c-0b0a-4908-8706-050403020100'
const salt = hexToBytes('00112233445566778899aabbccddeeff')
const pepper = new Uint8Array(32).fill(0x5a)
const kdf: PasswordKeys.Kdf = { algorithm: 'argon2id', ...PasswordKeys.kdfFloor, parallelism: 1 }
// NFKC makes one letter of each pair, and one text of both spellings.
const typed = 'Ａ sturdy ﬁsh é 9'
const normal = 'A sturdy fish é 9'

const derive = (password: string, with_: PasswordKeys.Kdf = kdf) =>
  Effect.runPromise(
    Effect.provide(masterKey({ password: Redacted.make(password), passwordId, salt, kdf: with_ }), PasswordHashWorker),
  )

/** The whole derivation (domain/crypto/README.md#password-keys) again, by node:crypto alone. */
const independent = () => {
  const record = Buffer.from(passwordId.replaceAll('-', ''), 'hex')
  const master = argon2Sync('argon2id', {
    message: Buffer.from(normal, 'utf8'),
    nonce: Buffer.concat([salt, record]),
    memory: kdf.memoryKiB,
    passes: kdf.iterations,
    parallelism: 1,
    tagLength: 32,
  })
  const hkdf = (key: Uint8Array, use: string) =>
    Buffer.from(hkdfSync('sha256', key, passwordId, `tandem/password/v1/${use}`, 32))
  const kek = hkdf(Buffer.concat([hkdf(master, 'wrap'), pepper]), 'kek')
  return { master, auth: hkdf(master, 'auth'), ewpk: hkdf(kek, 'ewpk'), root: hkdf(kek, 'root') }
}
const ed25519Key = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
const hash = (tag: string, ...fields: readonly (string | Uint8Array)[]) => {
  const u32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
  const framed = fields.map((field) => Buffer.from(field)).flatMap((field) => [u32(field.length), field])
  return createHash('sha256')
    .update(Buffer.concat([u32(tag.length), Buffer.from(tag), u32(fields.length), ...framed]))
    .digest()
}

describe('the keys of a password', () => {
  it('are what node:crypto computes, from the master key to the wrapping keys', async () => {
    const expected = independent()

    const master = await derive(typed)

    const keys = PasswordKeys.passwordWrappingKeys(master, pepper, passwordId)
    expect(bytesToHex(master)).toBe(expected.master.toString('hex'))
    expect(bytesToHex(keys.privateKey)).toBe(expected.ewpk.toString('hex'))
    expect(bytesToHex(keys.root)).toBe(expected.root.toString('hex'))
    expect(bytesToHex(CredentialWrap.encryptionKeyHash(keys))).toBe(
      hash('tandem/encryption-key/v1', expected.ewpk).toString('hex'),
    )
  })

  it('make the same proof signature as node:crypto', async () => {
    const key = ed25519Key(independent().auth)
    const proof: PasswordKeys.PasswordProof = {
      portalHost: 'portal.example',
      partnerId,
      sessionId: userId,
      openingId: partnerId,
      passwordId,
      loginKeyThumbprint: new Uint8Array(32).fill(1),
      challenge: new Uint8Array(32).fill(2),
    }

    const auth = PasswordKeys.authKey(await derive(typed), passwordId)

    const { portalHost, sessionId, openingId, loginKeyThumbprint, challenge } = proof
    const message = hash(
      'tandem/password-verify/v1',
      portalHost,
      partnerId,
      sessionId,
      openingId,
      passwordId,
      loginKeyThumbprint,
      challenge,
    )
    const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
    expect(bytesToHex(auth.publicKey)).toBe(spki.subarray(-32).toString('hex'))
    expect(bytesToHex(PasswordKeys.signPassword(auth.seed, proof))).toBe(sign(null, message, key).toString('hex'))
  })

  it('wrap the root key to the same bytes as node:crypto', async () => {
    const seed = new Uint8Array(32).fill(3)
    const iv = new Uint8Array(12).fill(4)
    const rootPublicKey = createPublicKey(ed25519Key(seed)).export({ format: 'der', type: 'spki' }).subarray(-32)
    const { publicKey } = pair
    const owner: CredentialWrap.WrapOwner = {
      kind: 'PASSWORD',
      userId,
      recordId: passwordId,
      variant: '',
      publicKey,
      rootPublicKey,
    }

    const keys = PasswordKeys.passwordWrappingKeys(await derive(typed), pepper, passwordId)
    const wrapped = CredentialWrap.sealRoot(keys, owner, { seed: Redacted.make(seed), strict: [partnerId] }, iv)

    const pem = createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest()
    const cipher = createCipheriv('aes-256-gcm', independent().root, iv)
    cipher.setAAD(hash('tandem/wrap/v1', 'PASSWORD', userId, passwordId, '', pem, rootPublicKey))
    const text = JSON.stringify({ v: 1, seed: '03'.repeat(32), strict: [partnerId] })
    const sealed = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()])
    expect(wrapped).toBe(`v2.${sealed.toString('base64url')}`)
  })

  it.each(['1234567', 'password', 'PASSWORD1', 'ｐａｓｓｗｏｒｄ', 'correcthorsebatterystaple'])(
    'are not derived for %s, which is too short or too common',
    async (password) => {
      const error = await Effect.runPromise(
        Effect.flip(masterKey({ password: Redacted.make(password), passwordId, salt, kdf })).pipe(
          Effect.provide(Layer.mock(PasswordHash, {})),
        ),
      )

      expect(error._tag).toMatch(/^PasswordToo(?:Short|Common)$/)
    },
  )

  it.each([
    ['below the floor of memory', { memoryKiB: 19 * 1_024 - 1 }],
    ['below the floor of iterations', { iterations: 1 }],
    ['above the ceiling of memory', { memoryKiB: 256 * 1_024 + 1 }],
    ['above the ceiling of iterations', { iterations: 11 }],
    ['for more lanes', { parallelism: 2 }],
  ])('are not derived %s', async (_, changes) => {
    const error = await Effect.runPromise(
      Effect.flip(masterKey({ password: Redacted.make(normal), passwordId, salt, kdf: { ...kdf, ...changes } })).pipe(
        Effect.provide(Layer.mock(PasswordHash, {})),
      ),
    )

    expect(error._tag).toBe('KdfRefused')
  })
})

/** Where wallets of all partners are recovered. */
const connectOrigin = 'https://connect.example'

describe('an unsigned backup', () => {
  const backup: Backup = {
    walletId: 'w',
    encryptedShare: '',
    type: 'USER',
    encryptor: 'PASSWORD',
  }
  const root = new Uint8Array(32).fill(9)
  const check = (pinnedTo: Uint8Array, strict: readonly string[]) => {
    const share = makeShare(pinnedTo)
    const active = { walletId: share.walletId, epoch: 1, shareId: bytesToHex(share.shareId) }
    const opened = Result.getOrThrow(ShareText.open(share.shareText))
    const credential = {
      userId,
      partnerId,
      connectOrigin,
      encryptor: 'PASSWORD',
      keyRef: passwordId,
      rootPublicKey: root,
      strict,
    } as const
    return checkBackup(backup, active, opened, credential)
  }

  it('of a client without a root key is accepted until a root key requires a signature', () => {
    expect(Result.isSuccess(check(new Uint8Array(0), []))).toBe(true)
    expect(Result.isSuccess(check(new Uint8Array(0), ['another partner']))).toBe(true)
    expect(check(new Uint8Array(0), [partnerId])).toMatchObject({ failure: { reason: 'not signed' } })
  })

  it('of a share that is pinned to the root key is refused: a client that pins it could have signed', () => {
    expect(check(root, [])).toMatchObject({ failure: { reason: 'not signed' } })
  })
})

describe('a signed backup', () => {
  const seed = new Uint8Array(32).fill(9)
  const rootPublicKey = RootKey.publicKeyOf(seed)
  const share = makeShare(rootPublicKey)
  const secret = p256.utils.randomSecretKey()
  const device = {
    userId,
    partnerId,
    origin: '',
    sessionId: userId,
    devicePublicKey: p256.getPublicKey(secret, false),
    issuedAt: 0,
    expiresAt: 1,
  }

  /** The root key's certificate of a device, and that device's signature over the backup, each changed as a test says. */
  const check = (certified: Partial<typeof device> = {}, signed: Partial<DeviceKey.SignedBackup> = {}) => {
    const sealed = { encryptedShare: 'aa', encryptedKey: 'bb' }
    const message = DeviceKey.backupMessage({
      userId,
      walletId: share.walletId,
      shareId: share.shareId,
      publicKey: share.publicKey,
      encryptor: 'PASSWORD',
      keyRef: passwordId,
      ...sealed,
      ...signed,
    })
    const backup: Backup = {
      walletId: share.walletId,
      ...sealed,
      type: 'USER',
      encryptor: 'PASSWORD',
      deviceSignature: bytesToHex(p256.sign(message, secret, { prehash: true })),
      certificate: bytesToHex(RootKey.certifyDevice(seed, { ...device, ...certified })),
    }
    const active = { walletId: share.walletId, epoch: 1, shareId: bytesToHex(share.shareId) }
    const credential = {
      userId,
      partnerId,
      connectOrigin,
      encryptor: 'PASSWORD',
      keyRef: passwordId,
      rootPublicKey,
      strict: [],
    } as const
    return checkBackup(backup, active, Result.getOrThrow(ShareText.open(share.shareText)), credential)
  }

  it('is accepted from a device that the root key certified, also after its session', () => {
    expect(Result.isSuccess(check())).toBe(true)
  })

  it('is accepted from a device of the connect page, where wallets of every partner are recovered', () => {
    expect(Result.isSuccess(check({ partnerId: userId, origin: connectOrigin }))).toBe(true)
  })

  it.each([
    ['whose device is another user’s', { userId: partnerId }, {}],
    ['whose device is another user’s on the connect page', { userId: partnerId, origin: connectOrigin }, {}],
    ['whose device is another partner’s elsewhere', { partnerId: userId, origin: 'https://shop.example' }, {}],
    ['whose device is another partner’s', { partnerId: userId }, {}],
    ['signed for another wallet', {}, { walletId: userId }],
    ['signed for another share', {}, { shareId: new Uint8Array(32) }],
    ['signed for another key of the wallet', {}, { publicKey: new Uint8Array(33) }],
    ['signed for another kind of credential', {}, { encryptor: 'BIOMETRICS' as const }],
    ['signed for another credential', {}, { keyRef: userId }],
    ['signed over another ciphertext', {}, { encryptedShare: 'ab' }],
    ['signed over another wrapped key', {}, { encryptedKey: 'ba' }],
  ])('is refused %s', (_, certified, signed) => {
    expect(check(certified, signed)).toMatchObject({ failure: { reason: 'wrong signature' } })
  })
})
