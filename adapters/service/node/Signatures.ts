/**
 * Signatures checked and made, and frames hashed, by OpenSSL, which is an order of magnitude faster than noble. For P-256 both take the same
 * signatures. For Ed25519 OpenSSL 3.0 takes keys that noble refuses, which are refused here first, and refuses signatures
 * that only the cofactor makes valid: so its yes counts, and its no is asked again.
 */
import { createPrivateKey, createPublicKey, hash, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import * as Layer from 'effect/Layer'
import { verifyEd25519, type Signatures as Checks, type Verify } from '../../../domain/crypto/Signatures.ts'
import { wipe } from '../../../domain/crypto/wipe.ts'
import { Signatures } from '../../../domain/service/ports/Signatures.ts'
import { makeRecall } from './recall.ts'

export const openssl: Checks = {
  p256: (publicKey, message, signature) => {
    if (publicKey.length !== 65 || publicKey[0] !== 4 || signature.length !== 64) return false
    const key = p256Keys.recall(base64url(publicKey), () => {
      const [x, y] = [base64url(publicKey.subarray(1, 33)), base64url(publicKey.subarray(33))]
      return keyOf({ kty: 'EC', crv: 'P-256', x, y })
    })
    return key !== undefined && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  },
  ed25519: (publicKey, message, signature) => {
    if (publicKey.length !== 32 || signature.length !== 64 || !isStrictKey(publicKey)) return false
    const signed = hash('sha256', Buffer.concat([publicKey, signature, message]), 'base64url')
    return checkedEd25519.recall(signed, () => isValidEd25519(publicKey, message, signature) || undefined) === true
  },
  signP256: (secretKey, message) => {
    // OpenSSL takes a number that is no key, and signs with it.
    if (!isSecretKey(secretKey)) throw new RangeError('a secret key of P-256 is a number below its order')
    const der = Buffer.concat([sec1Head, secretKey, sec1Tail])
    const key = createPrivateKey({ key: der, format: 'der', type: 'sec1' })
    wipe(der)
    return withLowS(sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' }))
  },
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
}

/** RFC 5915: version 1, the secret key of 32 bytes in between, and the name of P-256. OpenSSL computes the public key. */
const sec1Head = Buffer.from('30310201010420', 'hex')
const sec1Tail = Buffer.from('a00a06082a8648ce3d030107', 'hex')

/** Of the two values of s that make a valid signature, the lower one. */
const withLowS = (signature: Buffer): Uint8Array => {
  const s = BigInt(`0x${signature.toString('hex', 32)}`)
  if (s > order / 2n) signature.write((order - s).toString(16).padStart(64, '0'), 32, 'hex')
  return signature
}

/** Compares bytes: a number made of the key could not be erased. */
const isSecretKey = (key: Uint8Array): boolean =>
  key.length === 32 && Buffer.compare(key, orderBytes) < 0 && key.some((byte) => byte !== 0)

/** Of P-256's base point. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const orderBytes = Buffer.from(order.toString(16), 'hex')

export const SignaturesOpenssl = Layer.succeed(Signatures, openssl)

/** OpenSSL refuses points of P-256 that are not on the curve, or whose coordinates are not reduced. */
const keyOf = (key: JsonWebKey): KeyObject | undefined => {
  try {
    return createPublicKey({ key, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Whether an Ed25519 key is encoded canonically and not of small order. */
const isStrictKey = (publicKey: Uint8Array): boolean => {
  const encoded = Buffer.from(publicKey).reverse()
  encoded[0] = (encoded[0] ?? 0) & 0x7f
  const y = encoded.toString('hex')
  return y < prime && !smallOrder.has(y)
}

/** 2²⁵⁵ − 19, as the y-coordinates below in 64 hexadecimal digits. */
const prime = '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed'

/** The y-coordinates of the eight points whose order divides the cofactor. */
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000001',
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec',
  '05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826',
  '7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7',
])

const isValidEd25519: Verify = (publicKey, message, signature) => {
  const key = keyOf({ kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey) })
  if (key === undefined) return false
  return verify(null, message, key, signature) || verifyEd25519(publicKey, message, signature)
}

/** The latest devices: to read a key of P-256 takes OpenSSL as long as to check a signature under it. */
const p256Keys = makeRecall<KeyObject>(2_000)

/** The latest signatures that are valid: a device sends the same certificate with every request of a run. */
const checkedEd25519 = makeRecall<true>(2_000)

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
