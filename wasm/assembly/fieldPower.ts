/** Inverses and square roots in the field, as powers by fixed chains of squarings and multiplications. */
import { fieldMultiply, fieldSquare } from './field'
import { registers } from './memory'

const base: usize = registers
const x2: usize = registers + 40
const x3: usize = registers + 80
const x22: usize = registers + 120
const x44: usize = registers + 160
const x88: usize = registers + 200
const power: usize = registers + 240

function squareTimes(r: usize, a: usize, count: i32): void {
  fieldSquare(r, a)
  for (let k = 1; k < count; k++) fieldSquare(r, r)
}

/** power = a^(2^223 − 1), and on the way x2 and x22, with xk = a^(2^k − 1). */
function raise(a: usize): void {
  memory.copy(base, a, 36)
  fieldSquare(x2, base)
  fieldMultiply(x2, x2, base)
  fieldSquare(x3, x2)
  fieldMultiply(x3, x3, base)
  squareTimes(power, x3, 3)
  fieldMultiply(power, power, x3)
  squareTimes(power, power, 3)
  fieldMultiply(power, power, x3)
  squareTimes(power, power, 2)
  fieldMultiply(power, power, x2)
  squareTimes(x22, power, 11)
  fieldMultiply(x22, x22, power)
  squareTimes(x44, x22, 22)
  fieldMultiply(x44, x44, x22)
  squareTimes(x88, x44, 44)
  fieldMultiply(x88, x88, x44)
  squareTimes(power, x88, 88)
  fieldMultiply(power, power, x88)
  squareTimes(power, power, 44)
  fieldMultiply(power, power, x44)
  squareTimes(power, power, 3)
  fieldMultiply(power, power, x3)
  squareTimes(power, power, 23)
  fieldMultiply(power, power, x22)
}

/** r = a^(p − 2): the inverse, and 0 for 0. */
export function fieldInvert(r: usize, a: usize): void {
  raise(a)
  squareTimes(power, power, 5)
  fieldMultiply(power, power, base)
  squareTimes(power, power, 3)
  fieldMultiply(power, power, x2)
  squareTimes(power, power, 2)
  fieldMultiply(r, power, base)
}

/** r = a^((p + 1) / 4): a square root where a has one. */
export function fieldRoot(r: usize, a: usize): void {
  raise(a)
  squareTimes(power, power, 6)
  fieldMultiply(power, power, x2)
  squareTimes(r, power, 2)
}
