/** Points of secp256k1: noble's complete formulas, and its blinded multiplication for secret scalars. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { normalizeZ } from '@noble/curves/abstract/curve.js'
import type { WeierstrassPoint } from '@noble/curves/abstract/weierstrass.js'
import { pointLength, scalarLength } from '../Parameters.ts'
import type { Points } from '../Arithmetic.ts'
import { load } from './scalars.ts'

export type Point = WeierstrassPoint<bigint>
const { Point } = secp256k1

/** The points of a vector, or `undefined` when an item is no canonical encoding of a point on the curve. */
export const decodeAll = (vector: Uint8Array): readonly Point[] | undefined => {
  if (vector.length % pointLength !== 0) return undefined
  const decoded: Point[] = []
  for (let offset = 0; offset < vector.length; offset += pointLength) {
    try {
      decoded.push(Point.fromBytes(vector.subarray(offset, offset + pointLength)))
    } catch {
      return undefined
    }
  }
  return decoded
}

/** The encodings, with one inversion for all, or `undefined` when one is the identity. */
export const encodeAll = (all: readonly Point[]): Uint8Array | undefined => {
  if (all.some((point) => point.is0())) return undefined
  const out = new Uint8Array(all.length * pointLength)
  normalizeZ(Point, [...all]).forEach((point, index) => {
    out.set(point.toBytes(), index * pointLength)
  })
  return out
}

/** The scalars of a vector, or `undefined` when one is 0 or not below the order. */
export const decodeScalars = (vector: Uint8Array): readonly bigint[] | undefined => {
  const decoded = Array.from({ length: vector.length / scalarLength }, (_, item) => load(vector, item))
  return decoded.every((scalar) => Point.Fn.isValidNot0(scalar)) ? decoded : undefined
}

export const points: Points = {
  areValid: (vector) => decodeAll(vector) !== undefined,
  multiplyBase: (vector) => {
    const factors = decodeScalars(vector)
    return factors && encodeAll(factors.map((factor) => Point.BASE.multiply(factor)))
  },
  multiply: (scalar, vector) => {
    const factor = decodeScalars(scalar)?.[0]
    const decoded = decodeAll(vector)
    if (factor === undefined || decoded === undefined) return undefined
    return encodeAll(decoded.map((point) => point.multiply(factor)))
  },
  add: (vector, others) => {
    const left = decodeAll(vector)
    const right = decodeAll(others)
    if (left === undefined || right === undefined || left.length !== right.length) return undefined
    return encodeAll(left.map((point, index) => point.add(right[index] ?? Point.ZERO)))
  },
}
