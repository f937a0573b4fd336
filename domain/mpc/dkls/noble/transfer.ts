/** The group operations of the base OTs (DKLs18 protocol 7). domain/mpc/README.md#base-ot */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Transfer } from '../Arithmetic.ts'
import { pointLength } from '../Parameters.ts'
import { decodeAll, decodeScalars, encodeAll } from './points.ts'

const { Point } = secp256k1

/** Window of the table for A: cheapest for making it once and using it 128 times. */
const windowBits = 6

export const transfer: Transfer = {
  choose: ({ base, blinds, choices }) => {
    const b = decodeScalars(blinds)
    const A = decodeAll(base)?.[0]
    if (b === undefined || A === undefined) return undefined
    const table = Point.fromAffine(A.toAffine()).precompute(windowBits, false)
    const keys = encodeAll(b.map((blind) => table.multiply(blind)))
    // Both candidates are always made and encoded; the choice bit only masks bytes.
    const zero = b.map((blind) => Point.BASE.multiply(blind))
    const zeros = encodeAll(zero)
    const ones = encodeAll(zero.map((point) => point.add(A)))
    if (keys === undefined || zeros === undefined || ones === undefined) return undefined
    const points = new Uint8Array(zeros.length)
    for (let index = 0; index < points.length; index++) {
      const item = Math.floor(index / pointLength)
      const mask = -(((choices[item >> 3] ?? 0) >> (item & 7)) & 1)
      points[index] = ((zeros[index] ?? 0) & ~mask) | ((ones[index] ?? 0) & mask)
    }
    return { points, keys }
  },
  keys: ({ secret, base, points }) => {
    const a = decodeScalars(secret)?.[0]
    const A = decodeAll(base)?.[0]
    const B = decodeAll(points)
    if (a === undefined || A === undefined || B === undefined) return undefined
    const aA = A.multiply(a)
    const aB = B.map((point) => point.multiply(a))
    const zero = encodeAll(aB)
    const one = encodeAll(aB.map((point) => point.subtract(aA)))
    return zero && one && { zero, one }
  },
}
