/**
 * The random vector OLE over one extension (domain/mpc/README.md#multiplication). The host supplies the encodings of
 * what is hashed; only their last fields are filled in here.
 */
import {
  beginShared,
  blake3,
  blake3Size,
  fullLeaves,
  leaves,
  leavesOf,
  outputLanes,
  squeezeTree,
  treeSize,
} from './blake3'
import { mark, release, reserve } from './memory'
import {
  scalarAdd,
  scalarLoad,
  scalarLoadWide,
  scalarMask,
  scalarSize,
  scalarStore,
  scalarSubtract,
  wideAdd,
  wideAddProduct,
  wideClear,
  wideReduce,
  wideSize,
} from './scalar'
import { sha256 } from './sha256'

const columnCount: usize = 416
const columnLength: usize = 16
const width: usize = 3
const scalarLength: usize = 32
const tauLength: usize = columnCount * width * scalarLength
const checksLength: usize = columnCount * scalarLength
const blockLength: usize = 64
const digestLength: usize = 32
/** 96 bytes of pad, at whole blocks of output. */
const padLength: usize = 2 * blockLength

/** All ones for a choice, else zero. */
@inline
function maskOf(choices: usize, j: usize): u32 {
  return 0 - ((<u32>load<u8>(choices + (j >> 3)) >> (<u32>j & 7)) & 1)
}

/** The zero-padded last blocks of four inputs of two blocks. */
function reserveLastBlocks(input: usize, inputLength: usize): usize {
  const blocks = reserve(4 * blockLength)
  memory.fill(blocks, 0, 4 * blockLength)
  for (let lane: usize = 0; lane < 4; lane++) {
    memory.copy(blocks + lane * blockLength, input + blockLength, inputLength - blockLength)
  }
  return blocks
}

/** g_j = H_scalar("gadget", …, j). `input` is that encoding with any j, its last field. */
export function multiplicationGadget(to: usize, input: usize, inputLength: usize): void {
  const w = reserve(blake3Size)
  const blocks = reserveLastBlocks(input, inputLength)
  const wide = reserve(4 * blockLength)
  const g = reserve(scalarSize)
  const rest = inputLength - blockLength
  beginShared(w, input)
  for (let j: usize = 0; j < columnCount; j += 4) {
    for (let k: usize = 0; k < 4; k++) store<u32>(blocks + k * blockLength + rest - 4, bswap<u32>(<u32>(j + k)))
    outputLanes(w, wide, blocks, rest, 0)
    for (let k: usize = 0; k < 4; k++) {
      scalarLoadWide(g, wide + k * blockLength)
      scalarStore(to + (j + k) * scalarLength, g)
    }
  }
}

/** χ = Σ g_j·x_j. */
export function multiplicationChoice(to: usize, gadget: usize, choices: usize): void {
  const g = reserve(scalarSize)
  const sum = reserve(wideSize)
  wideClear(sum)
  for (let j: usize = 0; j < columnCount; j++) {
    scalarLoad(g, gadget + j * scalarLength)
    scalarMask(g, g, maskOf(choices, j))
    wideAdd(sum, g)
  }
  wideReduce(g, sum)
  scalarStore(to, g)
}

/**
 * The pads of all columns, or of all with an offset: XOF("pad", …, j, column ⊕ offset), 96 bytes at every 128. Two
 * lanes make the two blocks of output of a column.
 */
export function pads(to: usize, input: usize, inputLength: usize, columns: usize, offset: usize): void {
  const before = mark()
  const w = reserve(blake3Size)
  const blocks = reserveLastBlocks(input, inputLength)
  const rest = inputLength - blockLength
  const columnAt = rest - columnLength
  const indexAt = columnAt - 4 - 4
  const added = v128.load(offset)
  beginShared(w, input)
  for (let j: usize = 0; j < columnCount; j += 2) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const block = blocks + lane * blockLength
      const index = j + (lane >> 1)
      store<u32>(block + indexAt, bswap<u32>(<u32>index))
      v128.store(block + columnAt, v128.xor(v128.load(columns + index * columnLength), added))
    }
    outputLanes(w, to + j * padLength, blocks, rest, 1)
  }
  release(before)
}

/** θ_k = H_scalar("theta", …, k, τ) for both k, which stands before τ: only the first chunk is another one. */
function thetas(to: usize, input: usize, inputLength: usize): void {
  const before = mark()
  const w = reserve(blake3Size)
  const nodes = reserve(treeSize(inputLength))
  const tree = reserve(treeSize(inputLength))
  const wide = reserve(blockLength)
  const index = input + inputLength - tauLength - 4 - 1
  leaves(w, nodes, input, inputLength)
  for (let k: usize = 0; k < 2; k++) {
    store<u8>(index, <u8>k)
    fullLeaves(w, nodes, input, 1)
    memory.copy(tree, nodes, treeSize(inputLength))
    squeezeTree(w, wide, blockLength, tree, leavesOf(inputLength))
    scalarLoadWide(to + k * scalarSize, wide)
  }
  release(before)
}

/** Three scalars, one after another. */
@inline
function loadScalars(r: usize, bytes: usize): void {
  for (let k: usize = 0; k < width; k++) scalarLoad(r + k * scalarSize, bytes + k * scalarLength)
}

/** Two sums of products more: g·v_0 and g·v_1. */
@inline
function addProducts(sums: usize, gadget: usize, v: usize, g: usize): void {
  scalarLoad(g, gadget)
  wideAddProduct(sums, g, v)
  wideAddProduct(sums + wideSize, g, v + scalarSize)
}

