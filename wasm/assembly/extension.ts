/**
 * The correlated OT extension of one direction (domain/mpc/README.md#extension). The host supplies the encodings of
 * what is hashed; only their last fields are filled in here.
 */
import { blake3 } from './blake3'
import { chacha20, chacha20Size } from './chacha20'
import { hashLength, hashRows, rowLength } from './galois'
import { gather, scatter } from './lanes'
import { mark, release, reserve } from './memory'
import { beginLanes, compressLanes, sha256LanesSize } from './sha256'

const rowCount: usize = 128
const seedLength: usize = 32
const rowsLength: usize = rowCount * rowLength
const blockLength: usize = 64

/** α_0 … α_3 */
const challengeLength: usize = 64

/** Byte k of a row's key input, after its first block: u32 i, then the bit, then the seed, each after its length. */
const keyInputLength: usize = 116
const indexAt: usize = keyInputLength - blockLength - seedLength - 4 - 1 - 4 - 4
const bitAt: usize = indexAt + 4 + 4
const seedAt: usize = bitAt + 1 + 4
const endAt: usize = seedAt + seedLength

@inline
function bitOf(bits: usize, i: usize): u32 {
  return (<u32>load<u8>(bits + (i >> 3)) >> (<u32>i & 7)) & 1
}

/**
 * Row i is ChaCha20 under H("prg", session, direction, i, bit i of `bits`, seed i): four at a time. `keyInput` is that
 * encoding with any index, bit and seed.
 */
export function expandRows(rows: usize, keyInput: usize, bits: usize, seeds: usize): void {
  const before = mark()
  const hash = reserve(sha256LanesSize)
  const cipher = reserve(chacha20Size)
  const blocks = reserve(4 * blockLength)
  beginLanes(hash, keyInput)
  for (let k: usize = 0; k < 4; k++) {
    const block = blocks + k * blockLength
    memory.fill(block, 0, blockLength)
    memory.copy(block, keyInput + blockLength, keyInputLength - blockLength)
    store<u8>(block + endAt, 0x80)
    store<u32>(block, bswap<u32>(<u32>keyInputLength << 3), blockLength - 4)
  }
  for (let i: usize = 0; i < rowCount; i += 4) {
    for (let k: usize = 0; k < 4; k++) {
      const block = blocks + k * blockLength
      store<u32>(block, bswap<u32>(<u32>(i + k)), indexAt)
      store<u8>(block, <u8>bitOf(bits, i + k), bitAt)
      memory.copy(block + seedAt, seeds + (i + k) * seedLength, seedLength)
    }
    gather(hash, blocks, blockLength)
    compressLanes(hash)
    memory.copy(cipher, hash, 8 * 16)
    const row = rows + i * rowLength
    scatter(row, rowLength, chacha20(cipher, 0))
    const rest = v128.load(chacha20(cipher, 1))
    store<u32>(row, i32x4.extract_lane(rest, 0), blockLength)
    store<u32>(row, i32x4.extract_lane(rest, 1), blockLength + rowLength)
    store<u32>(row, i32x4.extract_lane(rest, 2), blockLength + 2 * rowLength)
    store<u32>(row, i32x4.extract_lane(rest, 3), blockLength + 3 * rowLength)
  }
  release(before)
}

/** to ^= row & mask, over one row. */
@inline
function addRow(to: usize, row: usize, mask: u32): void {
  const wide = i32x4.splat(mask)
  for (let at: usize = 0; at < blockLength; at += 16) {
    v128.store(to + at, v128.xor(v128.load(to + at), v128.and(v128.load(row + at), wide)))
  }
  store<u32>(to, load<u32>(to, blockLength) ^ (load<u32>(row, blockLength) & mask), blockLength)
}

/**
 * The receiver's message. `rows` are t already, and `challengeInput` is the encoding of the consistency challenge, in
 * which the matrix, its last field, holds the expansion of the other seeds and is completed here.
 */
export function extensionReceive(
  rows: usize,
  choices: usize,
  challengeInput: usize,
  challengeInputLength: usize,
  choiceHash: usize,
  rowHashes: usize,
): void {
  const matrix = challengeInput + challengeInputLength - rowsLength
  for (let at: usize = 0; at < rowsLength; at += rowLength) {
    addRow(matrix + at, rows + at, 0xffffffff)
    addRow(matrix + at, choices, 0xffffffff)
  }
  const alpha = reserve(challengeLength)
  blake3(alpha, challengeLength, challengeInput, challengeInputLength)
  hashRows(choiceHash, alpha, choices, 1)
  hashRows(rowHashes, alpha, rows, rowCount)
}

/**
 * The sender's rows q_i = PRG(seed_Δi) ⊕ Δ_i·u_i, in place of the expansion of its seeds, and whether
 * hash(q_i) = hash(t_i) ⊕ Δ_i·hash(x) for all of them: 0 when it is so. All rows are looked at whatever they are.
 */
export function extensionSend(
  rows: usize,
  delta: usize,
  challengeInput: usize,
  challengeInputLength: usize,
  choiceHash: usize,
  rowHashes: usize,
): u32 {
  const matrix = challengeInput + challengeInputLength - rowsLength
  for (let i: usize = 0; i < rowCount; i++) addRow(rows + i * rowLength, matrix + i * rowLength, 0 - bitOf(delta, i))
  const alpha = reserve(challengeLength)
  const hashes = reserve(rowCount * hashLength)
  blake3(alpha, challengeLength, challengeInput, challengeInputLength)
  hashRows(hashes, alpha, rows, rowCount)
  const hashOfChoices = v128.load(choiceHash)
  let difference = i64x2.splat(0)
  for (let i: usize = 0; i < rowCount; i++) {
    const expected = v128.and(hashOfChoices, i32x4.splat(0 - bitOf(delta, i)))
    const sent = v128.load(rowHashes + i * hashLength)
    const own = v128.load(hashes + i * hashLength)
    difference = v128.or(difference, v128.xor(v128.xor(own, sent), expected))
  }
  return v128.any_true(difference) ? 1 : 0
}
