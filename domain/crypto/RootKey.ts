/**
 * The user's root key: an Ed25519 key, wrapped under the credential, that signs every key to which a share may be
 * encrypted, and every device. The service never holds it, so a writer of its database cannot name a recipient or a
 * device of their own. domain/crypto/README.md#certificates
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { ascii } from '@scure/base'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { equal } from './Equal.ts'
import { verifyEd25519, type Verify } from './Signatures.ts'
import { hash, u32 } from './Transcript.ts'

/** As backups name their encryptors on the wire; BIOMETRICS is a passkey. */
export type CredentialKind = 'PASSWORD' | 'BIOMETRICS'

/** Bytes. */
export const seedLength = 32

/** 32 bytes, of a seed of 32. */
export const publicKeyOf = (seed: Uint8Array): Uint8Array => ed25519.getPublicKey(seed)

/** A key to which shares are encrypted. */
export type Recipient =
  | {
      readonly kind: CredentialKind
      readonly userId: string
      readonly recordId: string
      /** The PEM's bytes. */
      readonly publicKey: Uint8Array
    }
  | {
      readonly kind: 'RECOVERY'
      readonly userId: string
      /** The 64-byte point without 04. */
      readonly publicKey: Uint8Array
    }

/** 64 bytes. `seed` is 32 bytes. */
export const signRecipient = (seed: Uint8Array, recipient: Recipient): Uint8Array =>
  ed25519.sign(recipientMessage(recipient), seed)

/** Whether 64 bytes are the signature of the root key, 32 bytes; false for bytes of another length. */
export const isSignedRecipient = (rootPublicKey: Uint8Array, recipient: Recipient, signature: Uint8Array): boolean =>
  verifyEd25519(rootPublicKey, recipientMessage(recipient), signature)

/** The device key of a session, and whose it is. */
export type Device = {
  readonly userId: string
  readonly partnerId: string
  readonly origin: string
  readonly sessionId: string
  /** 65 bytes. */
  readonly devicePublicKey: Uint8Array
}

