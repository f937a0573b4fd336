/**
 * Scalars modulo n, the order of secp256k1: 40 bytes, ten limbs of 26 bits, low ones first, always below n. Everything
 * here is straight-line: no branch and no address depends on a value.
 *
 * n = 2^256 − N, so what is above bit 256 is folded in as a multiple of N, and above bit 260 as one of 16·N.
 */
import { bigEndian } from './fieldBytes'

export const scalarSize: usize = 40
/** Of a sum of products: twenty limbs of 64 bits, of which all but the last are below 2^26. */
export const wideSize: usize = 160

export const mask: u64 = 0x3ffffff

const N0: u64 = 0x3c9bebf
const N1: u64 = 0x3685ccb
const N2: u64 = 0x1fc4402
const N3: u64 = 0x06542dd
const N4: u64 = 0x1455123

const K0: u64 = 0x09bebf0
const K1: u64 = 0x285ccbf
const K2: u64 = 0x3c4402d
const K3: u64 = 0x2542dd7
const K4: u64 = 0x0551231
const K5: u64 = 0x5

@inline
export function limb(a: usize, k: usize): u64 {
  return <u64>load<u32>(a + 4 * k)
}

@inline
function word(a: usize, k: usize): u64 {
  return load<u64>(a + 8 * k)
}

/** Stores a number below 2n, given by carried limbs of which the last may have more bits, modulo n. */
function settle(
  r: usize,
  a0: u64, a1: u64, a2: u64, a3: u64, a4: u64,
  a5: u64, a6: u64, a7: u64, a8: u64, a9: u64,
): void {
  // a − n = a + N − 2^256: taken when that has bit 256.
  let c = a0 + N0
  const d0 = c & mask
  c = (c >> 26) + a1 + N1
  const d1 = c & mask
  c = (c >> 26) + a2 + N2
  const d2 = c & mask
  c = (c >> 26) + a3 + N3
  const d3 = c & mask
  c = (c >> 26) + a4 + N4
  const d4 = c & mask
  c = (c >> 26) + a5
  const d5 = c & mask
  c = (c >> 26) + a6
  const d6 = c & mask
  c = (c >> 26) + a7
  const d7 = c & mask
  c = (c >> 26) + a8
  const d8 = c & mask
  c = (c >> 26) + a9
  const d9 = c & 0x3fffff
  const takes: u64 = 0 - (c >> 22)
  const keeps: u64 = ~takes
  store<u32>(r, <u32>((d0 & takes) | (a0 & keeps)), 0)
  store<u32>(r, <u32>((d1 & takes) | (a1 & keeps)), 4)
  store<u32>(r, <u32>((d2 & takes) | (a2 & keeps)), 8)
  store<u32>(r, <u32>((d3 & takes) | (a3 & keeps)), 12)
  store<u32>(r, <u32>((d4 & takes) | (a4 & keeps)), 16)
  store<u32>(r, <u32>((d5 & takes) | (a5 & keeps)), 20)
  store<u32>(r, <u32>((d6 & takes) | (a6 & keeps)), 24)
  store<u32>(r, <u32>((d7 & takes) | (a7 & keeps)), 28)
  store<u32>(r, <u32>((d8 & takes) | (a8 & keeps)), 32)
  store<u32>(r, <u32>((d9 & takes) | (a9 & keeps)), 36)
}

