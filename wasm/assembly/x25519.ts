/** X25519 (RFC 7748 §5): the Montgomery ladder, straight-line for secret scalars. */
import { edFieldLoad, edFieldMultiply, edFieldSquare, edFieldStore } from './edField'
import { edFieldIsZero } from './edPointBytes'
import { edFieldInvert } from './edPower'
import { fieldCombine, fieldSize } from './field'
import { registers } from './memory'

const scalar: usize = registers + 13584
const u: usize = registers + 13616
/** x2, z2 and x3, z3, each pair 80 bytes. */
const x2: usize = registers + 13664
const z2: usize = x2 + 40
const x3: usize = registers + 13744
const z3: usize = x3 + 40
const sum: usize = registers + 13824
const difference: usize = registers + 13864
const otherSum: usize = registers + 13904
const otherDifference: usize = registers + 13944

/** (486662 − 2) / 4. */
const a24: usize = memory.data<i32>([121665, 0, 0, 0, 0, 0, 0, 0, 0])

/** Exchanges both pairs where `bits` is all ones. */
function exchangeWhere(bits: u32): void {
  for (let at: usize = 0; at < 80; at += 4) {
    const change = (load<u32>(x2 + at) ^ load<u32>(x3 + at)) & bits
    store<u32>(x2 + at, load<u32>(x2 + at) ^ change)
    store<u32>(x3 + at, load<u32>(x3 + at) ^ change)
  }
}

/** 32 bytes each; 0 when the result is 0. */
export function x25519(out: usize, secret: usize, peer: usize): u32 {
  memory.copy(scalar, secret, 32)
  store<u8>(scalar, load<u8>(scalar) & 248)
  store<u8>(scalar, (load<u8>(scalar, 31) & 127) | 64, 31)
  edFieldLoad(u, peer)
  memory.fill(x2, 0, 160)
  store<i32>(x2, 1)
  store<i32>(z3, 1)
  memory.copy(x3, u, fieldSize)
  let before: u32 = 0
  for (let i: i32 = 254; i >= 0; i--) {
    const bit = (<u32>load<u8>(scalar + (i >> 3)) >> (i & 7)) & 1
    exchangeWhere(0 - (bit ^ before))
    before = bit
    fieldCombine(sum, x2, 1, z2, 1)
    fieldCombine(difference, x2, 1, z2, -1)
    fieldCombine(otherSum, x3, 1, z3, 1)
    fieldCombine(otherDifference, x3, 1, z3, -1)
    edFieldMultiply(otherDifference, otherDifference, sum)
    edFieldMultiply(otherSum, otherSum, difference)
    fieldCombine(x3, otherDifference, 1, otherSum, 1)
    fieldCombine(z3, otherDifference, 1, otherSum, -1)
    edFieldSquare(x3, x3)
    edFieldSquare(z3, z3)
    edFieldMultiply(z3, z3, u)
    edFieldSquare(sum, sum)
    edFieldSquare(difference, difference)
    edFieldMultiply(x2, sum, difference)
    fieldCombine(difference, sum, 1, difference, -1)
    edFieldMultiply(z2, difference, a24)
    fieldCombine(sum, sum, 1, z2, 1)
    edFieldMultiply(z2, difference, sum)
  }
  exchangeWhere(0 - before)
  edFieldInvert(z2, z2)
  edFieldMultiply(x2, x2, z2)
  edFieldStore(out, x2)
  return 1 - edFieldIsZero(x2)
}
