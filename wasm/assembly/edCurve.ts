/**
 * The operations on edwards25519 that the host calls (domain/mpc/ed25519/Arithmetic.ts). Vectors are items one after
 * another; 0 is the answer where an operand or a result is outside the port's rules. Secret are the scalars of
 * `edMultiplyBase` and all operands of sums and products of scalars; all else is public.
 */
import { edCombMultiply } from './edComb'
import { edPointMultiply } from './edMultiply'
import { edAddend, edPointAdd, edPointSetIdentity, edPointSize } from './edPoint'
import { edEncodedSize, edPointLoad, edPointsAreEqual, edPointsStore } from './edPointBytes'
import {
  edOrder,
  edScalarAdd,
  edScalarIsCanonical,
  edScalarIsZero,
  edScalarLoad,
  edScalarLoadPositive,
  edScalarLoadWide,
  edScalarMultiply,
  edScalarStore,
  edScalarSubtract,
} from './edScalar'
import { registers, reserve } from './memory'

const scalarBytes: usize = 32

const a: usize = registers + 12784
const b: usize = registers + 12824
const point: usize = registers + 12864
const product: usize = registers + 13008
const sum: usize = registers + 13152
const addend: usize = registers + 13296
const identity: usize = registers + 13440

/** A point that is not the identity. */
function loadPoint(r: usize, encoded: usize): u32 {
  if (!edPointLoad(r, encoded)) return 0
  edPointSetIdentity(identity)
  return 1 - edPointsAreEqual(r, identity)
}

/** Whether each is of prime order: on the curve, not the identity, and L times it is. */
export function edPointsAreValid(points: usize, count: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    if (!loadPoint(point, points + i * edEncodedSize)) return 0
    edPointMultiply(product, edOrder, point)
    if (!edPointsAreEqual(product, identity)) return 0
  }
  return 1
}

/** k_i·G. */
export function edMultiplyBase(out: usize, scalars: usize, count: u32): u32 {
  const products = reserve(edPointSize * count)
  let areValid: u32 = 1
  for (let i: u32 = 0; i < count; i++) {
    const from = scalars + i * scalarBytes
    edScalarLoad(a, from)
    areValid &= edScalarIsCanonical(from) & (1 - edScalarIsZero(a))
    edCombMultiply(products + i * edPointSize, a)
  }
  return areValid && edPointsStore(out, products, count)
}

/** P_i + Q_i. */
export function edPointsAdd(out: usize, points: usize, others: usize, count: u32): u32 {
  const sums = reserve(edPointSize * count)
  for (let i: u32 = 0; i < count; i++) {
    if (!loadPoint(sum, points + i * edEncodedSize) || !loadPoint(point, others + i * edEncodedSize)) return 0
    edAddend(addend, point)
    edPointAdd(sums + i * edPointSize, sum, addend)
  }
  return edPointsStore(out, sums, count)
}

/** P + k·Q, in `sum`. */
function addMultiple(p: usize, k: usize, q: usize): u32 {
  if (!edScalarIsCanonical(k) || !loadPoint(sum, p) || !loadPoint(point, q)) return 0
  edScalarLoad(a, k)
  edPointMultiply(product, a, point)
  edAddend(addend, product)
  edPointAdd(sum, sum, addend)
  return 1
}

export function edPointsAddMultiple(out: usize, p: usize, k: usize, q: usize): u32 {
  return addMultiple(p, k, q) && edPointsStore(out, sum, 1)
}

/** Whether z·G = R + c·X. */
export function edHolds(z: usize, r: usize, c: usize, x: usize): u32 {
  if (!edScalarIsCanonical(z) || !addMultiple(r, c, x)) return 0
  edScalarLoad(a, z)
  edCombMultiply(product, a)
  return edPointsAreEqual(product, sum)
}

/** Of 64 bytes each. */
export function edScalarsReduce(out: usize, wide: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    edScalarLoadWide(a, wide + 2 * i * scalarBytes)
    edScalarStore(out + i * scalarBytes, a)
  }
}

/** Of 48 bytes. */
export function edScalarPositive(out: usize, bytes: usize): void {
  edScalarLoadPositive(a, bytes)
  edScalarStore(out, a)
}

export function edScalarsAreCanonical(scalars: usize, count: u32): u32 {
  let areCanonical: u32 = 1
  for (let i: u32 = 0; i < count; i++) areCanonical &= edScalarIsCanonical(scalars + i * scalarBytes)
  return areCanonical
}

export function edScalarsAdd(out: usize, left: usize, right: usize): void {
  edScalarLoad(a, left)
  edScalarLoad(b, right)
  edScalarAdd(a, a, b)
  edScalarStore(out, a)
}

export function edScalarsSubtract(out: usize, left: usize, right: usize): void {
  edScalarLoad(a, left)
  edScalarLoad(b, right)
  edScalarSubtract(a, a, b)
  edScalarStore(out, a)
}

export function edScalarsMultiply(out: usize, left: usize, right: usize): void {
  edScalarLoad(a, left)
  edScalarLoad(b, right)
  edScalarMultiply(a, a, b)
  edScalarStore(out, a)
}
