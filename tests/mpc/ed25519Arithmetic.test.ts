/** What every implementation of the arithmetic port of ED25519 has to do, at its edges and by foreign vectors. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { noble } from '../../domain/mpc/noble.ts'
import { isSignature } from '../../domain/mpc/ed25519/rfc9591.ts'
import { rfc8032 } from '../domain/crypto/rfc8032.ts'
import { bytesOf, itWithVectors, wycheproof } from '../domain/crypto/wycheproof.ts'
import { smallOrder } from '../kit/ed25519Points.ts'
import { kernel } from './kernel.ts'
import { seededRandom } from './run.ts'

const { Point } = ed25519
const { Fn } = Point
const L = Fn.ORDER
const p = Point.Fp.ORDER
const le = (value: bigint): Uint8Array => numberToBytesLE(value, 32)
const G = Point.BASE.toBytes()
const negated = (point: Uint8Array) => Point.fromBytes(point).negate().toBytes()
const empty = new Uint8Array(0)

const identity = le(1n)
const highBit = (bytes: Uint8Array) => bytes.map((byte, index) => (index === 31 ? byte | 0x80 : byte))
/** Encodings of points, but not the canonical ones: y not below p, and the sign of x = 0. */
const nonCanonical = [
  ...Array.from({ length: 19 }, (_, index) => le(p + BigInt(index))),
  ...Array.from({ length: 19 }, (_, index) => highBit(le(p + BigInt(index)))),
  highBit(identity),
  highBit(smallOrder[0] ?? empty),
]

/** RFC 7748 §5.2: scalar, u, result. */
const rfc7748 = [
  [
    'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
    'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
    'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
  ],
  [
    '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
    'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
    '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
  ],
] as const

