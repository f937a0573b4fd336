/** Operations that both curves have, made of each curve's exports. Vectors are items one after another. */
import { exactly, type Operate } from './Arena.ts'

/** The number of items of a length in a vector, or `undefined` where it is not whole. */
export const countOf = (vector: Uint8Array, length: number): number | undefined =>
  vector.length % length === 0 ? vector.length / length : undefined

/** Whether the kernel accepts every item of a vector. */
export const check =
  (operate: Operate, length: number, operation: (vector: number, count: number) => number) =>
  (vector: Uint8Array): boolean => {
    const count = countOf(vector, length)
    return count !== undefined && operate((arena) => operation(arena.put(vector), count) === 1)
  }

/** Maps the items of a vector to items of other lengths; `undefined` where the kernel refuses one. */
export const mapping =
  (
    operate: Operate,
    lengths: { readonly of: number; readonly to: number },
    operation: (out: number, vector: number, count: number) => number,
  ) =>
  (vector: Uint8Array): Uint8Array | undefined => {
    const count = countOf(vector, lengths.of)
    if (count === undefined) return undefined
    return operate((arena) => {
      const out = arena.reserve(count * lengths.to)
      return operation(out, arena.put(vector), count) === 1 ? arena.take(out, count * lengths.to) : undefined
    })
  }

/** Maps the items of two vectors pairwise; `undefined` where the kernel refuses one. */
export const pairing =
  (operate: Operate, length: number, operation: (out: number, a: number, b: number, count: number) => number) =>
  (vector: Uint8Array, others: Uint8Array): Uint8Array | undefined => {
    const count = countOf(vector, length)
    if (count === undefined || vector.length !== others.length) return undefined
    return operate((arena) => {
      const out = arena.reserve(vector.length)
      const isWhole = operation(out, arena.put(vector), arena.put(others), count) === 1
      return isWhole ? arena.take(out, vector.length) : undefined
    })
  }

/** The result of two operands, all of one length. */
export const combination =
  (operate: Operate, length: number, operation: (out: number, a: number, b: number) => void) =>
  (a: Uint8Array, b: Uint8Array): Uint8Array =>
    operate((arena) => {
      const out = arena.reserve(length)
      operation(out, arena.put(exactly(length, a)), arena.put(exactly(length, b)))
      return arena.take(out, length)
    })

/** Scalars of items of twice their length. */
export const reduction =
  (operate: Operate, length: number, operation: (out: number, wide: number, count: number) => void) =>
  (wide: Uint8Array): Uint8Array =>
    operate((arena) => {
      const count = Math.floor(wide.length / (2 * length))
      const out = arena.reserve(count * length)
      operation(out, arena.put(wide), count)
      return arena.take(out, count * length)
    })
