/** ChaCha20 (RFC 8439, 2.3) with nonce 0: one block of four keys side by side. */
import { rotateRight } from './lanes'

/** A work area: 8 vectors of keys, 16 of state. */
export const chacha20Size: usize = 384
const state: usize = 128

/** "expand 32-byte k" */
const constants: usize = memory.data<u32>([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])

@inline
function quarterRound(w: usize, ka: usize, kb: usize, kc: usize, kd: usize): void {
  let b = v128.load(w + 16 * kb, state)
  let a = i32x4.add(v128.load(w + 16 * ka, state), b)
  let d = v128.xor(v128.load(w + 16 * kd, state), a)
  d = v128.shuffle<u8>(d, d, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
  let c = i32x4.add(v128.load(w + 16 * kc, state), d)
  b = rotateRight(v128.xor(b, c), 20)
  a = i32x4.add(a, b)
  d = v128.xor(d, a)
  d = v128.shuffle<u8>(d, d, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14)
  c = i32x4.add(c, d)
  b = rotateRight(v128.xor(b, c), 25)
  v128.store(w + 16 * ka, a, state)
  v128.store(w + 16 * kb, b, state)
  v128.store(w + 16 * kc, c, state)
  v128.store(w + 16 * kd, d, state)
}

/** The state's vectors are then the words of the four blocks; the answer is their address. */
export function chacha20(w: usize, counter: u32): usize {
  const s = w + state
  for (let k: usize = 0; k < 4; k++) v128.store(s + 16 * k, v128.load32_splat(constants + 4 * k))
  memory.copy(s + 64, w, 128)
  memory.fill(s + 192, 0, 64)
  v128.store(s, i32x4.splat(counter), 192)
  for (let round = 0; round < 10; round++) {
    quarterRound(w, 0, 4, 8, 12)
    quarterRound(w, 1, 5, 9, 13)
    quarterRound(w, 2, 6, 10, 14)
    quarterRound(w, 3, 7, 11, 15)
    quarterRound(w, 0, 5, 10, 15)
    quarterRound(w, 1, 6, 11, 12)
    quarterRound(w, 2, 7, 8, 13)
    quarterRound(w, 3, 4, 9, 14)
  }
  for (let k: usize = 0; k < 4; k++) {
    v128.store(s + 16 * k, i32x4.add(v128.load(s + 16 * k), v128.load32_splat(constants + 4 * k)))
  }
  for (let k: usize = 0; k < 128; k += 16) v128.store(s + 64 + k, i32x4.add(v128.load(s + 64 + k), v128.load(w + k)))
  v128.store(s, i32x4.add(v128.load(s, 192), i32x4.splat(counter)), 192)
  return s
}
