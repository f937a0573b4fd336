import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import * as Wrap from '../../../domain/crypto/Wrap.ts'

const seed = randomBytes(32)
const root = RootKey.publicKeyOf(seed)
const outcome = <A, E extends { readonly reason: string }>(result: Result.Result<A, E>) =>
  Result.isSuccess(result) ? 'accepted' : result.failure.reason

describe('a recipient that the root key signed', () => {
  const credential: RootKey.Recipient = {
    kind: 'PASSWORD',
    userId: 'user',
    recordId: 'record',
    publicKey: utf8ToBytes('-----BEGIN RSA PUBLIC KEY-----'),
  }
  const recovery: RootKey.Recipient = { kind: 'RECOVERY', userId: 'user', publicKey: randomBytes(64) }

  it('is accepted for its user, kind, record and key only', () => {
    const signature = RootKey.signRecipient(seed, credential)
    const others: readonly RootKey.Recipient[] = [
      { ...credential, userId: 'other' },
      { ...credential, kind: 'BIOMETRICS' },
      { ...credential, recordId: 'other' },
      { ...credential, publicKey: randomBytes(30) },
      { ...credential, userId: 'userPASS', recordId: 'record' },
      recovery,
    ]

    expect(RootKey.isSignedRecipient(root, credential, signature)).toBe(true)
    expect(others.map((other) => RootKey.isSignedRecipient(root, other, signature))).toEqual(others.map(() => false))
  })

  it('may be a recovery key, which is not interchangeable with a credential', () => {
    const signature = RootKey.signRecipient(seed, recovery)

    expect(RootKey.isSignedRecipient(root, recovery, signature)).toBe(true)
    expect(RootKey.isSignedRecipient(root, { ...recovery, userId: 'other' }, signature)).toBe(false)
    expect(RootKey.isSignedRecipient(root, { ...credential, publicKey: recovery.publicKey }, signature)).toBe(false)
  })

  it('is refused under another root, and with a signature or root that is malformed', () => {
    const signature = RootKey.signRecipient(seed, credential)
    const roots = [RootKey.publicKeyOf(randomBytes(32)), new Uint8Array(0), new Uint8Array(32), randomBytes(33)]
    const signatures = [new Uint8Array(0), new Uint8Array(64), signature.subarray(1), new Uint8Array(64).fill(255)]

    expect(roots.map((other) => RootKey.isSignedRecipient(other, credential, signature))).toEqual(
      roots.map(() => false),
    )
    expect(signatures.map((other) => RootKey.isSignedRecipient(root, credential, other))).toEqual(
      signatures.map(() => false),
    )
  })

  it('is not forged by the trivial signature under a root of small order', () => {
    const small = new Uint8Array(32)
    small[0] = 1
    const signature = new Uint8Array(64)
    signature[0] = 1
    const lenient = ed25519.verify(signature, new Uint8Array(0), small, { zip215: true })

    expect([lenient, RootKey.isSignedRecipient(small, credential, signature)]).toEqual([true, false])
  })
})

describe('a decision that the root key signed', () => {
  const decision: RootKey.Decision = {
    pendingTransactionId: 'pending',
    contentHash: randomBytes(32),
    openingId: 'opening',
  }
  const signature = RootKey.signDecision(seed, decision)

  it('is accepted for its review, content and visit only', () => {
    const others: readonly RootKey.Decision[] = [
      { ...decision, pendingTransactionId: 'other' },
      { ...decision, contentHash: randomBytes(32) },
      { ...decision, openingId: 'other' },
      { ...decision, pendingTransactionId: 'opening', openingId: 'pending' },
    ]

    expect(RootKey.isSignedDecision(root, decision, signature)).toBe(true)
    expect(others.map((other) => RootKey.isSignedDecision(root, other, signature))).toEqual(others.map(() => false))
  })

  it('is refused under another root, and is no other statement of the root', () => {
    const { pendingTransactionId: userId, contentHash: publicKey } = decision
    const recipient: RootKey.Recipient = { kind: 'RECOVERY', userId, publicKey }

    expect(RootKey.isSignedDecision(RootKey.publicKeyOf(randomBytes(32)), decision, signature)).toBe(false)
    expect(RootKey.isSignedDecision(root, decision, RootKey.signRecipient(seed, recipient))).toBe(false)
    expect(RootKey.isSignedRecipient(root, recipient, signature)).toBe(false)
    expect(RootKey.isSignedDecision(root, decision, signature.subarray(1))).toBe(false)
  })
})

