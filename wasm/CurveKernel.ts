/** Points, scalars, base OTs and signatures by the kernel (assembly/curve.ts, scalars.ts). */
import type { Arithmetic, Points, Scalars, Transfer } from '../domain/mpc/dkls/Arithmetic.ts'
import { pointLength, scalarLength } from '../domain/mpc/dkls/Parameters.ts'
import type { Arena, Operate } from './Arena.ts'

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

/** How many items of a length a vector has, when they are whole. */
const countOf = (vector: Uint8Array, length: number): number | undefined =>
  vector.length % length === 0 ? vector.length / length : undefined

const pointsOf = (exports: CurveExports, operate: Operate): Points => ({
  areValid: (vector) => {
    const count = countOf(vector, pointLength)
    return count !== undefined && operate((arena) => exports.pointsAreValid(arena.put(vector), count) === 1)
  },
  multiplyBase: (scalars) => {
    const count = countOf(scalars, scalarLength)
    if (count === undefined) return undefined
    return operate((arena) => {
      const out = arena.reserve(count * pointLength)
      if (exports.pointsMultiplyBase(out, arena.put(scalars), count) !== 1) return undefined
      return arena.take(out, count * pointLength)
    })
  },
  multiply: (scalar, vector) => {
    const count = countOf(vector, pointLength)
    if (count === undefined || scalar.length !== scalarLength) return undefined
    return operate((arena) => {
      const out = arena.reserve(vector.length)
      if (exports.pointsMultiply(out, arena.put(scalar), arena.put(vector), count) !== 1) return undefined
      return arena.take(out, vector.length)
    })
  },
  add: (vector, others) => {
    const count = countOf(vector, pointLength)
    if (count === undefined || vector.length !== others.length) return undefined
    return operate((arena) => {
      const out = arena.reserve(vector.length)
      if (exports.pointsAdd(out, arena.put(vector), arena.put(others), count) !== 1) return undefined
      return arena.take(out, vector.length)
    })
  },
})

/** One scalar of 32 bytes; another length is the caller's fault. */
const putScalar = (arena: Arena, scalar: Uint8Array): number => {
  if (scalar.length !== scalarLength) throw new RangeError('a scalar is 32 bytes')
  return arena.put(scalar)
}

const scalarsOf = (exports: CurveExports, operate: Operate): Scalars => {
  const combine =
    (operation: (out: number, a: number, b: number) => void) =>
    (a: Uint8Array, b: Uint8Array): Uint8Array =>
      operate((arena) => {
        const out = arena.reserve(scalarLength)
        operation(out, putScalar(arena, a), putScalar(arena, b))
        return arena.take(out, scalarLength)
      })
  return {
    reduce: (wide) =>
      operate((arena) => {
        const count = Math.floor(wide.length / (2 * scalarLength))
        const out = arena.reserve(count * scalarLength)
        exports.scalarsReduce(out, arena.put(wide), count)
        return arena.take(out, count * scalarLength)
      }),
    areCanonical: (vector) => {
      const count = countOf(vector, scalarLength)
      return count !== undefined && operate((arena) => exports.scalarsAreCanonical(arena.put(vector), count) === 1)
    },
    add: combine(exports.scalarsAdd),
    subtract: combine(exports.scalarsSubtract),
    multiply: combine(exports.scalarsMultiply),
    invert: (scalar) =>
      operate((arena) => {
        const out = arena.reserve(scalarLength)
        return exports.scalarsInvert(out, putScalar(arena, scalar)) === 1 ? arena.take(out, scalarLength) : undefined
      }),
    isHigh: (scalar) => operate((arena) => exports.scalarIsHigh(putScalar(arena, scalar)) === 1),
  }
}

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
    return operate(
      (arena) => exports.isSignature(arena.put(publicKey), arena.put(digest), arena.put(signature)) === 1,
    )
  },
})
