/**
 * Four computations side by side: vector k of a work area holds word k of each, one in every lane of 32 bits. In
 * memory outside, the four lie one after another at some stride.
 */

@inline
export function rotateRight(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shr_u(x, bits), i32x4.shl(x, 32 - bits))
}

/** Four vectors of four words, transposed: from words of one computation to lanes, and back. */
export function transposeWords(to: usize, toStride: usize, from: usize, fromStride: usize): void {
  const a = v128.load(from)
  const b = v128.load(from + fromStride)
  const c = v128.load(from + 2 * fromStride)
  const d = v128.load(from + 3 * fromStride)
  const lowAB = v128.shuffle<u32>(a, b, 0, 4, 1, 5)
  const highAB = v128.shuffle<u32>(a, b, 2, 6, 3, 7)
  const lowCD = v128.shuffle<u32>(c, d, 0, 4, 1, 5)
  const highCD = v128.shuffle<u32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<u64>(lowAB, lowCD, 0, 2))
  v128.store(to + toStride, v128.shuffle<u64>(lowAB, lowCD, 1, 3))
  v128.store(to + 2 * toStride, v128.shuffle<u64>(highAB, highCD, 0, 2))
  v128.store(to + 3 * toStride, v128.shuffle<u64>(highAB, highCD, 1, 3))
}

/** Four blocks of 64 bytes to 16 vectors. */
export function gather(to: usize, blocks: usize, stride: usize): void {
  for (let k: usize = 0; k < 4; k++) transposeWords(to + 64 * k, 16, blocks + 16 * k, stride)
}

/** 16 vectors to four blocks of 64 bytes. */
export function scatter(blocks: usize, stride: usize, from: usize): void {
  for (let k: usize = 0; k < 4; k++) transposeWords(blocks + 16 * k, stride, from + 64 * k, 16)
}
