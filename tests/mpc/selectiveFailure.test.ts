/**
 * Cheaters who know the protocol. Each guesses secret bits of the other side and passes when the guess is right. The
 * published protocols allow that leak, which is why the first failure bans. domain/mpc/README.md#guesses
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, bytesToNumberLE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import { hash, u32 } from '../../domain/crypto/Transcript.ts'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Extension, ExtensionMessage, Multiplication } from '../../domain/mpc/dkls/Arithmetic.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import { directionField, kappa, tags, xi } from '../../domain/mpc/dkls/Parameters.ts'
import * as Vsot from '../../domain/mpc/dkls/vsot.ts'
import { stoppable } from '../../domain/mpc/Stop.ts'
import { rowHash } from './arithmeticSuite.ts'
import { areRight, cheatRows, expectOnceIn2ToThe, guessesOf, guessing } from './cheaters.ts'
import { bit, dealtSeeds } from './dealtSeeds.ts'
import { usualArithmetics } from './kernel.ts'
import { hashOfRow } from './otKernel.ts'
import { by, run, seededRandom, type Outcome } from './run.ts'
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

describe('a receiver who guesses k bits of Δ by turning k rows', () => {
  const attempt = (seed: string, k: number): { readonly passed: boolean; readonly guessedRight: boolean } => {
    const random = seededRandom(seed)
    const { zeroSeeds, oneSeeds, delta, seeds } = dealtSeeds(random)
    const session = random(32)
    const choices = random(68)
    const guesses = guessesOf(random, k, kappa)
    const message: ExtensionMessage = cheatRows({ session, direction: 1, zeroSeeds, oneSeeds, choices }, guesses)
    const columns = noble.extension.send({ session, direction: 1, seeds, delta, message })
    return { passed: columns !== undefined, guessedRight: areRight(guesses, delta) }
  }

  it.each([
    [0, 20],
    [1, 100],
    [2, 100],
    [3, 100],
    [12, 60],
  ])('passes with %i bits in %i attempts as often as by chance', (k, attempts) => {
    let passed = 0
    for (let index = 0; index < attempts; index++) {
      const result = attempt(`k ${k} attempt ${index}`, k)
      expect(result.passed).toBe(result.guessedRight)
      if (result.passed) passed++
    }
    expectOnceIn2ToThe(k, attempts, passed)
  })

  it('hashes as the specification says', () => {
    const random = seededRandom('hash')
    const [session, matrix, row] = [random(32), random(68 * kappa), random(68)]
    const alpha = split(expand(tags.consistency, [session, directionField(1), matrix], 64), 16).map(bytesToNumberLE)
    expect(hashOfRow(alpha, row)).toEqual(rowHash(session, 1, matrix, row))
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

  it('passes when honest', () => {
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

  it('gets no answer to a made-up challenge but one of the two that it can predict', () => {
    const openings = madeUp(3, 1)
    const challenged = challengeOf(openings)
    const response = Vsot.respond(received.keys, delta, challenged).subarray(96, 128)
    const [k0, k1] = [zero, one].map((keys) => hashTwice(keys.subarray(96, 128)))
    const expected = bit(delta, 3) === 0 ? k0 : xor(k1 ?? response, challenged.subarray(96, 128))
    expect(response).toEqual(expected)
  })
})

const parties = ['client', 'server'] as const
type Party = (typeof parties)[number]
const peerOf = (cheater: Party): Party => (cheater === 'client' ? 'server' : 'client')

describe.each(usualArithmetics)('in a whole signing run by %s', (computer, arithmetic) => {
  const withSend = (send: Multiplication['send']): Arithmetic => ({
    ...arithmetic,
    multiplication: { ...arithmetic.multiplication, send },
  })
  const runWith = (cheater: Party, seed: string, own: Arithmetic, peers: Arithmetic = arithmetic) => {
    const setup = signSetup(wallet, digest, seed)
    return run(cheater === 'client' ? by(setup, own, peers) : by(setup, peers, own))
  }
  /** It passes exactly when the guess is right: then there is a signature as usual, else a ban by the other side. */
  const expectOutcome = (cheater: Party, outcome: Outcome, right: boolean, reason: string): void => {
    if (right) expect(outcome.client?.signature).toHaveLength(65)
    else expect(outcome.stopped).toEqual({ kind: 'ban', by: peerOf(cheater), reason })
  }

  const cheaters = parties.flatMap((cheater) => [1, 2].map((k) => ({ cheater, k })))
  it.each(cheaters)(
    'a $cheater who guesses $k bits of Δ signs once in 2^$k and is banned otherwise',
    ({ cheater, k }) => {
      const delta = OtRecord.decode(wallet[peerOf(cheater)].ot)?.delta ?? new Uint8Array(0)
      const random = seededRandom(`${cheater} guesses ${k}`)
      const attempts = computer === 'noble' ? 16 : 64
      let passed = 0
      for (let count = 0; count < attempts; count++) {
        const guesses = guessesOf(random, k, kappa)
        const right = areRight(guesses, delta)
        const outcome = runWith(cheater, `${cheater} ${k} ${count}`, guessing(arithmetic, guesses))
        expectOutcome(cheater, outcome, right, 'consistency of the OT extension')
        if (right) passed++
      }
      expectOnceIn2ToThe(k, attempts, passed)
    },
  )

  it.each(parties)('a %s who multiplies with a nonce or share other than that of R or X is banned', (cheater) => {
    for (const item of [0, 1]) {
      const cheating = withSend((input) => {
        const inputs = input.inputs.slice()
        inputs[32 * item + 31] = (inputs[32 * item + 31] ?? 0) ^ 1
        return arithmetic.multiplication.send({ ...input, inputs })
      })
      expectOutcome(cheater, runWith(cheater, `${cheater} ${item}`, cheating), false, 'gamma check')
    }
  })

  it.each(parties)('Γ of another output of a %s is banned even when the other Γ compensates', (cheater) => {
    const cheating = withSend((input) => {
      const { outputs, ...message } = arithmetic.multiplication.send(input)
      const one = numberToBytesBE(1n, 32)
      const more = noble.scalars.add(outputs.subarray(0, 32), one)
      const less = noble.scalars.subtract(outputs.subarray(32), one)
      return { ...message, outputs: concatBytes(more, less) }
    })
    expectOutcome(cheater, runWith(cheater, 'gamma', cheating), false, 'gamma check')
  })

  it.each(parties)(
    'a %s with another input for one choice bit passes when it is 0, and is banned otherwise',
    (cheater) => {
      /** Alice's own pads, with a_0 one more in row j of τ; θ, η and μ are made honestly for that τ. */
      const cheatAt =
        (j: number): Multiplication['send'] =>
        (input) => {
          const direction = directionField(input.direction)
          const honest = arithmetic.multiplication.send(input)
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
      const outcomes = new Set<number>()
      for (let j = 0; j < 6; j++) {
        let choices = new Uint8Array(0)
        const receive: Extension['receive'] = (input) => {
          choices = new Uint8Array(input.choices)
          return arithmetic.extension.receive(input)
        }
        const watching = { ...arithmetic, extension: { ...arithmetic.extension, receive } }
        const outcome = runWith(cheater, 'one choice bit', withSend(cheatAt(j)), watching)
        expectOutcome(cheater, outcome, bit(choices, j) === 0, 'multiplication check')
        outcomes.add(bit(choices, j))
      }
      expect(outcomes).toEqual(new Set([0, 1]))
    },
  )
})
