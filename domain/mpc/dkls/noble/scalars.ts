/** Scalars modulo the order n of secp256k1, as BigInts behind bytes. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { scalarLength } from '../Parameters.ts'
import type { Scalars } from '../Arithmetic.ts'

const Fn = secp256k1.Point.Fn
const n = Fn.ORDER

/** The 256-bit integer at an item of a vector, not reduced. */
export const load = (bytes: Uint8Array, item = 0): bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + item * scalarLength, scalarLength)
  return (
    (view.getBigUint64(0) << 192n) |
    (view.getBigUint64(8) << 128n) |
    (view.getBigUint64(16) << 64n) |
    view.getBigUint64(24)
  )
}

export const store = (scalar: bigint, bytes: Uint8Array, item = 0): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + item * scalarLength, scalarLength)
  view.setBigUint64(0, scalar >> 192n)
  view.setBigUint64(8, BigInt.asUintN(64, scalar >> 128n))
  view.setBigUint64(16, BigInt.asUintN(64, scalar >> 64n))
  view.setBigUint64(24, BigInt.asUintN(64, scalar))
}

const encoded = (scalar: bigint): Uint8Array => {
  const bytes = new Uint8Array(scalarLength)
  store(scalar, bytes)
  return bytes
}

export const scalars: Scalars = {
  reduce: (wide) => {
    const out = new Uint8Array(wide.length / 2)
    for (let item = 0; item < out.length / scalarLength; item++) {
      store(((load(wide, 2 * item) << 256n) | load(wide, 2 * item + 1)) % n, out, item)
    }
    return out
  },
  areCanonical: (vector) => {
    if (vector.length % scalarLength !== 0) return false
    let canonical = true
    for (let item = 0; item < vector.length / scalarLength; item++) canonical = load(vector, item) < n && canonical
    return canonical
  },
  add: (a, b) => encoded((load(a) + load(b)) % n),
  subtract: (a, b) => encoded((load(a) + n - load(b)) % n),
  multiply: (a, b) => encoded((load(a) * load(b)) % n),
  invert: (scalar) => {
    const value = load(scalar)
    return Fn.isValidNot0(value) ? encoded(Fn.inv(value)) : undefined
  },
  isHigh: (scalar) => load(scalar) > n >> 1n,
}