/** r = v_2 + θ_0·v_0 + θ_1·v_1. */
function combine(r: usize, theta: usize, v: usize, wide: usize): void {
  wideClear(wide)
  wideAddProduct(wide, theta, v)
  wideAddProduct(wide, theta + scalarSize, v + scalarSize)
  wideAdd(wide, v + 2 * scalarSize)
  wideReduce(r, wide)
}

/**
 * Alice's message and outputs. `inputs` are a_0 ‖ a_1 and `check` is â; `padInput` is the encoding of a pad's input
 * with any j and column; in `thetaInput` and `muInput` τ and the check scalars, their last fields, are filled in.
 */
export function multiplicationSend(
  padInput: usize,
  padInputLength: usize,
  gadget: usize,
  columns: usize,
  delta: usize,
  inputs: usize,
  check: usize,
  thetaInput: usize,
  thetaInputLength: usize,
  muInput: usize,
  muInputLength: usize,
  eta: usize,
  mu: usize,
  outputs: usize,
): void {
  const zeroPads = reserve(columnCount * padLength)
  const onePads = reserve(columnCount * padLength)
  const a = reserve(width * scalarSize)
  const v = reserve(width * scalarSize)
  const part = reserve(scalarSize)
  const zero = reserve(scalarSize)
  const theta = reserve(2 * scalarSize)
  const sums = reserve(2 * wideSize)
  const wide = reserve(wideSize)
  const tau = thetaInput + thetaInputLength - tauLength
  const checks = muInput + muInputLength - checksLength
  memory.fill(zero, 0, scalarSize)
  wideClear(sums)
  wideClear(sums + wideSize)
  scalarLoad(a, inputs)
  scalarLoad(a + scalarSize, inputs + scalarLength)
  scalarLoad(a + 2 * scalarSize, check)
  pads(zeroPads, padInput, padInputLength, columns, zero)
  pads(onePads, padInput, padInputLength, columns, delta)
  for (let j: usize = 0; j < columnCount; j++) {
    loadScalars(v, zeroPads + j * padLength)
    for (let k: usize = 0; k < width; k++) {
      scalarLoad(part, onePads + j * padLength + k * scalarLength)
      scalarSubtract(part, v + k * scalarSize, part)
      scalarAdd(part, part, a + k * scalarSize)
      scalarStore(tau + (j * width + k) * scalarLength, part)
    }
    addProducts(sums, gadget + j * scalarLength, v, part)
  }
  for (let k: usize = 0; k < 2; k++) {
    wideReduce(part, sums + k * wideSize)
    scalarSubtract(part, zero, part)
    scalarStore(outputs + k * scalarLength, part)
  }
  thetas(theta, thetaInput, thetaInputLength)
  combine(part, theta, a, wide)
  scalarStore(eta, part)
  for (let j: usize = 0; j < columnCount; j++) {
    loadScalars(v, zeroPads + j * padLength)
    combine(part, theta, v, wide)
    scalarSubtract(part, zero, part)
    scalarStore(checks + j * scalarLength, part)
  }
  sha256(mu, muInput, muInputLength)
}

/** Bob's outputs, and 0 when μ matches. `thetaInput` holds τ already. */
export function multiplicationReceive(
  padInput: usize,
  padInputLength: usize,
  gadget: usize,
  columns: usize,
  choices: usize,
  thetaInput: usize,
  thetaInputLength: usize,
  muInput: usize,
  muInputLength: usize,
  eta: usize,
  mu: usize,
  outputs: usize,
): u32 {
  const own = reserve(columnCount * padLength)
  const theta = reserve(2 * scalarSize)
  const sent = reserve(scalarSize)
  const t = reserve(width * scalarSize)
  const check = reserve(scalarSize)
  const part = reserve(scalarSize)
  const sums = reserve(2 * wideSize)
  const wide = reserve(wideSize)
  const digest = reserve(digestLength)
  const zero = reserve(columnLength)
  const tau = thetaInput + thetaInputLength - tauLength
  const checks = muInput + muInputLength - checksLength
  memory.fill(zero, 0, columnLength)
  wideClear(sums)
  wideClear(sums + wideSize)
  scalarLoad(sent, eta)
  thetas(theta, thetaInput, thetaInputLength)
  pads(own, padInput, padInputLength, columns, zero)
  for (let j: usize = 0; j < columnCount; j++) {
    const mask = maskOf(choices, j)
    loadScalars(t, own + j * padLength)
    for (let k: usize = 0; k < width; k++) {
      scalarLoad(part, tau + (j * width + k) * scalarLength)
      scalarMask(part, part, mask)
      scalarAdd(t + k * scalarSize, t + k * scalarSize, part)
    }
    combine(check, theta, t, wide)
    scalarMask(part, sent, mask)
    scalarSubtract(check, part, check)
    scalarStore(checks + j * scalarLength, check)
    addProducts(sums, gadget + j * scalarLength, t, part)
  }
  for (let k: usize = 0; k < 2; k++) {
    wideReduce(check, sums + k * wideSize)
    scalarStore(outputs + k * scalarLength, check)
  }
  sha256(digest, muInput, muInputLength)
  const difference = v128.or(
    v128.xor(v128.load(digest), v128.load(mu)),
    v128.xor(v128.load(digest, 16), v128.load(mu, 16)),
  )
  return v128.any_true(difference) ? 1 : 0
}
