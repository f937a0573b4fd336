/**
 * Scalars modulo L, the order of edwards25519's base point: 40 bytes, ten limbs of 26 bits, low ones first, always
 * below L. Everything here is straight-line: no branch and no address depends on a value. Reduction is Barrett's
 * (Handbook of Applied Cryptography, 14.42) with limbs as digits, for numbers below 2^520.
 */
import { registers } from './memory'
import { limb, mask } from './scalar'

export const edScalarSize: usize = 40

const limbs: usize = 10
const wideLimbs: usize = 20

/** A modulus, eleven limbs, and then 2^520 divided by it, eleven more: of L and of L − 1. */
const order: usize = memory.data<u32>([
  0x0f5d3ed, 0x098c697, 0x1cd6581, 0x37a8bde, 0x014def9, 0, 0, 0, 0, 0x40000, 0,
  0x0131b39, 0x168c28b, 0x27ed9ce, 0x0218ca6, 0x106215d, 0x3fffac8, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0xff,
])
const orderMinusOne: usize = memory.data<u32>([
  0x0f5d3ec, 0x098c697, 0x1cd6581, 0x37a8bde, 0x014def9, 0, 0, 0, 0, 0x40000, 0,
  0x0141b39, 0x168c28b, 0x27ed9ce, 0x0218ca6, 0x106215d, 0x3fffac8, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0xff,
])

/** L as a scalar's limbs, which no scalar is. */
export const edOrder: usize = order

const wide: usize = registers + 9536
const product: usize = registers + 9632
const rest: usize = registers + 9728
const lower: usize = registers + 9776
const bytes: usize = registers + 9824

/** So many limbs of the `length` bytes, little-endian, 66 at most. */
function loadLimbs(r: usize, from: usize, length: usize, count: usize): void {
  memory.fill(bytes, 0, 80)
  memory.copy(bytes, from, length)
  for (let k: usize = 0; k < count; k++) {
    const at = 26 * k
    store<u32>(r + 4 * k, <u32>((load<u64>(bytes + (at >> 3)) >> <u64>(at & 7)) & mask))
  }
}

/** r = a·b of so many limbs each. */
function multiplyLimbs(r: usize, a: usize, aLimbs: usize, b: usize, bLimbs: usize): void {
  memory.fill(r, 0, 4 * (aLimbs + bLimbs))
  for (let i: usize = 0; i < aLimbs; i++) {
    const factor = limb(a, i)
    let c: u64 = 0
    for (let j: usize = 0; j < bLimbs; j++) {
      c += limb(r, i + j) + factor * limb(b, j)
      store<u32>(r + 4 * (i + j), <u32>(c & mask))
      c >>= 26
    }
    store<u32>(r + 4 * (i + bLimbs), <u32>c)
  }
}

/** r = a − b of so many limbs, less what is above them; all ones when a < b, else 0. */
function subtractLimbs(r: usize, a: usize, b: usize, count: usize): u64 {
  let c: i64 = 0
  for (let k: usize = 0; k < count; k++) {
    c += <i64>limb(a, k) - <i64>limb(b, k)
    store<u32>(r + 4 * k, <u32>(c & mask))
    c >>= 26
  }
  return c
}

/** r = a − m where that is not negative, of eleven limbs. */
function subtractOnce(r: usize, m: usize): void {
  const keeps = <u32>subtractLimbs(lower, r, m, limbs + 1)
  for (let k: usize = 0; k <= limbs; k++) {
    const at = 4 * k
    store<u32>(r + at, (load<u32>(r + at) & keeps) | (load<u32>(lower + at) & ~keeps))
  }
}

/** r = `wide` modulo m. */
function reduce(r: usize, m: usize): void {
  multiplyLimbs(product, wide + 4 * (limbs - 1), limbs + 1, m + 4 * (limbs + 1), limbs + 1)
  memory.copy(rest, product + 4 * (limbs + 1), 4 * (limbs + 1))
  multiplyLimbs(product, rest, limbs + 1, m, limbs)
  subtractLimbs(rest, wide, product, limbs + 1)
  subtractOnce(rest, m)
  subtractOnce(rest, m)
  memory.copy(r, rest, edScalarSize)
}

/** From 32 bytes, little-endian, modulo L. */
export function edScalarLoad(r: usize, from: usize): void {
  loadLimbs(wide, from, 32, wideLimbs)
  reduce(r, order)
}

/** From 64 bytes, little-endian, modulo L. */
export function edScalarLoadWide(r: usize, from: usize): void {
  loadLimbs(wide, from, 64, wideLimbs)
  reduce(r, order)
}

/** From 48 bytes, little-endian: modulo L − 1, and one more, so that it is not 0. */
export function edScalarLoadPositive(r: usize, from: usize): void {
  loadLimbs(wide, from, 48, wideLimbs)
  reduce(r, orderMinusOne)
  memory.fill(lower, 0, edScalarSize)
  store<u32>(lower, 1)
  edScalarAdd(r, r, lower)
}

/** To 32 bytes, little-endian. */
export function edScalarStore(to: usize, a: usize): void {
  memory.fill(bytes, 0, 80)
  for (let k: usize = 0; k < limbs; k++) {
    const at = bytes + ((26 * k) >> 3)
    store<u64>(at, load<u64>(at) | (limb(a, k) << <u64>((26 * k) & 7)))
  }
  memory.copy(to, bytes, 32)
}

/** 1 when the 32 bytes are below L. */
export function edScalarIsCanonical(from: usize): u32 {
  loadLimbs(rest, from, 32, limbs)
  return <u32>subtractLimbs(lower, rest, order, limbs) & 1
}

export function edScalarIsZero(a: usize): u32 {
  let bits: u32 = 0
  for (let k: usize = 0; k < limbs; k++) bits |= load<u32>(a + 4 * k)
  return (bits - 1) >> 31
}

export function edScalarAdd(r: usize, a: usize, b: usize): void {
  let c: u64 = 0
  for (let k: usize = 0; k < limbs; k++) {
    c += limb(a, k) + limb(b, k)
    store<u32>(rest + 4 * k, <u32>(c & mask))
    c >>= 26
  }
  store<u32>(rest + 4 * limbs, 0)
  subtractOnce(rest, order)
  memory.copy(r, rest, edScalarSize)
}

export function edScalarSubtract(r: usize, a: usize, b: usize): void {
  const isBelow = <u32>subtractLimbs(rest, a, b, limbs)
  let c: u64 = 0
  for (let k: usize = 0; k < limbs; k++) {
    c += limb(rest, k) + (limb(order, k) & <u64>isBelow)
    store<u32>(r + 4 * k, <u32>(c & mask))
    c >>= 26
  }
}

export function edScalarMultiply(r: usize, a: usize, b: usize): void {
  multiplyLimbs(wide, a, limbs, b, limbs)
  reduce(r, order)
}
