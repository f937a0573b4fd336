/**
 * k·P for secret k and a point that many scalars meet: a table of m·32^i·P for m from 1 to 16 and every digit i, so
 * that a product is one addition a digit. All entries of a digit are read.
 */
import { mark, registers, release, reserve } from './memory'
import {
  affineSize,
  pointAdd,
  pointAddAffine,
  pointCopyWhere,
  pointDouble,
  pointFromAffine,
  pointNegateWhere,
  pointSetIdentity,
  pointSize,
} from './point'
import { pointsToAffine } from './pointBytes'
import { magnitudeAt, onesWhereEqual, recode, scalarDigits, selectAffine, signAt } from './window'

const entries: usize = 16

export const combSize: usize = <usize>scalarDigits * entries * affineSize

const digits: usize = registers + 6144
const entry: usize = registers + 6208
const sum: usize = registers + 6288

/** Fills the table of an affine point. */
export function combFill(table: usize, p: usize): void {
  const at = mark()
  const count = <usize>scalarDigits * entries
  const points = reserve((count + 1) * pointSize)
  pointFromAffine(points, p)
  for (let i: usize = 0; i < count; i += entries) {
    const first = points + i * pointSize
    for (let m: usize = 2; m <= entries; m++) {
      const next = first + (m - 1) * pointSize
      if (m & 1) pointAdd(next, next - pointSize, first)
      else pointDouble(next, first + (m / 2 - 1) * pointSize)
    }
    const last = first + (entries - 1) * pointSize
    pointDouble(last + pointSize, last)
  }
  pointsToAffine(table, points, <u32>count)
  release(at)
}

/** r = k·P by the table of P. */
export function combMultiply(r: usize, table: usize, k: usize): void {
  recode(digits, k, 10)
  pointSetIdentity(r)
  for (let i = 0; i < scalarDigits; i++) {
    const m = magnitudeAt(digits, i)
    selectAffine(entry, table + <usize>i * entries * affineSize, m)
    pointNegateWhere(entry, signAt(digits, i))
    pointAddAffine(sum, r, entry)
    pointCopyWhere(r, sum, ~onesWhereEqual(m, 0))
  }
}
