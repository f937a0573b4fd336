/**
 * The OT side of the kernel against noble (domain/mpc/README.md#constant-time): each primitive alone, many thousand
 * times, then whole messages either way; and what an operation leaves in the kernel's memory
 * (domain/mpc/README.md#constant-time).
 */
import { chacha20 } from '@noble/ciphers/chacha.js'
import { bytesToNumberLE, numberToBytesBE } from '@noble/curves/utils.js'
import { blake3 } from '@noble/hashes/blake3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { equal } from '../../domain/crypto/Equal.ts'
import { encode, u32 } from '../../domain/crypto/Transcript.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Arithmetic } from '../../domain/mpc/dkls/Arithmetic.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import {
  choicesLength,
  columnsLength,
  deltaLength,
  directionField,
  kappa,
  rowsLength,
  tags,
  xi,
  type Direction,
} from '../../domain/mpc/dkls/Parameters.ts'
import { times } from '../kit/long.ts'
import { n } from './arithmeticSuite.ts'
import { bit, dealtSeeds } from './dealtSeeds.ts'
import { hashOfRow, instantiate, kernel } from './otKernel.ts'
import { seededRandom } from './run.ts'

/** How many inputs each operation gets. */
const many = times(10_000, 100_000)

const { exports, operate } = kernel

const at = (items: Uint8Array, index: number, length: number) => items.subarray(length * index, length * (index + 1))
const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, index) => byte ^ (b[index] ?? 0))

/** Random inputs of these lengths. */
const inputsOf = (seed: string, lengths: readonly number[]): readonly Uint8Array[] => {
  const bytes = seededRandom(seed)(lengths.reduce((sum, length) => sum + length, 0))
  let end = 0
  return lengths.map((length) => bytes.subarray(end, (end += length)))
}

