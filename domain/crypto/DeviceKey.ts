/**
 * The device key: P-256, made by the app's page for one session and not exportable. A port signs with it, as WebCrypto
 * does: ECDSA with SHA-256 over the message, r ‖ s in 64 bytes, s high or low. This file has what is signed and how
 * that is checked; every message is the 32-byte hash of a transcript. domain/crypto/README.md#device-keys
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { thumbprint, requestMessage, type DeviceHeader, type SignedRequest } from './DeviceHeader.ts'
import { equal } from './Equal.ts'
import { fromHex } from './Hex.ts'
import * as RsaKey from './RsaKey.ts'
import { isP256Key, verifyP256, type Verify } from './Signatures.ts'
import { hash } from './Transcript.ts'

export { formatHeader, requestMessage, thumbprint, type DeviceHeader } from './DeviceHeader.ts'

/** Bytes of the uncompressed point, and of a signature. */
export const publicKeyLength = 65
export const signatureLength = 64

/** Whether the bytes are an uncompressed point on the curve. */
export const isPublicKey = isP256Key

/** False, never thrown, for a key of other than 65 bytes or a signature of other than 64. */
export const verify = verifyP256

/** What `POST /sessions/{sessionId}/keys` registers. */
export type SessionKeys = {
  readonly sessionId: string
  /** pemhex */
  readonly loginPublicKey?: string | undefined
  /** 65 bytes */
  readonly devicePublicKey: Uint8Array
  /** 64 bytes */
  readonly recoveryPublicKey?: Uint8Array | undefined
}

/** The proof's message: T("tandem/keys/v1", sessionId, PEM, device key, recovery key), absent ones empty. */
export const sessionKeysMessage = (keys: SessionKeys): Uint8Array =>
  hash('tandem/keys/v1', [
    keys.sessionId,
    pemOrEmpty(keys.loginPublicKey),
    keys.devicePublicKey,
    keys.recoveryPublicKey ?? empty,
  ])

/** `undefined` for a text of any other form. */
export const parseHeader = (text: string): DeviceHeader | undefined => {
  const [keyThumbText = '', msText = '', signatureText = '', ...rest] = text.split('.')
  const keyThumb = fromHex(keyThumbText, 32)
  const signature = fromHex(signatureText, signatureLength)
  if (keyThumb === undefined || signature === undefined || rest.length > 0) return undefined
  return /^(?:0|[1-9][0-9]{0,15})$/.test(msText) && Number.isSafeInteger(Number(msText))
    ? { keyThumb, ms: Number(msText), signature }
    : undefined
}

/** Milliseconds by which a request's time may differ from the service's, either way. */
const requestWindow = 60_000

/** Checks a header against the session's device key, the request as received, and the service's time `now` in milliseconds. */
export const checkRequest = (
  header: DeviceHeader,
  devicePublicKey: Uint8Array,
  request: Omit<SignedRequest, 'ms'>,
  now: number,
  verifies: Verify = verify,
): Result.Result<void, DeviceRefused> => {
  const refused = (reason: DeviceRefused['reason']) => Result.fail(new DeviceRefused({ reason }))
  if (!equal(header.keyThumb, thumbprint(devicePublicKey))) return refused('another device key')
  if (Math.abs(now - header.ms) > requestWindow) return refused('not in its time')
  return verifies(devicePublicKey, requestMessage({ ...request, ms: header.ms }), header.signature)
    ? Result.succeed(undefined)
    : refused('wrong signature')
}

/** A backup of the user's share, as its signature covers it. domain/crypto/README.md#backups */
export type SignedBackup = {
  readonly userId: string
  readonly walletId: string
  /** 32 bytes */
  readonly shareId: Uint8Array
  /** The wallet's public key, as in the share record: 33 bytes for DKLS, 32 for ED25519. */
  readonly publicKey: Uint8Array
  readonly encryptor: 'RECOVERY' | 'BIOMETRICS' | 'PASSWORD'
  /** recoveryPublicKeyId, biometricPublicKey or passwordId, by encryptor. */
  readonly keyRef: string
  /** As they stand in the body: base64 for RECOVERY, which has no `encryptedKey`, else hex. */
  readonly encryptedShare: string
  readonly encryptedKey?: string | undefined
}

/** What the device key signs: 32 bytes. */
export const backupMessage = (backup: SignedBackup): Uint8Array =>
  hash('tandem/backup/v1', [
    backup.userId,
    backup.walletId,
    backup.shareId,
    backup.publicKey,
    backup.encryptor,
    backup.keyRef,
    sha256(utf8ToBytes(backup.encryptedShare + (backup.encryptedKey ?? ''))),
  ])

/** What the host's `tandem.answer` says to a page of the portal. domain/crypto/README.md#portal-handshake */
export type OpenerProof = {
  readonly openingId: string
  readonly sessionId: string
  readonly portalOrigin: string
  readonly page: string
  readonly record?: string | undefined
  /** Nonce, ticket, thumbprint and secret have 32 bytes each. */
  readonly nonce: Uint8Array
  readonly ticket: Uint8Array
  /** Absent where the session has no login key. */
  readonly loginKeyThumbprint?: Uint8Array | undefined
  readonly hostSecret: Uint8Array
  /** 64 bytes. */
  readonly recoveryPublicKey?: Uint8Array | undefined
}

/** What the device key signs: 32 bytes. */
export const openerMessage = ({ hostSecret, ...proof }: OpenerProof): Uint8Array =>
  openerMessageOf({ ...proof, hostSecretHash: sha256(hostSecret) })

/** The same for the service, which gets only the SHA-256 of the host's secret, 32 bytes. */
export const openerMessageOf = (
  proof: Omit<OpenerProof, 'hostSecret'> & { readonly hostSecretHash: Uint8Array },
): Uint8Array =>
  hash('tandem/opener/v1', [
    proof.openingId,
    proof.sessionId,
    proof.portalOrigin,
    proof.page,
    proof.record ?? '',
    proof.nonce,
    proof.ticket,
    proof.loginKeyThumbprint ?? empty,
    proof.hostSecretHash,
    proof.recoveryPublicKey ?? empty,
  ])

/** What a device hands to a server: a session of its own, under a key of its own. */
export type Delegation = {
  readonly userId: string
  readonly partnerId: string
  /** The session whose device signs. */
  readonly sessionId: string
  /** 65 bytes, the key of the delegated session. */
  readonly devicePublicKey: Uint8Array
  readonly scope: string
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** What the device key signs: 32 bytes. */
export const delegationMessage = (delegation: Delegation): Uint8Array =>
  hash('tandem/delegation/v1', [
    delegation.userId,
    delegation.partnerId,
    delegation.sessionId,
    delegation.devicePublicKey,
    delegation.scope,
    String(delegation.issuedAt),
    String(delegation.expiresAt),
  ])

const empty = new Uint8Array(0)

const pemOrEmpty = (pemHex: string | undefined): Uint8Array => {
  if (pemHex === undefined) return empty
  const pem = RsaKey.publicPem(pemHex)
  if (pem === undefined) throw new RangeError('a login key is RSA 2048 with e 65537')
  return pem
}

/** `reason` is for logs; callers all get the same answer. */
export class DeviceRefused extends Data.TaggedError('DeviceRefused')<{
  readonly reason: 'another device key' | 'not in its time' | 'wrong signature'
}> {}
