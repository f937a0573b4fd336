/** The random vector OLE of DKLs23 section 5 over the correlated OTs. domain/mpc/README.md#multiplication */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { expand } from '../../../crypto/expand.ts'
import { encode, hash, u32 } from '../../../crypto/Transcript.ts'
import { equal } from '../../../crypto/Equal.ts'
import type { Multiplication } from '../Arithmetic.ts'
import { deltaLength, directionField, scalarLength, tags, tauLength, width, xi, type Direction } from '../Parameters.ts'
import { load, scalars, store } from './scalars.ts'

const n = secp256k1.Point.Fn.ORDER

/**
 * The pads of one column: XOF("pad", session, direction, j, column), 3 × 32 bytes modulo n (n is within 2^-127 of
 * 2^256, so no wider bytes are needed). The encoding is made once; j and the column are its last two fields.
 */
const padsOf = (session: Uint8Array, direction: Direction) => {
  const input = encode(tags.pad, [session, directionField(direction), u32(0), new Uint8Array(deltaLength)])
  const columnAt = input.length - deltaLength
  const indexAt = columnAt - 4 - 4
  return {
    /** Of the column at j, with `offset` xored into it where there is one. */
    at: (columns: Uint8Array, j: number, offset?: Uint8Array): readonly [bigint, bigint, bigint] => {
      input.set(u32(j), indexAt)
      for (let index = 0; index < deltaLength; index++) {
        input[columnAt + index] = (columns[j * deltaLength + index] ?? 0) ^ (offset?.[index] ?? 0)
      }
      const bytes = blake3(input, { dkLen: width * scalarLength })
      const pads = [load(bytes, 0) % n, load(bytes, 1) % n, load(bytes, 2) % n] as const
      bytes.fill(0)
      return pads
    },
    wipe: () => input.fill(0),
  }
}

/** θ_k = H_scalar("theta", session, direction, k, τ), over all of τ. */
const thetas = (session: Uint8Array, direction: Direction, tau: Uint8Array) => {
  const theta = (k: number) =>
    load(scalars.reduce(expand(tags.theta, [session, directionField(direction), u32(k), tau], 64)))
  return [theta(0), theta(1)] as const
}

const bitAt = (choices: Uint8Array, j: number): bigint => BigInt(((choices[j >> 3] ?? 0) >> (j & 7)) & 1)

export const multiplication: Multiplication = {
  gadget: (seed, direction) => {
    const input = encode(tags.gadget, [seed, directionField(direction), u32(0)])
    const wide = new Uint8Array(xi * 64)
    for (let j = 0; j < xi; j++) {
      input.set(u32(j), input.length - 4)
      wide.set(blake3(input, { dkLen: 64 }), 64 * j)
    }
    return scalars.reduce(wide)
  },
  choice: (gadget, choices) => {
    let sum = 0n
    for (let j = 0; j < xi; j++) sum += load(gadget, j) * bitAt(choices, j)
    const chi = new Uint8Array(scalarLength)
    store(sum % n, chi)
    return chi
  },
  send: ({ session, direction, gadget, columns, delta, inputs, check }) => {
    const pads = padsOf(session, direction)
    const a0 = load(inputs, 0)
    const a1 = load(inputs, 1)
    const a2 = load(check)
    const tau = new Uint8Array(tauLength)
    const kept: (readonly [bigint, bigint, bigint])[] = []
    for (let j = 0; j < xi; j++) {
      const zero = pads.at(columns, j)
      const one = pads.at(columns, j, delta)
      store((zero[0] + n - one[0] + a0) % n, tau, width * j)
      store((zero[1] + n - one[1] + a1) % n, tau, width * j + 1)
      store((zero[2] + n - one[2] + a2) % n, tau, width * j + 2)
      kept.push(zero)
    }
    pads.wipe()
    const [theta0, theta1] = thetas(session, direction, tau)
    const eta = new Uint8Array(scalarLength)
    store((a2 + theta0 * a0 + theta1 * a1) % n, eta)
    // Alice's share of column k is −v0: c_k = −Σ g_j·v0_{j,k}, and her check value −(v0_{j,2} + Σ θ_k·v0_{j,k}).
    const checks = new Uint8Array(xi * scalarLength)
    let sum0 = 0n
    let sum1 = 0n
    for (const [j, [v0, v1, v2]] of kept.entries()) {
      const g = load(gadget, j)
      sum0 += g * v0
      sum1 += g * v1
      store((n - ((v2 + theta0 * v0 + theta1 * v1) % n)) % n, checks, j)
    }
    const outputs = new Uint8Array(2 * scalarLength)
    store((n - (sum0 % n)) % n, outputs, 0)
    store((n - (sum1 % n)) % n, outputs, 1)
    const mu = hash(tags.mu, [session, directionField(direction), checks])
    checks.fill(0)
    return { tau, eta, mu, outputs }
  },
  receive: ({ session, direction, gadget, columns, choices, message }) => {
    const pads = padsOf(session, direction)
    const [theta0, theta1] = thetas(session, direction, message.tau)
    const eta = load(message.eta)
    const checks = new Uint8Array(xi * scalarLength)
    let sum0 = 0n
    let sum1 = 0n
    for (let j = 0; j < xi; j++) {
      const bit = bitAt(choices, j)
      const [v0, v1, v2] = pads.at(columns, j)
      const t0 = (v0 + bit * load(message.tau, width * j)) % n
      const t1 = (v1 + bit * load(message.tau, width * j + 1)) % n
      const t2 = (v2 + bit * load(message.tau, width * j + 2)) % n
      store((bit * eta + n - ((t2 + theta0 * t0 + theta1 * t1) % n)) % n, checks, j)
      const g = load(gadget, j)
      sum0 += g * t0
      sum1 += g * t1
    }
    pads.wipe()
    const mu = hash(tags.mu, [session, directionField(direction), checks])
    checks.fill(0)
    if (!equal(mu, message.mu)) return undefined
    const outputs = new Uint8Array(2 * scalarLength)
    store(sum0 % n, outputs, 0)
    store(sum1 % n, outputs, 1)
    return outputs
  },
}
