/** AES-256-GCM as everything at rest uses it: IV of 12 random bytes ‖ ciphertext ‖ tag of 16. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/** What sealing adds to the plaintext. */
export const overhead = ivLength + tagLength

export const seal = (key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array => {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, key, iv)
  cipher.setAAD(aad)
  return Uint8Array.from(Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
}

/** Undefined where key, associated data or any byte is another. */
export const open = (key: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Uint8Array | undefined => {
  if (sealed.length < overhead) return undefined
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), { authTagLength: tagLength })
  decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  try {
    const plaintext = decipher.update(sealed.subarray(ivLength, sealed.length - tagLength))
    return Uint8Array.from(Buffer.concat([plaintext, decipher.final()]))
  } catch {
    return undefined
  }
}
