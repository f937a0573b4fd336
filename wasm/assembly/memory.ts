/**
 * One arena above the static data holds whatever an operation works on. Pieces are taken from it one after another and
 * nothing is given back but all at once: `wipe` overwrites every byte that was taken since the last one, which the
 * host calls after each operation, also after one that threw (mpc-review 20). What is kept below it is public.
 */

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

/** Lets what was reserved since `mark` be taken again. It is not zero then, and is wiped with all the rest. */
export function release(at: usize): void {
  top = at
}

/** What was reserved so far is public and stays for ever. */
export function keep(): void {
  floor = top
  peak = top
}

export function wipe(): void {
  memory.fill(floor, 0, peak - floor)
  top = floor
  peak = floor
}
