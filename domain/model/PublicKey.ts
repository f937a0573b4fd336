/** Public keys as bytes: SEC1 points of secp256k1, 32 bytes of Ed25519. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/** Reads hexadecimal digits, with or without 0x; `undefined` when they are none. */
export const fromHex = (hex: string): Uint8Array | undefined => {
  const digits = hex.replace(/^0x/i, '')
  return /^([0-9a-fA-F]{2})+$/.test(digits) ? hexToBytes(digits) : undefined
}

/** The 65 bytes 04 ‖ x ‖ y of a point in either form. Throws when it is not on the curve. */
export const uncompressed = (publicKey: Uint8Array): Uint8Array => secp256k1.Point.fromBytes(publicKey).toBytes(false)

/** The 33 bytes of a point in either form. Throws when it is not on the curve. */
export const compressed = (publicKey: Uint8Array): Uint8Array => secp256k1.Point.fromBytes(publicKey).toBytes(true)
