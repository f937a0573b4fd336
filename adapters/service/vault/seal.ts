/** AES-256-GCM for everything stored: IV of 12 random bytes ‖ ciphertext ‖ tag of 16 bytes. */
import { createCipheriv, createDecipheriv, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto'
import { concatBytes } from '@noble/hashes/utils.js'
import { offHeap, wipe } from '../../../domain/crypto/wipe.ts'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/** Bytes that sealing adds to the plaintext. */
export const overhead = ivLength + tagLength

export const seal = (key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array => {
  const iv = randomBytes(ivLength)
  return concatBytes(iv, ...encrypt(key, iv, aad, plaintext))
}

/**
 * Undefined if the key, the associated data or any byte differs. The returned array is the only copy of the plaintext
 * in memory, so overwriting it erases the plaintext.
 */
export const open = (key: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array | undefined => {
  if (sealed.length < overhead) return undefined
  const iv = sealed.subarray(0, ivLength)
  const plaintext = decrypt(key, iv, sealed.subarray(ivLength, sealed.length - tagLength))
  const [, tag] = encrypt(key, iv, aad, plaintext)
  if (timingSafeEqual(tag, sealed.subarray(sealed.length - tagLength))) return plaintext
  wipe(plaintext)
  return undefined
}

const encrypt = (key: Uint8Array, iv: Uint8Array, aad: Uint8Array, plaintext: Uint8Array) => {
  const cipher = createCipheriv(algorithm, key, iv)
  cipher.setAAD(aad)
  const ciphertext = cipher.update(plaintext)
  cipher.final()
  return [ciphertext, cipher.getAuthTag()] as const
}

/**
 * GCM encrypts in counter mode, from block 2 on (NIST SP 800-38D, 7.2). `update` copies its output to an array of the
 * exact length and frees the first one without wiping it. So it gets the ciphertext xored with a random mask, and the
 * freed memory holds masked plaintext only.
 */
const decrypt = (key: Uint8Array, iv: Uint8Array, ciphertext: Uint8Array): Uint8Array => {
  const mask = randomFillSync(offHeap(ciphertext.length))
  const counter = createDecipheriv('aes-256-ctr', key, concatBytes(iv, Uint8Array.of(0, 0, 0, 2)))
  const masked = counter.update(xor(mask, ciphertext))
  counter.final()
  const plaintext = xor(mask, masked)
  wipe(mask, masked)
  return plaintext
}

const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const out = offHeap(a.length)
  for (let index = 0; index < out.length; index++) out[index] = (a[index] ?? 0) ^ (b[index] ?? 0)
  return out
}
