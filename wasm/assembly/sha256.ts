/**
 * SHA-256 (FIPS 180-4): of one input, and four blocks side by side. Straight-line in the bytes; lengths are public.
 */
import { rotateRight } from './lanes'
import { mark, release, reserve } from './memory'

const constants: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])

/** BLAKE3 begins with the same words. */
export const initial: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])

const blockLength: usize = 64
const digestLength: usize = 32

/** The schedule of one block. */
const wordsSize: usize = 256
/** A work area of four: the schedule, then 8 vectors of chaining value. */
export const sha256LanesSize: usize = 1152
const chaining: usize = 1024

function begin(digest: usize): void {
  memory.copy(digest, initial, digestLength)
}

/** One block into eight words of chaining value. */
function compress(digest: usize, block: usize, words: usize): void {
  for (let t: usize = 0; t < 64; t += 4) store<u32>(words + t, bswap<u32>(load<u32>(block + t)))
  for (let at = words; at < words + 192; at += 4) {
    const early = load<u32>(at, 4)
    const late = load<u32>(at, 56)
    const small0 = rotr(early, 7) ^ rotr(early, 18) ^ (early >>> 3)
    const small1 = rotr(late, 17) ^ rotr(late, 19) ^ (late >>> 10)
    store<u32>(at, load<u32>(at) + small0 + load<u32>(at, 36) + small1, 64)
  }
  let a = load<u32>(digest, 0)
  let b = load<u32>(digest, 4)
  let c = load<u32>(digest, 8)
  let d = load<u32>(digest, 12)
  let e = load<u32>(digest, 16)
  let f = load<u32>(digest, 20)
  let g = load<u32>(digest, 24)
  let h = load<u32>(digest, 28)
  for (let t: usize = 0; t < 256; t += 4) {
    const big1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
    const t1 = h + big1 + ((e & (f ^ g)) ^ g) + load<u32>(constants + t) + load<u32>(words + t)
    const big0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
    const t2 = big0 + ((a & b) | (c & (a | b)))
    h = g
    g = f
    f = e
    e = d + t1
    d = c
    c = b
    b = a
    a = t1 + t2
  }
  store<u32>(digest, load<u32>(digest, 0) + a, 0)
  store<u32>(digest, load<u32>(digest, 4) + b, 4)
  store<u32>(digest, load<u32>(digest, 8) + c, 8)
  store<u32>(digest, load<u32>(digest, 12) + d, 12)
  store<u32>(digest, load<u32>(digest, 16) + e, 16)
  store<u32>(digest, load<u32>(digest, 20) + f, 20)
  store<u32>(digest, load<u32>(digest, 24) + g, 24)
  store<u32>(digest, load<u32>(digest, 28) + h, 28)
}

export function sha256(to: usize, input: usize, length: usize): void {
  const before = mark()
  const words = reserve(wordsSize)
  const digest = reserve(digestLength)
  const last = reserve(2 * blockLength)
  begin(digest)
  const full = length & ~(blockLength - 1)
  for (let at: usize = 0; at < full; at += blockLength) compress(digest, input + at, words)
  const rest = length - full
  const end = rest < blockLength - 8 ? blockLength : 2 * blockLength
  memory.fill(last, 0, end)
  memory.copy(last, input + full, rest)
  store<u8>(last + rest, 0x80)
  store<u32>(last + end - 4, bswap<u32>(<u32>length << 3))
  for (let at: usize = 0; at < end; at += blockLength) compress(digest, last + at, words)
  for (let k: usize = 0; k < digestLength; k += 4) store<u32>(to + k, bswap<u32>(load<u32>(digest + k)))
  release(before)
}

/** Words from big-endian bytes in all lanes, and back. */
@inline
function swapBytes(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

/** The chaining value after one first block, in all four lanes. */
export function beginLanes(w: usize, block: usize): void {
  const before = mark()
  const digest = reserve(digestLength)
  begin(digest)
  compress(digest, block, reserve(wordsSize))
  for (let k: usize = 0; k < 8; k++) v128.store(w + 16 * k, v128.load32_splat(digest + 4 * k), chaining)
  release(before)
}

@inline
function add(a: v128, b: v128): v128 {
  return i32x4.add(a, b)
}

@inline
function xor3(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c)
}

/**
 * Four blocks, gathered at the start of the work area, into their chaining values, which take the place of the first
 * half of them as the bytes of the digests, gathered.
 */
export function compressLanes(w: usize): void {
  for (let at = w; at < w + 256; at += 16) v128.store(at, swapBytes(v128.load(at)))
  for (let at = w; at < w + 768; at += 16) {
    const early = v128.load(at, 16)
    const late = v128.load(at, 224)
    const small0 = xor3(rotateRight(early, 7), rotateRight(early, 18), i32x4.shr_u(early, 3))
    const small1 = xor3(rotateRight(late, 17), rotateRight(late, 19), i32x4.shr_u(late, 10))
    v128.store(at, add(add(v128.load(at), small0), add(v128.load(at, 144), small1)), 256)
  }
  let a = v128.load(w, chaining)
  let b = v128.load(w, chaining + 16)
  let c = v128.load(w, chaining + 32)
  let d = v128.load(w, chaining + 48)
  let e = v128.load(w, chaining + 64)
  let f = v128.load(w, chaining + 80)
  let g = v128.load(w, chaining + 96)
  let h = v128.load(w, chaining + 112)
  for (let t: usize = 0; t < 64; t++) {
    const big1 = xor3(rotateRight(e, 6), rotateRight(e, 11), rotateRight(e, 25))
    const word = add(v128.load32_splat(constants + 4 * t), v128.load(w + 16 * t))
    const t1 = add(add(h, big1), add(v128.bitselect(f, g, e), word))
    const big0 = xor3(rotateRight(a, 2), rotateRight(a, 13), rotateRight(a, 22))
    const t2 = add(big0, v128.bitselect(c, b, v128.xor(a, b)))
    h = g
    g = f
    f = e
    e = add(d, t1)
    d = c
    c = b
    b = a
    a = add(t1, t2)
  }
  v128.store(w, swapBytes(add(a, v128.load(w, chaining))))
  v128.store(w, swapBytes(add(b, v128.load(w, chaining + 16))), 16)
  v128.store(w, swapBytes(add(c, v128.load(w, chaining + 32))), 32)
  v128.store(w, swapBytes(add(d, v128.load(w, chaining + 48))), 48)
  v128.store(w, swapBytes(add(e, v128.load(w, chaining + 64))), 64)
  v128.store(w, swapBytes(add(f, v128.load(w, chaining + 80))), 80)
  v128.store(w, swapBytes(add(g, v128.load(w, chaining + 96))), 96)
  v128.store(w, swapBytes(add(h, v128.load(w, chaining + 112))), 112)
}
