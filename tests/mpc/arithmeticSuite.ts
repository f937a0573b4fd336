/**
 * What every implementation of the arithmetic port has to do, against slow references written here independently.
 */
import { chacha20 } from '@noble/ciphers/chacha.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, bytesToNumberLE, numberToBytesBE, numberToBytesLE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expand } from '../../domain/crypto/expand.ts'
import { hash, u32 } from '../../domain/crypto/Transcript.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Arithmetic } from '../../domain/mpc/dkls/Arithmetic.ts'
import { directionField, kappa, tags, xi } from '../../domain/mpc/dkls/Parameters.ts'
import { times } from '../kit/long.ts'
import { bit, dealtSeeds } from './dealtSeeds.ts'
import { seededRandom } from './run.ts'

const { Point } = secp256k1
export const n = Point.Fn.ORDER
const p = Point.Fp.ORDER
const G = Point.BASE.toBytes()
export const scalar = (value: bigint): Uint8Array => numberToBytesBE(value, 32)
const number = bytesToNumberBE
const mod = (value: bigint): bigint => ((value % n) + n) % n
const at = (vector: Uint8Array, index: number, length: number) => vector.subarray(index * length, (index + 1) * length)

const modulus = 0x100000000000000000000000000000087n

/** Multiplication in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, as domain/mpc/README.md defines it. */
const gfMultiply = (a: bigint, b: bigint): bigint => {
  let product = 0n
  for (let i = 0n; i < 128n; i++) if ((a >> i) & 1n) product ^= b << i
  for (let i = 255n; i >= 128n; i--) if ((product >> i) & 1n) product ^= modulus << (i - 128n)
  return product
}

/** The hash of a row of 68 bytes under the challenge to a matrix. */
export const rowHash = (session: Uint8Array, direction: 1 | 2, matrix: Uint8Array, row: Uint8Array): Uint8Array => {
  const challenge = expand(tags.consistency, [session, directionField(direction), matrix], 64)
  const alpha = split(challenge, 16).map(bytesToNumberLE)
  const blocks = [row.subarray(0, 16), row.subarray(16, 32), row.subarray(32, 48), row.subarray(48, 52)]
  const sum = blocks.map(bytesToNumberLE).reduce((acc, block, b) => acc ^ gfMultiply(alpha[b] ?? 0n, block), 0n)
  return numberToBytesLE(sum ^ bytesToNumberLE(row.subarray(52)), 16)
}

export const prgRow = (
  session: Uint8Array,
  direction: 1 | 2,
  i: number,
  choice: number,
  seed: Uint8Array,
): Uint8Array =>
  chacha20(
    hash(tags.rows, [session, directionField(direction), u32(i), new Uint8Array([choice]), seed]),
    new Uint8Array(12),
    new Uint8Array(68),
  )

const xor = (a: Uint8Array, b: Uint8Array) => a.map((byte, index) => byte ^ (b[index] ?? 0))

const edges = [0n, 1n, 2n, n >> 1n, (n >> 1n) + 1n, n - 2n, n - 1n]
const anyScalar = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: n - 1n }))