/** Stores a number below 2^529, given by carried limbs of which the last may have more bits, modulo n. */
function reduce(
  r: usize,
  w0: u64, w1: u64, w2: u64, w3: u64, w4: u64,
  w5: u64, w6: u64, w7: u64, w8: u64, w9: u64,
  w10: u64, w11: u64, w12: u64, w13: u64, w14: u64,
  w15: u64, w16: u64, w17: u64, w18: u64, w19: u64,
): void {
  let c: u64
  c = w0 + w10 * K0
  const t0 = c & mask
  c >>= 26
  c += w1 + w10 * K1 + w11 * K0
  const t1 = c & mask
  c >>= 26
  c += w2 + w10 * K2 + w11 * K1 + w12 * K0
  const t2 = c & mask
  c >>= 26
  c += w3 + w10 * K3 + w11 * K2 + w12 * K1 + w13 * K0
  const t3 = c & mask
  c >>= 26
  c += w4 + w10 * K4 + w11 * K3 + w12 * K2 + w13 * K1 + w14 * K0
  const t4 = c & mask
  c >>= 26
  c += w5 + w10 * K5 + w11 * K4 + w12 * K3 + w13 * K2 + w14 * K1 + w15 * K0
  const t5 = c & mask
  c >>= 26
  c += w6 + w11 * K5 + w12 * K4 + w13 * K3 + w14 * K2 + w15 * K1 + w16 * K0
  const t6 = c & mask
  c >>= 26
  c += w7 + w12 * K5 + w13 * K4 + w14 * K3 + w15 * K2 + w16 * K1 + w17 * K0
  const t7 = c & mask
  c >>= 26
  c += w8 + w13 * K5 + w14 * K4 + w15 * K3 + w16 * K2 + w17 * K1 + w18 * K0
  const t8 = c & mask
  c >>= 26
  c += w9 + w14 * K5 + w15 * K4 + w16 * K3 + w17 * K2 + w18 * K1 + w19 * K0
  const t9 = c & mask
  c >>= 26
  c += w15 * K5 + w16 * K4 + w17 * K3 + w18 * K2 + w19 * K1
  const t10 = c & mask
  c >>= 26
  c += w16 * K5 + w17 * K4 + w18 * K3 + w19 * K2
  const t11 = c & mask
  c >>= 26
  c += w17 * K5 + w18 * K4 + w19 * K3
  const t12 = c & mask
  c >>= 26
  c += w18 * K5 + w19 * K4
  const t13 = c & mask
  c >>= 26
  c += w19 * K5
  const t14 = c & mask
  c >>= 26
  const t15 = c
  c = t0 + t10 * K0
  const s0 = c & mask
  c >>= 26
  c += t1 + t10 * K1 + t11 * K0
  const s1 = c & mask
  c >>= 26
  c += t2 + t10 * K2 + t11 * K1 + t12 * K0
  const s2 = c & mask
  c >>= 26
  c += t3 + t10 * K3 + t11 * K2 + t12 * K1 + t13 * K0
  const s3 = c & mask
  c >>= 26
  c += t4 + t10 * K4 + t11 * K3 + t12 * K2 + t13 * K1 + t14 * K0
  const s4 = c & mask
  c >>= 26
  c += t5 + t10 * K5 + t11 * K4 + t12 * K3 + t13 * K2 + t14 * K1 + t15 * K0
  const s5 = c & mask
  c >>= 26
  c += t6 + t11 * K5 + t12 * K4 + t13 * K3 + t14 * K2 + t15 * K1
  const s6 = c & mask
  c >>= 26
  c += t7 + t12 * K5 + t13 * K4 + t14 * K3 + t15 * K2
  const s7 = c & mask
  c >>= 26
  c += t8 + t13 * K5 + t14 * K4 + t15 * K3
  const s8 = c & mask
  c >>= 26
  c += t9 + t14 * K5 + t15 * K4
  const s9 = c & mask
  c >>= 26
  c += t15 * K5
  const s10 = c
  const high = (s9 >> 22) + (s10 << 4)
  c = s0 + high * N0
  const u0 = c & mask
  c >>= 26
  c += s1 + high * N1
  const u1 = c & mask
  c >>= 26
  c += s2 + high * N2
  const u2 = c & mask
  c >>= 26
  c += s3 + high * N3
  const u3 = c & mask
  c >>= 26
  c += s4 + high * N4
  const u4 = c & mask
  c >>= 26
  c += s5
  const u5 = c & mask
  c >>= 26
  c += s6
  const u6 = c & mask
  c >>= 26
  c += s7
  const u7 = c & mask
  c >>= 26
  c += s8
  const u8 = c & mask
  c >>= 26
  c += (s9 & 0x3fffff)
  const u9 = c
  settle(r, u0, u1, u2, u3, u4, u5, u6, u7, u8, u9)
}

/** From 32 bytes, big-endian, modulo n. */
export function scalarLoad(r: usize, bytes: usize): void {
  const x0 = bigEndian(bytes, 3)
  const x1 = bigEndian(bytes, 2)
  const x2 = bigEndian(bytes, 1)
  const x3 = bigEndian(bytes, 0)
  settle(
    r,
    x0 & mask,
    (x0 >> 26) & mask,
    (x0 >> 52 | x1 << 12) & mask,
    (x1 >> 14) & mask,
    (x1 >> 40 | x2 << 24) & mask,
    (x2 >> 2) & mask,
    (x2 >> 28) & mask,
    (x2 >> 54 | x3 << 10) & mask,
    (x3 >> 16) & mask,
    (x3 >> 42) & mask,
  )
}

