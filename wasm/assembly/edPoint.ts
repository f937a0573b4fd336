/**
 * Points of edwards25519, −x² + y² = 1 + d·x²·y², in extended coordinates, 144 bytes: X, Y, Z and T = X·Y/Z one after
 * another, each of size 1. The identity is (0 : 1 : 1 : 0). The formulas are those of Hisil, Wong, Carter and Dawson
 * (2008/522, sections 3.1 and 3.3): d is no square, so that they hold for every pair of points.
 *
 * An addend is a point made ready: Y + X, Y − X, 2·d·T and Z, 144 bytes, or of an affine point the first three alone,
 * 112 bytes, which is what `selectPoint` selects.
 */
import { edFieldMultiply, edFieldSquare } from './edField'
import { fieldCombine, fieldNegateWhere, fieldSize, fieldTimes } from './field'
import { registers } from './memory'

export const edPointSize: usize = 144
export const edAffineAddendSize: usize = 112

const a: usize = registers + 8576
const b: usize = registers + 8616
const c: usize = registers + 8656
const d: usize = registers + 8696
const e: usize = registers + 8736
const f: usize = registers + 8776
const g: usize = registers + 8816
const h: usize = registers + 8856

@inline
export function edY(p: usize): usize {
  return p + fieldSize
}

@inline
export function edZ(p: usize): usize {
  return p + 2 * fieldSize
}

@inline
export function edT(p: usize): usize {
  return p + 3 * fieldSize
}

/** 2·d. */
const twiceD: usize = memory.data<i32>([
  112390489, -21701471, 15488443, 2700549, -49086450, 7960442, -207854022, -74785792, 2361050,
])

export function edPointSetIdentity(r: usize): void {
  memory.fill(r, 0, edPointSize)
  store<i32>(edY(r), 1)
  store<i32>(edZ(r), 1)
}

/** r = the addend of p. */
export function edAddend(r: usize, p: usize): void {
  fieldCombine(r, edY(p), 1, p, 1)
  fieldCombine(r + fieldSize, edY(p), 1, p, -1)
  edFieldMultiply(r + 2 * fieldSize, edT(p), twiceD)
  memory.copy(r + 3 * fieldSize, edZ(p), fieldSize)
}

/** r = −r of an addend, where `bits` is all ones. */
export function edAddendNegateWhere(r: usize, bits: i32): void {
  for (let at: usize = 0; at < fieldSize; at += 4) {
    const sum = load<i32>(r + at)
    const difference = load<i32>(r + fieldSize + at)
    const change = (sum ^ difference) & bits
    store<i32>(r + at, sum ^ change)
    store<i32>(r + fieldSize + at, difference ^ change)
  }
  fieldNegateWhere(r + 2 * fieldSize, bits)
}

/** What both additions share, when d is 2·Z1·Z2. */
@inline
function finish(r: usize, p: usize, q: usize): void {
  fieldCombine(e, edY(p), 1, p, -1)
  edFieldMultiply(a, e, q + fieldSize)
  fieldCombine(e, edY(p), 1, p, 1)
  edFieldMultiply(b, e, q)
  edFieldMultiply(c, edT(p), q + 2 * fieldSize)
  fieldCombine(e, b, 1, a, -1)
  fieldCombine(f, d, 1, c, -1)
  fieldCombine(g, d, 1, c, 1)
  fieldCombine(h, b, 1, a, 1)
  complete(r)
}

@inline
function complete(r: usize): void {
  edFieldMultiply(r, e, f)
  edFieldMultiply(edY(r), g, h)
  edFieldMultiply(edZ(r), f, g)
  edFieldMultiply(edT(r), e, h)
}

/** r = p + q for the addend of q. */
export function edPointAdd(r: usize, p: usize, q: usize): void {
  edFieldMultiply(d, edZ(p), q + 3 * fieldSize)
  fieldTimes(d, d, 2)
  finish(r, p, q)
}

/** r = p + q for the addend of an affine q. */
export function edPointAddAffine(r: usize, p: usize, q: usize): void {
  fieldTimes(d, edZ(p), 2)
  finish(r, p, q)
}

export function edPointDouble(r: usize, p: usize): void {
  edFieldSquare(a, p)
  edFieldSquare(b, edY(p))
  edFieldSquare(c, edZ(p))
  fieldCombine(e, p, 1, edY(p), 1)
  edFieldSquare(e, e)
  fieldCombine(h, a, -1, b, -1)
  fieldCombine(e, e, 1, h, 1)
  fieldCombine(g, b, 1, a, -1)
  fieldCombine(f, g, 1, c, -2)
  complete(r)
}
