/**
 * Formats outside the protocols stay readable: the samples in fixtures/ were written once and never change. Every
 * secret in them is the SHA-256 of a name in this file, IVs too (`iv of …`, cut to length); the RSA pair is that of
 * fixtures/hybrid.json.
 */
import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { beforeAll, describe, expect, it } from 'vitest'
import { argon2id } from '../../../adapters/browser/argon2id.ts'
import { checkBackup } from '../../../domain/client/portal/checkBackup.ts'
import { answerMessage } from '../../../domain/crypto/CosignerAnswer.ts'
import * as CredentialWrap from '../../../domain/crypto/CredentialWrap.ts'
import * as DeviceKey from '../../../domain/crypto/DeviceKey.ts'
import * as Ecies from '../../../domain/crypto/Ecies.ts'
import * as Hybrid from '../../../domain/crypto/Hybrid.ts'
import * as Opener from '../../../domain/crypto/Opener.ts'
import * as PasskeyKeys from '../../../domain/crypto/PasskeyKeys.ts'
import * as PasswordKeys from '../../../domain/crypto/PasswordKeys.ts'
import * as RecoverySecret from '../../../domain/crypto/RecoverySecret.ts'
import * as RootKey from '../../../domain/crypto/RootKey.ts'
import * as RsaKey from '../../../domain/crypto/RsaKey.ts'
import { noble, verifyP256 } from '../../../domain/crypto/Signatures.ts'
import * as Address from '../../../domain/model/Address.ts'
import type { Encryptor } from '../../../domain/model/KeyShare.ts'
import * as ShareText from '../../../domain/mpc/ShareText.ts'

const stored = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'))

const of = (name: string): Uint8Array => sha256(utf8ToBytes(name))

const userId = '99999999-8888-4777-8666-555555555555'
const partnerId = '12345678-1234-4123-8123-123456789abc'
const sessionId = '22222222-2222-4333-8444-555555555555'
const walletId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const passwordId = '6f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const passkeyId = '7f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const openingId = '8f1c7a1e-0d5b-4c7e-9f0a-0123456789ab'
const rootSeed = of('root')
const rootPublicKey = RootKey.publicKeyOf(rootSeed)

const { privateKey } = stored('hybrid') as { readonly privateKey: string }

const failed = <A, E>(result: Result.Result<A, E>) => (Result.isFailure(result) ? result.failure : 'read')

