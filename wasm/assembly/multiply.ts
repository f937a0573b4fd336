/**
 * k·P for secret k: both halves of k (endomorphism) by signed digits, from tables of 1·P to 16·P and of their images,
 * all of which are read for every digit. One scalar is made ready once for as many points as there are.
 */
import { fieldMultiply } from './field'
import { beta, split } from './endomorphism'
import { registers } from './memory'
import { pointAdd, pointDouble, pointFromAffine, pointNegateWhere, pointSetIdentity, pointSize, Y } from './point'
import { halfDigits, magnitudeAt, onesWhereEqual, recode, selectPoint, signAt } from './window'

const entries: usize = 16

const k1: usize = registers + 2048
const k2: usize = registers + 2088
const digits1: usize = registers + 2128
const digits2: usize = registers + 2160
const signs: usize = registers + 2192
const entry: usize = registers + 2208
const table1: usize = registers + 2320
const table2: usize = table1 + entries * pointSize

/** Makes a scalar ready for `pointMultiply`. */
export function prepareScalar(k: usize): void {
  store<i32>(signs, split(k1, k2, k))
  recode(digits1, k1, 5)
  recode(digits2, k2, 5)
}

function fillTables(p: usize): void {
  pointFromAffine(table1, p)
  for (let m: usize = 2; m <= entries; m++) {
    const at = table1 + (m - 1) * pointSize
    if (m & 1) pointAdd(at, at - pointSize, table1)
    else pointDouble(at, table1 + (m / 2 - 1) * pointSize)
  }
  memory.copy(table2, table1, entries * pointSize)
  for (let at = table2; at < table2 + entries * pointSize; at += pointSize) fieldMultiply(at, at, beta)
}

/** r = r + d·T for digit i of a half, whose own sign is `sign`. */
function addDigit(r: usize, digits: usize, i: i32, table: usize, sign: i32): void {
  const m = magnitudeAt(digits, i)
  selectPoint(entry, table, m)
  // The identity, where there is nothing to add, is (0 : 1 : 0).
  store<i32>(Y(entry), load<i32>(Y(entry)) | (onesWhereEqual(m, 0) & 1))
  pointNegateWhere(entry, signAt(digits, i) ^ sign)
  pointAdd(r, r, entry)
}

/** r = k·p for the scalar made ready and an affine point. */
export function pointMultiply(r: usize, p: usize): void {
  fillTables(p)
  const sign1 = -(load<i32>(signs) & 1)
  const sign2 = -((load<i32>(signs) >> 1) & 1)
  pointSetIdentity(r)
  for (let i = halfDigits - 1; i >= 0; i--) {
    for (let k = 0; k < 5; k++) pointDouble(r, r)
    addDigit(r, digits1, i, table1, sign1)
    addDigit(r, digits2, i, table2, sign2)
  }
}