describe.each([
  ['noble', noble.ed25519],
  ['the kernel', kernel.ed25519],
] as const)('ED25519 by %s', (_, arithmetic) => {
  const { points, scalars, exchange } = arithmetic

  it('distinguishes the points of prime order from all others', () => {
    const twisted = Point.BASE.add(Point.fromBytes(smallOrder[6] ?? empty)).toBytes()
    const offCurve = le(2n)

    expect(points.areValid(G)).toBe(true)
    expect(points.areValid(concatBytes(G, negated(G), points.multiplyBase(le(7n)) ?? empty))).toBe(true)
    expect(points.areValid(empty)).toBe(true)
    const wrong = [identity, ...smallOrder, ...nonCanonical, twisted, offCurve, new Uint8Array(32).fill(255)]
    for (const point of [...wrong, G.subarray(1), new Uint8Array([...G, 0])]) {
      expect([point, points.areValid(point)]).toEqual([point, false])
      expect([point, points.areValid(concatBytes(G, point))]).toEqual([point, false])
    }
  })

  it('multiplies G by every scalar but 0, and refuses an invalid scalar', () => {
    const known = [1n, 2n, 3n, 15n, 16n, 17n, 31n, 32n, L - 1n, L - 2n, L >> 1n, (1n << 252n) - 1n, 1n << 252n]
    const all = concatBytes(...known.map(le))

    expect(points.multiplyBase(all)).toEqual(concatBytes(...known.map((k) => Point.BASE.multiply(k).toBytes())))
    expect(points.multiplyBase(le(L - 1n))).toEqual(negated(G))
    for (const k of [0n, L, L + 1n, (1n << 255n) - 1n, (1n << 256n) - 1n]) {
      expect(points.multiplyBase(le(k))).toBeUndefined()
      expect(points.multiplyBase(concatBytes(le(1n), le(k)))).toBeUndefined()
    }
    expect(points.multiplyBase(le(1n).subarray(1))).toBeUndefined()
  })

  it('adds points, equal ones too, and refuses invalid ones and the identity as a result', () => {
    const [two, three] = [2n, 3n].map((k) => Point.BASE.multiply(k).toBytes())

    expect(points.add(G, G)).toEqual(two)
    expect(points.add(concatBytes(G, two ?? empty), concatBytes(two ?? empty, G))).toEqual(
      concatBytes(three ?? empty, three ?? empty),
    )
    expect(points.add(G, negated(G))).toBeUndefined()
    expect(points.add(concatBytes(G, G), G)).toBeUndefined()
    for (const wrong of [identity, ...nonCanonical, le(2n)]) {
      expect(points.add(G, wrong)).toBeUndefined()
      expect(points.add(wrong, G)).toBeUndefined()
    }
  })

  it('adds points of small order like others: only the identity is refused as a sum, and (0, −1) is not the identity', () => {
    const all = [...smallOrder, G, Point.BASE.add(Point.fromBytes(smallOrder[0] ?? empty)).toBytes()]
    const sums = all.flatMap((a) => all.map((b) => [a, b, Point.fromBytes(a).add(Point.fromBytes(b))] as const))
    const oughtOf = (sum: (typeof sums)[number][2]) => (sum.is0() ? undefined : sum.toBytes())

    expect(sums.filter(([, , sum]) => sum.x === 0n && !sum.is0()).length).toBeGreaterThan(0)
    for (const [a, b, sum] of sums) {
      expect(points.add(a, b)).toEqual(oughtOf(sum))
      expect(points.addMultiple(a, le(1n), b)).toEqual(oughtOf(sum))
    }
  })

  it('adds a multiple, by any scalar', () => {
    const five = Point.BASE.multiply(5n).toBytes()

    expect(points.addMultiple(G, le(2n), points.add(G, G) ?? empty)).toEqual(five)
    expect(points.addMultiple(five, le(0n), G)).toEqual(five)
    expect(points.addMultiple(five, le(L - 5n), G)).toBeUndefined()
    expect(points.addMultiple(five, le(L), G)).toBeUndefined()
    for (const wrong of [identity, ...nonCanonical]) {
      expect(points.addMultiple(wrong, le(2n), G)).toBeUndefined()
      expect(points.addMultiple(G, le(2n), wrong)).toBeUndefined()
    }
  })

  it('checks whether z·G = R + c·X', () => {
    const X = points.multiplyBase(le(11n)) ?? empty
    const R = points.multiplyBase(le(3n)) ?? empty
    const equation = { z: le(25n), R, c: le(2n), X }

    expect(points.holds(equation)).toBe(true)
    expect(points.holds({ ...equation, z: le(3n), c: le(0n) })).toBe(true)
    expect(points.holds({ z: le(0n), R: negated(X), c: le(1n), X })).toBe(true)
    const wrong = [
      { z: le(26n) },
      { z: le(25n + L) },
      { c: le(2n + L) },
      { c: le(3n) },
      { R: negated(R) },
      { X: negated(X) },
      { R: identity, z: le(22n) },
      { X: identity, z: le(3n) },
      { z: empty },
    ]
    for (const changes of wrong) expect([changes, points.holds({ ...equation, ...changes })]).toEqual([changes, false])
  })

  it('computes modulo L', () => {
    const values = [0n, 1n, 2n, L - 1n, L, L + 1n, 2n * L - 1n, (1n << 252n) - 1n, (1n << 256n) - 1n]
    for (const a of values) {
      expect(scalars.areCanonical(le(a))).toBe(a < L)
      for (const b of values) {
        expect(bytesToNumberLE(scalars.add(le(a), le(b)))).toBe(Fn.create(a + b))
        expect(bytesToNumberLE(scalars.subtract(le(a), le(b)))).toBe(Fn.create(a - b))
        expect(bytesToNumberLE(scalars.multiply(le(a), le(b)))).toBe(Fn.create(a * b))
      }
    }
    expect(scalars.areCanonical(concatBytes(le(1n), le(L)))).toBe(false)
    expect(scalars.areCanonical(new Uint8Array(31))).toBe(false)
    expect(() => scalars.add(le(1n), empty)).toThrow(RangeError)
    const wide = [0n, L, L * L, L * L - 1n, (1n << 512n) - 1n, (1n << 511n) + 12345n, L << 259n]
    const reduced = concatBytes(...wide.map((value) => le(Fn.create(value))))
    expect(scalars.reduce(concatBytes(...wide.map((value) => numberToBytesLE(value, 64))))).toEqual(reduced)
  })

  it('makes nonzero scalars', () => {
    for (const value of [0n, 1n, L - 2n, L - 1n, L, 2n * (L - 1n) - 1n, 2n * (L - 1n), (1n << 384n) - 1n]) {
      expect(bytesToNumberLE(scalars.positive(numberToBytesLE(value, 48)))).toBe((value % (L - 1n)) + 1n)
    }
    expect(() => scalars.positive(new Uint8Array(47))).toThrow(RangeError)
  })

  it('exchanges keys as RFC 7748 §5.2 says, and with no peer of small order', () => {
    for (const [scalar, u, result] of rfc7748) {
      expect(exchange.shared(hexToBytes(scalar), hexToBytes(u))).toEqual(hexToBytes(result))
    }
    const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
    expect(exchange.shared(one, exchange.publicKey(two))).toEqual(exchange.shared(two, exchange.publicKey(one)))
    const lowOrder = [
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0100000000000000000000000000000000000000000000000000000000000000',
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    ]
    for (const peer of lowOrder) expect(exchange.shared(one, hexToBytes(peer))).toBeUndefined()
    expect(exchange.shared(one, empty)).toBeUndefined()
  })

  it('verifies the signatures of RFC 8032 §7.1, and none with one bit changed', () => {
    for (const vector of rfc8032) {
      const [publicKey, of] = [hexToBytes(vector.publicKey), hexToBytes(vector.message)]
      const whole = hexToBytes(vector.signature)
      expect(isSignature(arithmetic, publicKey, of, whole)).toBe(true)
      expect(isSignature(arithmetic, publicKey, concatBytes(of, new Uint8Array(1)), whole)).toBe(false)
      expect(isSignature(arithmetic, publicKey, of, whole.subarray(1))).toBe(false)
      for (let bit = 0; bit < 512; bit += 37) {
        const changed = whole.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect([bit, isSignature(arithmetic, publicKey, of, changed)]).toEqual([bit, false])
      }
    }
  })

  it('verifies no signature with an s that is not canonical, and none under a key of small order or torsion', () => {
    const random = seededRandom('strict')
    const [secret, message] = [random(32), utf8ToBytes('message')]
    const publicKey = ed25519.getPublicKey(secret)
    const signature = ed25519.sign(message, secret)
    const s = bytesToNumberLE(signature.subarray(32))
    const torsion = Point.fromBytes(smallOrder[6] ?? empty)

    expect(isSignature(arithmetic, publicKey, message, signature)).toBe(true)
    expect(isSignature(arithmetic, publicKey, message, concatBytes(signature.subarray(0, 32), le(s + L)))).toBe(false)
    for (const key of [identity, ...smallOrder, ...nonCanonical]) {
      expect(isSignature(arithmetic, key, message, concatBytes(identity, le(0n)))).toBe(false)
      expect(isSignature(arithmetic, key, message, concatBytes(key, le(0n)))).toBe(false)
    }
    const twisted = Point.fromBytes(signature.subarray(0, 32)).add(torsion).toBytes()
    expect(isSignature(arithmetic, publicKey, message, concatBytes(twisted, signature.subarray(32)))).toBe(false)
  })

  itWithVectors('agrees with every vector of wycheproof', () => {
    let checked = 0
    for (const group of wycheproof('ed25519_test')) {
      const { pk } = group['publicKey'] as { readonly pk: string }
      for (const vector of group.tests) {
        const found = isSignature(arithmetic, hexToBytes(pk), bytesOf(vector, 'msg'), bytesOf(vector, 'sig'))
        expect([vector.tcId, found]).toEqual([vector.tcId, vector.result === 'valid'])
        checked++
      }
    }
    expect(checked).toBe(151)
  })
})