export type DeviceCertificate = Device & {
  /** Milliseconds since 1970; a certificate lives as long as its session. */
  readonly issuedAt: number
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * The certificate as bytes, whose hex is `deviceCertificate` on the wire: version 1 ‖ each field of the signed
 * transcript and the signature, as u16 length and bytes. It contains everything it states, because backups outlive
 * their session.
 */
export const certifyDevice = (seed: Uint8Array, certificate: DeviceCertificate): Uint8Array =>
  encodeCertificate(certificate, ed25519.sign(certificateMessage(certificate), seed))

/** Reads a certificate's bytes and checks the root key's signature, but not the time: enough for a stored backup. */
export const openCertificate = (
  rootPublicKey: Uint8Array,
  bytes: Uint8Array,
  verifies: Verify = verifyEd25519,
): Result.Result<DeviceCertificate, CertificateRefused> => {
  const parsed = decodeCertificate(bytes)
  if (parsed === undefined) return Result.fail(new CertificateRefused({ reason: 'malformed' }))
  if (!verifies(rootPublicKey, certificateMessage(parsed.certificate), parsed.signature)) {
    return Result.fail(new CertificateRefused({ reason: 'not signed by the root key' }))
  }
  return Result.succeed(parsed.certificate)
}

/** The certificate if it is, at time `now` in milliseconds since 1970, for exactly this device: what a request or a frame needs. */
export const checkCertificate = (
  rootPublicKey: Uint8Array,
  bytes: Uint8Array,
  device: Device,
  now: number,
  verifies: Verify = verifyEd25519,
): Result.Result<DeviceCertificate, CertificateRefused> =>
  Result.flatMap(openCertificate(rootPublicKey, bytes, verifies), (certificate) => {
    const isSameDevice =
      certificate.userId === device.userId &&
      certificate.partnerId === device.partnerId &&
      certificate.origin === device.origin &&
      certificate.sessionId === device.sessionId &&
      equal(certificate.devicePublicKey, device.devicePublicKey)
    if (!isSameDevice) return Result.fail(new CertificateRefused({ reason: 'another device' }))
    const isLive = certificate.issuedAt <= now + clockSkew && now < certificate.expiresAt
    return isLive ? Result.succeed(certificate) : Result.fail(new CertificateRefused({ reason: 'not in its time' }))
  })

/** Milliseconds by which the portal's clock, which dates certificates, may be ahead of the service's. */
const clockSkew = 60_000

/** That the user accepts a review, as its page shows it. It counts in that visit to the page alone. */
export type Decision = {
  readonly pendingTransactionId: string
  /** 32 bytes. */
  readonly contentHash: Uint8Array
  readonly openingId: string
}

/** 64 bytes. `seed` is 32 bytes. */
export const signDecision = (seed: Uint8Array, decision: Decision): Uint8Array =>
  ed25519.sign(decisionMessage(decision), seed)

/** Whether 64 bytes are the signature of the root key, 32 bytes; false for bytes of another length. */
export const isSignedDecision = (
  rootPublicKey: Uint8Array,
  decision: Decision,
  signature: Uint8Array,
  verifies: Verify = verifyEd25519,
): boolean => verifies(rootPublicKey, decisionMessage(decision), signature)

const decisionMessage = ({ pendingTransactionId, contentHash, openingId }: Decision): Uint8Array =>
  hash('tandem/decision/v1', [pendingTransactionId, contentHash, 'accept', openingId])

const recipientMessage = (recipient: Recipient): Uint8Array =>
  hash('tandem/recipient/v1', [
    recipient.userId,
    recipient.kind,
    recipient.kind === 'RECOVERY' ? '' : recipient.recordId,
    recipient.publicKey,
  ])

const certificateMessage = (certificate: DeviceCertificate): Uint8Array =>
  hash('tandem/device/v1', certificateFields(certificate))

const certificateFields = (certificate: DeviceCertificate): Uint8Array[] => [
  ascii.decode(certificate.userId),
  ascii.decode(certificate.partnerId),
  ascii.decode(certificate.origin),
  ascii.decode(certificate.sessionId),
  certificate.devicePublicKey,
  timeBytes(certificate.issuedAt),
  timeBytes(certificate.expiresAt),
]

const certificateVersion = 1

/** A time as 8 big-endian bytes of milliseconds. */
const timeBytes = (time: number): Uint8Array => {
  if (!Number.isSafeInteger(time) || time < 0) throw new RangeError('a time is a whole number of milliseconds')
  return concatBytes(u32(Math.floor(time / 2 ** 32)), u32(time % 2 ** 32))
}

const encodeCertificate = (certificate: DeviceCertificate, signature: Uint8Array): Uint8Array =>
  concatBytes(
    new Uint8Array([certificateVersion]),
    ...[...certificateFields(certificate), signature].flatMap((field) => {
      if (field.length > 0xffff) throw new RangeError('a certificate field has at most 65535 bytes')
      return [new Uint8Array([field.length >>> 8, field.length & 0xff]), field]
    }),
  )

const decodeCertificate = (
  bytes: Uint8Array,
): { readonly certificate: DeviceCertificate; readonly signature: Uint8Array } | undefined => {
  if (bytes[0] !== certificateVersion) return undefined
  const fields: Uint8Array[] = []
  for (let offset = 1; offset < bytes.length;) {
    const length = ((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)
    if (offset + 2 + length > bytes.length) return undefined
    fields.push(bytes.slice(offset + 2, offset + 2 + length))
    offset += 2 + length
  }
  const [userId, partnerId, origin, sessionId, devicePublicKey, issuedAt, expiresAt, signature] = fields
  if (userId === undefined || partnerId === undefined || origin === undefined) return undefined
  if (sessionId === undefined || devicePublicKey?.length !== 65) return undefined
  if (issuedAt?.length !== 8 || expiresAt?.length !== 8) return undefined
  if (signature?.length !== 64 || fields.length !== 8) return undefined
  try {
    const certificate = {
      userId: ascii.encode(userId),
      partnerId: ascii.encode(partnerId),
      origin: ascii.encode(origin),
      sessionId: ascii.encode(sessionId),
      devicePublicKey,
      issuedAt: readTime(issuedAt),
      expiresAt: readTime(expiresAt),
    }
    return Number.isSafeInteger(certificate.issuedAt) && Number.isSafeInteger(certificate.expiresAt)
      ? { certificate, signature }
      : undefined
  } catch {
    return undefined
  }
}

const readTime = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return view.getUint32(0) * 2 ** 32 + view.getUint32(4)
}

/** `reason` is for logs; callers all get the same answer. */
export class CertificateRefused extends Data.TaggedError('CertificateRefused')<{
  readonly reason: 'malformed' | 'not signed by the root key' | 'another device' | 'not in its time'
}> {}
