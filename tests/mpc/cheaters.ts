/** Cheaters who guess secret bits and make every hash fit the guess, and how often that passes. */
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { expect } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Extension } from '../../domain/mpc/dkls/Arithmetic.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import { directionField, kappa, tags } from '../../domain/mpc/dkls/Parameters.ts'
import { prgRow } from './arithmeticSuite.ts'
import { bit } from './dealtSeeds.ts'
import { hashOfRow } from './otKernel.ts'
import type { seededRandom } from './run.ts'

export type Guess = { readonly index: number; readonly bit: number }

/** k different positions below `count`, and a guess of the bit at each. */
export const guessesOf = (random: ReturnType<typeof seededRandom>, k: number, count: number): readonly Guess[] => {
  const [first = 0, bits = 0] = random(2)
  return Array.from({ length: k }, (_, i) => ({ index: (first + 41 * i) % count, bit: (bits >> i) & 1 }))
}

export const areRight = (guesses: readonly Guess[], secret: Uint8Array): boolean =>
  guesses.every((guess) => bit(secret, guess.index) === guess.bit)

/** Within four standard deviations of attempts / 2^k. The attempts are seeded: each time the same ones pass. */
export const expectOnceIn2ToThe = (k: number, attempts: number, passed: number): void => {
  const mean = attempts / 2 ** k
  expect(Math.abs(passed - mean)).toBeLessThanOrEqual(4 * Math.sqrt(mean * (1 - 2 ** -k)))
}

/**
 * A receiver's message with choice 0 flipped in the row of each guess of Δ, and the hashes made for that matrix. Where
 * Δ_i is 1 the sender's row has the flipped choice too: a cheater who guesses 1 hashes such a row and goes on with it.
 */
export const cheatRows = (
  input: Parameters<Extension['receive']>[0],
  guesses: readonly Guess[],
): ReturnType<Extension['receive']> => {
  const { session, direction, zeroSeeds, choices } = input
  const honest = noble.extension.receive(input)
  const matrix = honest.matrix.slice()
  for (const { index } of guesses) matrix[68 * index] = (matrix[68 * index] ?? 0) ^ 1
  const challenge = expand(tags.consistency, [session, directionField(direction), matrix], 64)
  const alpha = split(challenge, 16).map(bytesToNumberLE)
  const ones = guesses.filter((guess) => guess.bit === 1).map(({ index }) => index)
  const rowHashes = Array.from({ length: kappa }, (_, i) => {
    const row = prgRow(session, direction, i, 0, zeroSeeds.subarray(32 * i, 32 * i + 32))
    return hashOfRow(alpha, ones.includes(i) ? row.with(0, (row[0] ?? 0) ^ 1) : row)
  })
  return {
    matrix,
    choiceHash: hashOfRow(alpha, choices),
    rowHashes: concatBytes(...rowHashes),
    columns: turnedColumns(honest.columns, guesses),
  }
}

/** Column 0 of the rows that a cheater continues with. */
const turnedColumns = (columns: Uint8Array, guesses: readonly Guess[]): Uint8Array => {
  const out = columns.slice()
  for (const { index, bit: guessed } of guesses) out[index >> 3] = (out[index >> 3] ?? 0) ^ (guessed << (index & 7))
  return out
}

/** The arithmetic of a party that guesses bits of the other side's Δ in this way in a signature. */
export const guessing = (arithmetic: Arithmetic, guesses: readonly Guess[]): Arithmetic => ({
  ...arithmetic,
  extension: {
    ...arithmetic.extension,
    receive: (input) => cheatRows(input, guesses),
    columns: (input) => turnedColumns(arithmetic.extension.columns(input), guesses),
  },
})
