/**
 * The field modulo p = 2^255 − 19 of Curve25519, in the form and by the rules of field.ts: nine signed limbs of 29
 * bits, sizes that multiply to at most 14. What only looks at limbs is taken from there (`fieldCombine` and its like).
 */
import { half, limb, mask, storeLimbs } from './field'

/** 2^261 = fold modulo p. */
const fold: i64 = 1216

/** r = a·b. */
export function edFieldMultiply(r: usize, a: usize, b: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const b0 = limb(b, 0)
  const b1 = limb(b, 1)
  const b2 = limb(b, 2)
  const b3 = limb(b, 3)
  const b4 = limb(b, 4)
  const b5 = limb(b, 5)
  const b6 = limb(b, 6)
  const b7 = limb(b, 7)
  const b8 = limb(b, 8)
  let c: i64 = 0
  c += a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += a6 * b8 + a7 * b7 + a8 * b6 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += a7 * b8 + a8 * b7 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += a8 * b8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += a0 * b0 + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += a0 * b1 + a1 * b0 + h1 * fold + half
  const r1 = (c & mask) - half
  c >>= 29
  c += a0 * b2 + a1 * b1 + a2 * b0 + h2 * fold + half
  const r2 = (c & mask) - half
  c >>= 29
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + h3 * fold + half
  const r3 = (c & mask) - half
  c >>= 29
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + h4 * fold + half
  const r4 = (c & mask) - half
  c >>= 29
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + h5 * fold + half
  const r5 = (c & mask) - half
  c >>= 29
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + h6 * fold + half
  const r6 = (c & mask) - half
  c >>= 29
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + h7 * fold + half
  const r7 = (c & mask) - half
  c >>= 29
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + h8 * fold + half
  const r8 = (c & mask) - half
  c >>= 29
  storeLimbs(r, r0 + c * fold, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a². */
export function edFieldSquare(r: usize, a: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const d0 = a0 << 1
  const d1 = a1 << 1
  const d2 = a2 << 1
  const d3 = a3 << 1
  const d4 = a4 << 1
  const d5 = a5 << 1
  const d6 = a6 << 1
  const d7 = a7 << 1
  const d8 = a8 << 1
  let c: i64 = 0
  c += d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += d3 * a8 + d4 * a7 + d5 * a6 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += d4 * a8 + d5 * a7 + a6 * a6 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += d5 * a8 + d6 * a7 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += d6 * a8 + a7 * a7 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += d7 * a8 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += a8 * a8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += a0 * a0 + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += d0 * a1 + h1 * fold + half
  const r1 = (c & mask) - half
  c >>= 29
  c += d0 * a2 + a1 * a1 + h2 * fold + half
  const r2 = (c & mask) - half
  c >>= 29
  c += d0 * a3 + d1 * a2 + h3 * fold + half
  const r3 = (c & mask) - half
  c >>= 29
  c += d0 * a4 + d1 * a3 + a2 * a2 + h4 * fold + half
  const r4 = (c & mask) - half
  c >>= 29
  c += d0 * a5 + d1 * a4 + d2 * a3 + h5 * fold + half
  const r5 = (c & mask) - half
  c >>= 29
  c += d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + h6 * fold + half
  const r6 = (c & mask) - half
  c >>= 29
  c += d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + h7 * fold + half
  const r7 = (c & mask) - half
  c >>= 29
  c += d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + h8 * fold + half
  const r8 = (c & mask) - half
  c >>= 29
  storeLimbs(r, r0 + c * fold, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** From 32 bytes, little-endian, without their highest bit; of size 1. */
export function edFieldLoad(r: usize, bytes: usize): void {
  let c = half
  for (let k: usize = 0; k < 7; k++) {
    const at = 29 * k
    c += <i64>(load<u64>(bytes + (at >> 3)) >> <u64>(at & 7)) & mask
    store<i32>(r + 4 * k, <i32>((c & mask) - half))
    c = (c >> 29) + half
  }
  c += <i64>(load<u32>(bytes, 25) >> 3)
  store<i32>(r, <i32>((c & mask) - half), 28)
  store<i32>(r, <i32>((c >> 29) + <i64>((load<u32>(bytes, 28) & 0x7fffffff) >> 8)), 32)
}

/** To 32 bytes, little-endian: the number modulo p. Of any size up to 6. */
export function edFieldStore(bytes: usize, a: usize): void {
  // 512·p makes it positive. What is above bit 255 comes back times 19, and then one p at most is too many.
  let c = limb(a, 0) - 9728
  const t0 = c & mask
  c = (c >> 29) + limb(a, 1)
  const t1 = c & mask
  c = (c >> 29) + limb(a, 2)
  const t2 = c & mask
  c = (c >> 29) + limb(a, 3)
  const t3 = c & mask
  c = (c >> 29) + limb(a, 4)
  const t4 = c & mask
  c = (c >> 29) + limb(a, 5)
  const t5 = c & mask
  c = (c >> 29) + limb(a, 6)
  const t6 = c & mask
  c = (c >> 29) + limb(a, 7)
  const t7 = c & mask
  c = (c >> 29) + limb(a, 8) + 0x100000000
  const t8 = c & 0x7fffff
  const high = (c >> 23) * 19
  // Bit 255 of the sum with 19 more says whether it is p or above.
  c = (t0 + high + 19) >> 29
  c = (c + t1) >> 29
  c = (c + t2) >> 29
  c = (c + t3) >> 29
  c = (c + t4) >> 29
  c = (c + t5) >> 29
  c = (c + t6) >> 29
  c = (c + t7) >> 29
  c = t0 + high + ((c + t8) >> 23) * 19
  const u0 = <u64>(c & mask)
  c = (c >> 29) + t1
  const u1 = <u64>(c & mask)
  c = (c >> 29) + t2
  const u2 = <u64>(c & mask)
  c = (c >> 29) + t3
  const u3 = <u64>(c & mask)
  c = (c >> 29) + t4
  const u4 = <u64>(c & mask)
  c = (c >> 29) + t5
  const u5 = <u64>(c & mask)
  c = (c >> 29) + t6
  const u6 = <u64>(c & mask)
  c = (c >> 29) + t7
  const u7 = <u64>(c & mask)
  const u8 = <u64>(((c >> 29) + t8) & 0x7fffff)
  store<u64>(bytes, u0 | (u1 << 29) | (u2 << 58), 0)
  store<u64>(bytes, (u2 >> 6) | (u3 << 23) | (u4 << 52), 8)
  store<u64>(bytes, (u4 >> 12) | (u5 << 17) | (u6 << 46), 16)
  store<u64>(bytes, (u6 >> 18) | (u7 << 11) | (u8 << 40), 24)
}
