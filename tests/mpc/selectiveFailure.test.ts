/**
 * Cheaters who know the protocol. Each guesses secret bits of the other side and goes unnoticed when the guess is
 * right: the leak that the paper allows, and the reason why the first failure burns the OT records (mpc-review 2, 9).
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, bytesToNumberLE, numberToBytesBE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { expand, hash, u32 } from '../../domain/crypto/Transcript.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Arithmetic, Extension, ExtensionMessage, Multiplication } from '../../domain/mpc/dkls/Arithmetic.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import { directionField, kappa, tags, xi } from '../../domain/mpc/dkls/Parameters.ts'
import * as Vsot from '../../domain/mpc/dkls/vsot.ts'
import { stoppable } from '../../domain/mpc/Stop.ts'
import { prgRow, rowHash } from './arithmeticSuite.ts'
import { bit, dealtSeeds } from './dealtSeeds.ts'
import { run, seededRandom } from './run.ts'
import { makeWallet, signSetup, type Wallet } from './wallet.ts'

const n = secp256k1.Point.Fn.ORDER
const number = bytesToNumberBE
const mod = (value: bigint) => ((value % n) + n) % n
const digest = sha256(utf8ToBytes('hello'))

let wallet: Wallet
beforeAll(() => {
  wallet = makeWallet()
})

const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, index) => byte ^ (b[index] ?? 0))
const hashTwice = (key: Uint8Array) => hash(tags.transferChallenge, [hash(tags.transferOpen, [key])])

/** Horner's rule with BigInts: the reference of the arithmetic suite is too slow for hundreds of cheaters. */
const quickRowHash = (alpha: readonly bigint[], row: Uint8Array): Uint8Array => {
  const blocks = [row.subarray(0, 16), row.subarray(16, 32), row.subarray(32, 48), row.subarray(48, 52)]
  const values = blocks.map(bytesToNumberLE)
  let sum = 0n
  for (let power = 127n; power >= 0n; power--) {
    sum <<= 1n
    if (sum >> 128n) sum ^= 0x100000000000000000000000000000087n
    for (const [b, value] of values.entries()) if (((alpha[b] ?? 0n) >> power) & 1n) sum ^= value
  }
  return numberToBytesLE(sum ^ bytesToNumberLE(row.subarray(52)), 16)
}

type ReceiveInput = Parameters<Extension['receive']>[0]

/** The honest message, with one bit of each guessed row turned and the hashes made for that matrix. */
const cheatRows = (input: ReceiveInput, rows: readonly number[]): ReturnType<Extension['receive']> => {
  const { session, direction, zeroSeeds, choices } = input
  const honest = noble.extension.receive(input)
  const matrix = honest.matrix.slice()
  for (const row of rows) matrix[68 * row] = (matrix[68 * row] ?? 0) ^ 1
  const challenge = expand(tags.consistency, [session, directionField(direction), matrix], 64)
  const alpha = split(challenge, 16).map(bytesToNumberLE)
  const rowHashes = Array.from({ length: kappa }, (_, i) =>
    quickRowHash(alpha, prgRow(session, direction, i, 0, zeroSeeds.subarray(32 * i, 32 * i + 32))),
  )
  return { ...honest, matrix, choiceHash: quickRowHash(alpha, choices), rowHashes: concatBytes(...rowHashes) }
}

describe('a receiver who guesses k bits of Δ by turning k rows', () => {
  const attempt = (seed: string, k: number): { readonly passed: boolean; readonly guessedRight: boolean } => {
    const random = seededRandom(seed)
    const { zeroSeeds, oneSeeds, delta, seeds } = dealtSeeds(random)
    const session = random(32)
    const choices = random(68)
    const first = (random(1)[0] ?? 0) % kappa
    const rows = Array.from({ length: k }, (_, index) => (first + 5 * index) % kappa)
    const message: ExtensionMessage = cheatRows({ session, direction: 1, zeroSeeds, oneSeeds, choices }, rows)
    const columns = noble.extension.send({ session, direction: 1, seeds, delta, message })
    return { passed: columns !== undefined, guessedRight: rows.every((row) => bit(delta, row) === 0) }
  }

  it.each([
    [0, 20, 20, 20],
    [1, 200, 70, 130],
    [2, 200, 25, 75],
    [3, 200, 6, 45],
    [12, 60, 0, 1],
  ])('passes with %i bits in %i attempts between %i and %i times', (k, attempts, least, most) => {
    let passed = 0
    for (let index = 0; index < attempts; index++) {
      const result = attempt(`k ${k} attempt ${index}`, k)
      expect(result.passed).toBe(result.guessedRight)
      if (result.passed) passed++
    }
    expect(passed).toBeGreaterThanOrEqual(least)
    expect(passed).toBeLessThanOrEqual(most)
  })

  it('hashes as the page says', () => {
    const random = seededRandom('hash')
    const [session, matrix, row] = [random(32), random(68 * kappa), random(68)]
    const alpha = split(expand(tags.consistency, [session, directionField(1), matrix], 64), 16).map(bytesToNumberLE)
    expect(quickRowHash(alpha, row)).toEqual(rowHash(session, 1, matrix, row))
  })
})

