/**
 * Whether times tell a fixed secret from random ones, in the manner of dudect (Reparaz, Balasch, Verbauwhede,
 * 2016/1123): Welch's t over the calls of two classes in random order. A smoke test: it can show a leak, and never that
 * there is none. Every call reads its secret from the same place, to which it was copied before the clock starts; what
 * the machine does meanwhile meets both classes alike, and is seen in how much the rounds differ.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import type { Arithmetic } from '../../domain/mpc/Arithmetic.ts'
import { choicesLength, columnsLength, deltaLength } from '../../domain/mpc/dkls/Parameters.ts'
import { noble } from '../../domain/mpc/noble.ts'
import { bit, dealtSeeds } from '../mpc/dealtSeeds.ts'
import { kernel } from '../mpc/kernel.ts'
import { median, type Row } from './rows.ts'

/** Secrets of either class in a round. Those of the fixed one are copies of their own, made as the random ones are. */
const kept = 256

/** Each with secrets of its own: what the secret itself does is in all of them. */
const rounds = 4

/** The slowest calls of both classes together are what the machine did meanwhile. */
const counted = 0.9

type Times = readonly [fixed: number[], random: number[]]

type Sums = { readonly count: number; readonly mean: number; readonly variance: number }

const sumsOf = (values: readonly number[]): Sums => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { count: values.length, mean, variance }
}

/** Welch's t of what is counted. */
const tOf = (times: Times): number => {
  const all = times.flat().toSorted((a, b) => a - b)
  const bound = all[Math.floor(counted * all.length)] ?? Number.POSITIVE_INFINITY
  const [a, b] = [times[0], times[1]].map((values) => sumsOf(values.filter((value) => value < bound)))
  if (a === undefined || b === undefined) throw new Error('nothing was measured')
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
}

type Secrets = { readonly fixed: () => Uint8Array; readonly random: () => Uint8Array }

/** Nanoseconds of so many calls, each of a class by chance; as many as there are secrets warm up before. */
const measure = (calls: number, secrets: Secrets, work: (secret: Uint8Array) => unknown): Times => {
  const classes = [secrets.fixed, secrets.random].map((make) => Array.from({ length: kept }, make))
  const secret = secrets.fixed()
  const times: Times = [[], []]
  crypto.getRandomValues(new Uint8Array(kept + calls)).forEach((byte, call) => {
    const which = (byte & 1) as 0 | 1
    secret.set(classes[which]?.[call % kept] ?? secret)
    const before = process.hrtime.bigint()
    work(secret)
    const nanoseconds = Number(process.hrtime.bigint() - before)
    if (call >= kept) times[which].push(nanoseconds)
  })
  return times
}

const compared = (
  name: string,
  backend: string,
  calls: number,
  secrets: Secrets,
  work: (secret: Uint8Array) => unknown,
): Row => {
  const measured = Array.from({ length: rounds }, () => measure(calls / rounds, secrets, work))
  const all: Times = [measured.flatMap(([fixed]) => fixed), measured.flatMap(([, random]) => random)]
  const [least] = measured.map(tOf).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const ms = median(all.flat()) / 1e6
  return { suite: 'timing', case: name, backend, cpuMs: ms, t: tOf(all), leastT: least ?? Number.NaN }
}

const bytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

