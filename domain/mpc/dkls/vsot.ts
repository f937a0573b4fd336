/**
 * Verified simplest OT, κ at a time (DKLs18, 2018/499, protocol 7). The sender ends with two keys per transfer, the
 * receiver with that of its bit Δ_i. domain/mpc/README.md#base-ot
 *
 *   sender                              receiver
 *   A = a·G, proof             ──────▶
 *                              ◀──────  B_i = b_i·G + Δ_i·A            k_i = H("ot", b_i·A)
 *   k0_i = H("ot", a·B_i)
 *   k1_i = H("ot", a·(B_i − A))
 *   ch_i = hh(k0_i) ⊕ hh(k1_i) ──────▶
 *                              ◀──────  rsp_i = hh(k_i) ⊕ Δ_i·ch_i
 *   rsp_i = hh(k0_i)?
 *   open(k0_i), open(k1_i)     ──────▶
 *                                       open(k_i) is the chosen one, ch_i = hh(k0_i) ⊕ hh(k1_i)?
 *
 * with open(k) = H("vsot-open", k), hh(k) = H("vsot-chal", open(k)) and the seed kept, H("vsot-seed", k). A sender that
 * cheats learns one bit of Δ and is caught half of the time; a failed run is discarded with its Δ.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { encode, u32 } from '../../crypto/Transcript.ts'
import { split } from '../Codec.ts'
import { equal } from '../../crypto/Equal.ts'
import { wipe } from '../../crypto/wipe.ts'
import { demand, present } from '../Stop.ts'
import type { Arithmetic } from './Arithmetic.ts'
import {
  deltaLength,
  directionField,
  kappa,
  keyLength,
  keysLength,
  pointLength,
  tags,
  type Direction,
} from './Parameters.ts'

/** The session and direction that a vector of transfers belongs to. */
export type Transfers = {
  readonly arithmetic: Arithmetic
  readonly session: Uint8Array
  readonly direction: Direction
}

export const pointsLength = kappa * pointLength
export const openingsLength = 2 * keysLength

const at = (vector: Uint8Array, index: number, length: number): Uint8Array =>
  vector.subarray(index * length, (index + 1) * length)

/** H for each i, over one encoding into which `write` puts the fields of i. It is overwritten at the end. */
const hashEach = (encoded: Uint8Array, write: (encoded: Uint8Array, index: number) => void): Uint8Array => {
  const out = new Uint8Array(keysLength)
  for (let index = 0; index < kappa; index++) {
    write(encoded, index)
    out.set(sha256(encoded), index * keyLength)
  }
  wipe(encoded)
  return out
}

/** k = H("ot", session, direction, i, A, B_i, K_i) for each i. */
const transferKeys = (
  { session, direction }: Transfers,
  base: Uint8Array,
  points: Uint8Array,
  shared: Uint8Array,
): Uint8Array => {
  const point = new Uint8Array(pointLength)
  const fields = [session, directionField(direction), u32(0), base, point, point]
  return hashEach(encode(tags.transfer, fields), (encoded, index) => {
    // Before each field are the four bytes of its length.
    const sharedAt = encoded.length - pointLength
    const pointAt = sharedAt - 4 - pointLength
    const baseAt = pointAt - 4 - pointLength
    encoded.set(u32(index), baseAt - 4 - 4)
    encoded.set(at(points, index, pointLength), pointAt)
    encoded.set(at(shared, index, pointLength), sharedAt)
  })
}

/** H(tag, key) of each. */
const hashKeys = (tag: string, keys: Uint8Array): Uint8Array =>
  hashEach(encode(tag, [new Uint8Array(keyLength)]), (encoded, index) => {
    encoded.set(at(keys, index, keyLength), encoded.length - keyLength)
  })

const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, index) => byte ^ (b[index] ?? 0))

const open = (keys: Uint8Array): Uint8Array => hashKeys(tags.transferOpen, keys)
const challengeOf = (opened: Uint8Array): Uint8Array => hashKeys(tags.transferChallenge, opened)

/** A mask per byte of a vector of keys: all ones where Δ_i is 1. */
const maskAt = (delta: Uint8Array, index: number): number => {
  const i = Math.floor(index / keyLength)
  return -(((delta[i >> 3] ?? 0) >> (i & 7)) & 1)
}

/** Receiver: the points B_i and its keys. `blinds` are κ scalars, not 0, and Δ is not 0. */
export const choose = (
  transfers: Transfers,
  input: { readonly base: Uint8Array; readonly blinds: Uint8Array; readonly delta: Uint8Array },
): { readonly points: Uint8Array; readonly keys: Uint8Array } => {
  demand(!equal(input.delta, new Uint8Array(deltaLength)), 'degenerate choice')
  const chosen = present(
    transfers.arithmetic.transfer.choose({ base: input.base, blinds: input.blinds, choices: input.delta }),
    'degenerate choice',
  )
  const keys = transferKeys(transfers, input.base, chosen.points, chosen.keys)
  wipe(chosen.keys)
  return { points: chosen.points, keys }
}

/** Sender: both keys of each transfer; aborts unless the receiver's points are distinct and none is A. */
export const keysOf = (
  transfers: Transfers,
  input: { readonly secret: Uint8Array; readonly base: Uint8Array; readonly points: Uint8Array },
): { readonly zero: Uint8Array; readonly one: Uint8Array } => {
  const distinct = new Set([input.base, ...split(input.points, pointLength)].map(bytesToHex))
  demand(distinct.size === kappa + 1, 'points of the base OT repeat')
  const shared = present(transfers.arithmetic.transfer.keys(input), 'points of the base OT')
  const zero = transferKeys(transfers, input.base, input.points, shared.zero)
  const one = transferKeys(transfers, input.base, input.points, shared.one)
  wipe(shared.zero, shared.one)
  return { zero, one }
}

/** Sender: ch_i. */
export const challenge = (zero: Uint8Array, one: Uint8Array): Uint8Array =>
  xor(challengeOf(open(zero)), challengeOf(open(one)))

/** Receiver: rsp_i, by mask. */
export const respond = (keys: Uint8Array, delta: Uint8Array, challenged: Uint8Array): Uint8Array =>
  challengeOf(open(keys)).map((byte, index) => byte ^ ((challenged[index] ?? 0) & maskAt(delta, index)))

/** Sender: all responses at once, and then open(k0_0) … open(k0_{κ−1}) ‖ open(k1_0) … open(k1_{κ−1}). */
export const openings = (zero: Uint8Array, one: Uint8Array, response: Uint8Array): Uint8Array => {
  const opened = open(zero)
  demand(equal(challengeOf(opened), response), 'response of the base OT')
  return concatBytes(opened, open(one))
}

/** Receiver: both equations of all openings, one verdict. `challenged` is the challenge that was answered. */
export const demandOpenings = (
  input: { readonly keys: Uint8Array; readonly delta: Uint8Array; readonly challenged: Uint8Array },
  opened: Uint8Array,
): void => {
  const zero = opened.subarray(0, keysLength)
  const one = opened.subarray(keysLength)
  const own = open(input.keys)
  let difference = 0
  for (let index = 0; index < keysLength; index++) {
    const mask = maskAt(input.delta, index)
    difference |= (own[index] ?? 0) ^ (((zero[index] ?? 0) & ~mask) | ((one[index] ?? 0) & mask))
  }
  const consistent = equal(xor(challengeOf(zero), challengeOf(one)), input.challenged)
  demand(difference === 0 && consistent, 'opening of the base OT')
}

/** The seed that is kept of each key. */
export const seeds = (keys: Uint8Array): Uint8Array => hashKeys(tags.transferSeed, keys)