describe('version 2 of wrapped keys', () => {
  type Wrapped = {
    readonly encryptionKeyHash: string
    readonly encryptedWalletPrivateKey: string
    readonly wrappedRootKey: string
  }
  type Sample = {
    readonly sigDerivedPublicKey: string
    readonly password: Wrapped & {
      readonly password: string
      readonly salt: string
      readonly kdf: PasswordKeys.Kdf
      readonly pepper: string
      readonly authPublicKey: string
    }
    readonly prf: Wrapped & { readonly secret: string }
    readonly handle: Wrapped & { readonly secret: string }
  }
  const sample = stored('credentials.v2') as Sample
  const ownerOf = (kind: RootKey.CredentialKind, recordId: string, variant: CredentialWrap.WrapOwner['variant']) => {
    const { sigDerivedPublicKey: publicKey } = sample
    return { kind, userId, recordId, variant, publicKey, rootPublicKey }
  }

  let masterKey: Uint8Array
  beforeAll(async () => {
    const { password, salt, kdf } = sample.password
    const argonSalt = PasswordKeys.argonSalt(hexToBytes(salt), passwordId)
    const length = PasswordKeys.masterKeyLength
    masterKey = await argon2id({ ...kdf, password: utf8ToBytes(password), salt: argonSalt, length })
  })

  const cases = [
    ['password', ownerOf('PASSWORD', passwordId, '')],
    ['prf', ownerOf('BIOMETRICS', passkeyId, 'prf')],
    ['handle', ownerOf('BIOMETRICS', passkeyId, 'handle')],
  ] as const

  const keysOf = (name: 'password' | 'prf' | 'handle') =>
    name === 'password'
      ? PasswordKeys.passwordWrappingKeys(masterKey, hexToBytes(sample.password.pepper), passwordId)
      : PasskeyKeys.passkeyWrappingKeys(name, hexToBytes(sample[name].secret), passkeyId)

  it.each(cases)('%s: opens to the private key and the root key', (name, owner) => {
    const { encryptionKeyHash, encryptedWalletPrivateKey, wrappedRootKey } = sample[name]
    const keys = keysOf(name)

    expect(bytesToHex(CredentialWrap.encryptionKeyHash(keys))).toBe(encryptionKeyHash)
    const opened = CredentialWrap.openPrivateKey(keys, owner, encryptedWalletPrivateKey)
    expect(Redacted.value(Result.getOrThrow(opened)) === privateKey).toBe(true)
    const root = Result.getOrThrow(CredentialWrap.openRoot(keys, owner, wrappedRootKey))
    expect(Redacted.value(root.seed)).toEqual(rootSeed)
    expect(root.strict).toEqual([partnerId])
  })

  it('proves the password by the same key', () => {
    expect(bytesToHex(PasswordKeys.authKey(masterKey, passwordId).publicKey)).toBe(sample.password.authPublicKey)
  })

  it.each(cases)('%s: an envelope of a later version is refused', (name, owner) => {
    const { encryptedWalletPrivateKey, wrappedRootKey } = sample[name]
    const keys = keysOf(name)
    const later = (text: string) => text.replace('v2.', 'v3.')

    expect(failed(CredentialWrap.openPrivateKey(keys, owner, later(encryptedWalletPrivateKey)))).toMatchObject({
      _tag: 'SealBroken',
    })
    expect(failed(CredentialWrap.openRoot(keys, owner, later(wrappedRootKey)))).toMatchObject({ _tag: 'SealBroken' })
  })
})

describe('version 1 of the root key’s signatures', () => {
  type Sample = {
    readonly publicKey: string
    readonly signatures: Readonly<Record<Encryptor, string>>
    readonly deviceCertificate: string
  }
  const sample = stored('rootKey.v1') as Sample

  it('certifies recipients of shares', () => {
    const publicKey = RsaKey.publicPem(sample.publicKey) ?? new Uint8Array(0)
    const recovery = RecoverySecret.publicKeyOf(of('recovery'))
    const recipients: readonly RootKey.Recipient[] = [
      { kind: 'PASSWORD', userId, recordId: passwordId, publicKey },
      { kind: 'BIOMETRICS', userId, recordId: passkeyId, publicKey },
      { kind: 'RECOVERY', userId, publicKey: recovery },
    ]
    for (const recipient of recipients) {
      const signature = hexToBytes(sample.signatures[recipient.kind])
      expect(RootKey.isSignedRecipient(rootPublicKey, recipient, signature)).toBe(true)
      expect(RootKey.isSignedRecipient(rootPublicKey, { ...recipient, userId: partnerId }, signature)).toBe(false)
    }
  })

  it('certifies a device', () => {
    const certificate = Result.getOrThrow(RootKey.openCertificate(rootPublicKey, hexToBytes(sample.deviceCertificate)))

    expect(certificate).toMatchObject({
      userId,
      partnerId,
      sessionId,
      origin: 'https://shop.example',
      issuedAt: 1_780_000_000_000,
      expiresAt: 1_780_086_400_000,
    })
  })

  it('accepts a review', () => {
    const kept = stored('decision.v1') as Readonly<
      Record<'pendingTransactionId' | 'contentHash' | 'openingId' | 'signature', string>
    >
    const decision = { ...kept, contentHash: hexToBytes(kept.contentHash) }

    expect(RootKey.isSignedDecision(rootPublicKey, decision, hexToBytes(kept.signature))).toBe(true)
    expect(bytesToHex(RootKey.signDecision(rootSeed, decision))).toBe(kept.signature)
  })

  it('certifies no device in a later version', () => {
    const later = hexToBytes(sample.deviceCertificate).with(0, 2)

    expect(failed(RootKey.openCertificate(rootPublicKey, later))).toMatchObject({
      _tag: 'CertificateRefused',
      reason: 'malformed',
    })
  })
})

