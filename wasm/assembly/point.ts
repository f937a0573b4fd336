/**
 * Points of secp256k1 in homogeneous coordinates, 112 bytes: X, Y and Z one after another, each of size 1. The identity
 * is (0 : 1 : 0). The formulas are the complete ones of Renes, Costello and Batina (2015/1060, algorithms 7 to 9) for
 * y² = x³ + 7: they hold for every pair of points, and so ask nothing about them.
 */
import {
  fieldAddTriple,
  fieldCombine,
  fieldCross,
  fieldCrossSquare,
  fieldMultiply,
  fieldMultiplyPlus,
  fieldNegateWhere,
  fieldProducts,
  fieldProductsDifference,
  fieldScale,
  fieldSize,
  fieldSquare,
  fieldSquares,
  fieldTimes,
} from './field'
import { registers } from './memory'

export const pointSize: usize = 112
/** A point that is not the identity, as X and Y with Z = 1. */
export const affineSize: usize = 80

const t0: usize = registers + 512
const t1: usize = registers + 552
const t2: usize = registers + 592
const t3: usize = registers + 632
const t4: usize = registers + 672
const t5: usize = registers + 712
const t6: usize = registers + 752
const t7: usize = registers + 792

@inline
function X(p: usize): usize {
  return p
}

@inline
export function Y(p: usize): usize {
  return p + fieldSize
}

@inline
export function Z(p: usize): usize {
  return p + 2 * fieldSize
}

export function pointSetIdentity(r: usize): void {
  memory.fill(r, 0, pointSize)
  store<i32>(Y(r), 1)
}

/** r = p, where p is affine. */
export function pointFromAffine(r: usize, p: usize): void {
  memory.copy(r, p, 2 * fieldSize)
  memory.fill(Z(r), 0, pointSize - 2 * fieldSize)
  store<i32>(Z(r), 1)
}

/**
 * What both additions end with: from X1·X2 in t0, Y1·Y2 in t1, b3·Z1·Z2 in t2, X1·Y2 + X2·Y1 in t3, Y1·Z2 + Y2·Z1 in
 * t4 and X1·Z2 + X2·Z1 in t5.
 */
@inline
function finishAddition(r: usize): void {
  fieldScale(t5, t5)
  fieldTimes(t0, t0, 3)
  fieldCombine(t6, t1, 1, t2, 1)
  fieldCombine(t7, t1, 1, t2, -1)
  fieldProductsDifference(X(r), t3, t7, t4, t5)
  fieldProducts(Y(r), t6, t7, t5, t0)
  fieldProducts(Z(r), t6, t4, t0, t3)
}

/** r = p + q. */
export function pointAdd(r: usize, p: usize, q: usize): void {
  fieldMultiply(t0, X(p), X(q))
  fieldMultiply(t1, Y(p), Y(q))
  fieldMultiply(t2, Z(p), Z(q))
  fieldCross(t3, X(p), Y(p), X(q), Y(q), t0, t1)
  fieldCross(t4, Y(p), Z(p), Y(q), Z(q), t1, t2)
  fieldCross(t5, X(p), Z(p), X(q), Z(q), t0, t2)
  fieldScale(t2, t2)
  finishAddition(r)
}

/** r = p + q, where q is affine. */
export function pointAddAffine(r: usize, p: usize, q: usize): void {
  fieldMultiply(t0, X(p), X(q))
  fieldMultiply(t1, Y(p), Y(q))
  fieldCross(t3, X(p), Y(p), X(q), Y(q), t0, t1)
  fieldMultiplyPlus(t4, Y(q), Z(p), Y(p))
  fieldMultiplyPlus(t5, X(q), Z(p), X(p))
  fieldScale(t2, Z(p))
  finishAddition(r)
}

/**
 * r = 2·p. With s = Y² and t = b3·Z², and Y3 = (s − 3t)(s + t) + 8st written as (s + 3t)² − 12t²:
 * X3 = 2(s − 3t)·XY, Z3 = 4s·2YZ.
 */
export function pointDouble(r: usize, p: usize): void {
  fieldSquare(t0, Y(p))
  fieldSquare(t2, Z(p))
  fieldCrossSquare(t1, Y(p), Z(p), t0, t2)
  fieldMultiply(t3, X(p), Y(p))
  fieldScale(t2, t2)
  fieldCombine(t4, t0, 1, t2, -3)
  fieldTimes(t3, t3, 2)
  fieldMultiply(X(r), t4, t3)
  fieldTimes(t5, t0, 4)
  fieldMultiply(Z(r), t5, t1)
  fieldAddTriple(t4, t0, t2)
  fieldSquares(Y(r), t4, t2)
}

/** r = −r where `bits` is all ones. */
export function pointNegateWhere(r: usize, bits: i32): void {
  fieldNegateWhere(Y(r), bits)
}

/** r = a where `bits` is all ones, r where it is 0. */
export function pointCopyWhere(r: usize, a: usize, bits: i32): void {
  const ones = i32x4.splat(bits)
  for (let k: usize = 0; k < pointSize; k += 16) {
    v128.store(r + k, v128.bitselect(v128.load(a + k), v128.load(r + k), ones))
  }
}
