/** Points, scalars, base OTs and signatures by the kernel (assembly/curve.ts, scalars.ts). */
import type { Arithmetic, Points, Scalars, Transfer } from '../domain/mpc/dkls/Arithmetic.ts'
import { pointLength, scalarLength } from '../domain/mpc/dkls/Parameters.ts'
import { exactly, type Operate } from './Arena.ts'
import { check, combination, countOf, mapping, pairing, reduction } from './Operations.ts'

/** Addresses and counts go in; 1 comes back where all was well. */
export type CurveExports = {
  readonly pointsAreValid: (points: number, count: number) => number
  readonly pointsMultiplyBase: (out: number, scalars: number, count: number) => number
  readonly pointsMultiply: (out: number, scalar: number, points: number, count: number) => number
  readonly pointsAdd: (out: number, points: number, others: number, count: number) => number
  readonly transferChoose: (
    outPoints: number,
    outKeys: number,
    base: number,
    blinds: number,
    choices: number,
    count: number,
  ) => number
  readonly transferKeys: (
    outZero: number,
    outOne: number,
    secret: number,
    base: number,
    points: number,
    count: number,
  ) => number
  readonly isSignature: (publicKey: number, digest: number, signature: number) => number
  readonly scalarIsHigh: (scalar: number) => number
  readonly scalarsReduce: (out: number, wide: number, count: number) => void
  readonly scalarsAreCanonical: (scalars: number, count: number) => number
  readonly scalarsAdd: (out: number, a: number, b: number) => void
  readonly scalarsSubtract: (out: number, a: number, b: number) => void
  readonly scalarsMultiply: (out: number, a: number, b: number) => void
  readonly scalarsInvert: (out: number, scalar: number) => number
}

const pointsOf = (exports: CurveExports, operate: Operate): Points => ({
  areValid: check(operate, pointLength, exports.pointsAreValid),
  multiplyBase: mapping(operate, { of: scalarLength, to: pointLength }, exports.pointsMultiplyBase),
  multiply: (scalar, vector) => {
    const count = countOf(vector, pointLength)
    if (count === undefined || scalar.length !== scalarLength) return undefined
    return operate((arena) => {
      const out = arena.reserve(vector.length)
      if (exports.pointsMultiply(out, arena.put(scalar), arena.put(vector), count) !== 1) return undefined
      return arena.take(out, vector.length)
    })
  },
  add: pairing(operate, pointLength, exports.pointsAdd),
})

const scalarsOf = (exports: CurveExports, operate: Operate): Scalars => ({
  reduce: reduction(operate, scalarLength, exports.scalarsReduce),
  areCanonical: check(operate, scalarLength, exports.scalarsAreCanonical),
  add: combination(operate, scalarLength, exports.scalarsAdd),
  subtract: combination(operate, scalarLength, exports.scalarsSubtract),
  multiply: combination(operate, scalarLength, exports.scalarsMultiply),
  invert: (scalar) =>
    operate((arena) => {
      const out = arena.reserve(scalarLength)
      const isInverted = exports.scalarsInvert(out, arena.put(exactly(scalarLength, scalar))) === 1
      return isInverted ? arena.take(out, scalarLength) : undefined
    }),
  isHigh: (scalar) => operate((arena) => exports.scalarIsHigh(arena.put(exactly(scalarLength, scalar))) === 1),
})

const transferOf = (exports: CurveExports, operate: Operate): Transfer => ({
  choose: ({ base, blinds, choices }) => {
    const count = countOf(blinds, scalarLength)
    if (count === undefined || base.length !== pointLength || choices.length * 8 < count) return undefined
    return operate((arena) => {
      const length = count * pointLength
      const points = arena.reserve(length)
      const keys = arena.reserve(length)
      const inputs = [arena.put(base), arena.put(blinds), arena.put(choices)] as const
      if (exports.transferChoose(points, keys, ...inputs, count) !== 1) return undefined
      return { points: arena.take(points, length), keys: arena.take(keys, length) }
    })
  },
  keys: ({ secret, base, points }) => {
    const count = countOf(points, pointLength)
    if (count === undefined || base.length !== pointLength || secret.length !== scalarLength) return undefined
    return operate((arena) => {
      const zero = arena.reserve(points.length)
      const one = arena.reserve(points.length)
      const inputs = [arena.put(secret), arena.put(base), arena.put(points)] as const
      if (exports.transferKeys(zero, one, ...inputs, count) !== 1) return undefined
      return { zero: arena.take(zero, points.length), one: arena.take(one, points.length) }
    })
  },
})

const signatureLength = 65

export const curveOf = (
  exports: CurveExports,
  operate: Operate,
): Pick<Arithmetic, 'points' | 'scalars' | 'transfer' | 'isSignature'> => ({
  points: pointsOf(exports, operate),
  scalars: scalarsOf(exports, operate),
  transfer: transferOf(exports, operate),
  isSignature: (publicKey, digest, signature) => {
    const isShaped =
      publicKey.length === pointLength && digest.length === scalarLength && signature.length === signatureLength
    if (!isShaped) return false
    return operate((arena) => exports.isSignature(arena.put(publicKey), arena.put(digest), arena.put(signature)) === 1)
  },
})