/** From 64 bytes, big-endian, modulo n. */
export function scalarLoadWide(r: usize, bytes: usize): void {
  const x0 = bigEndian(bytes, 7)
  const x1 = bigEndian(bytes, 6)
  const x2 = bigEndian(bytes, 5)
  const x3 = bigEndian(bytes, 4)
  const x4 = bigEndian(bytes, 3)
  const x5 = bigEndian(bytes, 2)
  const x6 = bigEndian(bytes, 1)
  const x7 = bigEndian(bytes, 0)
  reduce(
    r,
    x0 & mask,
    (x0 >> 26) & mask,
    (x0 >> 52 | x1 << 12) & mask,
    (x1 >> 14) & mask,
    (x1 >> 40 | x2 << 24) & mask,
    (x2 >> 2) & mask,
    (x2 >> 28) & mask,
    (x2 >> 54 | x3 << 10) & mask,
    (x3 >> 16) & mask,
    (x3 >> 42 | x4 << 22) & mask,
    (x4 >> 4) & mask,
    (x4 >> 30) & mask,
    (x4 >> 56 | x5 << 8) & mask,
    (x5 >> 18) & mask,
    (x5 >> 44 | x6 << 20) & mask,
    (x6 >> 6) & mask,
    (x6 >> 32) & mask,
    (x6 >> 58 | x7 << 6) & mask,
    (x7 >> 20) & mask,
    (x7 >> 46) & mask,
  )
}

/** To 32 bytes, big-endian. */
export function scalarStore(bytes: usize, a: usize): void {
  const r0 = limb(a, 0)
  const r1 = limb(a, 1)
  const r2 = limb(a, 2)
  const r3 = limb(a, 3)
  const r4 = limb(a, 4)
  const r5 = limb(a, 5)
  const r6 = limb(a, 6)
  const r7 = limb(a, 7)
  const r8 = limb(a, 8)
  const r9 = limb(a, 9)
  store<u64>(bytes, bswap<u64>(r0 | r1 << 26 | r2 << 52), 24)
  store<u64>(bytes, bswap<u64>(r2 >> 12 | r3 << 14 | r4 << 40), 16)
  store<u64>(bytes, bswap<u64>(r4 >> 24 | r5 << 2 | r6 << 28 | r7 << 54), 8)
  store<u64>(bytes, bswap<u64>(r7 >> 10 | r8 << 16 | r9 << 42), 0)
}

/** 1 where the 32 bytes, big-endian, are below n, else 0. */
export function scalarIsCanonical(bytes: usize): u32 {
  // x + N has bit 256 when x is not below n.
  const x0 = bigEndian(bytes, 3)
  const x1 = bigEndian(bytes, 2)
  const x2 = bigEndian(bytes, 1)
  const x3 = bigEndian(bytes, 0)
  let c = (x0 & mask) + N0
  c = (c >> 26) + ((x0 >> 26) & mask) + N1
  c = (c >> 26) + ((x0 >> 52 | x1 << 12) & mask) + N2
  c = (c >> 26) + ((x1 >> 14) & mask) + N3
  c = (c >> 26) + ((x1 >> 40 | x2 << 24) & mask) + N4
  c = (c >> 26) + ((x2 >> 2) & mask)
  c = (c >> 26) + ((x2 >> 28) & mask)
  c = (c >> 26) + ((x2 >> 54 | x3 << 10) & mask)
  c = (c >> 26) + ((x3 >> 16) & mask)
  c = (c >> 26) + ((x3 >> 42) & mask)
  return 1 - <u32>(c >> 22)
}

/** 1 for zero, else 0. */
export function scalarIsZero(a: usize): u32 {
  const bits = limb(a, 0) | limb(a, 1) | limb(a, 2) | limb(a, 3) | limb(a, 4) |
    limb(a, 5) | limb(a, 6) | limb(a, 7) | limb(a, 8) | limb(a, 9)
  return <u32>((bits - 1) >> 63)
}

