/**
 * Signatures checked by OpenSSL, which is an order of magnitude faster than noble. For P-256 both take the same
 * signatures. For Ed25519 OpenSSL 3.0 takes keys that noble refuses, which are refused here first, and refuses signatures
 * that only the cofactor makes valid: so its yes counts, and its no is asked again.
 */
import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import * as Layer from 'effect/Layer'
import { verifyEd25519, type Signatures as Checks } from '../../../domain/crypto/Signatures.ts'
import { Signatures } from '../../../domain/service/ports/Signatures.ts'

export const openssl: Checks = {
  p256: (publicKey, message, signature) => {
    if (publicKey.length !== 65 || publicKey[0] !== 4 || signature.length !== 64) return false
    const [x, y] = [base64url(publicKey.subarray(1, 33)), base64url(publicKey.subarray(33))]
    const key = keyOf({ kty: 'EC', crv: 'P-256', x, y })
    return key !== undefined && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  },
  ed25519: (publicKey, message, signature) => {
    if (publicKey.length !== 32 || signature.length !== 64 || !isStrictKey(publicKey)) return false
    const key = keyOf({ kty: 'OKP', crv: 'Ed25519', x: base64url(publicKey) })
    if (key === undefined) return false
    return verify(null, message, key, signature) || verifyEd25519(publicKey, message, signature)
  },
}

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

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
