/** The arithmetic of the two-party EdDSA by the kernel (assembly/edCurve.ts, x25519.ts). */
import {
  pointLength,
  scalarLength,
  type Arithmetic,
  type Exchange,
  type Points,
  type Scalars,
} from '../domain/mpc/ed25519/Arithmetic.ts'
import { exactly, type Operate } from './Arena.ts'
import { check, combination, mapping, pairing, reduction } from './Operations.ts'

/** Addresses and counts go in; 1 comes back where all was well. */
export type EdExports = {
  readonly edPointsAreValid: (points: number, count: number) => number
  readonly edMultiplyBase: (out: number, scalars: number, count: number) => number
  readonly edPointsAdd: (out: number, points: number, others: number, count: number) => number
  readonly edPointsAddMultiple: (out: number, point: number, scalar: number, other: number) => number
  readonly edHolds: (z: number, R: number, c: number, X: number) => number
  readonly edScalarsReduce: (out: number, wide: number, count: number) => void
  readonly edScalarPositive: (out: number, bytes: number) => void
  readonly edScalarsAreCanonical: (scalars: number, count: number) => number
  readonly edScalarsAdd: (out: number, a: number, b: number) => void
  readonly edScalarsSubtract: (out: number, a: number, b: number) => void
  readonly edScalarsMultiply: (out: number, a: number, b: number) => void
  readonly x25519: (out: number, secret: number, peer: number) => number
}

const areItems = (...items: readonly Uint8Array[]): boolean => items.every(({ length }) => length === pointLength)

const pointsOf = (exports: EdExports, operate: Operate): Points => ({
  areValid: check(operate, pointLength, exports.edPointsAreValid),
  multiplyBase: mapping(operate, { of: scalarLength, to: pointLength }, exports.edMultiplyBase),
  add: pairing(operate, pointLength, exports.edPointsAdd),
  addMultiple: (point, scalar, other) => {
    if (!areItems(point, scalar, other)) return undefined
    return operate((arena) => {
      const out = arena.reserve(pointLength)
      const inputs = [arena.put(point), arena.put(scalar), arena.put(other)] as const
      return exports.edPointsAddMultiple(out, ...inputs) === 1 ? arena.take(out, pointLength) : undefined
    })
  },
  holds: ({ z, R, c, X }) =>
    areItems(z, R, c, X) &&
    operate((arena) => exports.edHolds(arena.put(z), arena.put(R), arena.put(c), arena.put(X)) === 1),
})

const scalarsOf = (exports: EdExports, operate: Operate): Scalars => ({
  reduce: reduction(operate, scalarLength, exports.edScalarsReduce),
  positive: (bytes) =>
    operate((arena) => {
      const out = arena.reserve(scalarLength)
      exports.edScalarPositive(out, arena.put(exactly(48, bytes)))
      return arena.take(out, scalarLength)
    }),
  areCanonical: check(operate, scalarLength, exports.edScalarsAreCanonical),
  add: combination(operate, scalarLength, exports.edScalarsAdd),
  subtract: combination(operate, scalarLength, exports.edScalarsSubtract),
  multiply: combination(operate, scalarLength, exports.edScalarsMultiply),
})

/** The u-coordinate of X25519's base point. */
const nine = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 9 : 0))

const exchangeOf = (exports: EdExports, operate: Operate): Exchange => {
  const multiply = (secret: Uint8Array, peer: Uint8Array) =>
    operate((arena) => {
      const out = arena.reserve(32)
      const isOther = exports.x25519(out, arena.put(exactly(32, secret)), arena.put(exactly(32, peer))) === 1
      return { isOther, result: arena.take(out, 32) }
    })
  return {
    // The scalar is a multiple of 8 between 0 and 8·L, so the result is never 0.
    publicKey: (secret) => multiply(secret, nine).result,
    shared: (secret, peer) => {
      if (peer.length !== 32) return undefined
      const { isOther, result } = multiply(secret, peer)
      return isOther ? result : undefined
    },
  }
}

export const ed25519Of = (exports: EdExports, operate: Operate): Arithmetic => ({
  points: pointsOf(exports, operate),
  scalars: scalarsOf(exports, operate),
  exchange: exchangeOf(exports, operate),
})
