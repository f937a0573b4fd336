/**
 * The operations on points that the host calls (domain/mpc/dkls/Arithmetic.ts). Vectors are items one after another;
 * 0 is the answer where an operand or a result is outside the port's rules.
 */
import { combFill, combMultiply, combSize } from './comb'
import { keep, registers, reserve } from './memory'
import { pointMultiply, prepareScalar } from './multiply'
import {
  affineSize,
  pointAdd,
  pointAddAffine,
  pointCopyWhere,
  pointFromAffine,
  pointNegateWhere,
  pointSize,
} from './point'
import { affineLoad, affineLoadAll, encodedSize, pointsStore, pointsToAffine } from './pointBytes'
import { scalarIsCanonical, scalarIsZero, scalarLoad, scalarMultiply } from './scalar'
import { scalarInvert, scalarIsHigh } from './scalarInvert'

const bytesSize: usize = 32

const generator: usize = memory.data<i32>([
  -151513192, 261360345, -209045930, -134629796, -256872406, -246749372, 246503042, 266288023, 7978598,
  -82783048, 37651584, 22349415, 258511181, -259354671, -33683703, -241863020, 249877625, 4733658,
])
const base: usize = makeBase()

function makeBase(): usize {
  const table = reserve(combSize)
  combFill(table, generator)
  keep()
  return table
}

const scalar: usize = registers + 7168
const affine: usize = registers + 7208
const product: usize = registers + 7288
const other: usize = registers + 7400
const s: usize = registers + 7512
const e: usize = registers + 7552

/** 1 when the 32 bytes are a scalar other than 0, which is then loaded. */
function loadFactor(r: usize, from: usize): u32 {
  scalarLoad(r, from)
  return scalarIsCanonical(from) & (1 - scalarIsZero(r))
}

export function pointsAreValid(points: usize, count: u32): u32 {
  return affineLoadAll(reserve(affineSize * count), points, count)
}

/** k_i·G. */
export function pointsMultiplyBase(out: usize, scalars: usize, count: u32): u32 {
  const products = reserve(pointSize * count)
  let areValid: u32 = 1
  for (let i: u32 = 0; i < count; i++) {
    areValid &= loadFactor(scalar, scalars + i * bytesSize)
    combMultiply(products + i * pointSize, base, scalar)
  }
  return areValid && pointsStore(out, products, count)
}

/** k·P_i. */
export function pointsMultiply(out: usize, k: usize, points: usize, count: u32): u32 {
  const loaded = reserve(affineSize * count)
  if (!(loadFactor(scalar, k) & affineLoadAll(loaded, points, count))) return 0
  const products = reserve(pointSize * count)
  prepareScalar(scalar)
  for (let i: u32 = 0; i < count; i++) pointMultiply(products + i * pointSize, loaded + i * affineSize)
  return pointsStore(out, products, count)
}

/** P_i + Q_i. */
export function pointsAdd(out: usize, points: usize, others: usize, count: u32): u32 {
  const sums = reserve(pointSize * count)
  let areValid: u32 = 1
  for (let i: u32 = 0; i < count; i++) {
    const sum = sums + i * pointSize
    areValid &= affineLoad(affine, points + i * encodedSize)
    pointFromAffine(sum, affine)
    areValid &= affineLoad(affine, others + i * encodedSize)
    pointAddAffine(sum, sum, affine)
  }
  return areValid && pointsStore(out, sums, count)
}

/** B_i = b_i·G + Δ_i·A, both candidates being made, and K_i = b_i·A. */
export function transferChoose(
  outPoints: usize,
  outKeys: usize,
  encodedBase: usize,
  blinds: usize,
  choices: usize,
  count: u32,
): u32 {
  if (!affineLoad(affine, encodedBase)) return 0
  const table = reserve(combSize)
  combFill(table, affine)
  const points = reserve(pointSize * count)
  const keys = reserve(pointSize * count)
  const candidates = reserve(pointSize * count)
  let areValid: u32 = 1
  for (let i: u32 = 0; i < count; i++) {
    const point = points + i * pointSize
    const candidate = candidates + i * pointSize
    areValid &= loadFactor(scalar, blinds + i * bytesSize)
    combMultiply(keys + i * pointSize, table, scalar)
    combMultiply(point, base, scalar)
    pointAddAffine(candidate, point, affine)
    pointCopyWhere(point, candidate, -((<i32>load<u8>(choices + (i >> 3)) >> <i32>(i & 7)) & 1))
  }
  // No candidate may be the identity, taken or not.
  return areValid && pointsToAffine(reserve(affineSize * count), candidates, count) &&
    pointsStore(outPoints, points, count) && pointsStore(outKeys, keys, count)
}

/** a·B_i and a·(B_i − A) = a·B_i − a·A. */
export function transferKeys(
  outZero: usize,
  outOne: usize,
  secret: usize,
  encodedBase: usize,
  points: usize,
  count: u32,
): u32 {
  const loaded = reserve(affineSize * count)
  const areValid = loadFactor(scalar, secret) & affineLoad(affine, encodedBase) & affineLoadAll(loaded, points, count)
  if (!areValid) return 0
  const zero = reserve(pointSize * count)
  const one = reserve(pointSize * count)
  prepareScalar(scalar)
  pointMultiply(other, affine)
  pointNegateWhere(other, -1)
  for (let i: u32 = 0; i < count; i++) {
    pointMultiply(zero + i * pointSize, loaded + i * affineSize)
    pointAdd(one + i * pointSize, zero + i * pointSize, other)
  }
  return pointsStore(outZero, zero, count) && pointsStore(outOne, one, count)
}

/** Whether r ‖ s ‖ v signs e: (e/s)·G + (r/s)·PK is the point of r and v, and s is low. All of it is public. */
export function isSignature(publicKey: usize, digest: usize, signature: usize): u32 {
  const v = load<u8>(signature, 64)
  if (v > 1 || !affineLoad(affine, publicKey)) return 0
  if (!loadFactor(scalar, signature) || !loadFactor(s, signature + 32) || scalarIsHigh(signature + 32)) return 0
  scalarInvert(s, s)
  scalarLoad(e, digest)
  scalarMultiply(e, e, s)
  scalarMultiply(scalar, scalar, s)
  prepareScalar(scalar)
  pointMultiply(product, affine)
  combMultiply(other, base, e)
  pointAdd(product, product, other)
  const encoded = reserve(encodedSize)
  if (!pointsStore(encoded, product, 1) || load<u8>(encoded) != 2 + v) return 0
  return <u32>(memory.compare(encoded + 1, signature, 32) == 0)
}