export const arithmeticSuite = (name: string, arithmetic: Arithmetic): void => {
  const { points, scalars, transfer, extension, multiplication } = arithmetic

  describe(`arithmetic by ${name}: scalars`, () => {
    it('add, subtract and multiply modulo n', () => {
      fc.assert(
        fc.property(anyScalar, anyScalar, (a, b) => {
          expect(number(scalars.add(scalar(a), scalar(b)))).toBe(mod(a + b))
          expect(number(scalars.subtract(scalar(a), scalar(b)))).toBe(mod(a - b))
          expect(number(scalars.multiply(scalar(a), scalar(b)))).toBe(mod(a * b))
        }),
        { numRuns: times(300, 3_000) },
      )
    })

    it('reduce 64 bytes without loss', () => {
      const wide = (value: bigint) => numberToBytesBE(value, 64)
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max: (1n << 512n) - 1n }), (value) => {
          expect(number(scalars.reduce(wide(value)))).toBe(value % n)
        }),
      )
      const vector = concatBytes(wide((1n << 512n) - 1n), wide(n), wide(n - 1n), wide(0n))
      expect(split(scalars.reduce(vector), 32).map(number)).toEqual([((1n << 512n) - 1n) % n, 0n, n - 1n, 0n])
    })

    it('invert, and refuse the inverse of 0', () => {
      fc.assert(
        fc.property(anyScalar, (a) => {
          const inverse = scalars.invert(scalar(a))
          expect(inverse && mod(number(inverse) * a)).toBe(a === 0n ? undefined : 1n)
        }),
        { numRuns: times(50, 500) },
      )
    })

    it('are canonical below n, in every item of a vector', () => {
      expect(scalars.areCanonical(concatBytes(scalar(0n), scalar(n - 1n)))).toBe(true)
      expect(scalars.areCanonical(concatBytes(scalar(n), scalar(1n)))).toBe(false)
      expect(scalars.areCanonical(concatBytes(scalar(1n), scalar(n)))).toBe(false)
      expect(scalars.areCanonical(scalar((1n << 256n) - 1n))).toBe(false)
      expect(scalars.areCanonical(new Uint8Array(33))).toBe(false)
    })

    it('are high above n / 2', () => {
      expect(scalars.isHigh(scalar(n >> 1n))).toBe(false)
      expect(scalars.isHigh(scalar((n >> 1n) + 1n))).toBe(true)
      expect(scalars.isHigh(scalar(n - 1n))).toBe(true)
    })
  })

  describe(`arithmetic by ${name}: points`, () => {
    const compressed = (prefix: number, x: bigint) => concatBytes(new Uint8Array([prefix]), numberToBytesBE(x, 32))

    it('are valid in their canonical compressed encoding and in no other', () => {
      expect(points.areValid(concatBytes(G, Point.BASE.negate().toBytes()))).toBe(true)
      const offCurve = [5n, 10n].map((x) => compressed(2, x))
      const wrong = [
        ...offCurve,
        compressed(2, p),
        compressed(2, p + 1n),
        compressed(2, (1n << 256n) - 1n),
        compressed(4, Point.BASE.x),
        compressed(0, 0n),
        compressed(2, 0n),
        G.subarray(0, 32),
        concatBytes(G, new Uint8Array(1)),
      ]
      for (const bytes of wrong) expect(points.areValid(bytes)).toBe(false)
      for (const bytes of offCurve) expect(points.areValid(concatBytes(G, bytes))).toBe(false)
    })

    it('multiply the base and refuse 0 and n', () => {
      const expected = (k: bigint) => Point.BASE.multiplyUnsafe(k).toBytes()
      const ks = [1n, 2n, n - 1n, n >> 1n, 0x123456789n]
      expect(points.multiplyBase(concatBytes(...ks.map(scalar)))).toEqual(concatBytes(...ks.map(expected)))
      expect(points.multiplyBase(concatBytes(scalar(1n), scalar(0n)))).toBeUndefined()
      expect(points.multiplyBase(scalar(n))).toBeUndefined()
    })

    it('multiply and add as the group does, never giving the identity', () => {
      fc.assert(
        fc.property(anyScalar, anyScalar, (a, b) => {
          const [A, B] = [a || 3n, b || 5n]
          const P = Point.BASE.multiplyUnsafe(B)
          expect(points.multiply(scalar(A), concatBytes(P.toBytes(), G))).toEqual(
            concatBytes(P.multiplyUnsafe(A).toBytes(), Point.BASE.multiplyUnsafe(A).toBytes()),
          )
          const sum = Point.BASE.multiplyUnsafe(A).add(P)
          const added = points.add(Point.BASE.multiplyUnsafe(A).toBytes(), P.toBytes())
          expect(added).toEqual(sum.is0() ? undefined : sum.toBytes())
        }),
        { numRuns: times(20, 200) },
      )
      expect(points.add(G, Point.BASE.negate().toBytes())).toBeUndefined()
      expect(points.add(G, G)).toEqual(Point.BASE.double().toBytes())
      expect(points.multiply(scalar(0n), G)).toBeUndefined()
      expect(points.multiply(scalar(1n), compressed(2, 5n))).toBeUndefined()
      expect(points.add(G, compressed(2, 5n))).toBeUndefined()
    })
  })

  describe(`arithmetic by ${name}: base OTs`, () => {
    it("give the receiver the sender's key of its bit", () => {
      const random = seededRandom('transfer')
      const a = scalars.reduce(random(64))
      const A = points.multiplyBase(a) ?? new Uint8Array(0)
      const choices = random(16)
      const blinds = scalars.reduce(random(64 * kappa))

      const chosen = transfer.choose({ base: A, blinds, choices })
      const keys = transfer.keys({ secret: a, base: A, points: chosen?.points ?? new Uint8Array(0) })

      for (let i = 0; i < kappa; i++) {
        const b = Point.BASE.multiplyUnsafe(number(at(blinds, i, 32)))
        const B = bit(choices, i) ? b.add(Point.fromBytes(A)) : b
        expect(at(chosen?.points ?? A, i, 33)).toEqual(B.toBytes())
        expect(at(chosen?.keys ?? A, i, 33)).toEqual(at((bit(choices, i) ? keys?.one : keys?.zero) ?? A, i, 33))
        expect(at(keys?.zero ?? A, i, 33)).not.toEqual(at(keys?.one ?? A, i, 33))
      }
      const withBase = concatBytes(A, chosen?.points.subarray(33) ?? A)
      expect(transfer.keys({ secret: a, base: A, points: withBase })).toBeUndefined()
    })
  })

  describe(`arithmetic by ${name}: OT extension`, () => {
    const random = seededRandom('extension')
    const session = random(32)
    const { zeroSeeds, oneSeeds, delta, seeds } = dealtSeeds(random)
    const choices = random(68)
    const made = extension.receive({ session, direction: 2, zeroSeeds, oneSeeds, choices })
    const message = { matrix: made.matrix, choiceHash: made.choiceHash, rowHashes: made.rowHashes }

    it("is the reference's message", () => {
      for (let i = 0; i < kappa; i++) {
        const t = prgRow(session, 2, i, 0, at(zeroSeeds, i, 32))
        const other = prgRow(session, 2, i, 1, at(oneSeeds, i, 32))
        expect(at(made.matrix, i, 68)).toEqual(xor(xor(t, other), choices))
        expect(at(made.rowHashes, i, 16)).toEqual(rowHash(session, 2, made.matrix, t))
        for (let j = 0; j < xi; j++) expect(bit(at(made.columns, j, 16), i)).toBe(bit(t, j))
      }
      expect(made.choiceHash).toEqual(rowHash(session, 2, made.matrix, choices))
      expect(extension.columns({ session, direction: 2, zeroSeeds })).toEqual(made.columns)
    })

    it('gives the sender the columns plus the choice times Δ', () => {
      const columns = extension.send({ session, direction: 2, seeds, delta, message }) ?? new Uint8Array(0)
      for (let j = 0; j < xi; j++) {
        const expected = bit(choices, j) ? xor(at(made.columns, j, 16), delta) : at(made.columns, j, 16)
        expect(at(columns, j, 16)).toEqual(expected)
      }
    })

    it('is refused after any change, or under another session or direction', () => {
      const flipped = (bytes: Uint8Array, index: number) => bytes.with(index, (bytes[index] ?? 0) ^ 1)
      const wrong = [
        { ...message, matrix: flipped(message.matrix, 0) },
        { ...message, matrix: flipped(message.matrix, message.matrix.length - 1) },
        { ...message, choiceHash: flipped(message.choiceHash, 15) },
        { ...message, rowHashes: flipped(message.rowHashes, 0) },
        { ...message, rowHashes: flipped(message.rowHashes, 16 * kappa - 1) },
      ]
      for (const changed of wrong) {
        expect(extension.send({ session, direction: 2, seeds, delta, message: changed })).toBeUndefined()
      }
      expect(extension.send({ session, direction: 1, seeds, delta, message })).toBeUndefined()
      expect(extension.send({ session: random(32), direction: 2, seeds, delta, message })).toBeUndefined()
    })
  })

  describe(`arithmetic by ${name}: multiplication`, () => {
    const random = seededRandom('multiplication')
    const extensionSession = random(32)
    const session = random(32)
    const dealt = dealtSeeds(random)
    const choices = random(68)
    const { zeroSeeds, oneSeeds, delta, seeds } = dealt
    const received = extension.receive({ session: extensionSession, direction: 1, zeroSeeds, oneSeeds, choices })
    const sent = extension.send({ session: extensionSession, direction: 1, seeds, delta, message: received })
    const columns = sent ?? new Uint8Array(0)
    const seed = random(32)
    const gadget = multiplication.gadget(seed, 1)
    const chi = multiplication.choice(gadget, choices)
    const inputs = scalars.reduce(random(128))
    const check = scalars.reduce(random(64))
    const made = multiplication.send({ session, direction: 1, gadget, columns, delta, inputs, check })
    const bob = { session, direction: 1, gadget, columns: received.columns, choices } as const

    it('has the gadget vector and choice of the page', () => {
      const direction = directionField(1)
      let sum = 0n
      for (let j = 0; j < xi; j++) {
        const g = number(expand(tags.gadget, [seed, direction, u32(j)], 64)) % n
        expect(number(at(gadget, j, 32))).toBe(g)
        if (bit(choices, j)) sum += g
      }
      expect(number(chi)).toBe(sum % n)
      expect(multiplication.gadget(seed, 2)).not.toEqual(gadget)
    })

    it("is the reference's message", () => {
      const direction = directionField(1)
      const a = [...split(inputs, 32), check].map(number)
      const pad = (j: number, column: Uint8Array) =>
        split(expand(tags.pad, [session, direction, u32(j), column], 96), 32).map(number)
      const zeros = Array.from({ length: xi }, (_, j) => pad(j, at(columns, j, 16)))
      const ones = Array.from({ length: xi }, (_, j) => pad(j, xor(at(columns, j, 16), delta)))
      const tau = zeros.flatMap((zero, j) =>
        zero.map((value, k) => scalar(mod(value - (ones[j]?.[k] ?? 0n) + (a[k] ?? 0n)))),
      )
      expect(made.tau).toEqual(concatBytes(...tau))
      const theta = [0, 1].map((k) => number(expand(tags.theta, [session, direction, u32(k), made.tau], 64)) % n)
      const combine = (v: readonly bigint[]) =>
        (v[2] ?? 0n) + (theta[0] ?? 0n) * (v[0] ?? 0n) + (theta[1] ?? 0n) * (v[1] ?? 0n)
      expect(number(made.eta)).toBe(mod(combine(a)))
      const checks = zeros.map((zero) => scalar(mod(-combine(zero))))
      expect(made.mu).toEqual(hash(tags.mu, [session, direction, concatBytes(...checks)]))
    })

    it('shares the products a·χ', () => {
      const outputs = multiplication.receive({ ...bob, message: made }) ?? new Uint8Array(64)
      for (const k of [0, 1]) {
        const sum = mod(number(at(made.outputs, k, 32)) + number(at(outputs, k, 32)))
        expect(sum).toBe(mod(number(at(inputs, k, 32)) * number(chi)))
      }
    })

    it('is refused after any change of τ, η or μ, or under another session or direction', () => {
      const flipped = (bytes: Uint8Array, index: number) => bytes.with(index, (bytes[index] ?? 0) ^ 1)
      const wrong = [
        { ...made, tau: flipped(made.tau, 31) },
        { ...made, tau: flipped(made.tau, made.tau.length - 1) },
        { ...made, tau: new Uint8Array(made.tau.length) },
        { ...made, eta: flipped(made.eta, 31) },
        { ...made, eta: new Uint8Array(32) },
        { ...made, mu: flipped(made.mu, 0) },
      ]
      for (const message of wrong) expect(multiplication.receive({ ...bob, message })).toBeUndefined()
      expect(multiplication.receive({ ...bob, direction: 2, message: made })).toBeUndefined()
      expect(multiplication.receive({ ...bob, session: random(32), message: made })).toBeUndefined()
    })
  })

  describe(`arithmetic by ${name}: signatures`, () => {
    const secret = scalar(0x1234567890abcdefn)
    const key = points.multiplyBase(secret) ?? new Uint8Array(0)
    const digest = scalar(0xfeedn)
    const recovered = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
    const [v = 9] = recovered
    const r = recovered.subarray(1, 33)
    const s = recovered.subarray(33)
    const joined = (parts: { r?: Uint8Array; s?: Uint8Array; v?: number }) =>
      concatBytes(parts.r ?? r, parts.s ?? s, new Uint8Array([parts.v ?? v]))

    it('are valid only with their own r, low s, v, digest and key', () => {
      expect(arithmetic.isSignature(key, digest, joined({}))).toBe(true)
      const high = scalar(n - number(s))
      const wrong = [
        joined({ v: 1 - v }),
        joined({ v: v + 2 }),
        joined({ v: 27 + v }),
        joined({ s: high }),
        joined({ s: high, v: 1 - v }),
        joined({ s: scalar(0n) }),
        joined({ r: scalar(0n) }),
        joined({ r: scalar(n) }),
        joined({ s: scalar(n) }),
        joined({ r: s, s: r }),
        joined({}).subarray(0, 64),
        concatBytes(joined({}), new Uint8Array(1)),
      ]
      for (const signature of wrong) expect(arithmetic.isSignature(key, digest, signature)).toBe(false)
      expect(arithmetic.isSignature(key, scalar(0xfeeen), joined({}))).toBe(false)
      expect(arithmetic.isSignature(G, digest, joined({}))).toBe(false)
    })
  })
}
