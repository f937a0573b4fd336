/** Inverses and roots in the field of Curve25519, as powers by fixed chains of squarings and multiplications. */
import { edFieldMultiply, edFieldSquare } from './edField'
import { registers } from './memory'

const base: usize = registers + 8192
const x5: usize = registers + 8232
const x10: usize = registers + 8272
const x20: usize = registers + 8312
const x50: usize = registers + 8352
const x100: usize = registers + 8392
const eleven: usize = registers + 8432
const power: usize = registers + 8472

function squareTimes(r: usize, a: usize, count: i32): void {
  edFieldSquare(r, a)
  for (let k = 1; k < count; k++) edFieldSquare(r, r)
}

/** power = a^(2^250 − 1), and on the way eleven = a^11, with xk = a^(2^k − 1). */
function raise(a: usize): void {
  memory.copy(base, a, 36)
  edFieldSquare(x5, base)
  squareTimes(power, x5, 2)
  edFieldMultiply(power, power, base)
  edFieldMultiply(eleven, power, x5)
  edFieldSquare(x5, eleven)
  edFieldMultiply(x5, x5, power)
  squareTimes(x10, x5, 5)
  edFieldMultiply(x10, x10, x5)
  squareTimes(x20, x10, 10)
  edFieldMultiply(x20, x20, x10)
  squareTimes(power, x20, 20)
  edFieldMultiply(power, power, x20)
  squareTimes(x50, power, 10)
  edFieldMultiply(x50, x50, x10)
  squareTimes(x100, x50, 50)
  edFieldMultiply(x100, x100, x50)
  squareTimes(power, x100, 100)
  edFieldMultiply(power, power, x100)
  squareTimes(power, power, 50)
  edFieldMultiply(power, power, x50)
}

/** r = a^(p − 2): the inverse, and 0 for 0. */
export function edFieldInvert(r: usize, a: usize): void {
  raise(a)
  squareTimes(power, power, 5)
  edFieldMultiply(r, power, eleven)
}

/** r = a^((p − 5) / 8). */
export function edFieldRoot(r: usize, a: usize): void {
  raise(a)
  squareTimes(power, power, 2)
  edFieldMultiply(r, power, base)
}
