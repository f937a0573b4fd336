/**
 * Cheaters who know the protocol, against the kernel. Each guesses secret bits of the other side and makes every hash
 * fit the guess: it passes exactly when all guesses are right, once in 2^k for k of them. The published protocols allow
 * that leak, which is why the first failure bans. domain/mpc/README.md#guesses
 */
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import { encode, hash, u32 } from '../../domain/crypto/Transcript.ts'
import { split } from '../../domain/mpc/Codec.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import {
  choicesLength,
  columnsLength,
  deltaLength,
  directionField,
  kappa,
  keyLength,
  rowsLength,
  tags,
  tauLength,
  xi,
} from '../../domain/mpc/dkls/Parameters.ts'
import { times } from '../kit/long.ts'
import { n } from './arithmeticSuite.ts'
import { areRight, expectOnceIn2ToThe, guessesOf, type Guess } from './cheaters.ts'
import { bit, dealtSeeds } from './dealtSeeds.ts'
import { kernel } from './otKernel.ts'
import { seededRandom } from './run.ts'

const { exports, operate } = kernel
const direction = 1
const mod = (value: bigint) => ((value % n) + n) % n
const number = bytesToNumberBE
const scalar = (value: bigint) => numberToBytesBE(mod(value), 32)
const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, index) => byte ^ (b[index] ?? 0))
const at = (items: Uint8Array, index: number, length: number) => items.subarray(length * index, length * (index + 1))

/** How often `attempt` passes, each time if and only if its guesses were right. */
const passesOf = (attempts: number, attempt: (index: number) => { passed: boolean; right: boolean }): number => {
  const outcomes = Array.from({ length: attempts }, (_, index) => attempt(index))
  expect(outcomes.filter(({ passed, right }) => passed !== right)).toEqual([])
  return outcomes.filter(({ passed }) => passed).length
}

describe('a receiver of the extension who guesses k bits of Δ by other choices in k rows', () => {
  const random = seededRandom('cheating receiver')
  const { zeroSeeds, oneSeeds } = dealtSeeds(random)

  const hashesOf = (alpha: Uint8Array, rows: Uint8Array): Uint8Array =>
    operate((arena) => {
      const count = rows.length / choicesLength
      const to = arena.reserve(16 * count)
      exports.hashRows(to, arena.put(alpha), arena.put(rows), count)
      return arena.take(to, 16 * count)
    })
  const rowsOf = (session: Uint8Array): Uint8Array =>
    operate((arena) => {
      const rows = arena.reserve(rowsLength)
      const fields = [session, directionField(direction), u32(0), new Uint8Array(1), new Uint8Array(keyLength)]
      exports.expandRows(rows, arena.put(encode(tags.rows, fields)), arena.reserve(deltaLength), arena.put(zeroSeeds))
      return arena.take(rows, rowsLength)
    })

  /** Row i of the matrix is made for choices x ⊕ e_i. Where Δ_i is 1 the sender's row has e_i too, and so its hash. */
  const cheat = (session: Uint8Array, choices: Uint8Array, guesses: readonly Guess[]) => {
    const { matrix } = kernel.extension.receive({ session, direction, zeroSeeds, oneSeeds, choices })
    const rows = rowsOf(session)
    for (const guess of guesses) {
      const error = random(choicesLength)
      matrix.set(xor(at(matrix, guess.index, choicesLength), error), choicesLength * guess.index)
      if (guess.bit === 1) rows.set(xor(at(rows, guess.index, choicesLength), error), choicesLength * guess.index)
    }
    const alpha = expand(tags.consistency, [session, directionField(direction), matrix], 64)
    return { matrix, choiceHash: hashesOf(alpha, choices), rowHashes: hashesOf(alpha, rows) }
  }

  const attempt = (k: number) => {
    const [session, choices, delta] = [random(32), random(choicesLength), random(deltaLength)]
    const guesses = guessesOf(random, k, kappa)
    const chosen = split(zeroSeeds, keyLength).map((seed, i) => (bit(delta, i) ? at(oneSeeds, i, keyLength) : seed))
    const message = cheat(session, choices, guesses)
    const columns = kernel.extension.send({ session, direction, seeds: concatBytes(...chosen), delta, message })
    return { passed: columns !== undefined, right: areRight(guesses, delta) }
  }

  it.each([1, 2, 3, 4])('passes once in 2^%i', (k) => {
    expectOnceIn2ToThe(
      k,
      times(300, 1_000),
      passesOf(times(300, 1_000), () => attempt(k)),
    )
  })

  it('always passes with none, and with 16 never', () => {
    expect(passesOf(50, () => attempt(0))).toBe(50)
    expect(passesOf(50, () => attempt(16))).toBe(0)
  })
})

describe('a sender of the multiplication who guesses k of the choice bits by other inputs in k rows', () => {
  const random = seededRandom('cheating sender')
  const [session, columns, delta] = [random(32), random(columnsLength), random(deltaLength)]
  const gadget = kernel.multiplication.gadget(random(32), direction)
  const inputs = noble.scalars.reduce(random(128))
  const check = noble.scalars.reduce(random(64))
  const honest = kernel.multiplication.send({ session, direction, gadget, columns, delta, inputs, check })
  const pads = split(columns, deltaLength).map((column, j) =>
    split(expand(tags.pad, [session, directionField(direction), u32(j), column], 96), 32).map(number),
  )

  /** In row j Alice's a_0 is one more. Where x_j is 1 Bob's check scalar is θ_0 less, and under that guess hers is. */
  const cheat = (guesses: readonly Guess[]) => {
    const tau = honest.tau.slice()
    for (const { index } of guesses) {
      tau.set(scalar(number(at(tau, 3 * index, 32)) + 1n), 96 * index)
    }
    const [theta0 = 0n, theta1 = 0n] = [0, 1].map(
      (k) => number(expand(tags.theta, [session, directionField(direction), u32(k), tau], 64)) % n,
    )
    const combine = ([v0 = 0n, v1 = 0n, v2 = 0n]: readonly bigint[]) => v2 + theta0 * v0 + theta1 * v1
    const guessed = new Set(guesses.filter((guess) => guess.bit === 1).map(({ index }) => index))
    const checks = pads.map((v, j) => scalar(-combine(v) - (guessed.has(j) ? theta0 : 0n)))
    const eta = scalar(combine([...split(inputs, 32), check].map(number)))
    return { tau, eta, mu: hash(tags.mu, [session, directionField(direction), concatBytes(...checks)]) }
  }

  const attempt = (k: number) => {
    const choices = random(choicesLength)
    const guesses = guessesOf(random, k, xi)
    const own = split(columns, deltaLength).map((column, j) => (bit(choices, j) ? xor(column, delta) : column))
    const bob = { session, direction, gadget, columns: concatBytes(...own), choices, message: cheat(guesses) } as const
    return { passed: kernel.multiplication.receive(bob) !== undefined, right: areRight(guesses, choices) }
  }

  it.each([1, 2, 3, 4])('passes once in 2^%i', (k) => {
    expect(honest.tau).toHaveLength(tauLength)
    expectOnceIn2ToThe(
      k,
      times(120, 400),
      passesOf(times(120, 400), () => attempt(k)),
    )
  })

  it('always passes with none, and with 16 never', () => {
    expect(passesOf(20, () => attempt(0))).toBe(20)
    expect(passesOf(20, () => attempt(16))).toBe(0)
  })
})