describe('version 1 of a backup', () => {
  type Backup = {
    readonly encryptor: Encryptor
    readonly keyRef: string
    readonly encryptedShare: string
    readonly encryptedKey?: string
    readonly deviceSignature: string
    readonly certificate: string
  }
  type Sample = {
    readonly wallet: { readonly epoch: number; readonly shareId: string; readonly address: string }
    readonly backups: readonly Backup[]
  }
  const { wallet, backups } = stored('backups.v1') as Sample
  const key = createPrivateKey({
    key: Buffer.from(RsaKey.privateDer(Redacted.make(privateKey)) ?? []),
    format: 'der',
    type: 'pkcs1',
  })
  const oaep = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }

  const shareTextOf = async ({ encryptedShare, encryptedKey }: Backup): Promise<string> => {
    if (encryptedKey === undefined) {
      return Result.getOrThrow(Ecies.open({ secretKey: of('recovery'), text: encryptedShare }))
    }
    const envelope = { encryptedMessageHex: encryptedShare, encryptedKeyHex: encryptedKey }
    const decrypt = (block: Uint8Array) => Promise.resolve(new Uint8Array(privateDecrypt(oaep, block)))
    return Result.getOrThrow(await Hybrid.open(envelope, decrypt))
  }

  it.each(backups)('opens for $encryptor, is signed by the device, and holds the wallet’s share', async (backup) => {
    const text = await shareTextOf(backup)
    const opened = Result.getOrThrow(ShareText.open(Redacted.make(text)))

    expect(Address.fromPublicKey('EVM', opened.share.publicKey)).toBe(wallet.address)
    const { epoch, shareId } = wallet
    const active = { walletId, epoch, shareId, partnerId, scheme: 'DKLS' } as Parameters<typeof checkBackup>[1]
    const checked = (changes: Partial<Backup>) =>
      checkBackup({ walletId, type: 'USER', ...backup, ...changes }, active, opened, {
        userId,
        partnerId,
        connectOrigin: '',
        encryptor: backup.encryptor,
        keyRef: backup.keyRef,
        rootPublicKey,
        strict: [],
      })
    expect(Result.isSuccess(checked({}))).toBe(true)
    const changed = checked({ encryptedShare: `${backup.encryptedShare}00` })
    expect(failed(changed)).toMatchObject({ reason: 'wrong signature' })
    expect(failed(ShareText.open(Redacted.make(text.replace('"v":1', '"v":2'))))).toMatchObject({ reason: 'malformed' })
  })
})

describe('the recovery secret', () => {
  type Sample = { readonly now: string; readonly withoutRoot: string; readonly oldest: string }
  const sample = stored('recoverySecret.v1') as Sample
  const backupDecryptionKey = of('recovery')

  it('is read in its current form, in the form without a root key, and in its oldest form', () => {
    expect(RecoverySecret.read(sample.now)).toEqual({ backupDecryptionKey, rootPublicKey, walletId })
    expect(RecoverySecret.read(sample.withoutRoot)).toEqual({ backupDecryptionKey, walletId })
    expect(RecoverySecret.read(sample.oldest)).toEqual({ backupDecryptionKey })
  })

  it('is not read as an older form when its root key is malformed', () => {
    const later = sample.now.replace(bytesToHex(rootPublicKey), 'ed25519:another form')

    expect(RecoverySecret.read(later)).toBeUndefined()
  })
})

