/**
 * The recovery key pair and the text in which its secret is given to the user: a secp256k1 key, 32 bytes secret, 64
 * bytes public (the point without 04). The text opens the user's half only. domain/crypto/README.md#recovery-secret
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { fromHex } from './Hex.ts'

export const secretKeyLength = 32
const publicKeyLength = 64

export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(secretKey, false).slice(1)

export const isPublicKey = (publicKey: Uint8Array): boolean => {
  if (publicKey.length !== publicKeyLength) return false
  const point = new Uint8Array(publicKeyLength + 1)
  point[0] = 4
  point.set(publicKey, 1)
  return secp256k1.utils.isValidPublicKey(point, false)
}

export type RecoverySecret = {
  /** 32 bytes. */
  readonly backupDecryptionKey: Uint8Array
  /** 32 bytes: the root key to which the backups' signatures must lead. Older secrets have none. */
  readonly rootPublicKey?: Uint8Array
  readonly walletId?: string
}

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
  try {
    return readJson(JSON.parse(trimmed))
  } catch {
    return undefined
  }
}

const readOld = (text: string): RecoverySecret | undefined => {
  const bar = text.indexOf('|')
  const backupDecryptionKey = bar < 0 ? undefined : secretKey(text.slice(0, bar))
  return backupDecryptionKey === undefined ? undefined : { backupDecryptionKey }
}

const readJson = (value: unknown): RecoverySecret | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const backupDecryptionKey = 'backupDecryptionKey' in value ? secretKey(value.backupDecryptionKey) : undefined
  if (backupDecryptionKey === undefined) return undefined
  const walletId = 'walletId' in value && typeof value.walletId === 'string' ? { walletId: value.walletId } : {}
  if (!('rootPublicKey' in value)) return { backupDecryptionKey, ...walletId }
  // A text with an unreadable root key must not pass for an older secret, whose backups are checked less.
  const rootPublicKey = typeof value.rootPublicKey === 'string' ? fromHex(value.rootPublicKey, 32) : undefined
  return rootPublicKey === undefined ? undefined : { backupDecryptionKey, rootPublicKey, ...walletId }
}

const secretKey = (value: unknown): Uint8Array | undefined => {
  const key = typeof value === 'string' ? fromHex(value.toLowerCase(), secretKeyLength) : undefined
  return key !== undefined && secp256k1.utils.isValidSecretKey(key) ? key : undefined
}
