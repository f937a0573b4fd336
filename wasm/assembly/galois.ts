/**
 * The consistency hash of rows: Σ α_b·v_b + v_mask in GF(2^128), little-endian, modulo
 * x^128 + x^7 + x^2 + x + 1, over three blocks of 128 bits and a fourth of 32.
 *
 * α is public, four bits of it at a time say which multiples of the secret blocks are added. Nothing is ever looked up
 * by a bit of a row, which is secret: its multiples by the 16 polynomials of degree below 4 are all computed.
 * domain/mpc/README.md#extension
 */
import { mark, release, reserve } from './memory'

export const hashLength: usize = 16
export const rowLength: usize = 68

const blocks: usize = 4
const multiples: usize = 16 * hashLength

/** 1 + x + x^2 + x^7, times the carry out of the top; the carry of the low half goes into the high one. */
@inline
function fold(shifted: v128, carries: v128): v128 {
  const crossed = v128.shuffle<u64>(carries, carries, 1, 0)
  const low = v128.and(crossed, i64x2(-1, 0))
  const folded = v128.xor(v128.xor(i64x2.shl(low, 1), i64x2.shl(low, 2)), i64x2.shl(low, 7))
  return v128.xor(v128.xor(shifted, crossed), folded)
}

/** v·x^n for n up to 56. */
@inline
function shift(v: v128, n: i32): v128 {
  return fold(i64x2.shl(v, n), i64x2.shr_u(v, 64 - n))
}

function multiplesOf(table: usize, v: v128): void {
  v128.store(table, i64x2.splat(0))
  v128.store(table, v, 16)
  for (let k: usize = 2; k < 16; k += 2) {
    const even = shift(v128.load(table + 8 * k), 1)
    v128.store(table + 16 * k, even)
    v128.store(table + 16 * k, v128.xor(even, v), 16)
  }
}

/** The hashes of `count` rows, one after another; alpha is four elements. */
export function hashRows(to: usize, alpha: usize, rows: usize, count: usize): void {
  const before = mark()
  const tables = reserve(blocks * multiples)
  const nibbles = reserve(32 * blocks)
  for (let b: usize = 0; b < blocks; b++) {
    for (let k: usize = 0; k < 16; k++) {
      const byte = load<u8>(alpha + 16 * b + k)
      store<u8>(nibbles + blocks * (31 - 2 * k) + b, byte << 4)
      store<u8>(nibbles + blocks * (30 - 2 * k) + b, byte & 0xf0)
    }
  }
  for (let row = rows; row < rows + rowLength * count; row += rowLength, to += hashLength) {
    multiplesOf(tables, v128.load(row))
    multiplesOf(tables + multiples, v128.load(row, 16))
    multiplesOf(tables + 2 * multiples, v128.load(row, 32))
    multiplesOf(tables + 3 * multiples, v128.load32_zero(row, 48))
    let sum = i64x2.splat(0)
    for (let at = nibbles; at < nibbles + 32 * blocks; at += blocks) {
      sum = shift(sum, 4)
      const first = v128.load(tables + load<u8>(at))
      const second = v128.load(tables + load<u8>(at, 1), multiples)
      const third = v128.load(tables + load<u8>(at, 2), 2 * multiples)
      const fourth = v128.load(tables + load<u8>(at, 3), 3 * multiples)
      sum = v128.xor(sum, v128.xor(v128.xor(first, second), v128.xor(third, fourth)))
    }
    v128.store(to, v128.xor(sum, v128.load(row, 52)))
  }
  release(before)
}
