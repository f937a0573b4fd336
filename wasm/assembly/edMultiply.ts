/** k·P where both are public: by signed digits, from a table of 1·P to 16·P; in variable time. */
import { edAddend, edAddendNegateWhere, edPointAdd, edPointDouble, edPointSetIdentity, edPointSize } from './edPoint'
import { registers } from './memory'
import { magnitudeAt, recode, scalarDigits, signAt } from './window'

const entries: usize = 16

const digits: usize = registers + 10128
const addend: usize = registers + 10192
const point: usize = registers + 10336
const table: usize = registers + 10480

/** r = k·p. */
export function edPointMultiply(r: usize, k: usize, p: usize): void {
  recode(digits, k, 10)
  memory.copy(point, p, edPointSize)
  edAddend(table, point)
  for (let m: usize = 1; m < entries; m++) {
    edPointAdd(point, point, table)
    edAddend(table + m * edPointSize, point)
  }
  edPointSetIdentity(r)
  for (let i = scalarDigits - 1; i >= 0; i--) {
    for (let n = 0; n < 5; n++) edPointDouble(r, r)
    const m = magnitudeAt(digits, i)
    if (m == 0) continue
    memory.copy(addend, table + <usize>(m - 1) * edPointSize, edPointSize)
    edAddendNegateWhere(addend, signAt(digits, i))
    edPointAdd(r, r, addend)
  }
}