describe('version 2 of the result that a page seals for the host', () => {
  type Sample = { readonly sealed: string; readonly result: Opener.PortalSessionResult }
  const { sealed, result } = stored('openingResult.v2') as Sample

  it('opens to the page’s result', () => {
    expect(Result.getOrThrow(Opener.openResult(of('host secret'), openingId, sealed))).toEqual(result)
  })

  it('is refused in a later version, and with a field that this version does not know', () => {
    const secret = of('host secret')
    const unknown = { ...result, more: 'of a later version' }
    const iv = of('iv').subarray(0, 12)
    const later = [sealed.replace('v2.', 'v3.'), Opener.sealResult(secret, openingId, unknown, iv)]

    for (const text of later) {
      expect(failed(Opener.openResult(secret, openingId, text))).toMatchObject({ _tag: 'SealBroken' })
    }
  })
})

describe('version 1 of signatures by devices, co-signers and passwords', () => {
  type Sample = {
    readonly devicePublicKey: string
    readonly keyThumb: string
    readonly loginPublicKey: string
    readonly loginKeyThumbprint: string
    readonly sessionKeys: string
    readonly request: string
    readonly opener: string
    readonly cosigner: { readonly publicKey: string; readonly answer: string }
    readonly password: { readonly publicKey: string; readonly signature: string }
  }
  const sample = stored('signatures.v1') as Sample
  const device = hexToBytes(sample.devicePublicKey)
  const recoveryPublicKey = RecoverySecret.publicKeyOf(of('recovery'))
  const loginKeyThumbprint = hexToBytes(sample.loginKeyThumbprint)

  it('has the same key thumbprints', () => {
    expect(bytesToHex(DeviceKey.thumbprint(device))).toBe(sample.keyThumb)
    expect(RsaKey.loginKeyThumbprint(sample.loginPublicKey)).toEqual(loginKeyThumbprint)
  })

  it('is by the device: session keys, requests and answers to pages', () => {
    const messages = {
      sessionKeys: DeviceKey.sessionKeysMessage({
        sessionId,
        loginPublicKey: sample.loginPublicKey,
        devicePublicKey: device,
        recoveryPublicKey,
      }),
      request: DeviceKey.requestMessage({
        method: 'POST',
        target: '/v1/users?of=shop',
        ms: 1_780_000_000_000,
        sessionId,
        body: utf8ToBytes('{}'),
      }),
      opener: DeviceKey.openerMessage({
        openingId,
        sessionId,
        portalOrigin: 'https://portal.example',
        page: 'login-password',
        record: passwordId,
        nonce: of('nonce'),
        ticket: of('ticket'),
        loginKeyThumbprint,
        hostSecret: of('host secret'),
        recoveryPublicKey,
      }),
    }
    for (const name of ['sessionKeys', 'request', 'opener'] as const) {
      expect(DeviceKey.verify(device, messages[name], hexToBytes(sample[name]))).toBe(true)
    }
  })

  it('is by the co-signer: an answer, to the byte', () => {
    const answer = {
      protocolId: sessionId,
      step: 2,
      request: utf8ToBytes('a request'),
      status: 1,
      body: utf8ToBytes('an answer'),
    }
    const signature = hexToBytes(sample.cosigner.answer)

    expect(verifyP256(hexToBytes(sample.cosigner.publicKey), answerMessage(answer), signature)).toBe(true)
    expect(noble.signP256(of('cosigner'), answerMessage(answer))).toEqual(signature)
  })

  it('is by the password: the proof that lets a page in', () => {
    const proof = {
      portalHost: 'portal.example',
      partnerId,
      sessionId,
      openingId,
      passwordId,
      loginKeyThumbprint,
      challenge: of('challenge'),
    }
    const { publicKey, signature } = sample.password

    expect(PasswordKeys.isPasswordProof(hexToBytes(publicKey), proof, hexToBytes(signature))).toBe(true)
  })
})
