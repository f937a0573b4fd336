/**
 * Signatures of keys that are all of this process: a hash under the secret key, which the check finds by the
 * public one. Nothing verifies under a key that was not made here.
 */
import { hash } from 'node:crypto'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

export const signing = (name: string, publicKeyOf: (secretKey: Uint8Array) => Uint8Array) => {
  const publicKeys = new Map<string, Uint8Array>()
  const secretKeys = new Map<string, Uint8Array>()

  const know = (secretKey: Uint8Array): Uint8Array => {
    const known = publicKeys.get(text(secretKey))
    if (known !== undefined) return known
    const publicKey = publicKeyOf(secretKey)
    publicKeys.set(text(secretKey), publicKey)
    secretKeys.set(text(publicKey), secretKey.slice())
    return publicKey
  }
  const under = (secretKey: Uint8Array, message: Uint8Array): Uint8Array =>
    Uint8Array.from(hash('sha512', Buffer.concat([Buffer.from(name), secretKey, message]), 'buffer'))

  return {
    getPublicKey: (secretKey: Uint8Array): Uint8Array => know(secretKey).slice(),
    sign: (message: Uint8Array, secretKey: Uint8Array): Uint8Array => {
      know(secretKey)
      return under(secretKey, message)
    },
    verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
      const secretKey = secretKeys.get(text(publicKey))
      return secretKey !== undefined && Buffer.compare(under(secretKey, message), signature) === 0
    },
  }
}
