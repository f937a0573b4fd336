/**
 * What must not happen when a round is answered twice: by computing again, from a restored copy, or for a peer that
 * asks twice. E1 to E3 are the experiments of domain/mpc/README.md#randomness-of-the-co-signer.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import { hash, u32 } from '../../domain/crypto/Transcript.ts'
import { split } from '../../domain/mpc/Codec.ts'
import * as Keygen from '../../domain/mpc/dkls/keygen.ts'
import { noble } from '../../domain/mpc/noble.ts'
import * as OtRecord from '../../domain/mpc/dkls/OtRecord.ts'
import { directionField, kappa, tags } from '../../domain/mpc/dkls/Parameters.ts'
import * as Setup from '../../domain/mpc/dkls/setup.ts'
import * as Sign from '../../domain/mpc/dkls/sign.ts'
import { seededBytes } from '../../domain/mpc/Protocol.ts'
import { dealtSeeds } from './dealtSeeds.ts'
import { contextOf, find, run, seededRandom, serverInput, serverStep, type Outcome, type Setup as Run } from './run.ts'
import { keygenSetup, makeWallet, signSetup, type Wallet } from './wallet.ts'

const { Fn } = secp256k1.Point
const n = Fn.ORDER

const mod = (value: bigint) => ((value % n) + n) % n
const number = bytesToNumberBE

let wallet: Wallet
let signing: Run
let signed: Outcome
beforeAll(() => {
  wallet = makeWallet()
  signing = signSetup(wallet, sha256(utf8ToBytes('hello')), 'sign')
  signed = run(signing)
})

const answered = (setup: Run, from: Outcome, round: number, message?: Uint8Array) => {
  const { position } = find(from, 'server', round)
  const answer = serverStep(setup, { ...position, message: message ?? position.message })
  if (answer.kind !== 'answer') throw new Error(`the step ends: ${answer.kind}`)
  return answer
}
const firstResponse = (setup: Run, from: Outcome) => {
  const fields = Sign.firstResponse.decode(answered(setup, from, 1).response)
  if (fields === undefined) throw new Error('no first response')
  return fields
}

type Answer = { readonly tau: Uint8Array; readonly eta: Uint8Array }

/** The three equations η = â + θ_0·a_0 + θ_1·a_1 for one a_0, a_1 and changes of â that column 2 of τ shows. */
const solve = (answers: readonly [Answer, Answer, Answer], session: Uint8Array): bigint | undefined => {
  const rows = answers.map(({ tau, eta }) => {
    const theta = [0, 1].map((k) => number(expand(tags.theta, [session, directionField(1), u32(k), tau], 64)) % n)
    const shift = number(tau.subarray(64, 96)) - number(answers[0].tau.subarray(64, 96))
    return { theta0: theta[0] ?? 0n, theta1: theta[1] ?? 0n, value: mod(number(eta) - shift) }
  })
  const [one, two, three] = rows
  if (!one || !two || !three) return undefined
  const [a, b, c] = [two.theta0 - one.theta0, two.theta1 - one.theta1, two.value - one.value]
  const [d, e, f] = [three.theta0 - one.theta0, three.theta1 - one.theta1, three.value - one.value]
  const determinant = mod(a * e - b * d)
  return determinant === 0n ? undefined : mod((a * f - c * d) * Fn.inv(determinant))
}

describe('E1: one first request answered three times', () => {
  it('reveals a_1 when each answer has a fresh check value', () => {
    const random = seededRandom('flawed')
    const session = random(32)
    const { zeroSeeds, oneSeeds, delta, seeds } = dealtSeeds(random)
    const opening = { session, direction: 1 as const }
    const message = noble.extension.receive({ ...opening, zeroSeeds, oneSeeds, choices: random(68) })
    const columns = noble.extension.send({ ...opening, seeds, delta, message }) ?? new Uint8Array(0)
    const gadget = noble.multiplication.gadget(random(32), 1)
    const inputs = noble.scalars.reduce(random(128))
    const flawed = () => {
      const check = noble.scalars.reduce(random(64))
      return noble.multiplication.send({ ...opening, gadget, columns, delta, inputs, check })
    }
    expect(solve([flawed(), flawed(), flawed()], session)).toBe(number(inputs.subarray(32)))
  })

  it('gets the same bytes three times, â included, so that there are no equations to solve', () => {
    const answers = [1, 2, 3].map(() => firstResponse(signing, signed))
    const [one, two, three] = answers
    if (!one || !two || !three) throw new Error('no answers')
    expect(two).toEqual(one)
    expect(three).toEqual(one)
    expect(solve([one, two, three], one.sid2)).toBeUndefined()
  })

  const expectUnrelated = (one: ReturnType<typeof firstResponse>, two: ReturnType<typeof firstResponse>) => {
    for (const name of Object.keys(one) as (keyof typeof one)[]) expect(two[name]).not.toEqual(one[name])
    const items = (tau: Uint8Array) => split(tau, 32).map(bytesToHex)
    const all = new Set([...items(one.tau), ...items(two.tau)])
    expect(all.size).toBe(2 * 1248)
    for (const column of [0, 1, 2]) {
      const differences = items(one.tau).flatMap((_, index) =>
        index % 3 === column
          ? [mod(number(split(one.tau, 32)[index] ?? one.eta) - number(split(two.tau, 32)[index] ?? one.eta))]
          : [],
      )
      expect(new Set(differences).size).toBe(416)
    }
    const rows = (matrix: Uint8Array) => split(matrix, 68).map(bytesToHex)
    expect(new Set([...rows(one.matrix), ...rows(two.matrix)]).size).toBe(2 * kappa)
  }

  it('gets unrelated pads and numbers when it is replayed into another run, under its nonce', () => {
    const replayed = firstResponse({ ...signing, seed: 'another run' }, signed)
    const first = firstResponse(signing, signed)
    expectUnrelated(first, replayed)
    const third = firstResponse({ ...signing, seed: 'a third run' }, signed)
    expect(solve([first, replayed, third], first.sid2)).not.toBe(number(wallet.server.share.secret))
  })

  it('gets unrelated pads and numbers also for another first request under the same seed', () => {
    const other = run({ ...signing, seed: 'another client' })
    expectUnrelated(firstResponse(signing, signed), firstResponse(signing, other))
  })
})

