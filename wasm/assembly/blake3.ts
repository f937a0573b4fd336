/**
 * BLAKE3 as a hash of any length and output (its specification, sections 2.1 to 2.6), four compressions side by side.
 * Straight-line in the bytes; lengths and counters are public.
 */
import { gather, rotateRight, scatter, transposeWords } from './lanes'
import { mark, release, reserve } from './memory'
import { initial } from './sha256'

/** A work area: 16 vectors of message, 16 of state, 8 of chaining value. */
export const blake3Size: usize = 640
const state: usize = 256
const chaining: usize = 512

const blockLength: usize = 64
const chunkLength: usize = 1024
const nodeLength: usize = 32

const chunkStart: u32 = 1
const chunkEnd: u32 = 2
const parent: u32 = 4
const root: u32 = 8

/** The order in which the words of the message enter each of the seven rounds. */
const schedule: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8,
  3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1,
  10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6,
  12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4,
  9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7,
  11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13,
])

@inline
function word(w: usize, at: usize): v128 {
  return v128.load(w + (<usize>load<u8>(at) << 4))
}

@inline
function mix(w: usize, ka: usize, kb: usize, kc: usize, kd: usize, at: usize): void {
  let b = v128.load(w + 16 * kb, state)
  let a = i32x4.add(i32x4.add(v128.load(w + 16 * ka, state), b), word(w, at))
  let d = v128.xor(v128.load(w + 16 * kd, state), a)
  d = v128.shuffle<u8>(d, d, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
  let c = i32x4.add(v128.load(w + 16 * kc, state), d)
  b = rotateRight(v128.xor(b, c), 12)
  a = i32x4.add(i32x4.add(a, b), word(w, at + 1))
  d = v128.xor(d, a)
  d = v128.shuffle<u8>(d, d, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12)
  c = i32x4.add(c, d)
  b = rotateRight(v128.xor(b, c), 7)
  v128.store(w + 16 * ka, a, state)
  v128.store(w + 16 * kb, b, state)
  v128.store(w + 16 * kc, c, state)
  v128.store(w + 16 * kd, d, state)
}

/** Sets the chaining values to those of the beginning of a chunk, or of a parent. */
function begin(w: usize): void {
  for (let k: usize = 0; k < 8; k++) v128.store(w + chaining + 16 * k, v128.load32_splat(initial + 4 * k))
}

/** The state after compressing the message, before anything is fed forward. */
function compress(w: usize, counters: v128, length: u32, flags: u32): void {
  memory.copy(w + state, w + chaining, 128)
  for (let k: usize = 0; k < 4; k++) v128.store(w + state + 128 + 16 * k, v128.load32_splat(initial + 4 * k))
  v128.store(w, counters, state + 192)
  v128.store(w, i32x4.splat(0), state + 208)
  v128.store(w, i32x4.splat(length), state + 224)
  v128.store(w, i32x4.splat(flags), state + 240)
  for (let at = schedule; at < schedule + 112; at += 16) {
    mix(w, 0, 4, 8, 12, at)
    mix(w, 1, 5, 9, 13, at + 2)
    mix(w, 2, 6, 10, 14, at + 4)
    mix(w, 3, 7, 11, 15, at + 6)
    mix(w, 0, 5, 10, 15, at + 8)
    mix(w, 1, 6, 11, 12, at + 10)
    mix(w, 2, 7, 8, 13, at + 12)
    mix(w, 3, 4, 9, 14, at + 14)
  }
}

/** After `compress`: the next chaining values. */
function chain(w: usize): void {
  for (let at = w; at < w + 128; at += 16) {
    v128.store(at, v128.xor(v128.load(at, state), v128.load(at, state + 128)), chaining)
  }
}

/** After `compress` of root blocks: their 64 bytes each. */
function output(w: usize, to: usize): void {
  for (let at = w; at < w + 128; at += 16) {
    const high = v128.load(at, state + 128)
    v128.store(at, v128.xor(v128.load(at, state), high), state)
    v128.store(at, v128.xor(high, v128.load(at, chaining)), state + 128)
  }
  scatter(to, blockLength, w + state)
}

/** The chaining values as bytes. */
@inline
function storeNodes(nodes: usize, w: usize): void {
  transposeWords(nodes, nodeLength, w + chaining, 16)
  transposeWords(nodes + 16, nodeLength, w + chaining + 64, 16)
}

/** How far beyond an input of more than one chunk is read: four chunks are compressed at a time. */
export const spare: usize = 3 * chunkLength

/** What a tree over so many bytes takes: nodes are written four at a time, also beyond the last. */
export function treeSize(length: usize): usize {
  return (leavesOf(length) + 4) * nodeLength
}

export function leavesOf(length: usize): usize {
  return (length + chunkLength - 1) / chunkLength
}

/** The leaves of at least `count` full chunks; up to three more are read and written, and mean nothing. */
export function fullLeaves(w: usize, nodes: usize, input: usize, count: usize): void {
  for (let chunk: usize = 0; chunk < count; chunk += 4) {
    const counters = i32x4.add(i32x4.splat(<i32>chunk), i32x4(0, 1, 2, 3))
    begin(w)
    for (let at: usize = 0; at < chunkLength; at += blockLength) {
      gather(w, input + chunk * chunkLength + at, chunkLength)
      let flags: u32 = at === 0 ? chunkStart : 0
      if (at === chunkLength - blockLength) flags |= chunkEnd
      compress(w, counters, <u32>blockLength, flags)
      chain(w)
    }
    storeNodes(nodes + chunk * nodeLength, w)
  }
}

/** Everything of a chunk before its last block, and that block as the message. Its length is the answer. */
function lastBlock(w: usize, input: usize, length: usize, counter: u32): u32 {
  begin(w)
  let at: usize = 0
  for (; at + blockLength < length; at += blockLength) {
    gather(w, input + at, 0)
    compress(w, i32x4.splat(counter), <u32>blockLength, at === 0 ? chunkStart : 0)
    chain(w)
  }
  const before = mark()
  const block = reserve(blockLength)
  memory.fill(block, 0, blockLength)
  memory.copy(block, input + at, length - at)
  gather(w, block, 0)
  release(before)
  return <u32>(length - at)
}

@inline
function lastFlags(length: usize): u32 {
  return length > blockLength ? chunkEnd : chunkStart | chunkEnd
}

/** Output of the root, whose last message and chaining values are in the work area. */
function squeeze(w: usize, to: usize, toLength: usize, length: u32, flags: u32): void {
  const before = mark()
  const blocks = reserve(4 * blockLength)
  for (let at: usize = 0; at < toLength; at += 4 * blockLength) {
    compress(w, i32x4.add(i32x4.splat(<i32>(at / blockLength)), i32x4(0, 1, 2, 3)), length, flags | root)
    output(w, blocks)
    memory.copy(to + at, blocks, min<usize>(4 * blockLength, toLength - at))
  }
  release(before)
}

/** All leaves of an input of more than one chunk. */
export function leaves(w: usize, nodes: usize, input: usize, length: usize): void {
  const last = leavesOf(length) - 1
  fullLeaves(w, nodes, input, last)
  const rest = length - last * chunkLength
  compress(w, i32x4.splat(<i32>last), lastBlock(w, input + last * chunkLength, rest, <u32>last), lastFlags(rest))
  chain(w)
  storeNodes(nodes + last * nodeLength, w)
}

/** The output of a tree of so many leaves, which are overwritten. */
export function squeezeTree(w: usize, to: usize, toLength: usize, nodes: usize, leafCount: usize): void {
  let count = leafCount
  while (count > 2) {
    // A last node without a partner goes up as it is.
    const last = nodes + (count - 1) * nodeLength
    const low = v128.load(last)
    const high = v128.load(last, 16)
    const pairs = count / 2
    for (let pair: usize = 0; pair < pairs; pair += 4) {
      begin(w)
      gather(w, nodes + 2 * pair * nodeLength, blockLength)
      compress(w, i32x4.splat(0), <u32>blockLength, parent)
      chain(w)
      storeNodes(nodes + pair * nodeLength, w)
    }
    if ((count & 1) !== 0) {
      v128.store(nodes + pairs * nodeLength, low)
      v128.store(nodes + pairs * nodeLength, high, 16)
    }
    count -= pairs
  }
  begin(w)
  gather(w, nodes, 0)
  squeeze(w, to, toLength, <u32>blockLength, parent)
}

/** The chaining values after a first block that four inputs share. */
export function beginShared(w: usize, block: usize): void {
  begin(w)
  gather(w, block, 0)
  compress(w, i32x4.splat(0), <u32>blockLength, chunkStart)
  chain(w)
}

/**
 * After `beginShared`, as often as wanted: 64 bytes of output of each of four inputs that end with `length` bytes of
 * the four zero-padded blocks. Counted in such blocks of output they are at 0, and in the odd lanes at `second`.
 */
export function outputLanes(w: usize, to: usize, blocks: usize, length: usize, second: u32): void {
  gather(w, blocks, blockLength)
  compress(w, i64x2.splat(<i64>second << 32), <u32>length, chunkEnd | root)
  output(w, to)
}

/** BLAKE3 to any length. */
export function blake3(to: usize, toLength: usize, input: usize, length: usize): void {
  const before = mark()
  const w = reserve(blake3Size)
  if (length <= chunkLength) {
    squeeze(w, to, toLength, lastBlock(w, input, length, 0), lastFlags(length))
  } else {
    const nodes = reserve(max(treeSize(length), spare))
    leaves(w, nodes, input, length)
    squeezeTree(w, to, toLength, nodes, leavesOf(length))
  }
  release(before)
}
