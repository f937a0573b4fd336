/** Field elements as 32 bytes, big-endian, and what needs their one encoding. Straight-line, as field.ts is. */
import { fieldCarry, limb, mask } from './field'

/** Word k of 64 bits, counted from the highest. */
@inline
export function bigEndian(bytes: usize, k: usize): u64 {
  return bswap<u64>(load<u64>(bytes + 8 * k))
}

@inline
function storeLimb(r: usize, k: usize, value: u64): void {
  store<i32>(r + 4 * k, <i32>value)
}

/** From 32 bytes; of size 1. Says by 1 or 0 whether they are below p. */
export function fieldLoad(r: usize, bytes: usize): u32 {
  const x0 = bigEndian(bytes, 3)
  const x1 = bigEndian(bytes, 2)
  const x2 = bigEndian(bytes, 1)
  const x3 = bigEndian(bytes, 0)
  storeLimb(r, 0, (x0) & <u64>mask)
  storeLimb(r, 1, (x0 >> 29) & <u64>mask)
  storeLimb(r, 2, ((x0 >> 58) | (x1 << 6)) & <u64>mask)
  storeLimb(r, 3, (x1 >> 23) & <u64>mask)
  storeLimb(r, 4, ((x1 >> 52) | (x2 << 12)) & <u64>mask)
  storeLimb(r, 5, (x2 >> 17) & <u64>mask)
  storeLimb(r, 6, ((x2 >> 46) | (x3 << 18)) & <u64>mask)
  storeLimb(r, 7, (x3 >> 11) & <u64>mask)
  storeLimb(r, 8, x3 >> 40)
  fieldCarry(r, r)
  // x + 0x1000003d1 has bit 256 when x is not below p.
  const c0 = <u64>(x0 + 0x1000003d1 < x0)
  const c1 = <u64>(x1 + c0 < x1)
  const c2 = <u64>(x2 + c1 < x2)
  return 1 - <u32>(x3 + c2 < x3)
}

/** To 32 bytes: the number modulo p. Of any size up to 6. */
export function fieldStore(bytes: usize, a: usize): void {
  // 256·p makes it positive.
  let c = limb(a, 0) + 0x1ffc2f00
  const t0 = c & mask
  c = (c >> 29) + limb(a, 1) + 0x1ffff7ff
  const t1 = c & mask
  c = (c >> 29) + limb(a, 2) + mask
  const t2 = c & mask
  c = (c >> 29) + limb(a, 3) + mask
  const t3 = c & mask
  c = (c >> 29) + limb(a, 4) + mask
  const t4 = c & mask
  c = (c >> 29) + limb(a, 5) + mask
  const t5 = c & mask
  c = (c >> 29) + limb(a, 6) + mask
  const t6 = c & mask
  c = (c >> 29) + limb(a, 7) + mask
  const t7 = c & mask
  c = (c >> 29) + limb(a, 8) + 0xffffffff
  // What is above bit 256 comes back as a multiple of 2^32 + 977; then there is at most one p too many.
  const high = c >> 24
  const t8 = c & 0xffffff
  c = t0 + high * 977
  const u0 = <u64>(c & mask)
  c = (c >> 29) + t1 + (high << 3)
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
  const u8 = <u64>((c >> 29) + t8)
  let d = u0 + 977
  const s0 = d & <u64>mask
  d = (d >> 29) + u1 + 8
  const s1 = d & <u64>mask
  d = (d >> 29) + u2
  const s2 = d & <u64>mask
  d = (d >> 29) + u3
  const s3 = d & <u64>mask
  d = (d >> 29) + u4
  const s4 = d & <u64>mask
  d = (d >> 29) + u5
  const s5 = d & <u64>mask
  d = (d >> 29) + u6
  const s6 = d & <u64>mask
  d = (d >> 29) + u7
  const s7 = d & <u64>mask
  d = (d >> 29) + u8
  const s8 = d & 0xffffff
  const takes: u64 = 0 - (d >> 24)
  const keeps = ~takes
  const v0 = (s0 & takes) | (u0 & keeps)
  const v1 = (s1 & takes) | (u1 & keeps)
  const v2 = (s2 & takes) | (u2 & keeps)
  const v3 = (s3 & takes) | (u3 & keeps)
  const v4 = (s4 & takes) | (u4 & keeps)
  const v5 = (s5 & takes) | (u5 & keeps)
  const v6 = (s6 & takes) | (u6 & keeps)
  const v7 = (s7 & takes) | (u7 & keeps)
  const v8 = (s8 & takes) | (u8 & keeps)
  store<u64>(bytes, bswap<u64>(v0 | (v1 << 29) | (v2 << 58)), 24)
  store<u64>(bytes, bswap<u64>((v2 >> 6) | (v3 << 23) | (v4 << 52)), 16)
  store<u64>(bytes, bswap<u64>((v4 >> 12) | (v5 << 17) | (v6 << 46)), 8)
  store<u64>(bytes, bswap<u64>((v6 >> 18) | (v7 << 11) | (v8 << 40)), 0)
}

/** 1 for 32 bytes that are all zero, else 0. */
@inline
export function areZero(bytes: usize): u32 {
  const bits = load<u64>(bytes) | load<u64>(bytes, 8) | load<u64>(bytes, 16) | load<u64>(bytes, 24)
  return <u32>((~bits & (bits - 1)) >> 63)
}

/** 1 for zero modulo p, else 0. `bytes` is room for 32. */
export function fieldIsZero(a: usize, bytes: usize): u32 {
  fieldStore(bytes, a)
  return areZero(bytes)
}
