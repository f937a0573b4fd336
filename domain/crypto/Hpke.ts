/**
 * Hybrid public key encryption of one message to one recipient: RFC 9180, base mode, single shot, with DHKEM(X25519,
 * HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305. The recipient's secret key opens it, with the same `info` and `aad`
 * only.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Bytes of either key. */
export const keyLength = 32
const tagLength = 16

/** X25519: 32 bytes of a secret key of 32. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => x25519.getPublicKey(secretKey)

export type Sealing = {
  /** 32 bytes. */
  readonly recipientPublicKey: Uint8Array
  /** 32 fresh random bytes, for this message alone. */
  readonly ephemeralSecretKey: Uint8Array
  readonly info: Uint8Array
  readonly aad: Uint8Array
  readonly plaintext: Uint8Array
}

/** enc (32 bytes) ‖ ciphertext ‖ tag, or `undefined` where the recipient's key is of small order (RFC 9180, 7.1.4). */
export const seal = (sealing: Sealing): Uint8Array | undefined => {
  const { recipientPublicKey, ephemeralSecretKey, info, aad, plaintext } = sealing
  const dh = agreed(ephemeralSecretKey, recipientPublicKey)
  if (dh === undefined) return undefined
  const enc = publicKeyOf(ephemeralSecretKey)
  const { key, nonce } = schedule(dh, enc, recipientPublicKey, info)
  return concatBytes(enc, chacha20poly1305(key, nonce, aad).encrypt(plaintext))
}

/** `sealed` as `seal` gives it, the key of 32 bytes. The plaintext, or `undefined` for anything that was not sealed to this key under this `info` and `aad`. */
export const open = (options: {
  readonly recipientSecretKey: Uint8Array
  readonly info: Uint8Array
  readonly aad: Uint8Array
  readonly sealed: Uint8Array
}): Uint8Array | undefined => {
  const { recipientSecretKey, info, aad, sealed } = options
  if (sealed.length < keyLength + tagLength) return undefined
  const enc = sealed.subarray(0, keyLength)
  const dh = agreed(recipientSecretKey, enc)
  if (dh === undefined) return undefined
  const { key, nonce } = schedule(dh, enc, publicKeyOf(recipientSecretKey), info)
  try {
    return chacha20poly1305(key, nonce, aad).decrypt(sealed.subarray(keyLength))
  } catch {
    return undefined
  }
}

/** X25519, or `undefined` for an all-zero output, which noble refuses. */
const agreed = (secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined => {
  try {
    return x25519.getSharedSecret(secretKey, publicKey)
  } catch {
    return undefined
  }
}

const empty = new Uint8Array(0)
const kem = utf8ToBytes('KEM\x00\x20')
const suite = utf8ToBytes('HPKE\x00\x20\x00\x01\x00\x03')
const baseMode = new Uint8Array([0])

/** RFC 9180, 4.1 (ExtractAndExpand) and 5.1 (KeySchedule), for sequence number 0. */
const schedule = (dh: Uint8Array, enc: Uint8Array, recipientPublicKey: Uint8Array, info: Uint8Array) => {
  const kemContext = concatBytes(enc, recipientPublicKey)
  const shared = labeledExpand(kem, labeledExtract(kem, empty, 'eae_prk', dh), 'shared_secret', kemContext, 32)
  const context = concatBytes(
    baseMode,
    labeledExtract(suite, empty, 'psk_id_hash', empty),
    labeledExtract(suite, empty, 'info_hash', info),
  )
  const secret = labeledExtract(suite, shared, 'secret', empty)
  return {
    key: labeledExpand(suite, secret, 'key', context, 32),
    nonce: labeledExpand(suite, secret, 'base_nonce', context, 12),
  }
}

const version = utf8ToBytes('HPKE-v1')

const labeledExtract = (suiteId: Uint8Array, salt: Uint8Array, label: string, input: Uint8Array): Uint8Array =>
  extract(sha256, concatBytes(version, suiteId, utf8ToBytes(label), input), salt)

const labeledExpand = (
  suiteId: Uint8Array,
  key: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array =>
  expand(
    sha256,
    key,
    concatBytes(new Uint8Array([length >>> 8, length]), version, suiteId, utf8ToBytes(label), info),
    length,
  )
