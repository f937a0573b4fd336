/**
 * k·G for secret k on edwards25519: a table of m·32^i·G for m from 1 to 16 and every digit i (window.ts), so that a
 * product is one addition a digit. All entries of a digit are read, and the formulas are complete, so that the digit 0
 * adds the identity like any other.
 */
import {
  edAddend,
  edAddendNegateWhere,
  edAffineAddendSize,
  edPointAdd,
  edPointAddAffine,
  edPointDouble,
  edPointSetIdentity,
  edPointSize,
} from './edPoint'
import { edAffineAddends } from './edPointBytes'
import { fieldSize } from './field'
import { keep, mark, registers, release, reserve } from './memory'
import { magnitudeAt, onesWhereEqual, recode, scalarDigits, selectPoint, signAt } from './window'

const entries: usize = 16

const digits: usize = registers + 9920
const addend: usize = registers + 9984

/** Its X, Y, Z and T. */
const generator: usize = memory.data<i32>([
  254137626, 179399428, 157936818, -108084950, 231065235, -250020117, 268108436, -92688950, 2189623, 107374187,
  -214748365, -107374182, 214748365, 107374182, -214748365, -107374182, 214748365, -1677722, 1, 0, 0, 0, 0, 0, 0, 0,
  0, 95935926, 250893725, -195773093, 20906223, -29896177, 122106454, -107635799, 33223023, -1603745,
])
const base: usize = makeBase()

function makeBase(): usize {
  const count = <usize>scalarDigits * entries
  const table = reserve(count * edAffineAddendSize)
  const at = mark()
  const points = reserve((count + 1) * edPointSize)
  memory.copy(points, generator, edPointSize)
  for (let i: usize = 0; i < count; i += entries) {
    const first = points + i * edPointSize
    edAddend(addend, first)
    for (let m: usize = 2; m <= entries; m++) {
      const next = first + (m - 1) * edPointSize
      edPointAdd(next, next - edPointSize, addend)
    }
    const last = first + (entries - 1) * edPointSize
    edPointDouble(last + edPointSize, last)
  }
  edAffineAddends(table, points, <u32>count)
  release(at)
  keep()
  return table
}

/** r = k·G. */
export function edCombMultiply(r: usize, k: usize): void {
  recode(digits, k, 10)
  edPointSetIdentity(r)
  for (let i = 0; i < scalarDigits; i++) {
    const m = magnitudeAt(digits, i)
    selectPoint(addend, base + <usize>i * entries * edAffineAddendSize, m)
    // The addend of the identity is (1, 1, 0).
    const one = onesWhereEqual(m, 0) & 1
    store<i32>(addend, load<i32>(addend) | one)
    store<i32>(addend + fieldSize, load<i32>(addend + fieldSize) | one)
    edAddendNegateWhere(addend, signAt(digits, i))
    edPointAddAffine(r, r, addend)
  }
}