describe('E2: two bodies of request 2 for one vector of base OTs', () => {
  const forked = () => {
    const { position } = find(wallet.keygen, 'server', 2)
    const fields = Keygen.secondRequest.decode(position.message)
    if (fields === undefined) throw new Error('no second request')
    const challenge = expand('tandem/test/challenge', ['fake'], 32 * kappa)
    return { body: Keygen.secondRequest.encode({ ...fields, challenge }), challenge }
  }

  it('reveal all of Δ if both are evaluated, which is why the service claims a body before it computes', () => {
    const { body, challenge } = forked()
    const { response } = answered(keygenSetup, wallet.keygen, 2, body)
    const { response: responses = body } = Setup.secondResponse.decode(response) ?? {}
    const { openings = body } = Setup.thirdRequest.decode(find(wallet.keygen, 'server', 3).position.message) ?? {}
    const delta = new Uint8Array(16)
    for (let i = 0; i < kappa; i++) {
      const [answer, asked] = [responses, challenge].map((vector) => vector.subarray(32 * i, 32 * i + 32))
      const zero = hash(tags.transferChallenge, [openings.subarray(32 * i, 32 * i + 32)])
      const one = hash(tags.transferChallenge, [openings.subarray(32 * (kappa + i), 32 * (kappa + i) + 32)])
      const ifOne = one.map((byte, index) => byte ^ (asked?.[index] ?? 0))
      const isOne = bytesToHex(answer ?? zero) === bytesToHex(ifOne)
      if (!isOne) expect(answer).toEqual(zero)
      delta[i >> 3] = (delta[i >> 3] ?? 0) | (isOne ? 1 << (i & 7) : 0)
    }
    expect(delta).toEqual(OtRecord.decode(wallet.server.ot)?.delta)
  })

  it('are never mixed: no fork continues under the requests of another, and the false one cannot finish', () => {
    const { body } = forked()
    const { position } = find(wallet.keygen, 'server', 3)
    const serverState = answered(keygenSetup, wallet.keygen, 2, body).state
    const [first = body] = position.requestHashes
    const mixed = serverStep(keygenSetup, { ...position, serverState })
    expect(mixed).toEqual({ kind: 'abort', reason: 'state of another fork' })
    const followed = serverStep(keygenSetup, { ...position, serverState, requestHashes: [first, sha256(body)] })
    expect(followed).toEqual({ kind: 'abort', reason: 'opening of the base OT' })
  })
})

describe('E3: forks of one seed', () => {
  it('draw another r_S, and other proof nonces and shares, for every other request', () => {
    const points = new Set<string>()
    const keys = new Set<string>()
    for (const seed of ['a', 'b', 'c', 'd']) {
      points.add(bytesToHex(firstResponse(signing, run({ ...signing, seed })).R))
      const begun = keygenSetup.protocol.start({
        context: contextOf('keygen'),
        random: seededRandom(seed),
        arithmetic: noble,
      })
      if (begun.kind !== 'request') throw new Error('keygen does not begin')
      const { response } = answered(keygenSetup, wallet.keygen, 1, begun.request)
      const fields = Keygen.firstResponse.decode(response)
      if (fields === undefined) throw new Error('no first response')
      const { share, base, nonce, chainCode, shareProof, baseProof } = fields
      const drawn = [share, base, nonce, chainCode, shareProof.subarray(0, 33), baseProof.subarray(0, 33)]
      for (const value of drawn) keys.add(bytesToHex(value))
    }
    expect(points.size).toBe(4)
    expect(keys.size).toBe(4 * 6)
  })

  it('draw by seed, kind, session, every request so far, and label', () => {
    const input = serverInput(signing, find(signed, 'server', 2).position)
    const sid1 = numberToBytesBE(1n, 32)
    const [first = sid1, second = sid1] = input.requestHashes
    const drawn = [
      seededBytes(input, sid1, 'r', 64),
      seededBytes({ ...input, seed: sha256(input.seed) }, sid1, 'r', 64),
      seededBytes({ ...input, context: { ...input.context, kind: 'attach' } }, sid1, 'r', 64),
      seededBytes(input, numberToBytesBE(2n, 32), 'r', 64),
      seededBytes({ ...input, requestHashes: [first] }, sid1, 'r', 64),
      seededBytes({ ...input, requestHashes: [second, first] }, sid1, 'r', 64),
      seededBytes({ ...input, requestHashes: [first, sha256(second)] }, sid1, 'r', 64),
      seededBytes({ ...input, requestHashes: [concatBytes(first, second)] }, sid1, 'r', 64),
      seededBytes(input, sid1, 'phi', 64),
    ].map(bytesToHex)
    expect(new Set(drawn).size).toBe(drawn.length)
  })
})
