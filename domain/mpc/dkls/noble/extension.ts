/**
 * The correlated OT extension (Roy, SoftSpokenOT, 2022/192, with k = 1: IKNP with the revised KOS check). Rows are
 * secret: they are treated as words, and nothing is looked up by their bits. domain/mpc/README.md#extension
 */
import { chacha20 } from '@noble/ciphers/chacha.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { expand } from '../../../crypto/expand.ts'
import { encode, u32 } from '../../../crypto/Transcript.ts'
import type { Extension } from '../Arithmetic.ts'
import {
  choicesLength,
  columnsLength,
  deltaLength,
  directionField,
  kappa,
  keyLength,
  rowsLength,
  tags,
  xi,
  type Direction,
} from '../Parameters.ts'

const words = choicesLength / 4
const nonce = new Uint8Array(12)
const zeros = new Uint8Array(choicesLength)

const load32 = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] ?? 0) |
  ((bytes[offset + 1] ?? 0) << 8) |
  ((bytes[offset + 2] ?? 0) << 16) |
  ((bytes[offset + 3] ?? 0) << 24)

const store32 = (value: number, bytes: Uint8Array, offset: number): void => {
  bytes[offset] = value
  bytes[offset + 1] = value >>> 8
  bytes[offset + 2] = value >>> 16
  bytes[offset + 3] = value >>> 24
}

/**
 * Row i is ChaCha20 under H("prg", session, direction, i, b, seed_i), nonce 0. The encoding is made once; i and the
 * seed are its last but two and its last field.
 */
const expandRows = (session: Uint8Array, direction: Direction, bit: 0 | 1, seeds: Uint8Array): Uint8Array => {
  const input = encode(tags.rows, [
    session,
    directionField(direction),
    u32(0),
    new Uint8Array([bit]),
    new Uint8Array(keyLength),
  ])
  const seedAt = input.length - keyLength
  const indexAt = seedAt - 4 - 1 - 4 - 4
  const rows = new Uint8Array(rowsLength)
  for (let i = 0; i < kappa; i++) {
    input.set(u32(i), indexAt)
    input.set(seeds.subarray(i * keyLength, (i + 1) * keyLength), seedAt)
    const key = sha256(input)
    rows.set(chacha20(key, nonce, zeros), i * choicesLength)
    key.fill(0)
  }
  input.fill(0)
  return rows
}

const challenge = (session: Uint8Array, direction: Direction, matrix: Uint8Array): Int32Array => {
  const bytes = expand(tags.consistency, [session, directionField(direction), matrix], 64)
  return Int32Array.from({ length: 16 }, (_, index) => load32(bytes, 4 * index))
}

/**
 * Σ α_b·v_b + v_mask in GF(2^128), little-endian, x^128 + x^7 + x^2 + x + 1, over three blocks of 128 bits and a
 * fourth of 32. Horner's rule over the bits of the public α: only secret words are shifted and xored.
 */
const hashRow = (alpha: Int32Array, row: Uint8Array, offset: number, out: Uint8Array, outOffset: number): void => {
  const v = new Int32Array(words)
  for (let index = 0; index < words; index++) v[index] = load32(row, offset + 4 * index)
  const [
    v0 = 0,
    v1 = 0,
    v2 = 0,
    v3 = 0,
    v4 = 0,
    v5 = 0,
    v6 = 0,
    v7 = 0,
    v8 = 0,
    v9 = 0,
    v10 = 0,
    v11 = 0,
    v12 = 0,
    m0 = 0,
    m1 = 0,
    m2 = 0,
    m3 = 0,
  ] = v
  let r0 = 0
  let r1 = 0
  let r2 = 0
  let r3 = 0
  for (let bit = 127; bit >= 0; bit--) {
    const carry = r3 >> 31
    r3 = (r3 << 1) | (r2 >>> 31)
    r2 = (r2 << 1) | (r1 >>> 31)
    r1 = (r1 << 1) | (r0 >>> 31)
    r0 = (r0 << 1) ^ (carry & 0x87)
    const word = bit >>> 5
    const shift = bit & 31
    const a = -(((alpha[word] ?? 0) >>> shift) & 1)
    const b = -(((alpha[4 + word] ?? 0) >>> shift) & 1)
    const c = -(((alpha[8 + word] ?? 0) >>> shift) & 1)
    const d = -(((alpha[12 + word] ?? 0) >>> shift) & 1)
    r0 ^= (a & v0) ^ (b & v4) ^ (c & v8) ^ (d & v12)
    r1 ^= (a & v1) ^ (b & v5) ^ (c & v9)
    r2 ^= (a & v2) ^ (b & v6) ^ (c & v10)
    r3 ^= (a & v3) ^ (b & v7) ^ (c & v11)
  }
  store32(r0 ^ m0, out, outOffset)
  store32(r1 ^ m1, out, outOffset + 4)
  store32(r2 ^ m2, out, outOffset + 8)
  store32(r3 ^ m3, out, outOffset + 12)
  v.fill(0)
}

