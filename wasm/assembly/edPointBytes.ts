/** Points of edwards25519 to and from their 32 bytes (RFC 8032 §5.1.2 and §5.1.3). What is read is public. */
import { edFieldLoad, edFieldMultiply, edFieldSquare, edFieldStore } from './edField'
import { edAddend, edAffineAddendSize, edPointSize, edT, edY, edZ } from './edPoint'
import { edFieldInvert, edFieldRoot } from './edPower'
import { fieldCombine, fieldNegateWhere, fieldSize } from './field'
import { areZero } from './fieldBytes'
import { mark, registers, release, reserve } from './memory'

export const edEncodedSize: usize = 32

const u: usize = registers + 8960
const v: usize = registers + 9000
const v3: usize = registers + 9040
const check: usize = registers + 9080
const inverse: usize = registers + 9120
const inverseZ: usize = registers + 9160
const bytes: usize = registers + 9200
const point: usize = registers + 9232
const addend: usize = registers + 9376

const one: usize = memory.data<i32>([1, 0, 0, 0, 0, 0, 0, 0, 0])
const curveD: usize = memory.data<i32>([
  -212240202, 257584721, -260691235, 1350275, -24543225, 3980221, -103927011, -37392896, -3013779,
])
/** The root of −1 that is a power of 2. */
const rootOfMinusOne: usize = memory.data<i32>([
  168730800, 124836154, 200875569, 103812442, -42306828, 5021438, -64180940, -267782084, 2851621,
])

/** 1 for zero modulo p, else 0. */
export function edFieldIsZero(a: usize): u32 {
  edFieldStore(bytes, a)
  return areZero(bytes)
}

/** The point of an encoding; 1 when it is the canonical encoding of a point on the curve, else 0. */
export function edPointLoad(r: usize, encoded: usize): u32 {
  const sign = <u32>load<u8>(encoded, 31) >> 7
  edFieldLoad(edY(r), encoded)
  edFieldStore(bytes, edY(r))
  store<u8>(bytes, load<u8>(bytes, 31) | <u8>(sign << 7), 31)
  if (memory.compare(bytes, encoded, edEncodedSize) != 0) return 0
  // x² = u/v, with u = y² − 1 and v = d·y² + 1.
  edFieldSquare(u, edY(r))
  edFieldMultiply(v, u, curveD)
  fieldCombine(u, u, 1, one, -1)
  fieldCombine(v, v, 1, one, 1)
  edFieldSquare(v3, v)
  edFieldMultiply(v3, v3, v)
  edFieldSquare(check, v3)
  edFieldMultiply(check, check, v)
  edFieldMultiply(check, check, u)
  edFieldRoot(check, check)
  edFieldMultiply(check, check, v3)
  edFieldMultiply(r, check, u)
  edFieldSquare(check, r)
  edFieldMultiply(check, check, v)
  fieldCombine(v3, check, 1, u, 1)
  if (edFieldIsZero(v3)) {
    edFieldMultiply(r, r, rootOfMinusOne)
  } else {
    fieldCombine(v3, check, 1, u, -1)
    if (!edFieldIsZero(v3)) return 0
  }
  edFieldStore(bytes, r)
  const isOdd = <u32>load<u8>(bytes) & 1
  if (isOdd != sign) {
    if (edFieldIsZero(r)) return 0
    fieldNegateWhere(r, -1)
  }
  memory.copy(edZ(r), one, fieldSize)
  edFieldMultiply(edT(r), r, edY(r))
  return 1
}

/** The inverse of each Z in `inverses`, 40 bytes apart, with one inversion for all. No Z is 0 on this curve. */
function invertZs(inverses: usize, points: usize, count: u32): void {
  memory.copy(inverses, edZ(points), fieldSize)
  for (let i: u32 = 1; i < count; i++) {
    edFieldMultiply(inverses + 40 * i, inverses + 40 * (i - 1), edZ(points + i * edPointSize))
  }
  edFieldInvert(inverse, inverses + 40 * (count - 1))
  for (let i = count - 1; i > 0; i--) {
    edFieldMultiply(inverses + 40 * i, inverses + 40 * (i - 1), inverse)
    edFieldMultiply(inverse, inverse, edZ(points + i * edPointSize))
  }
  memory.copy(inverses, inverse, fieldSize)
}

/** Stores so many; 0 when one of them is the identity. */
export function edPointsStore(encoded: usize, points: usize, count: u32): u32 {
  if (count == 0) return 1
  const at = mark()
  const inverses = reserve(40 * count)
  invertZs(inverses, points, count)
  let areOthers: u32 = 1
  for (let i: u32 = 0; i < count; i++) {
    const p = points + i * edPointSize
    const to = encoded + i * edEncodedSize
    edFieldMultiply(inverseZ, p, inverses + 40 * i)
    const xIsZero = edFieldIsZero(inverseZ)
    const sign = load<u8>(bytes) << 7
    edFieldMultiply(inverseZ, edY(p), inverses + 40 * i)
    edFieldStore(to, inverseZ)
    // The other point with x = 0 is (0, −1), of order 2.
    fieldCombine(check, inverseZ, 1, one, -1)
    areOthers &= 1 - (xIsZero & edFieldIsZero(check))
    store<u8>(to, load<u8>(to, 31) | sign, 31)
  }
  release(at)
  return areOthers
}

/** The affine addends of so many public points. */
export function edAffineAddends(r: usize, points: usize, count: u32): void {
  const at = mark()
  const inverses = reserve(40 * count)
  invertZs(inverses, points, count)
  for (let i: u32 = 0; i < count; i++) {
    const p = points + i * edPointSize
    edFieldMultiply(point, p, inverses + 40 * i)
    edFieldMultiply(edY(point), edY(p), inverses + 40 * i)
    edFieldMultiply(edT(point), point, edY(point))
    edAddend(addend, point)
    memory.copy(r + i * edAffineAddendSize, addend, 3 * fieldSize)
  }
  release(at)
}

/** Whether p = q. */
export function edPointsAreEqual(p: usize, q: usize): u32 {
  edFieldMultiply(u, p, edZ(q))
  edFieldMultiply(v, q, edZ(p))
  fieldCombine(u, u, 1, v, -1)
  const sameX = edFieldIsZero(u)
  edFieldMultiply(u, edY(p), edZ(q))
  edFieldMultiply(v, edY(q), edZ(p))
  fieldCombine(u, u, 1, v, -1)
  return sameX & edFieldIsZero(u)
}
