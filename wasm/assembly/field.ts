/**
 * The field modulo p = 2^256 − 0x1000003d1 of secp256k1: 36 bytes, nine signed limbs of 29 bits, low ones first. An
 * element is any number that such limbs express; `fieldStore` gives its one encoding. Everything here is straight-line:
 * no branch and no address depends on a value.
 *
 * The size of an element is m when its limbs are within m·2^28, a little more allowed. Products are summed by columns
 * of 64 bits, so the product of two factors' sizes is 14 at most, or the sum of such products; what a multiplication
 * gives has size 1. Sums and differences are taken limb by limb, and add the sizes up; no stored size is above 7.
 */

export const fieldSize: usize = 36

export const mask: i64 = 0x1fffffff
export const half: i64 = 0x10000000
/** 2^261 = fold + 2^37 modulo p. */
const fold: i64 = 31264

@inline
export function limb(a: usize, k: usize): i64 {
  return <i64>load<i32>(a + 4 * k)
}

/** Stores limbs of which all but the first two are of size 1. */
@inline
export function storeLimbs(
  r: usize,
  r0: i64,
  r1: i64,
  r2: i64,
  r3: i64,
  r4: i64,
  r5: i64,
  r6: i64,
  r7: i64,
  r8: i64,
): void {
  const d0 = r0 + half
  const d1 = r1 + (d0 >> 29) + half
  store<i32>(r, <i32>((d0 & mask) - half), 0)
  store<i32>(r, <i32>((d1 & mask) - half), 4)
  store<i32>(r, <i32>(r2 + (d1 >> 29)), 8)
  store<i32>(r, <i32>r3, 12)
  store<i32>(r, <i32>r4, 16)
  store<i32>(r, <i32>r5, 20)
  store<i32>(r, <i32>r6, 24)
  store<i32>(r, <i32>r7, 28)
  store<i32>(r, <i32>r8, 32)
}

/** Stores limbs of size 1 and a carry at 2^261. */
@inline
function close(
  r: usize,
  c: i64,
  r0: i64,
  r1: i64,
  r2: i64,
  r3: i64,
  r4: i64,
  r5: i64,
  r6: i64,
  r7: i64,
  r8: i64,
): void {
  storeLimbs(r, r0 + c * fold, r1 + (c << 8), r2, r3, r4, r5, r6, r7, r8)
}