/** A 32 × 32 bit matrix transposed in place: bit k of word m becomes bit m of word k (Hacker's Delight 7-3). */
const transpose32 = (a: Int32Array): void => {
  let mask = 0x0000ffff
  for (let j = 16; j !== 0; j >>= 1) {
    for (let k = 0; k < 32; k = (k + j + 1) & ~j) {
      const low = a[k] ?? 0
      const high = a[k + j] ?? 0
      const t = ((low >>> j) ^ high) & mask
      a[k + j] = high ^ t
      a[k] = low ^ (t << j)
    }
    mask ^= mask << (j >> 1)
  }
}

/** κ rows to ξ columns of κ bits; the mask block of a row has no column. */
const transpose = (rows: Uint8Array): Uint8Array => {
  const columns = new Uint8Array(columnsLength)
  const block = new Int32Array(32)
  for (let group = 0; group < kappa / 32; group++) {
    for (let word = 0; word < xi / 32; word++) {
      for (let k = 0; k < 32; k++) block[k] = load32(rows, (32 * group + k) * choicesLength + 4 * word)
      transpose32(block)
      for (let m = 0; m < 32; m++) store32(block[m] ?? 0, columns, (32 * word + m) * deltaLength + 4 * group)
    }
  }
  block.fill(0)
  return columns
}

export const extension: Extension = {
  receive: ({ session, direction, zeroSeeds, oneSeeds, choices }) => {
    const t = expandRows(session, direction, 0, zeroSeeds)
    const matrix = expandRows(session, direction, 1, oneSeeds)
    for (let index = 0; index < rowsLength; index++) {
      matrix[index] = (matrix[index] ?? 0) ^ (t[index] ?? 0) ^ (choices[index % choicesLength] ?? 0)
    }
    const alpha = challenge(session, direction, matrix)
    const choiceHash = new Uint8Array(16)
    hashRow(alpha, choices, 0, choiceHash, 0)
    const rowHashes = new Uint8Array(16 * kappa)
    for (let i = 0; i < kappa; i++) hashRow(alpha, t, i * choicesLength, rowHashes, 16 * i)
    const columns = transpose(t)
    t.fill(0)
    return { matrix, choiceHash, rowHashes, columns }
  },
  columns: ({ session, direction, zeroSeeds }) => {
    const t = expandRows(session, direction, 0, zeroSeeds)
    const columns = transpose(t)
    t.fill(0)
    return columns
  },
  send: ({ session, direction, seeds, delta, message }) => {
    const { matrix, choiceHash, rowHashes } = message
    const q = expandRows(session, direction, 0, seeds)
    const p = expandRows(session, direction, 1, seeds)
    const alpha = challenge(session, direction, matrix)
    const hashed = new Uint8Array(16)
    let difference = 0
    for (let i = 0; i < kappa; i++) {
      const mask = -(((delta[i >> 3] ?? 0) >> (i & 7)) & 1)
      const offset = i * choicesLength
      for (let index = offset; index < offset + choicesLength; index++) {
        // The seed is that of choice Δ_i: its row is t_i for 0, and u_i ⊕ t_i ⊕ x for 1.
        const row = ((q[index] ?? 0) & ~mask) | ((p[index] ?? 0) & mask)
        q[index] = row ^ ((matrix[index] ?? 0) & mask)
      }
      hashRow(alpha, q, offset, hashed, 0)
      for (let index = 0; index < 16; index++) {
        difference |= (hashed[index] ?? 0) ^ (rowHashes[16 * i + index] ?? 0) ^ ((choiceHash[index] ?? 0) & mask)
      }
    }
    const columns = transpose(q)
    q.fill(0)
    p.fill(0)
    return difference === 0 ? columns : undefined
  },
}
