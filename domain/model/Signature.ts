/** Signatures r, s, v over secp256k1, and their text forms. */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { signatureScalarBytes } from './Limits.ts'

/** `v` is the parity of R's y coordinate: 0 or 1. */
export type Signature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly v: 0 | 1 }

/** The order n of secp256k1 (SEC 2, section 2.4.1). */
export const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** For every s there is n - s, which signs the same; only the lower of the two is given out (BIP 62). */
export const highestLowS = order >> 1n

const length = 2 * signatureScalarBytes + 1

/** Splits 65 bytes, r ‖ s ‖ v. */
export const fromBytes = (bytes: Uint8Array): Result.Result<Signature, InvalidSignature> => {
  const r = bytes.slice(0, signatureScalarBytes)
  const s = bytes.slice(signatureScalarBytes, 2 * signatureScalarBytes)
  const v = bytes[length - 1]
  const whole = bytes.length === length && isScalar(r) && isScalar(s)
  return whole && (v === 0 || v === 1) ? Result.succeed({ r, s, v }) : Result.fail(new InvalidSignature())
}

/** 65 bytes, r ‖ s ‖ v. */
export const toBytes = ({ r, s, v }: Signature): Uint8Array => concatBytes(r, s, Uint8Array.of(v))

/** Reads 130 hex digits, r 64, s 64 and v 2, in which v is 00 or 01. A leading 0x may be there. */
export const fromHex = (hex: string): Result.Result<Signature, InvalidSignature> => {
  const digits = hex.replace(/^0x/, '')
  return /^[0-9a-fA-F]{130}$/.test(digits) ? fromBytes(hexToBytes(digits)) : Result.fail(new InvalidSignature())
}

/** The text that protocols exchange: without 0x. */
export const toHex = (signature: Signature): string => bytesToHex(toBytes(signature))

/** The text that Ethereum's tools expect of a message signature: with 0x, and v as 27 or 28. */
export const toEthereumHex = ({ r, s, v }: Signature): `0x${string}` =>
  `0x${bytesToHex(concatBytes(r, s, Uint8Array.of(27 + v)))}`

/** Whether s is in the lower half of the group order, as chains require it. */
export const isLowS = ({ s }: Signature): boolean => scalarOf(s) <= highestLowS

/** The form of a signature that is given out: s in the lower half, v turned with it. */
export const withLowS = (signature: Signature): Signature =>
  isLowS(signature)
    ? signature
    : { r: signature.r, s: bytesOf(order - scalarOf(signature.s)), v: signature.v === 0 ? 1 : 0 }

const isScalar = (bytes: Uint8Array) => {
  const scalar = scalarOf(bytes)
  return scalar > 0n && scalar < order
}

const scalarOf = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes) || '0'}`)

const bytesOf = (scalar: bigint) => hexToBytes(scalar.toString(16).padStart(2 * signatureScalarBytes, '0'))

/** Not r ‖ s ‖ v with both scalars in range. */
export class InvalidSignature extends Data.TaggedError('InvalidSignature') {
  override readonly message = 'invalid signature'
}