describe('a device certificate', () => {
  const device: RootKey.Device = {
    userId: 'user',
    partnerId: 'partner',
    origin: 'https://shop.example',
    sessionId: 'session',
    devicePublicKey: new Uint8Array(randomBytes(65)),
  }
  const issuedAt = 1_800_000_000_000
  const expiresAt = issuedAt + 24 * 3600_000
  const bytes = RootKey.certifyDevice(seed, { ...device, issuedAt, expiresAt })
  const check = (changes: Partial<RootKey.Device>, now = issuedAt) =>
    outcome(RootKey.checkCertificate(root, bytes, { ...device, ...changes }, now))

  it('says for which device it is, since when and until when', () => {
    const opened = RootKey.openCertificate(root, bytes)

    expect(Result.isSuccess(opened) && opened.success).toEqual({ ...device, issuedAt, expiresAt })
    expect(check({})).toBe('accepted')
  })

  it('is for no other user, partner, origin, session or key', () => {
    const others: readonly Partial<RootKey.Device>[] = [
      { userId: 'other' },
      { partnerId: 'other' },
      { origin: 'https://evil.example' },
      { sessionId: 'other' },
      { devicePublicKey: randomBytes(65) },
    ]

    expect(others.map((other) => check(other))).toEqual(others.map(() => 'another device'))
  })

  it('is valid in its time, with a tolerance of a minute for clocks', () => {
    expect(check({}, issuedAt - 60_000)).toBe('accepted')
    expect(check({}, issuedAt - 60_001)).toBe('not in its time')
    expect(check({}, expiresAt - 1)).toBe('accepted')
    expect(check({}, expiresAt)).toBe('not in its time')
  })

  it('is opened regardless of time for a stored backup', () => {
    expect(outcome(RootKey.openCertificate(root, bytes))).toBe('accepted')
  })

  it('is refused by another root, and with any byte changed, missing or added', () => {
    expect(outcome(RootKey.openCertificate(RootKey.publicKeyOf(randomBytes(32)), bytes))).toBe(
      'not signed by the root key',
    )
    for (let index = 0; index < bytes.length; index++) {
      const changed = bytes.slice()
      changed[index] = (changed[index] ?? 0) ^ 0x81
      expect([index, outcome(RootKey.openCertificate(root, changed))]).not.toEqual([index, 'accepted'])
    }
    const added = [new Uint8Array([...bytes, 0]), new Uint8Array([...bytes, 0, 0]), new Uint8Array([...bytes, 0, 1, 7])]
    for (const other of [bytes.slice(1), bytes.slice(0, -1), ...added, new Uint8Array(0)]) {
      expect(outcome(RootKey.openCertificate(root, other))).toBe('malformed')
    }
  })

  it('is not made for a time that is not a whole number of milliseconds', () => {
    expect(() => RootKey.certifyDevice(seed, { ...device, issuedAt: 0.5, expiresAt })).toThrow(
      'a time is a whole number of milliseconds',
    )
    expect(() => RootKey.certifyDevice(seed, { ...device, issuedAt, expiresAt: 2 ** 60 })).toThrow(
      'a time is a whole number of milliseconds',
    )
  })
})

describe('a wrapped key', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = RsaKey.publicPemHex(pair.publicKey.export({ type: 'pkcs1', format: 'der' }))
  const privateKey = RsaKey.privatePemHex(pair.privateKey.export({ type: 'pkcs1', format: 'der' }))
  const keys: CredentialWrap.WrappingKeys = { privateKey: randomBytes(32), root: randomBytes(32) }
  const owner: CredentialWrap.WrapOwner = {
    kind: 'PASSWORD',
    userId: 'user',
    recordId: 'record',
    variant: '',
    publicKey,
    rootPublicKey: root,
  }
  const others: readonly CredentialWrap.WrapOwner[] = [
    { ...owner, kind: 'BIOMETRICS' },
    { ...owner, userId: 'other' },
    { ...owner, recordId: 'other' },
    { ...owner, variant: 'prf' },
    { ...owner, rootPublicKey: RootKey.publicKeyOf(randomBytes(32)) },
    {
      ...owner,
      publicKey: RsaKey.publicPemHex(
        generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'pkcs1', format: 'der' }),
      ),
    },
  ]

  it('of a credential opens for its owner only', () => {
    const text = CredentialWrap.sealPrivateKey(keys, owner, privateKey, randomBytes(12))
    const open = (of: CredentialWrap.WrapOwner, under = keys) =>
      Result.isSuccess(CredentialWrap.openPrivateKey(under, of, text))

    expect(Result.getOrThrow(CredentialWrap.openPrivateKey(keys, owner, text))).toEqual(privateKey)
    expect(others.map((other) => open(other))).toEqual(others.map(() => false))
    expect(open(owner, { ...keys, privateKey: keys.root })).toBe(false)
  })

  it('of the root opens for its owner, and only if it yields the root public key', () => {
    const blob = { seed: Redacted.make(new Uint8Array(seed)), strict: ['partner'] }
    const text = CredentialWrap.sealRoot(keys, owner, blob, randomBytes(12))
    const wrong = CredentialWrap.sealRoot(
      keys,
      owner,
      { ...blob, seed: Redacted.make(new Uint8Array(randomBytes(32))) },
      randomBytes(12),
    )
    const open = (of: CredentialWrap.WrapOwner, sealed: string) =>
      Result.isSuccess(CredentialWrap.openRoot(keys, of, sealed))

    expect(Result.getOrThrow(CredentialWrap.openRoot(keys, owner, text))).toEqual(blob)
    expect(others.map((other) => open(other, text))).toEqual(others.map(() => false))
    expect(open(owner, wrong)).toBe(false)
  })

  it('does not open when its content is malformed', () => {
    const privateText = CredentialWrap.sealPrivateKey(keys, owner, privateKey, randomBytes(12))
    // The same associated data, found by opening a wrap of the public code: only the key differs.
    const swapped = { privateKey: keys.root, root: keys.privateKey }
    const insides = ['', '{', '[]', 'null', '{"v":2}', JSON.stringify({ v: 1, seed: 'zz', strict: [] })]
    const texts = insides.map((inside) =>
      CredentialWrap.sealPrivateKey(swapped, owner, Redacted.make(inside), randomBytes(12)),
    )

    expect(texts.map((text) => Result.isSuccess(CredentialWrap.openRoot(keys, owner, text)))).toEqual(
      texts.map(() => false),
    )
    expect(Result.isSuccess(CredentialWrap.openRoot(swapped, owner, privateText))).toBe(false)
    const notAKey = CredentialWrap.sealPrivateKey(keys, owner, Redacted.make(publicKey), randomBytes(12))
    expect(Result.isSuccess(CredentialWrap.openPrivateKey(keys, owner, notAKey))).toBe(false)
    expect(
      Result.getOrThrow(Result.flip(Wrap.open({ key: keys.root, aad: new Uint8Array(0), text: privateText })))._tag,
    ).toBe('SealBroken')
  })
})
