/**
 * How signatures of devices and root keys are checked, answers of the co-signer are signed and whole frames are hashed:
 * here with noble, which is what pages use, but for the co-signer's signatures. The service may do it by other means, with the same verdict on the same
 * bytes. domain/crypto/README.md#notation
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** Malformed bytes are refused, not thrown at. */
export type Verify = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean

/** ECDSA on P-256 with SHA-256 under a secret key of 32 bytes: r ‖ s in 64 bytes, s low. */
export type Sign = (secretKey: Uint8Array, message: Uint8Array) => Uint8Array

export type Signatures = {
  /** ECDSA on P-256 with SHA-256: an uncompressed key, r ‖ s in 64 bytes, s high or low. */
  readonly p256: Verify
  /** RFC 8032, with the cofactor. The encodings of both points are canonical, and the key is not of small order. */
  readonly ed25519: Verify
  readonly signP256: Sign
  /** 32 bytes. */
  readonly sha256: (bytes: Uint8Array) => Uint8Array
}

/** Whether the bytes are an uncompressed point on the curve. */
export const isP256Key = (publicKey: Uint8Array): boolean =>
  publicKey.length === 65 && publicKey[0] === 4 && p256.utils.isValidPublicKey(publicKey, false)

export const verifyP256: Verify = (publicKey, message, signature) =>
  isP256Key(publicKey) &&
  signature.length === 64 &&
  p256.verify(signature, message, publicKey, { prehash: true, lowS: false, format: 'compact' })

export const verifyEd25519: Verify = (publicKey, message, signature) =>
  publicKey.length === 32 && signature.length === 64 && ed25519.verify(signature, message, publicKey, { zip215: false })

/** Deterministic (RFC 6979). */
const signP256: Sign = (secretKey, message) =>
  p256.sign(message, secretKey, { prehash: true, lowS: true, format: 'compact' })

export const noble: Signatures = { p256: verifyP256, ed25519: verifyEd25519, signP256, sha256 }