export function scalarAdd(r: usize, a: usize, b: usize): void {
  let c: u64
  c = limb(a, 0) + limb(b, 0)
  const s0 = c & mask
  c >>= 26
  c += limb(a, 1) + limb(b, 1)
  const s1 = c & mask
  c >>= 26
  c += limb(a, 2) + limb(b, 2)
  const s2 = c & mask
  c >>= 26
  c += limb(a, 3) + limb(b, 3)
  const s3 = c & mask
  c >>= 26
  c += limb(a, 4) + limb(b, 4)
  const s4 = c & mask
  c >>= 26
  c += limb(a, 5) + limb(b, 5)
  const s5 = c & mask
  c >>= 26
  c += limb(a, 6) + limb(b, 6)
  const s6 = c & mask
  c >>= 26
  c += limb(a, 7) + limb(b, 7)
  const s7 = c & mask
  c >>= 26
  c += limb(a, 8) + limb(b, 8)
  const s8 = c & mask
  c >>= 26
  c += limb(a, 9) + limb(b, 9)
  const s9 = c
  settle(r, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9)
}

export function scalarSubtract(r: usize, a: usize, b: usize): void {
  // a + (2^256 − 1 − b) + 1 − N = a − b + n, carried with its sign.
  let c: i64
  c = <i64>(limb(a, 0) + mask - limb(b, 0)) - <i64>N0 + 1
  const s0 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 1) + mask - limb(b, 1)) - <i64>N1
  const s1 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 2) + mask - limb(b, 2)) - <i64>N2
  const s2 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 3) + mask - limb(b, 3)) - <i64>N3
  const s3 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 4) + mask - limb(b, 4)) - <i64>N4
  const s4 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 5) + mask - limb(b, 5))
  const s5 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 6) + mask - limb(b, 6))
  const s6 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 7) + mask - limb(b, 7))
  const s7 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 8) + mask - limb(b, 8))
  const s8 = <u64>c & mask
  c >>= 26
  c += <i64>(limb(a, 9) + 0x3fffff - limb(b, 9))
  const s9 = <u64>c
  settle(r, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9)
}

export function scalarMultiply(r: usize, a: usize, b: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const a9 = limb(a, 9)
  const b0 = limb(b, 0)
  const b1 = limb(b, 1)
  const b2 = limb(b, 2)
  const b3 = limb(b, 3)
  const b4 = limb(b, 4)
  const b5 = limb(b, 5)
  const b6 = limb(b, 6)
  const b7 = limb(b, 7)
  const b8 = limb(b, 8)
  const b9 = limb(b, 9)
  let c: u64
  c = a0 * b0
  const w0 = c & mask
  c >>= 26
  c += a0 * b1 + a1 * b0
  const w1 = c & mask
  c >>= 26
  c += a0 * b2 + a1 * b1 + a2 * b0
  const w2 = c & mask
  c >>= 26
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0
  const w3 = c & mask
  c >>= 26
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0
  const w4 = c & mask
  c >>= 26
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0
  const w5 = c & mask
  c >>= 26
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0
  const w6 = c & mask
  c >>= 26
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0
  const w7 = c & mask
  c >>= 26
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0
  const w8 = c & mask
  c >>= 26
  c += a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0
  const w9 = c & mask
  c >>= 26
  c += a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1
  const w10 = c & mask
  c >>= 26
  c += a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2
  const w11 = c & mask
  c >>= 26
  c += a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3
  const w12 = c & mask
  c >>= 26
  c += a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4
  const w13 = c & mask
  c >>= 26
  c += a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5
  const w14 = c & mask
  c >>= 26
  c += a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6
  const w15 = c & mask
  c >>= 26
  c += a7 * b9 + a8 * b8 + a9 * b7
  const w16 = c & mask
  c >>= 26
  c += a8 * b9 + a9 * b8
  const w17 = c & mask
  c >>= 26
  c += a9 * b9
  const w18 = c & mask
  c >>= 26
  const w19 = c
  reduce(
    r,
    w0, w1, w2, w3, w4, w5, w6, w7, w8, w9,
    w10, w11, w12, w13, w14, w15, w16, w17, w18, w19,
  )
}

/** r = a & bits, for bits all ones or all zeros. */
export function scalarMask(r: usize, a: usize, bits: u32): void {
  for (let k: usize = 0; k < scalarSize; k += 8) store<u64>(r + k, load<u64>(a + k) & (<u64>bits | (<u64>bits << 32)))
}

