/**
 * One arena above the static data holds whatever an operation works on. Pieces are taken from it one after another and
 * nothing is given back but all at once: `wipe` overwrites every byte that was taken since the last one, which the
 * host calls after each operation, also after one that threw. What is kept below it is public. The engine's registers
 * and its own stack are out of reach. wasm/README.md#memory
 */

/**
 * Room at a fixed address for what the functions of the curve work on, wiped as the arena is. Each file has a stretch
 * of its own: fieldPower from 0, point from 512, pointBytes from 1024, window from 1536, endomorphism from 1600,
 * multiply from 2048, comb from 6144, curve from 7168, scalars from 8000, edPower from 8192, edPoint from 8576,
 * edPointBytes from 8960, edScalar from 9536, edComb from 9920, edMultiply from 10128, edCurve from 12784, x25519 from
 * 13584.
 */
export const registers: usize = memory.data(14336, 16)
const registersSize: usize = 14336

let floor: usize = (__heap_base + 15) & ~15
let top: usize = floor
let peak: usize = floor

/** So many bytes, zero, at a multiple of 16. */
export function reserve(size: usize): usize {
  const at = top
  top = (at + size + 15) & ~15
  if (top > peak) peak = top
  const pages = <i32>((top + 0xffff) >> 16)
  if (pages > memory.size() && memory.grow(pages - memory.size()) < 0) unreachable()
  return at
}

/** Where the arena ends now, for `release`. */
export function mark(): usize {
  return top
}

/** Frees what was reserved since `mark`. It is not zeroed here; `wipe` does that later. */
export function release(at: usize): void {
  top = at
}

/** What is reserved so far is public and is never wiped. */
export function keep(): void {
  memory.fill(top, 0, peak - top)
  floor = top
  peak = top
}

export function wipe(): void {
  memory.fill(registers, 0, registersSize)
  memory.fill(floor, 0, peak - floor)
  top = floor
  peak = floor
}
