/**
 * The arithmetic on @noble/curves: the reference, and the browser's fallback where WebAssembly may not run. Its scalars
 * are BigInts, which are not constant time and cannot be erased. domain/mpc/README.md#constant-time
 */
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { split } from '../Codec.ts'
import { pointLength, scalarLength, type Arithmetic, type Exchange, type Points, type Scalars } from './Arithmetic.ts'

const { Point } = ed25519
const { Fn } = Point
type Point = InstanceType<typeof Point>

/** What `compute` returns, or `undefined` where noble refuses an operand by throwing. */
const orUndefined = <A>(compute: () => A | undefined): A | undefined => {
  try {
    return compute()
  } catch {
    return undefined
  }
}

const read = (bytes: Uint8Array): Point => {
  const point = Point.fromBytes(bytes)
  if (point.is0()) throw new RangeError('the identity')
  return point
}

const write = (list: readonly Point[]): Uint8Array | undefined =>
  list.some((point) => point.is0()) ? undefined : concatBytes(...list.map((point) => point.toBytes()))

const points: Points = {
  areValid: (vector) =>
    vector.length % pointLength === 0 &&
    orUndefined(() => split(vector, pointLength).every((bytes) => read(bytes).isTorsionFree())) === true,
  multiplyBase: (scalars) =>
    scalars.length % scalarLength === 0
      ? orUndefined(() => write(split(scalars, scalarLength).map((bytes) => Point.BASE.multiply(Fn.fromBytes(bytes)))))
      : undefined,
  add: (vector, others) => {
    if (vector.length % pointLength !== 0 || vector.length !== others.length) return undefined
    const [left, right] = [split(vector, pointLength), split(others, pointLength)]
    return orUndefined(() => write(left.map((bytes, index) => read(bytes).add(read(right[index] ?? bytes)))))
  },
  addMultiple: (point, scalar, other) =>
    orUndefined(() => write([read(point).add(read(other).multiplyUnsafe(Fn.fromBytes(scalar)))])),
  holds: ({ z, R, c, X }) =>
    orUndefined(() => {
      const right = read(R).add(read(X).multiplyUnsafe(Fn.fromBytes(c)))
      const secret = Fn.fromBytes(z)
      return (secret === 0n ? Point.ZERO : Point.BASE.multiply(secret)).equals(right)
    }) === true,
}

/** A scalar of 32 bytes modulo L; another length throws. */
const number = (bytes: Uint8Array): bigint => {
  if (bytes.length !== scalarLength) throw new RangeError('a scalar is 32 bytes')
  return Fn.create(bytesToNumberLE(bytes))
}

const scalars: Scalars = {
  reduce: (wide) =>
    concatBytes(...split(wide, 2 * scalarLength).map((bytes) => Fn.toBytes(Fn.create(bytesToNumberLE(bytes))))),
  positive: (bytes) => {
    if (bytes.length !== 48) throw new RangeError('a positive scalar is made from 48 bytes')
    return Fn.toBytes((bytesToNumberLE(bytes) % (Fn.ORDER - 1n)) + 1n)
  },
  areCanonical: (vector) =>
    vector.length % scalarLength === 0 &&
    split(vector, scalarLength).every((bytes) => Fn.isValid(bytesToNumberLE(bytes))),
  add: (a, b) => Fn.toBytes(Fn.add(number(a), number(b))),
  subtract: (a, b) => Fn.toBytes(Fn.sub(number(a), number(b))),
  multiply: (a, b) => Fn.toBytes(Fn.mul(number(a), number(b))),
}

const exchange: Exchange = {
  publicKey: (secret) => x25519.getPublicKey(secret),
  shared: (secret, peer) => orUndefined(() => x25519.getSharedSecret(secret, peer)),
}

export const noble: Arithmetic = { points, scalars, exchange }