/** w += a·b. Room for 2^12 products between `wideClear` and `wideReduce`. */
export function wideAddProduct(w: usize, a: usize, b: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const a9 = limb(a, 9)
  const b0 = limb(b, 0)
  const b1 = limb(b, 1)
  const b2 = limb(b, 2)
  const b3 = limb(b, 3)
  const b4 = limb(b, 4)
  const b5 = limb(b, 5)
  const b6 = limb(b, 6)
  const b7 = limb(b, 7)
  const b8 = limb(b, 8)
  const b9 = limb(b, 9)
  let c: u64
  c = word(w, 0) + a0 * b0
  store<u64>(w, c & mask, 0)
  c >>= 26
  c += word(w, 1) + a0 * b1 + a1 * b0
  store<u64>(w, c & mask, 8)
  c >>= 26
  c += word(w, 2) + a0 * b2 + a1 * b1 + a2 * b0
  store<u64>(w, c & mask, 16)
  c >>= 26
  c += word(w, 3) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0
  store<u64>(w, c & mask, 24)
  c >>= 26
  c += word(w, 4) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0
  store<u64>(w, c & mask, 32)
  c >>= 26
  c += word(w, 5) + a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0
  store<u64>(w, c & mask, 40)
  c >>= 26
  c += word(w, 6) + a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0
  store<u64>(w, c & mask, 48)
  c >>= 26
  c += word(w, 7) + a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0
  store<u64>(w, c & mask, 56)
  c >>= 26
  c += word(w, 8) + a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0
  store<u64>(w, c & mask, 64)
  c >>= 26
  c += word(w, 9) + a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0
  store<u64>(w, c & mask, 72)
  c >>= 26
  c += word(w, 10) + a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1
  store<u64>(w, c & mask, 80)
  c >>= 26
  c += word(w, 11) + a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2
  store<u64>(w, c & mask, 88)
  c >>= 26
  c += word(w, 12) + a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3
  store<u64>(w, c & mask, 96)
  c >>= 26
  c += word(w, 13) + a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4
  store<u64>(w, c & mask, 104)
  c >>= 26
  c += word(w, 14) + a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5
  store<u64>(w, c & mask, 112)
  c >>= 26
  c += word(w, 15) + a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6
  store<u64>(w, c & mask, 120)
  c >>= 26
  c += word(w, 16) + a7 * b9 + a8 * b8 + a9 * b7
  store<u64>(w, c & mask, 128)
  c >>= 26
  c += word(w, 17) + a8 * b9 + a9 * b8
  store<u64>(w, c & mask, 136)
  c >>= 26
  c += word(w, 18) + a9 * b9
  store<u64>(w, c & mask, 144)
  c >>= 26
  store<u64>(w, word(w, 19) + c, 152)
}

/** w += a. */
export function wideAdd(w: usize, a: usize): void {
  let c: u64
  c = word(w, 0) + limb(a, 0)
  store<u64>(w, c & mask, 0)
  c >>= 26
  c += word(w, 1) + limb(a, 1)
  store<u64>(w, c & mask, 8)
  c >>= 26
  c += word(w, 2) + limb(a, 2)
  store<u64>(w, c & mask, 16)
  c >>= 26
  c += word(w, 3) + limb(a, 3)
  store<u64>(w, c & mask, 24)
  c >>= 26
  c += word(w, 4) + limb(a, 4)
  store<u64>(w, c & mask, 32)
  c >>= 26
  c += word(w, 5) + limb(a, 5)
  store<u64>(w, c & mask, 40)
  c >>= 26
  c += word(w, 6) + limb(a, 6)
  store<u64>(w, c & mask, 48)
  c >>= 26
  c += word(w, 7) + limb(a, 7)
  store<u64>(w, c & mask, 56)
  c >>= 26
  c += word(w, 8) + limb(a, 8)
  store<u64>(w, c & mask, 64)
  c >>= 26
  c += word(w, 9) + limb(a, 9)
  store<u64>(w, c & mask, 72)
  c >>= 26
  for (let k: usize = 80; k < 152; k += 8) {
    c += load<u64>(w + k)
    store<u64>(w + k, c & mask)
    c >>= 26
  }
  store<u64>(w, word(w, 19) + c, 152)
}

export function wideClear(w: usize): void {
  memory.fill(w, 0, wideSize)
}

/** r = w mod n. */
export function wideReduce(r: usize, w: usize): void {
  reduce(
    r,
    word(w, 0), word(w, 1), word(w, 2), word(w, 3),
    word(w, 4), word(w, 5), word(w, 6), word(w, 7),
    word(w, 8), word(w, 9), word(w, 10), word(w, 11),
    word(w, 12), word(w, 13), word(w, 14), word(w, 15),
    word(w, 16), word(w, 17), word(w, 18), word(w, 19),
  )
}