describe('a primitive of the kernel agrees with noble', () => {
  it('in digests of SHA-256, of every length within six blocks', () => {
    const lengths = Array.from({ length: many }, (_, index) => index % (6 * 64))
    const wrong = inputsOf('sha256', lengths).filter((input) => {
      const digest = operate((arena) => {
        const to = arena.reserve(32)
        exports.sha256(to, arena.put(input), input.length)
        return arena.take(to, 32)
      })
      return !equal(digest, sha256(input))
    })
    expect(wrong).toEqual([])
  })

  it('in blocks of ChaCha20, four keys at a time', () => {
    const wrong: number[] = []
    for (const [batch, all] of inputsOf('chacha20', new Array<number>(many / 4).fill(128)).entries()) {
      const counter = [0, 1, 2, 0x7fffffff][batch % 4] ?? 0
      const keys = split(all, 32)
      const blocks = operate((arena) => {
        const words = split(all, 4)
        const gathered = words.map((_, index) => words[8 * (index % 4) + (index >> 2)] ?? all)
        const area = arena.put(concatBytes(...gathered, new Uint8Array(256)))
        return arena.take(exports.chacha20(area, counter), 256)
      })
      for (const [lane, key] of keys.entries()) {
        const block = concatBytes(...split(blocks, 4).filter((_, index) => index % 4 === lane))
        const expected = chacha20(key, new Uint8Array(12), new Uint8Array(64), undefined, counter)
        if (!equal(block, expected)) wrong.push(4 * batch + lane)
      }
    }
    expect(wrong).toEqual([])
  })

  it('in outputs of BLAKE3, of every length within two chunks and of whole trees', () => {
    const short = Array.from({ length: many - 350 }, (_, index) => index % 2_100)
    const beyond = [0, 1, 64, 65, 1023]
    const long = Array.from({ length: 350 }, (_, index) => 1024 * (2 + (index % 41)) + (beyond[index % 5] ?? 0))
    const wrong = inputsOf('blake3', [...short, ...long]).filter((input, index) => {
      const length = [64, 96, 1, 32, 63, 65, 256, 257, 700][index % 9] ?? 64
      const output = operate((arena) => {
        const to = arena.reserve(length)
        exports.blake3(to, length, arena.put(input), input.length)
        return arena.take(to, length)
      })
      return !equal(output, blake3(input, { dkLen: length }))
    })
    expect(wrong).toEqual([])
  })

  it('in pads', () => {
    const wrong: string[] = []
    for (const [batch, all] of inputsOf(
      'pads',
      new Array<number>(Math.ceil(many / xi)).fill(48 + columnsLength),
    ).entries()) {
      const session = all.subarray(0, 32)
      const offset = batch % 2 === 0 ? new Uint8Array(deltaLength) : all.subarray(32, 48)
      const columns = all.subarray(48)
      const direction = directionField(batch % 3 === 0 ? 1 : 2)
      const inputOf = (j: number, column: Uint8Array) => encode(tags.pad, [session, direction, u32(j), column])
      const pads = operate((arena) => {
        const to = arena.reserve(128 * xi)
        const input = inputOf(0, new Uint8Array(deltaLength))
        exports.pads(to, arena.put(input), input.length, arena.put(columns), arena.put(offset))
        return arena.take(to, 128 * xi)
      })
      for (let j = 0; j < xi; j++) {
        const expected = blake3(inputOf(j, xor(at(columns, j, deltaLength), offset)), { dkLen: 96 })
        if (!equal(at(pads, j, 128).subarray(0, 96), expected)) wrong.push(`${batch}/${j}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('in hashes of rows, also of rows and challenges that are all zeros or all ones', () => {
    const wrong: string[] = []
    for (const [batch, all] of inputsOf('rows', new Array<number>(many / 50).fill(64 + 50 * choicesLength)).entries()) {
      const alpha = batch === 0 ? new Uint8Array(64).fill(255) : batch === 1 ? new Uint8Array(64) : all.subarray(0, 64)
      const rows = all.slice(64)
      rows.fill(0, 0, choicesLength)
      rows.fill(255, choicesLength, 2 * choicesLength)
      const hashes = operate((arena) => {
        const to = arena.reserve(16 * 50)
        exports.hashRows(to, arena.put(alpha), arena.put(rows), 50)
        return arena.take(to, 16 * 50)
      })
      const elements = split(alpha, 16).map(bytesToNumberLE)
      for (const [index, row] of split(rows, choicesLength).entries()) {
        if (!equal(at(hashes, index, 16), hashOfRow(elements, row))) wrong.push(`${batch}/${index}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('in every bit of 40 transposed matrices', () => {
    let wrong = 0
    for (const rows of inputsOf('transpose', new Array<number>(40).fill(rowsLength))) {
      const columns = operate((arena) => {
        const to = arena.reserve(columnsLength)
        exports.transpose(to, arena.put(rows))
        return arena.take(to, columnsLength)
      })
      for (let i = 0; i < kappa; i++) {
        for (let j = 0; j < xi; j++) wrong += bit(rows, 8 * choicesLength * i + j) ^ bit(columns, kappa * j + i)
      }
    }
    expect(wrong).toBe(0)
  })
})

type Transfers = Pick<Arithmetic, 'extension' | 'multiplication'>

const scalar = (value: bigint) => numberToBytesBE(value, 32)

/** All that both sides of an extension and a multiplication begin with; the first few seeds are the edges. */
const dealt = (index: number) => {
  const random = seededRandom(`transfers ${index}`)
  const direction: Direction = index % 2 === 0 ? 1 : 2
  const seeds = dealtSeeds(random)
  const choices = random(choicesLength)
  const edges = [scalar(0n), scalar(1n), scalar(n - 1n)]
  const inputs = noble.scalars.reduce(random(128))
  return {
    ...seeds,
    direction,
    extensionSession: random(32),
    session: random(32),
    seed: random(32),
    choices: index === 0 ? choices.fill(0) : index === 1 ? choices.fill(255) : choices,
    inputs: index < 3 ? concatBytes(edges[index] ?? inputs, edges[2 - index] ?? inputs) : inputs,
    check: edges[index] ?? noble.scalars.reduce(random(64)),
  }
}

/** One of each, `bob` receiving and `alice` sending. */
const play = (given: ReturnType<typeof dealt>, alice: Transfers, bob: Transfers) => {
  const { direction, session, zeroSeeds, oneSeeds, choices, seeds, delta, inputs, check } = given
  const extended = { session: given.extensionSession, direction }
  const received = bob.extension.receive({ ...extended, zeroSeeds, oneSeeds, choices })
  const again = bob.extension.columns({ ...extended, zeroSeeds })
  const columns = alice.extension.send({ ...extended, seeds, delta, message: received }) ?? new Uint8Array(0)
  const gadget = bob.multiplication.gadget(given.seed, direction)
  const chi = bob.multiplication.choice(gadget, choices)
  const sent = alice.multiplication.send({ session, direction, gadget, columns, delta, inputs, check })
  const bobs = { session, direction, gadget, columns: received.columns, choices, message: sent }
  const outputs = bob.multiplication.receive(bobs)
  return { received, again, columns, gadget, chi, sent, outputs }
}

describe('the kernel and noble', () => {
  it('make the same extensions and multiplications, whichever of them is on which side', () => {
    for (let index = 0; index < 24; index++) {
      const given = dealt(index)
      const expected = play(given, noble, noble)
      const { chi, outputs, sent } = expected
      expect(outputs).toHaveLength(64)
      for (const item of [0, 1]) {
        const sum = noble.scalars.add(at(sent.outputs, item, 32), at(outputs ?? sent.outputs, item, 32))
        expect(sum).toEqual(noble.scalars.multiply(at(given.inputs, item, 32), chi))
      }
      expect(play(given, kernel, noble)).toEqual(expected)
      expect(play(given, noble, kernel)).toEqual(expected)
      expect(play(given, kernel, kernel)).toEqual(expected)
    }
  })

  it('refuse the same messages', () => {
    const given = dealt(7)
    const { direction, session, choices, seeds, delta } = given
    const { received, sent, gadget } = play(given, noble, noble)
    const random = seededRandom('refused')
    const flipped = (bytes: Uint8Array) => {
      const [low = 0, high = 0, shift = 0] = random(3)
      const index = (low + 256 * high) % bytes.length
      return bytes.with(index, (bytes[index] ?? 0) ^ (1 << (shift % 8)))
    }
    const answers = new Set<string>()
    for (let attempt = 0; attempt < 40; attempt++) {
      const message = {
        matrix: attempt % 4 === 0 ? flipped(received.matrix) : received.matrix,
        choiceHash: attempt % 4 === 1 ? flipped(received.choiceHash) : received.choiceHash,
        rowHashes: attempt % 4 === 2 ? flipped(received.rowHashes) : received.rowHashes,
      }
      const input = { session: given.extensionSession, direction, seeds, delta, message }
      const answer = kernel.extension.send(input)
      expect(answer).toEqual(noble.extension.send(input))
      answers.add(`extension ${answer === undefined}`)
    }
    for (let attempt = 0; attempt < 40; attempt++) {
      const message = {
        tau: attempt % 4 === 0 ? flipped(sent.tau) : sent.tau,
        eta: attempt % 4 === 1 ? flipped(sent.eta) : sent.eta,
        mu: attempt % 4 === 2 ? flipped(sent.mu) : sent.mu,
      }
      const input = { session, direction, gadget, columns: received.columns, choices, message }
      const answer = kernel.multiplication.receive(input)
      expect(answer).toEqual(noble.multiplication.receive(input))
      answers.add(`multiplication ${answer === undefined}`)
    }
    expect(answers.size).toBe(4)
  })
})

describe('the kernel', () => {
  const flipped = (bytes: Uint8Array, index: number) => bytes.with(index, (bytes[index] ?? 0) ^ (1 << (index % 8)))
  const given = dealt(5)
  const { direction, session, zeroSeeds, oneSeeds, choices, seeds, delta, inputs, check } = given
  const { received, columns, gadget, sent } = play(given, noble, noble)
  const sender = { session: given.extensionSession, direction, seeds, delta, message: received }
  const bob = { session, direction, gadget, columns: received.columns, choices, message: sent }
  const alice = { session, direction, gadget, columns, delta, inputs, check }

  it('looks at every row of an extension and at every byte of what it compares', () => {
    const isTaken = (changes: Partial<typeof received>) =>
      kernel.extension.send({ ...sender, message: { ...received, ...changes } }) !== undefined
    const isMatched = (mu: Uint8Array) =>
      kernel.multiplication.receive({ ...bob, message: { ...sent, mu } }) !== undefined
    expect(isTaken({})).toBe(true)
    expect(isMatched(sent.mu)).toBe(true)
    for (let i = 0; i < kappa; i++) {
      expect(isTaken({ rowHashes: flipped(received.rowHashes, 16 * i + (i % 16)) })).toBe(false)
      // The matrix enters the challenge, and so every hash: a change shows also where Δ_i is 0.
      expect(isTaken({ matrix: flipped(received.matrix, choicesLength * i + (i % choicesLength)) })).toBe(false)
    }
    for (let index = 0; index < 16; index++) {
      expect(isTaken({ choiceHash: flipped(received.choiceHash, index) })).toBe(false)
    }
    for (let index = 0; index < 32; index++) expect(isMatched(flipped(sent.mu, index))).toBe(false)
  })

  it('leaves no secret in its memory, also after a failed check and a refused input', () => {
    const fresh = instantiate()
    const memory = () => new Uint8Array(fresh.exports.memory.buffer)
    // What its start worked on is public.
    fresh.exports.wipe()
    const before = memory().slice()
    const short = { ...alice, delta: delta.subarray(1) }
    const operations = [
      () => fresh.extension.receive({ session, direction, zeroSeeds, oneSeeds, choices }),
      () => fresh.extension.columns({ session, direction, zeroSeeds }),
      () => fresh.extension.send(sender),
      () => fresh.extension.send({ ...sender, session }),
      () => fresh.multiplication.gadget(given.seed, direction),
      () => fresh.multiplication.choice(gadget, choices),
      () => fresh.multiplication.send(alice),
      () => fresh.multiplication.receive(bob),
      () => fresh.multiplication.receive({ ...bob, choices: choices.map((byte) => byte ^ 1) }),
      () => expect(() => fresh.multiplication.send(short)).toThrow(/^an operand of \d+ bytes has \d+$/),
    ]
    for (const operation of operations) {
      operation()
      expect(Buffer.compare(before, memory().subarray(0, before.length))).toBe(0)
      expect(
        memory()
          .subarray(before.length)
          .every((byte) => byte === 0),
      ).toBe(true)
    }
  })

  it('refuses an input of another length', () => {
    const cut = (bytes: Uint8Array) => bytes.subarray(1)
    const wrong = [
      () => kernel.extension.receive({ session, direction, zeroSeeds: cut(zeroSeeds), oneSeeds, choices }),
      () => kernel.extension.receive({ session, direction, zeroSeeds, oneSeeds: cut(oneSeeds), choices }),
      () => kernel.extension.receive({ session, direction, zeroSeeds, oneSeeds, choices: cut(choices) }),
      () => kernel.extension.columns({ session: cut(session), direction, zeroSeeds }),
      () => kernel.extension.send({ ...sender, seeds: cut(seeds) }),
      () => kernel.extension.send({ ...sender, delta: cut(delta) }),
      () => kernel.extension.send({ ...sender, message: { ...received, matrix: cut(received.matrix) } }),
      () => kernel.extension.send({ ...sender, message: { ...received, choiceHash: cut(received.choiceHash) } }),
      () => kernel.extension.send({ ...sender, message: { ...received, rowHashes: cut(received.rowHashes) } }),
      () => kernel.multiplication.gadget(cut(given.seed), direction),
      () => kernel.multiplication.choice(cut(gadget), choices),
      () => kernel.multiplication.choice(gadget, cut(choices)),
      () => kernel.multiplication.send({ ...alice, gadget: cut(gadget) }),
      () => kernel.multiplication.send({ ...alice, columns: cut(columns) }),
      () => kernel.multiplication.send({ ...alice, inputs: cut(inputs) }),
      () => kernel.multiplication.send({ ...alice, check: cut(check) }),
      () => kernel.multiplication.receive({ ...bob, columns: cut(columns) }),
      () => kernel.multiplication.receive({ ...bob, choices: cut(choices) }),
      () => kernel.multiplication.receive({ ...bob, message: { ...sent, tau: cut(sent.tau) } }),
      () => kernel.multiplication.receive({ ...bob, message: { ...sent, eta: cut(sent.eta) } }),
      () => kernel.multiplication.receive({ ...bob, message: { ...sent, mu: cut(sent.mu) } }),
    ]
    for (const operation of wrong) expect(operation).toThrow(/^an operand of \d+ bytes has \d+$/)
  })
})
