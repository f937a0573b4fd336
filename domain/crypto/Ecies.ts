/**
 * ECIES on secp256k1 in the manner of geth, which clients of the public API use for backups to a recovery key:
 * base64(ephemeral point 65 ‖ IV 16 ‖ AES-128-CTR ‖ HMAC-SHA-256 of IV ‖ ciphertext 32), plaintext in UTF-16LE.
 * KDF: SHA-256(u32 1 ‖ x of the shared point); encryption key = first 16 bytes, MAC key = SHA-256(last 16 bytes).
 * domain/crypto/README.md#envelopes
 */
import { ctr } from '@noble/ciphers/aes.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Result from 'effect/Result'
import { equal } from './Equal.ts'
import { u32 } from './Transcript.ts'
import { SealBroken } from './Wrap.ts'

const pointLength = 65
/** Bytes. */
export const ivLength = 16
const macLength = 32

/** Bytes that the envelope adds to the UTF-16LE of its plaintext: 113. */
export const overhead = pointLength + ivLength + macLength

/** `publicKey` is the 64-byte point without 04. `ephemeralSecret` (32) and `iv` (16) are fresh random bytes. */
export const seal = (message: {
  readonly publicKey: Uint8Array
  readonly plaintext: string
  readonly ephemeralSecret: Uint8Array
  readonly iv: Uint8Array
}): string => {
  if (message.iv.length !== ivLength) throw new RangeError('ECIES: IV 16 bytes')
  const keys = deriveKeys(message.ephemeralSecret, concatBytes(uncompressed, message.publicKey))
  const ciphertext = ctr(keys.encryption, message.iv).encrypt(utf16le(message.plaintext))
  const body = concatBytes(message.iv, ciphertext)
  const point = secp256k1.getPublicKey(message.ephemeralSecret, false)
  return base64.encode(concatBytes(point, body, hmac(sha256, keys.mac, body)))
}

/** The plaintext of a base64 text. `secretKey` is 32 bytes. Every failure is the same `SealBroken`. */
export const open = (message: {
  readonly secretKey: Uint8Array
  readonly text: string
}): Result.Result<string, SealBroken> => {
  const broken = Result.fail(new SealBroken({ envelope: 'ecies' }))
  try {
    const bytes = base64.decode(message.text)
    if (bytes.length < overhead || bytes[0] !== uncompressed[0]) return broken
    const keys = deriveKeys(message.secretKey, bytes.subarray(0, pointLength))
    const body = bytes.subarray(pointLength, -macLength)
    if (!equal(hmac(sha256, keys.mac, body), bytes.subarray(-macLength))) return broken
    const plaintext = ctr(keys.encryption, body.subarray(0, ivLength)).decrypt(body.subarray(ivLength))
    return plaintext.length % 2 === 0 ? Result.succeed(fromUtf16le(plaintext)) : broken
  } catch {
    return broken
  }
}

const uncompressed = new Uint8Array([4])

const deriveKeys = (secret: Uint8Array, point: Uint8Array) => {
  const sharedX = secp256k1.getSharedSecret(secret, point, true).subarray(1)
  const derived = sha256(concatBytes(u32(1), sharedX))
  return { encryption: derived.subarray(0, 16), mac: sha256(derived.subarray(16)) }
}

const utf16le = (text: string): Uint8Array => {
  const out = new Uint8Array(2 * text.length)
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    out[2 * index] = unit & 0xff
    out[2 * index + 1] = unit >>> 8
  }
  return out
}

const fromUtf16le = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 2) {
    text += String.fromCharCode((bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8))
  }
  return text
}