describe('a sender of base OTs who guesses a bit of Δ', () => {
  const random = seededRandom('base OT')
  const { points, scalars } = noble
  const secret = scalars.reduce(random(64))
  const base = points.multiplyBase(secret) ?? new Uint8Array(0)
  const delta = random(16)
  const transfers: Vsot.Transfers = { arithmetic: noble, session: random(32), direction: 1 }
  const blinds = scalars.reduce(random(64 * kappa))
  const received = Vsot.choose(transfers, { base, blinds, delta })
  const { zero, one } = Vsot.keysOf(transfers, { secret, base, points: received.points })
  const honest = Vsot.openings(zero, one, Vsot.respond(received.keys, delta, Vsot.challenge(zero, one)))
  const challengeOf = (openings: Uint8Array) => {
    const hashed = split(openings, 32).map((opening) => hash(tags.transferChallenge, [opening]))
    return concatBytes(...hashed.slice(0, kappa).map((item, i) => xor(item, hashed[kappa + i] ?? item)))
  }
  /** The openings with a made-up one at i of the side that the sender guesses is not chosen. */
  const madeUp = (i: number, side: 0 | 1) => {
    const openings = honest.slice()
    openings.set(random(32), 32 * (side * kappa + i))
    return openings
  }
  const verdict = (challenged: Uint8Array, openings: Uint8Array) =>
    stoppable(() => Vsot.demandOpenings({ keys: received.keys, delta, challenged }, openings))({})
  const aborted = { kind: 'abort', reason: 'opening of the base OT' }

  it('is believed when honest', () => {
    expect(challengeOf(honest)).toEqual(Vsot.challenge(zero, one))
    expect(Vsot.respond(received.keys, delta, challengeOf(honest))).toEqual(
      concatBytes(...split(zero, 32).map((key) => hashTwice(key))),
    )
    expect(verdict(challengeOf(honest), honest)).toBeUndefined()
  })

  it('passes when the guess is right, and is an abort and no ban when it is wrong', () => {
    const outcomes = new Set<number>()
    for (let i = 0; i < 12; i++) {
      for (const side of [0, 1] as const) {
        const openings = madeUp(i, side)
        const isRight = bit(delta, i) !== side
        expect(verdict(challengeOf(openings), openings)).toEqual(isRight ? undefined : aborted)
        outcomes.add(bit(delta, i))
      }
    }
    expect(outcomes).toEqual(new Set([0, 1]))
  })

  it('never passes with openings that do not belong to the challenge', () => {
    for (let i = 0; i < 12; i++) {
      for (const side of [0, 1] as const) expect(verdict(challengeOf(honest), madeUp(i, side))).toEqual(aborted)
    }
  })

  it('sees no answer to a made-up challenge that is not one of the two that it expects', () => {
    const openings = madeUp(3, 1)
    const challenged = challengeOf(openings)
    const response = Vsot.respond(received.keys, delta, challenged).subarray(96, 128)
    const [k0, k1] = [zero, one].map((keys) => hashTwice(keys.subarray(96, 128)))
    const expected = bit(delta, 3) === 0 ? k0 : xor(k1 ?? response, challenged.subarray(96, 128))
    expect(response).toEqual(expected)
  })
})

const withReceive = (receive: Extension['receive']): Arithmetic => ({
  ...noble,
  extension: { ...noble.extension, receive },
})
const withSend = (send: Multiplication['send']): Arithmetic => ({
  ...noble,
  multiplication: { ...noble.multiplication, send },
})

