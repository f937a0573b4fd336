/**
 * The endomorphism of secp256k1, λ·(x, y) = (β·x, y): a scalar k is k1 + k2·λ with halves below 2^128 in size, by
 * rounding k·g1 and k·g2 at 2^384 (Gallant, Lambert, Vanstone; the numbers are those of libsecp256k1).
 */
import { registers } from './memory'
import { scalarMultiply, scalarSize, scalarSubtract, wideAddProduct, wideClear, wideReduce } from './scalar'

const g1: usize = memory.data<u32>([
  0x1dbb031, 0x0c82691, 0x0a7fe89, 0x051c7a3, 0x13daa8a, 0x0a13ac5, 0x2c90e49, 0x1af37a1, 0x221a7d4, 0x00c21b4,
])
const g2: usize = memory.data<u32>([
  0x2c47f71, 0x06d2ba2, 0x06c6157, 0x2b277d4, 0x0221208, 0x2aff931, 0x147fa90, 0x220a1bd, 0x2d6010e, 0x03910df,
])
const minusB1: usize = memory.data<u32>([0x2bfe4c3, 0x11fea42, 0x08286f5, 0x358043a, 0x0e4437e, 0, 0, 0, 0, 0])
const minusB2: usize = memory.data<u32>([
  0x1b1562c, 0x1736a0f, 0x346dd76, 0x3141dd0, 0x28a280a, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0x3ffffff, 0x03fffff,
])
const lambda: usize = memory.data<u32>([
  0x323bd72, 0x0a59f06, 0x2678df0, 0x3a88205, 0x2122e22, 0x2049916, 0x261c028, 0x0c38294, 0x14cc05c, 0x14d8eb,
])
/** β as a field element. */
export const beta: usize = memory.data<i32>([
  -241892882, 164323652, -43883152, 9628198, 55482831, 63919642, -62801519, 91008897, 8055146,
])

const wide: usize = registers + 1600
const c1: usize = registers + 1760
const c2: usize = registers + 1800
const zero: usize = memory.data(40, 4)

/** r = a·g / 2^384, rounded: five limbs, of which the first may be 2^26. */
function roundedProduct(r: usize, a: usize, g: usize): void {
  wideClear(wide)
  wideAddProduct(wide, a, g)
  const half = <u32>(load<u64>(wide, 14 * 8) >> 19) & 1
  memory.fill(r, 0, scalarSize)
  for (let k: usize = 0; k < 5; k++) {
    const at = wide + 8 * (14 + k)
    store<u32>(r + 4 * k, <u32>((load<u64>(at) >> 20) | (load<u64>(at, 8) << 6)) & 0x3ffffff)
  }
  store<u32>(r, load<u32>(r) + half)
}

/** Replaces a by its size where a, within 2^128 of 0 modulo n, stands for a negative number; all ones where it does. */
function takeSign(a: usize): i32 {
  const bits = -<i32>(load<u32>(a, 36) & 1)
  scalarSubtract(c1, zero, a)
  for (let k: usize = 0; k < scalarSize; k += 4) {
    const kept = load<i32>(a + k)
    store<i32>(a + k, kept ^ ((kept ^ load<i32>(c1 + k)) & bits))
  }
  return bits
}

/** k1 and k2 without their signs, and those: bits 0 and 1 of what is returned say which are negative. */
export function split(k1: usize, k2: usize, k: usize): i32 {
  roundedProduct(c1, k, g1)
  roundedProduct(c2, k, g2)
  wideClear(wide)
  wideAddProduct(wide, c1, minusB1)
  wideAddProduct(wide, c2, minusB2)
  wideReduce(k2, wide)
  scalarMultiply(c1, k2, lambda)
  scalarSubtract(k1, k, c1)
  return (takeSign(k1) & 1) | (takeSign(k2) & 2)
}
