/**
 * Scalars as signed digits of five bits, −16 to 15: with 16 added at every place, each digit is five bits of the sum
 * less 16. Digits are bytes, low ones first.
 */
import { registers } from './memory'
import { affineSize, pointSize } from './point'

/** Digits of a scalar, and of one below 2^129. */
export const scalarDigits: i32 = 52
export const halfDigits: i32 = 26

const sum: usize = registers + 1536
/** The limbs of 16·(1 + 32 + 32² + …) repeat. */
const offsets: usize = memory.data<u32>([0x1084210, 0x0842108, 0x0421084, 0x0210842, 0x2108421])

/** The digits of a number of five or ten limbs of 26 bits. */
export function recode(digits: usize, a: usize, limbs: usize): void {
  let c: u64 = 0
  for (let k: usize = 0; k < limbs; k++) {
    c += <u64>load<u32>(a + 4 * k) + <u64>load<u32>(offsets + 4 * (k % 5))
    store<u32>(sum + 4 * k, <u32>c & 0x3ffffff)
    c >>= 26
  }
  store<u32>(sum + 4 * limbs, 0)
  for (let i: usize = 0; 5 * i < 26 * limbs; i++) {
    const at = sum + 4 * ((5 * i) / 26)
    const bits = (<u64>load<u32>(at) | (<u64>load<u32>(at, 4) << 26)) >> <u64>((5 * i) % 26)
    store<i8>(digits + i, <i8>((<i32>bits & 31) - 16))
  }
}

/** The digit at i, without its sign. */
@inline
export function magnitudeAt(digits: usize, i: i32): i32 {
  const digit = <i32>load<i8>(digits + i)
  const sign = digit >> 31
  return (digit ^ sign) - sign
}

/** All ones where the digit at i is negative. */
@inline
export function signAt(digits: usize, i: i32): i32 {
  return <i32>load<i8>(digits + i) >> 31
}

/** All ones where a = b, for numbers below 2^31. */
@inline
export function onesWhereEqual(a: i32, b: i32): i32 {
  return ((a ^ b) - 1) >> 31
}

/** r = entry m of a table of affine points 1 to 16, all of which are read; zeros for m = 0. */
export function selectAffine(r: usize, table: usize, m: i32): void {
  let x0 = i32x4.splat(0)
  let x1 = i32x4.splat(0)
  let x2 = i32x4.splat(0)
  let x3 = i32x4.splat(0)
  let x4 = i32x4.splat(0)
  for (let entry: i32 = 1; entry <= 16; entry++) {
    const ones = i32x4.splat(onesWhereEqual(m, entry))
    x0 = v128.or(x0, v128.and(v128.load(table, 0), ones))
    x1 = v128.or(x1, v128.and(v128.load(table, 16), ones))
    x2 = v128.or(x2, v128.and(v128.load(table, 32), ones))
    x3 = v128.or(x3, v128.and(v128.load(table, 48), ones))
    x4 = v128.or(x4, v128.and(v128.load(table, 64), ones))
    table += affineSize
  }
  v128.store(r, x0, 0)
  v128.store(r, x1, 16)
  v128.store(r, x2, 32)
  v128.store(r, x3, 48)
  v128.store(r, x4, 64)
}

/** The same of points. */
export function selectPoint(r: usize, table: usize, m: i32): void {
  let x0 = i32x4.splat(0)
  let x1 = i32x4.splat(0)
  let x2 = i32x4.splat(0)
  let x3 = i32x4.splat(0)
  let x4 = i32x4.splat(0)
  let x5 = i32x4.splat(0)
  let x6 = i32x4.splat(0)
  for (let entry: i32 = 1; entry <= 16; entry++) {
    const ones = i32x4.splat(onesWhereEqual(m, entry))
    x0 = v128.or(x0, v128.and(v128.load(table, 0), ones))
    x1 = v128.or(x1, v128.and(v128.load(table, 16), ones))
    x2 = v128.or(x2, v128.and(v128.load(table, 32), ones))
    x3 = v128.or(x3, v128.and(v128.load(table, 48), ones))
    x4 = v128.or(x4, v128.and(v128.load(table, 64), ones))
    x5 = v128.or(x5, v128.and(v128.load(table, 80), ones))
    x6 = v128.or(x6, v128.and(v128.load(table, 96), ones))
    table += pointSize
  }
  v128.store(r, x0, 0)
  v128.store(r, x1, 16)
  v128.store(r, x2, 32)
  v128.store(r, x3, 48)
  v128.store(r, x4, 64)
  v128.store(r, x5, 80)
  v128.store(r, x6, 96)
}