describe('in a whole signing run', () => {
  it('a client who guesses a bit of Δ is banned when it is wrong, and signs unnoticed when it is right', () => {
    const delta = OtRecord.decode(wallet.server.ot)?.delta ?? new Uint8Array(0)
    const outcomes = new Set<number>()
    for (let row = 0; row < 8; row++) {
      const setup = signSetup(wallet, digest, `client guesses ${row}`)
      const arithmetic = withReceive((input) => cheatRows(input, [row]))
      const { stopped, client } = run({ ...setup, client: { ...setup.client, arithmetic } })
      outcomes.add(bit(delta, row))
      if (bit(delta, row) === 0) expect(client?.signature).toHaveLength(65)
      else expect(stopped).toEqual({ kind: 'ban', by: 'server', reason: 'consistency of the OT extension' })
    }
    expect(outcomes).toEqual(new Set([0, 1]))
  })

  it('a server who does the same is banned by the client', () => {
    const delta = OtRecord.decode(wallet.client.ot)?.delta ?? new Uint8Array(0)
    const outcomes = new Set<number>()
    for (let row = 0; row < 8; row++) {
      const setup = signSetup(wallet, digest, `server guesses ${row}`)
      const arithmetic = withReceive((input) => cheatRows(input, [row]))
      const { stopped, client } = run({ ...setup, server: { ...setup.server, arithmetic } })
      outcomes.add(bit(delta, row))
      if (bit(delta, row) === 0) expect(client?.signature).toHaveLength(65)
      else expect(stopped).toEqual({ kind: 'ban', by: 'client', reason: 'consistency of the OT extension' })
    }
    expect(outcomes).toEqual(new Set([0, 1]))
  })

  it('a multiplication with another nonce than that of R, or another share than that of X, is banned', () => {
    for (const cheater of ['client', 'server'] as const) {
      for (const item of [0, 1]) {
        const arithmetic = withSend((input) => {
          const inputs = input.inputs.slice()
          inputs[32 * item + 31] = (inputs[32 * item + 31] ?? 0) ^ 1
          return noble.multiplication.send({ ...input, inputs })
        })
        const setup = signSetup(wallet, digest, `${cheater} ${item}`)
        const { stopped } = run({ ...setup, [cheater]: { ...setup[cheater], arithmetic } })
        const by = cheater === 'client' ? 'server' : 'client'
        expect(stopped).toEqual({ kind: 'ban', by, reason: 'gamma check' })
      }
    }
  })

  it('Γ of another output is banned even when the other Γ makes up for it', () => {
    const arithmetic = withSend((input) => {
      const { outputs, ...message } = noble.multiplication.send(input)
      const one = numberToBytesBE(1n, 32)
      const more = noble.scalars.add(outputs.subarray(0, 32), one)
      const less = noble.scalars.subtract(outputs.subarray(32), one)
      return { ...message, outputs: concatBytes(more, less) }
    })
    const setup = signSetup(wallet, digest, 'gamma')
    const { stopped } = run({ ...setup, server: { ...setup.server, arithmetic } })
    expect(stopped).toEqual({ kind: 'ban', by: 'client', reason: 'gamma check' })
  })

  it('an Alice who uses another input for one choice bit passes when that bit is 0 and is banned when it is 1', () => {
    /** Alice's own pads, with a_0 one more in row j of τ; θ, η and μ are made honestly for that τ. */
    const cheatAt =
      (j: number): Multiplication['send'] =>
      (input) => {
        const direction = directionField(input.direction)
        const honest = noble.multiplication.send(input)
        const tau = honest.tau.slice()
        const first = tau.subarray(96 * j, 96 * j + 32)
        tau.set(numberToBytesBE(mod(number(first) + 1n), 32), 96 * j)
        const theta = [0, 1].map((k) => number(expand(tags.theta, [input.session, direction, u32(k), tau], 64)) % n)
        const combine = (values: readonly bigint[]) =>
          mod((values[2] ?? 0n) + (theta[0] ?? 0n) * (values[0] ?? 0n) + (theta[1] ?? 0n) * (values[1] ?? 0n))
        const checks = Array.from({ length: xi }, (_, index) => {
          const column = input.columns.subarray(16 * index, 16 * index + 16)
          const pads = split(expand(tags.pad, [input.session, direction, u32(index), column], 96), 32).map(number)
          return numberToBytesBE(mod(-combine(pads)), 32)
        })
        const eta = numberToBytesBE(combine([...split(input.inputs, 32), input.check].map(number)), 32)
        const mu = hash(tags.mu, [input.session, direction, concatBytes(...checks)])
        return { tau, eta, mu, outputs: honest.outputs }
      }
    const outcomes = new Set<string>()
    for (let j = 0; j < 6; j++) {
      const setup = signSetup(wallet, digest, 'one choice bit')
      let choices = new Uint8Array(0)
      const watching = withReceive((input) => {
        choices = new Uint8Array(input.choices)
        return noble.extension.receive(input)
      })
      const { stopped, client } = run({
        ...setup,
        client: { ...setup.client, arithmetic: watching },
        server: { ...setup.server, arithmetic: withSend(cheatAt(j)) },
      })
      if (bit(choices, j) === 0) expect(client?.signature).toHaveLength(65)
      else expect(stopped).toEqual({ kind: 'ban', by: 'client', reason: 'multiplication check' })
      outcomes.add(stopped?.kind ?? 'signed')
    }
    expect(outcomes).toEqual(new Set(['signed', 'ban']))
  })
})