/** r = a·b. */
export function fieldMultiply(r: usize, a: usize, b: usize): void {
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
  c += a0 * b1 + a1 * b0 + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += a0 * b2 + a1 * b1 + a2 * b0 + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + h8 * fold +
    (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a·b + c. */
export function fieldMultiplyPlus(r: usize, a: usize, b: usize, e: usize): void {
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
  c += a0 * b0 + limb(e, 0) + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += a0 * b1 + a1 * b0 + limb(e, 1) + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += a0 * b2 + a1 * b1 + a2 * b0 + limb(e, 2) + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + limb(e, 3) + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + limb(e, 4) + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + limb(e, 5) + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + limb(e, 6) + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + limb(e, 7) + h7 * fold +
    (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + limb(e, 8) +
    h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a². */
export function fieldSquare(r: usize, a: usize): void {
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
  c += d0 * a1 + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += d0 * a2 + a1 * a1 + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += d0 * a3 + d1 * a2 + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += d0 * a4 + d1 * a3 + a2 * a2 + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += d0 * a5 + d1 * a4 + d2 * a3 + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a·b + e·f. */
export function fieldProducts(r: usize, a: usize, b: usize, e: usize, f: usize): void {
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
  const e0 = limb(e, 0)
  const e1 = limb(e, 1)
  const e2 = limb(e, 2)
  const e3 = limb(e, 3)
  const e4 = limb(e, 4)
  const e5 = limb(e, 5)
  const e6 = limb(e, 6)
  const e7 = limb(e, 7)
  const e8 = limb(e, 8)
  const f0 = limb(f, 0)
  const f1 = limb(f, 1)
  const f2 = limb(f, 2)
  const f3 = limb(f, 3)
  const f4 = limb(f, 4)
  const f5 = limb(f, 5)
  const f6 = limb(f, 6)
  const f7 = limb(f, 7)
  const f8 = limb(f, 8)
  let c: i64 = 0
  c += a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + e1 * f8 + e2 * f7 +
    e3 * f6 + e4 * f5 + e5 * f4 + e6 * f3 + e7 * f2 + e8 * f1 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + e2 * f8 + e3 * f7 + e4 * f6 +
    e5 * f5 + e6 * f4 + e7 * f3 + e8 * f2 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + e3 * f8 + e4 * f7 + e5 * f6 + e6 * f5 +
    e7 * f4 + e8 * f3 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + e4 * f8 + e5 * f7 + e6 * f6 + e7 * f5 + e8 * f4 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + e5 * f8 + e6 * f7 + e7 * f6 + e8 * f5 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += a6 * b8 + a7 * b7 + a8 * b6 + e6 * f8 + e7 * f7 + e8 * f6 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += a7 * b8 + a8 * b7 + e7 * f8 + e8 * f7 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += a8 * b8 + e8 * f8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += a0 * b0 + e0 * f0 + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += a0 * b1 + a1 * b0 + e0 * f1 + e1 * f0 + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += a0 * b2 + a1 * b1 + a2 * b0 + e0 * f2 + e1 * f1 + e2 * f0 + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + e0 * f3 + e1 * f2 + e2 * f1 + e3 * f0 + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + e0 * f4 + e1 * f3 + e2 * f2 + e3 * f1 + e4 * f0 +
    h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + e0 * f5 + e1 * f4 + e2 * f3 + e3 * f2 +
    e4 * f1 + e5 * f0 + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + e0 * f6 + e1 * f5 + e2 * f4 +
    e3 * f3 + e4 * f2 + e5 * f1 + e6 * f0 + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + e0 * f7 + e1 * f6 +
    e2 * f5 + e3 * f4 + e4 * f3 + e5 * f2 + e6 * f1 + e7 * f0 + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + e0 * f8 +
    e1 * f7 + e2 * f6 + e3 * f5 + e4 * f4 + e5 * f3 + e6 * f2 + e7 * f1 + e8 * f0 + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a·b − e·f. */
export function fieldProductsDifference(r: usize, a: usize, b: usize, e: usize, f: usize): void {
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
  const e0 = -limb(e, 0)
  const e1 = -limb(e, 1)
  const e2 = -limb(e, 2)
  const e3 = -limb(e, 3)
  const e4 = -limb(e, 4)
  const e5 = -limb(e, 5)
  const e6 = -limb(e, 6)
  const e7 = -limb(e, 7)
  const e8 = -limb(e, 8)
  const f0 = limb(f, 0)
  const f1 = limb(f, 1)
  const f2 = limb(f, 2)
  const f3 = limb(f, 3)
  const f4 = limb(f, 4)
  const f5 = limb(f, 5)
  const f6 = limb(f, 6)
  const f7 = limb(f, 7)
  const f8 = limb(f, 8)
  let c: i64 = 0
  c += a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + e1 * f8 + e2 * f7 +
    e3 * f6 + e4 * f5 + e5 * f4 + e6 * f3 + e7 * f2 + e8 * f1 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + e2 * f8 + e3 * f7 + e4 * f6 +
    e5 * f5 + e6 * f4 + e7 * f3 + e8 * f2 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + e3 * f8 + e4 * f7 + e5 * f6 + e6 * f5 +
    e7 * f4 + e8 * f3 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + e4 * f8 + e5 * f7 + e6 * f6 + e7 * f5 + e8 * f4 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + e5 * f8 + e6 * f7 + e7 * f6 + e8 * f5 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += a6 * b8 + a7 * b7 + a8 * b6 + e6 * f8 + e7 * f7 + e8 * f6 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += a7 * b8 + a8 * b7 + e7 * f8 + e8 * f7 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += a8 * b8 + e8 * f8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += a0 * b0 + e0 * f0 + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += a0 * b1 + a1 * b0 + e0 * f1 + e1 * f0 + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += a0 * b2 + a1 * b1 + a2 * b0 + e0 * f2 + e1 * f1 + e2 * f0 + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + e0 * f3 + e1 * f2 + e2 * f1 + e3 * f0 + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + e0 * f4 + e1 * f3 + e2 * f2 + e3 * f1 + e4 * f0 +
    h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + e0 * f5 + e1 * f4 + e2 * f3 + e3 * f2 +
    e4 * f1 + e5 * f0 + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + e0 * f6 + e1 * f5 + e2 * f4 +
    e3 * f3 + e4 * f2 + e5 * f1 + e6 * f0 + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + e0 * f7 + e1 * f6 +
    e2 * f5 + e3 * f4 + e4 * f3 + e5 * f2 + e6 * f1 + e7 * f0 + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + e0 * f8 +
    e1 * f7 + e2 * f6 + e3 * f5 + e4 * f4 + e5 * f3 + e6 * f2 + e7 * f1 + e8 * f0 + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = (a + b)·(e + f) − g − h. */
export function fieldCross(r: usize, a: usize, b: usize, e: usize, f: usize, g: usize, h: usize): void {
  const x0 = limb(a, 0) + limb(b, 0)
  const x1 = limb(a, 1) + limb(b, 1)
  const x2 = limb(a, 2) + limb(b, 2)
  const x3 = limb(a, 3) + limb(b, 3)
  const x4 = limb(a, 4) + limb(b, 4)
  const x5 = limb(a, 5) + limb(b, 5)
  const x6 = limb(a, 6) + limb(b, 6)
  const x7 = limb(a, 7) + limb(b, 7)
  const x8 = limb(a, 8) + limb(b, 8)
  const y0 = limb(e, 0) + limb(f, 0)
  const y1 = limb(e, 1) + limb(f, 1)
  const y2 = limb(e, 2) + limb(f, 2)
  const y3 = limb(e, 3) + limb(f, 3)
  const y4 = limb(e, 4) + limb(f, 4)
  const y5 = limb(e, 5) + limb(f, 5)
  const y6 = limb(e, 6) + limb(f, 6)
  const y7 = limb(e, 7) + limb(f, 7)
  const y8 = limb(e, 8) + limb(f, 8)
  let c: i64 = 0
  c += x1 * y8 + x2 * y7 + x3 * y6 + x4 * y5 + x5 * y4 + x6 * y3 + x7 * y2 + x8 * y1 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += x2 * y8 + x3 * y7 + x4 * y6 + x5 * y5 + x6 * y4 + x7 * y3 + x8 * y2 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += x3 * y8 + x4 * y7 + x5 * y6 + x6 * y5 + x7 * y4 + x8 * y3 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += x4 * y8 + x5 * y7 + x6 * y6 + x7 * y5 + x8 * y4 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += x5 * y8 + x6 * y7 + x7 * y6 + x8 * y5 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += x6 * y8 + x7 * y7 + x8 * y6 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += x7 * y8 + x8 * y7 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += x8 * y8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += x0 * y0 - limb(g, 0) - limb(h, 0) + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += x0 * y1 + x1 * y0 - limb(g, 1) - limb(h, 1) + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += x0 * y2 + x1 * y1 + x2 * y0 - limb(g, 2) - limb(h, 2) + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += x0 * y3 + x1 * y2 + x2 * y1 + x3 * y0 - limb(g, 3) - limb(h, 3) + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += x0 * y4 + x1 * y3 + x2 * y2 + x3 * y1 + x4 * y0 - limb(g, 4) - limb(h, 4) + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += x0 * y5 + x1 * y4 + x2 * y3 + x3 * y2 + x4 * y1 + x5 * y0 - limb(g, 5) - limb(h, 5) + h5 * fold +
    (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += x0 * y6 + x1 * y5 + x2 * y4 + x3 * y3 + x4 * y2 + x5 * y1 + x6 * y0 - limb(g, 6) - limb(h, 6) +
    h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += x0 * y7 + x1 * y6 + x2 * y5 + x3 * y4 + x4 * y3 + x5 * y2 + x6 * y1 + x7 * y0 - limb(g, 7) - limb(h, 7) +
    h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += x0 * y8 + x1 * y7 + x2 * y6 + x3 * y5 + x4 * y4 + x5 * y3 + x6 * y2 + x7 * y1 + x8 * y0 - limb(g, 8) -
    limb(h, 8) + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = (a + b)² − g − h. */
export function fieldCrossSquare(r: usize, a: usize, b: usize, g: usize, h: usize): void {
  const x0 = limb(a, 0) + limb(b, 0)
  const x1 = limb(a, 1) + limb(b, 1)
  const x2 = limb(a, 2) + limb(b, 2)
  const x3 = limb(a, 3) + limb(b, 3)
  const x4 = limb(a, 4) + limb(b, 4)
  const x5 = limb(a, 5) + limb(b, 5)
  const x6 = limb(a, 6) + limb(b, 6)
  const x7 = limb(a, 7) + limb(b, 7)
  const x8 = limb(a, 8) + limb(b, 8)
  const y0 = x0 << 1
  const y1 = x1 << 1
  const y2 = x2 << 1
  const y3 = x3 << 1
  const y4 = x4 << 1
  const y5 = x5 << 1
  const y6 = x6 << 1
  const y7 = x7 << 1
  const y8 = x8 << 1
  let c: i64 = 0
  c += y1 * x8 + y2 * x7 + y3 * x6 + y4 * x5 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += y2 * x8 + y3 * x7 + y4 * x6 + x5 * x5 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += y3 * x8 + y4 * x7 + y5 * x6 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += y4 * x8 + y5 * x7 + x6 * x6 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += y5 * x8 + y6 * x7 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += y6 * x8 + x7 * x7 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += y7 * x8 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += x8 * x8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += x0 * x0 - limb(g, 0) - limb(h, 0) + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += y0 * x1 - limb(g, 1) - limb(h, 1) + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += y0 * x2 + x1 * x1 - limb(g, 2) - limb(h, 2) + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += y0 * x3 + y1 * x2 - limb(g, 3) - limb(h, 3) + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += y0 * x4 + y1 * x3 + x2 * x2 - limb(g, 4) - limb(h, 4) + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += y0 * x5 + y1 * x4 + y2 * x3 - limb(g, 5) - limb(h, 5) + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += y0 * x6 + y1 * x5 + y2 * x4 + x3 * x3 - limb(g, 6) - limb(h, 6) + h6 * fold + (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += y0 * x7 + y1 * x6 + y2 * x5 + y3 * x4 - limb(g, 7) - limb(h, 7) + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += y0 * x8 + y1 * x7 + y2 * x6 + y3 * x5 + x4 * x4 - limb(g, 8) - limb(h, 8) + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** r = a² − 12·b². */
export function fieldSquares(r: usize, a: usize, b: usize): void {
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
  const b0 = limb(b, 0)
  const b1 = limb(b, 1)
  const b2 = limb(b, 2)
  const b3 = limb(b, 3)
  const b4 = limb(b, 4)
  const b5 = limb(b, 5)
  const b6 = limb(b, 6)
  const b7 = limb(b, 7)
  const b8 = limb(b, 8)
  const e0 = b0 * -24
  const e1 = b1 * -24
  const e2 = b2 * -24
  const e3 = b3 * -24
  const e4 = b4 * -24
  const e5 = b5 * -24
  const e6 = b6 * -24
  const e7 = b7 * -24
  const e8 = b8 * -24
  let c: i64 = 0
  c += d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5 + e1 * b8 + e2 * b7 + e3 * b6 + e4 * b5 + half
  const h0 = (c & mask) - half
  c >>= 29
  c += d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5 + e2 * b8 + e3 * b7 + e4 * b6 + (e5 >> 1) * b5 + half
  const h1 = (c & mask) - half
  c >>= 29
  c += d3 * a8 + d4 * a7 + d5 * a6 + e3 * b8 + e4 * b7 + e5 * b6 + half
  const h2 = (c & mask) - half
  c >>= 29
  c += d4 * a8 + d5 * a7 + a6 * a6 + e4 * b8 + e5 * b7 + (e6 >> 1) * b6 + half
  const h3 = (c & mask) - half
  c >>= 29
  c += d5 * a8 + d6 * a7 + e5 * b8 + e6 * b7 + half
  const h4 = (c & mask) - half
  c >>= 29
  c += d6 * a8 + a7 * a7 + e6 * b8 + (e7 >> 1) * b7 + half
  const h5 = (c & mask) - half
  c >>= 29
  c += d7 * a8 + e7 * b8 + half
  const h6 = (c & mask) - half
  c >>= 29
  c += a8 * a8 + (e8 >> 1) * b8 + half
  const h7 = (c & mask) - half
  c >>= 29
  const h8 = c
  c = 0
  c += a0 * a0 + (e0 >> 1) * b0 + h0 * fold + half
  const r0 = (c & mask) - half
  c >>= 29
  c += d0 * a1 + e0 * b1 + h1 * fold + (h0 << 8) + half
  const r1 = (c & mask) - half
  c >>= 29
  c += d0 * a2 + a1 * a1 + e0 * b2 + (e1 >> 1) * b1 + h2 * fold + (h1 << 8) + half
  const r2 = (c & mask) - half
  c >>= 29
  c += d0 * a3 + d1 * a2 + e0 * b3 + e1 * b2 + h3 * fold + (h2 << 8) + half
  const r3 = (c & mask) - half
  c >>= 29
  c += d0 * a4 + d1 * a3 + a2 * a2 + e0 * b4 + e1 * b3 + (e2 >> 1) * b2 + h4 * fold + (h3 << 8) + half
  const r4 = (c & mask) - half
  c >>= 29
  c += d0 * a5 + d1 * a4 + d2 * a3 + e0 * b5 + e1 * b4 + e2 * b3 + h5 * fold + (h4 << 8) + half
  const r5 = (c & mask) - half
  c >>= 29
  c += d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + e0 * b6 + e1 * b5 + e2 * b4 + (e3 >> 1) * b3 + h6 * fold +
    (h5 << 8) + half
  const r6 = (c & mask) - half
  c >>= 29
  c += d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + e0 * b7 + e1 * b6 + e2 * b5 + e3 * b4 + h7 * fold + (h6 << 8) + half
  const r7 = (c & mask) - half
  c >>= 29
  c += d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + e0 * b8 + e1 * b7 + e2 * b6 + e3 * b5 +
    (e4 >> 1) * b4 + h8 * fold + (h7 << 8) + half
  const r8 = (c & mask) - half
  c >>= 29
  close(r, c + (h8 << 8), r0, r1, r2, r3, r4, r5, r6, r7, r8)
}

/** Stores limbs below 2^40 as limbs of size 1: each keeps its low bits and passes one carry on. */
@inline
function settle(
  r: usize,
  x0: i64,
  x1: i64,
  x2: i64,
  x3: i64,
  x4: i64,
  x5: i64,
  x6: i64,
  x7: i64,
  x8: i64,
): void {
  const y0 = x0 + half
  const y1 = x1 + half
  const y2 = x2 + half
  const y3 = x3 + half
  const y4 = x4 + half
  const y5 = x5 + half
  const y6 = x6 + half
  const y7 = x7 + half
  const y8 = x8 + half
  const c = y8 >> 29
  store<i32>(r, <i32>((y0 & mask) - half + c * fold), 0)
  store<i32>(r, <i32>((y1 & mask) - half + (y0 >> 29) + (c << 8)), 4)
  store<i32>(r, <i32>((y2 & mask) - half + (y1 >> 29)), 8)
  store<i32>(r, <i32>((y3 & mask) - half + (y2 >> 29)), 12)
  store<i32>(r, <i32>((y4 & mask) - half + (y3 >> 29)), 16)
  store<i32>(r, <i32>((y5 & mask) - half + (y4 >> 29)), 20)
  store<i32>(r, <i32>((y6 & mask) - half + (y5 >> 29)), 24)
  store<i32>(r, <i32>((y7 & mask) - half + (y6 >> 29)), 28)
  store<i32>(r, <i32>((y8 & mask) - half + (y7 >> 29)), 32)
}

/** r = 21·a: b3 = 3·7 of the complete formulas. */
export function fieldScale(r: usize, a: usize): void {
  const x0 = limb(a, 0) * 21
  const x1 = limb(a, 1) * 21
  const x2 = limb(a, 2) * 21
  const x3 = limb(a, 3) * 21
  const x4 = limb(a, 4) * 21
  const x5 = limb(a, 5) * 21
  const x6 = limb(a, 6) * 21
  const x7 = limb(a, 7) * 21
  const x8 = limb(a, 8) * 21
  settle(r, x0, x1, x2, x3, x4, x5, x6, x7, x8)
}

/** r = a, of size 1. */
export function fieldCarry(r: usize, a: usize): void {
  settle(r, limb(a, 0), limb(a, 1), limb(a, 2), limb(a, 3), limb(a, 4), limb(a, 5), limb(a, 6), limb(a, 7), limb(a, 8))
}

/** r = a + 3·b, of size 1. */
export function fieldAddTriple(r: usize, a: usize, b: usize): void {
  const x0 = limb(a, 0) + limb(b, 0) * 3
  const x1 = limb(a, 1) + limb(b, 1) * 3
  const x2 = limb(a, 2) + limb(b, 2) * 3
  const x3 = limb(a, 3) + limb(b, 3) * 3
  const x4 = limb(a, 4) + limb(b, 4) * 3
  const x5 = limb(a, 5) + limb(b, 5) * 3
  const x6 = limb(a, 6) + limb(b, 6) * 3
  const x7 = limb(a, 7) + limb(b, 7) * 3
  const x8 = limb(a, 8) + limb(b, 8) * 3
  settle(r, x0, x1, x2, x3, x4, x5, x6, x7, x8)
}

/** r = x·a + y·b, limb by limb, for small numbers x and y. */
@inline
export function fieldCombine(r: usize, a: usize, x: i32, b: usize, y: i32): void {
  store<i32>(r, load<i32>(a, 0) * x + load<i32>(b, 0) * y, 0)
  store<i32>(r, load<i32>(a, 4) * x + load<i32>(b, 4) * y, 4)
  store<i32>(r, load<i32>(a, 8) * x + load<i32>(b, 8) * y, 8)
  store<i32>(r, load<i32>(a, 12) * x + load<i32>(b, 12) * y, 12)
  store<i32>(r, load<i32>(a, 16) * x + load<i32>(b, 16) * y, 16)
  store<i32>(r, load<i32>(a, 20) * x + load<i32>(b, 20) * y, 20)
  store<i32>(r, load<i32>(a, 24) * x + load<i32>(b, 24) * y, 24)
  store<i32>(r, load<i32>(a, 28) * x + load<i32>(b, 28) * y, 28)
  store<i32>(r, load<i32>(a, 32) * x + load<i32>(b, 32) * y, 32)
}

/** r = x·a, limb by limb, for a small number x. */
@inline
export function fieldTimes(r: usize, a: usize, x: i32): void {
  store<i32>(r, load<i32>(a, 0) * x, 0)
  store<i32>(r, load<i32>(a, 4) * x, 4)
  store<i32>(r, load<i32>(a, 8) * x, 8)
  store<i32>(r, load<i32>(a, 12) * x, 12)
  store<i32>(r, load<i32>(a, 16) * x, 16)
  store<i32>(r, load<i32>(a, 20) * x, 20)
  store<i32>(r, load<i32>(a, 24) * x, 24)
  store<i32>(r, load<i32>(a, 28) * x, 28)
  store<i32>(r, load<i32>(a, 32) * x, 32)
}

/** r = −r where `bits` is all ones, r where it is 0. */
@inline
export function fieldNegateWhere(r: usize, bits: i32): void {
  store<i32>(r, (load<i32>(r, 0) ^ bits) - bits, 0)
  store<i32>(r, (load<i32>(r, 4) ^ bits) - bits, 4)
  store<i32>(r, (load<i32>(r, 8) ^ bits) - bits, 8)
  store<i32>(r, (load<i32>(r, 12) ^ bits) - bits, 12)
  store<i32>(r, (load<i32>(r, 16) ^ bits) - bits, 16)
  store<i32>(r, (load<i32>(r, 20) ^ bits) - bits, 20)
  store<i32>(r, (load<i32>(r, 24) ^ bits) - bits, 24)
  store<i32>(r, (load<i32>(r, 28) ^ bits) - bits, 28)
  store<i32>(r, (load<i32>(r, 32) ^ bits) - bits, 32)
}
