/** Points to and from their 33 bytes (SEC1, compressed). Validity is public; coordinates need not be. */
import { fieldMultiply, fieldMultiplyPlus, fieldCombine, fieldNegateWhere, fieldSize, fieldSquare } from './field'
import { fieldIsZero, fieldLoad, fieldStore } from './fieldBytes'
import { fieldInvert, fieldRoot } from './fieldPower'
import { mark, registers, release, reserve } from './memory'
import { affineSize, pointSize, Y, Z } from './point'

export const encodedSize: usize = 33

const square: usize = registers + 1024
const check: usize = registers + 1064
const inverse: usize = registers + 1104
const inverseZ: usize = registers + 1144
const bytes: usize = registers + 1184

const seven: usize = memory.data<i32>([7, 0, 0, 0, 0, 0, 0, 0, 0])

/** The affine point of an encoding; 1 when it is a canonical encoding of a point on the curve, else 0. */
export function affineLoad(r: usize, encoded: usize): u32 {
  const prefix = <u32>load<u8>(encoded)
  const isCanonical = fieldLoad(r, encoded + 1)
  fieldSquare(square, r)
  fieldMultiplyPlus(square, square, r, seven)
  fieldRoot(Y(r), square)
  fieldSquare(check, Y(r))
  fieldCombine(check, check, 1, square, -1)
  const isOnCurve = fieldIsZero(check, bytes)
  fieldStore(bytes, Y(r))
  fieldNegateWhere(Y(r), -<i32>((load<u8>(bytes, 31) ^ prefix) & 1))
  return isCanonical & isOnCurve & <u32>((prefix & 0xfe) == 2)
}

/** Loads so many; 1 when all are valid. */
export function affineLoadAll(r: usize, encoded: usize, count: u32): u32 {
  let areValid: u32 = 1
  for (let i: u32 = 0; i < count; i++) areValid &= affineLoad(r + i * affineSize, encoded + i * encodedSize)
  return areValid
}

export function affineStore(encoded: usize, p: usize): void {
  fieldStore(bytes, Y(p))
  store<u8>(encoded, 2 | (load<u8>(bytes, 31) & 1))
  fieldStore(encoded + 1, p)
}

/** Affine points of so many, with one inversion for all; 0 when one is the identity. */
export function pointsToAffine(r: usize, points: usize, count: u32): u32 {
  if (count == 0) return 1
  const at = mark()
  // products + 40·i is Z_0 · … · Z_i.
  const products = reserve(40 * count)
  memory.copy(products, Z(points), fieldSize)
  for (let i: u32 = 1; i < count; i++) {
    fieldMultiply(products + 40 * i, products + 40 * (i - 1), Z(points + i * pointSize))
  }
  const all = products + 40 * (count - 1)
  const someIsIdentity = fieldIsZero(all, bytes)
  fieldInvert(inverse, all)
  for (let i = count - 1; i > 0; i--) {
    const point = points + i * pointSize
    fieldMultiply(inverseZ, inverse, products + 40 * (i - 1))
    fieldMultiply(inverse, inverse, Z(point))
    scaleTo(r + i * affineSize, point, inverseZ)
  }
  scaleTo(r, points, inverse)
  release(at)
  return 1 - someIsIdentity
}

function scaleTo(r: usize, point: usize, inverseOfZ: usize): void {
  fieldMultiply(r, point, inverseOfZ)
  fieldMultiply(Y(r), Y(point), inverseOfZ)
}

/** Encodings of so many, or 0 when one is the identity. */
export function pointsStore(encoded: usize, points: usize, count: u32): u32 {
  const at = mark()
  const affine = reserve(affineSize * count)
  const areStored = pointsToAffine(affine, points, count)
  for (let i: u32 = 0; i < count; i++) affineStore(encoded + i * encodedSize, affine + i * affineSize)
  release(at)
  return areStored
}
