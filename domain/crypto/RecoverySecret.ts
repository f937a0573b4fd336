/**
 * The recovery key pair and the text in which its secret is given to the user: a secp256k1 key, 32 bytes secret, 64
 * bytes public (the point without 04). The text opens the user's half only. domain/crypto/README.md#recovery-secret
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
import { backupDecryptionKeyBytes } from '../model/Limits.ts'
import { fromHex } from './Hex.ts'
import { hash } from './Transcript.ts'

/** Bytes. */
export const secretKeyLength = backupDecryptionKeyBytes
const publicKeyLength = 64
const signatureLength = 64

/** 64 bytes, of a secret key of 32. Throws for 32 bytes that are no scalar. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(secretKey, false).slice(1)

/** Whether these are the 64 bytes of a point on the curve. */
export const isPublicKey = (publicKey: Uint8Array): boolean => {
  if (publicKey.length !== publicKeyLength) return false
  return secp256k1.utils.isValidPublicKey(uncompressed(publicKey), false)
}

const uncompressed = (publicKey: Uint8Array): Uint8Array => {
  const point = new Uint8Array(publicKeyLength + 1)
  point[0] = 4
  point.set(publicKey, 1)
  return point
}

export type RecoverySecret = {
  /** 32 bytes. */
  readonly backupDecryptionKey: Uint8Array
  /** 32 bytes: the root key to which the backups' signatures must lead. Older secrets have none. */
  readonly rootPublicKey?: Uint8Array
  readonly walletId?: string
}

/** The wallets that a recovery does not recover. domain/crypto/README.md#recovery-secret */
type LeftBehind = {
  readonly userId: string
  /** Of the recovery. */
  readonly sessionId: string
  /** 32 bytes: the new one. */
  readonly rootPublicKey: Uint8Array
  readonly wallets: readonly Unopened[]
}

/** A wallet, with what the secret was tried on. */
export type Unopened = {
  readonly walletId: string
  /** 32 bytes, of the sharing that stands. */
  readonly shareId: Uint8Array
  /** Of each recovery key with a backup of that sharing; repeated ones count once. */
  readonly recoveryPublicKeyIds: readonly string[]
}

/** 64 bytes, r ‖ s. `secretKey` is 32 bytes. */
export const signLeftBehind = (secretKey: Uint8Array, left: LeftBehind): Uint8Array =>
  secp256k1.sign(leftBehindMessage(left), secretKey)

/** Whether 64 bytes are the signature of the recovery key, 64 bytes; false for bytes that are no key or no signature. */
export const isSignedLeftBehind = (publicKey: Uint8Array, left: LeftBehind, signature: Uint8Array): boolean =>
  isPublicKey(publicKey) &&
  signature.length === signatureLength &&
  secp256k1.verify(signature, leftBehindMessage(left), uncompressed(publicKey))

/** The order of wallets and keys does not count. */
const leftBehindMessage = ({ userId, sessionId, rootPublicKey, wallets }: LeftBehind): Uint8Array => {
  const inOrder = wallets.toSorted((one, other) => (one.walletId < other.walletId ? -1 : 1))
  return hash('tandem/left-behind/v2', [userId, sessionId, rootPublicKey, ...inOrder.flatMap(unopenedFields)])
}

const unopenedFields = ({ walletId, shareId, recoveryPublicKeyIds }: Unopened) => [
  walletId,
  shareId,
  [...new Set(recoveryPublicKeyIds)].toSorted().join(' '),
]

/** The text for the user: JSON with both keys, 32 bytes each, as hex. */
export const write = (secret: {
  readonly walletId: string
  readonly backupDecryptionKey: Uint8Array
  readonly rootPublicKey: Uint8Array
}): string =>
  JSON.stringify({
    walletId: secret.walletId,
    keyshare: '',
    address: '',
    backupDecryptionKey: bytesToHex(secret.backupDecryptionKey),
    rootPublicKey: bytesToHex(secret.rootPublicKey),
  })

/** Reads the JSON, or the old form `secret|anything`; `undefined` when it is neither, or its key is not valid. */
export const read = (text: string): RecoverySecret | undefined => {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return readOld(trimmed)
  const json = Json.parse(jsonForm, trimmed)
  const backupDecryptionKey = secretKey(json?.backupDecryptionKey)
  if (json === undefined || backupDecryptionKey === undefined) return undefined
  const walletId = typeof json.walletId === 'string' ? { walletId: json.walletId } : {}
  if (!('rootPublicKey' in json)) return { backupDecryptionKey, ...walletId }
  // A text with an unreadable root key must not pass for an older secret, whose backups are checked less.
  const rootPublicKey = typeof json.rootPublicKey === 'string' ? fromHex(json.rootPublicKey, 32) : undefined
  return rootPublicKey === undefined ? undefined : { backupDecryptionKey, rootPublicKey, ...walletId }
}

const jsonForm = v.object({
  backupDecryptionKey: v.string(),
  walletId: v.exactOptional(v.unknown()),
  rootPublicKey: v.exactOptional(v.unknown()),
})

const readOld = (text: string): RecoverySecret | undefined => {
  const bar = text.indexOf('|')
  const backupDecryptionKey = bar < 0 ? undefined : secretKey(text.slice(0, bar))
  return backupDecryptionKey === undefined ? undefined : { backupDecryptionKey }
}

const secretKey = (text: string | undefined): Uint8Array | undefined => {
  const key = text === undefined ? undefined : fromHex(text.toLowerCase(), secretKeyLength)
  return key !== undefined && secp256k1.utils.isValidSecretKey(key) ? key : undefined
}
