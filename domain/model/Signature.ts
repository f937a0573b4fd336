/** Signatures r, s, v over secp256k1, and their text forms. */
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { signatureScalarBytes } from './Limits.ts'

/** `v` is the parity of R's y coordinate: 0 or 1. */
export type Signature = { readonly r: Uint8Array; readonly s: Uint8Array; readonly v: 0 | 1 }

/** The order n of secp256k1 (SEC 2, section 2.4.1). */
export const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

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

/** The text that protocols exchange: without 0x. */
export const toHex = (signature: Signature): string => bytesToHex(toBytes(signature))

/** The text that Ethereum's tools expect of a message signature: with 0x, and v as 27 or 28. */
export const toEthereumHex = ({ r, s, v }: Signature): `0x${string}` =>
  `0x${bytesToHex(concatBytes(r, s, Uint8Array.of(27 + v)))}`

const isScalar = (bytes: Uint8Array) => {
  const scalar = scalarOf(bytes)
  return scalar > 0n && scalar < order
}

const scalarOf = (bytes: Uint8Array) => BigInt(`0x${bytesToHex(bytes) || '0'}`)

/** Not r ‖ s ‖ v with both scalars in range. */
export class InvalidSignature extends Data.TaggedError('InvalidSignature') {
  override readonly message = 'invalid signature'
}
