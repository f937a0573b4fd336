/** The arithmetic of the two-party EdDSA by the kernel (assembly/edCurve.ts, x25519.ts). */
import {
  pointLength,
  scalarLength,
  type Arithmetic,
  type Exchange,
  type Points,
  type Scalars,
} from '../domain/mpc/ed25519/Arithmetic.ts'
import type { Arena, Operate } from './Arena.ts'

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

/** How many items of 32 bytes a vector has, when they are whole. */
const countOf = (vector: Uint8Array): number | undefined =>
  vector.length % pointLength === 0 ? vector.length / pointLength : undefined

const areItems = (...items: readonly Uint8Array[]): boolean => items.every(({ length }) => length === pointLength)

const pointsOf = (exports: EdExports, operate: Operate): Points => ({
  areValid: (vector) => {
    const count = countOf(vector)
    return count !== undefined && operate((arena) => exports.edPointsAreValid(arena.put(vector), count) === 1)
  },
  multiplyBase: (scalars) => {
    const count = countOf(scalars)
    if (count === undefined) return undefined
    return operate((arena) => {
      const out = arena.reserve(scalars.length)
      return exports.edMultiplyBase(out, arena.put(scalars), count) === 1 ? arena.take(out, scalars.length) : undefined
    })
  },
  add: (vector, others) => {
    const count = countOf(vector)
    if (count === undefined || vector.length !== others.length) return undefined
    return operate((arena) => {
      const out = arena.reserve(vector.length)
      if (exports.edPointsAdd(out, arena.put(vector), arena.put(others), count) !== 1) return undefined
      return arena.take(out, vector.length)
    })
  },
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

/** So many bytes; another length is the caller's fault. */
const putExactly = (arena: Arena, bytes: Uint8Array, length: number): number => {
  if (bytes.length !== length) throw new RangeError(`${length} bytes are needed`)
  return arena.put(bytes)
}

const scalarsOf = (exports: EdExports, operate: Operate): Scalars => {
  const combine =
    (operation: (out: number, a: number, b: number) => void) =>
    (a: Uint8Array, b: Uint8Array): Uint8Array =>
      operate((arena) => {
        const out = arena.reserve(scalarLength)
        operation(out, putExactly(arena, a, scalarLength), putExactly(arena, b, scalarLength))
        return arena.take(out, scalarLength)
      })
  return {
    reduce: (wide) =>
      operate((arena) => {
        const count = Math.floor(wide.length / (2 * scalarLength))
        const out = arena.reserve(count * scalarLength)
        exports.edScalarsReduce(out, arena.put(wide), count)
        return arena.take(out, count * scalarLength)
      }),
    positive: (bytes) =>
      operate((arena) => {
        const out = arena.reserve(scalarLength)
        exports.edScalarPositive(out, putExactly(arena, bytes, 48))
        return arena.take(out, scalarLength)
      }),
    areCanonical: (vector) => {
      const count = countOf(vector)
      return count !== undefined && operate((arena) => exports.edScalarsAreCanonical(arena.put(vector), count) === 1)
    },
    add: combine(exports.edScalarsAdd),
    subtract: combine(exports.edScalarsSubtract),
    multiply: combine(exports.edScalarsMultiply),
  }
}

/** The u-coordinate of X25519's base point. */
const nine = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 9 : 0))

const exchangeOf = (exports: EdExports, operate: Operate): Exchange => {
  const multiply = (secret: Uint8Array, peer: Uint8Array) =>
    operate((arena) => {
      const out = arena.reserve(32)
      const isOther = exports.x25519(out, putExactly(arena, secret, 32), putExactly(arena, peer, 32)) === 1
      return { isOther, result: arena.take(out, 32) }
    })
  return {
    // No secret gives 0: it is a multiple of 8 below 8·L, and not 0.
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