const rowsOf = (backend: string, arithmetic: Arithmetic, calls: number): readonly Row[] => {
  const { points, scalars, transfer, extension, multiplication } = arithmetic
  const zeros = (length: number): Uint8Array => bytes(length).fill(0)
  const scalarPair = { fixed: () => scalars.reduce(zeros(64).fill(1, 63)), random: () => scalars.reduce(bytes(64)) }
  const base = scalarPair.random()
  const point = points.multiplyBase(base) ?? base

  const { zeroSeeds, oneSeeds } = dealtSeeds(bytes)
  const session = bytes(32)
  const message = extension.receive({ session, direction: 1, zeroSeeds, oneSeeds, choices: bytes(68) })
  /** Δ ‖ seeds of a sender whose Δ fits the receiver's message, so that the check always passes. */
  const senderOf = (delta: Uint8Array): Uint8Array => {
    const seeds = zeroSeeds.map((byte, index) => (bit(delta, index >> 5) === 1 ? (oneSeeds[index] ?? 0) : byte))
    return concatBytes(delta, seeds)
  }
  const senders = { fixed: () => senderOf(zeros(deltaLength)), random: () => senderOf(bytes(deltaLength)) }
  const sendTo = (receivers: typeof message) => (sender: Uint8Array) => {
    const [delta, seeds] = [sender.subarray(0, deltaLength), sender.subarray(deltaLength)]
    return extension.send({ session, direction: 1, delta, seeds, message: receivers })
  }
  /** The same with a hash of another row, so that it never does. */
  const refused = { ...message, rowHashes: message.rowHashes.with(0, (message.rowHashes[0] ?? 0) ^ 1) }
  const gadget = multiplication.gadget(session, 1)
  const [columns, delta] = [bytes(columnsLength), bytes(deltaLength)]
  const inputs = scalars.reduce(bytes(128))
  const check = scalars.reduce(bytes(64))
  const sent = multiplication.send({ session, direction: 1, gadget, columns, delta, inputs, check })
  /** Choices ‖ columns of a Bob who fits Alice's message, so that the check always passes. */
  const bobOf = (choices: Uint8Array): Uint8Array =>
    concatBytes(
      choices,
      columns.map((byte, index) => byte ^ (bit(choices, index >> 4) * (delta[index & 15] ?? 0))),
    )
  /** Eight base OTs. */
  const blinds = scalars.reduce(bytes(8 * 64))
  const chosen = transfer.choose({ base: point, blinds, choices: bytes(1) })?.points ?? point
  const edwards = arithmetic.ed25519
  const edScalars = {
    fixed: () => edwards.scalars.reduce(zeros(64).fill(1, 0, 1)),
    random: () => edwards.scalars.reduce(bytes(64)),
  }
  const edSecrets = { fixed: () => zeros(32), random: () => bytes(32) }
  const factor = edScalars.random()
  return [
    compared('point.multiply', backend, calls, scalarPair, (secret) => points.multiply(secret, point)),
    compared('point.multiplyBase', backend, calls, scalarPair, (secret) => points.multiplyBase(secret)),
    compared('extension.send', backend, calls, senders, sendTo(message)),
    compared('extension.send, refused', backend, calls, senders, sendTo(refused)),
    compared('multiplication.choice', backend, calls, { fixed: () => zeros(68), random: () => bytes(68) }, (choices) =>
      multiplication.choice(gadget, choices),
    ),
    compared(
      'multiplication.receive',
      backend,
      calls,
      { fixed: () => bobOf(zeros(choicesLength)), random: () => bobOf(bytes(choicesLength)) },
      (bob) => {
        const [choices, own] = [bob.subarray(0, choicesLength), bob.subarray(choicesLength)]
        return multiplication.receive({ session, direction: 1, gadget, columns: own, choices, message: sent })
      },
    ),
    compared('transfer.choose', backend, calls, { fixed: () => zeros(1), random: () => bytes(1) }, (choices) =>
      transfer.choose({ base: point, blinds, choices }),
    ),
    compared('transfer.keys', backend, calls, scalarPair, (secret) =>
      transfer.keys({ secret, base: point, points: chosen }),
    ),
    compared('ed25519.multiplyBase', backend, calls, edScalars, (secret) => edwards.points.multiplyBase(secret)),
    compared('ed25519.multiply', backend, calls, edScalars, (secret) => edwards.scalars.multiply(secret, factor)),
    compared('ed25519.exchange', backend, calls, edSecrets, (secret) => edwards.exchange.publicKey(secret)),
  ]
}

export const timing = (): readonly Row[] => [...rowsOf('kernel', kernel, 20_000), ...rowsOf('noble', noble, 1_000)]
