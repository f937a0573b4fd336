/**
 * The curve of the kernel against noble: field and scalars operation by operation, many thousands of each, with limbs
 * at the edges that the kernel's own bounds allow; points, multiplications and signatures through the port.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { equal } from '../../domain/crypto/Equal.ts'
import { split } from '../../domain/mpc/Codec.ts'
import type { Arithmetic } from '../../domain/mpc/dkls/Arithmetic.ts'
import { kappa } from '../../domain/mpc/dkls/Parameters.ts'
import { noble } from '../../domain/mpc/dkls/noble.ts'
import { operateOn } from '../../wasm/Arena.ts'
import { curveOf } from '../../wasm/CurveKernel.ts'
import { exports, kernel, operate } from './kernel.ts'
import { times } from '../kit/long.ts'
import { n, scalar } from './arithmeticSuite.ts'
import { seededRandom } from './run.ts'

/** How many inputs each operation gets; those that take a millisecond or more get fewer. */
const many = times(10_000, 100_000)
const some = times(200, 2_000)

const { Point } = secp256k1
const { Fp, Fn } = Point
const p = Fp.ORDER
const number = bytesToNumberBE
const mod = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

/** Numbers where carries and reductions happen. */
const edgesOf = (modulus: bigint): readonly bigint[] => {
  const powers = [26n, 29n, 52n, 58n, 64n, 128n, 129n, 232n, 252n, 255n]
  const near = powers.flatMap((power) => [(1n << power) - 1n, 1n << power, (1n << power) + 1n])
  const ends = [1n, 2n, 3n, 977n, 1n << 32n].flatMap((distance) => [distance, modulus - distance])
  const middle = [modulus >> 1n, (modulus >> 1n) + 1n, (1n << 256n) - modulus, (1n << 256n) % modulus]
  return [0n, ...ends, ...middle, ...near].map((value) => value % modulus)
}

/** A source of numbers below a modulus, one in four an edge. */
const numbersBelow = (modulus: bigint, seed: string) => {
  const edges = edgesOf(modulus)
  const bytes = bytesFrom(seed)
  return (): bigint => {
    const [choice = 0, ...rest] = bytes(33)
    if (choice < 64) return edges[(rest[0] ?? 0) % edges.length] ?? 0n
    return number(Uint8Array.from(rest)) % modulus
  }
}

/** Random bytes, drawn many at a time. */
const bytesFrom = (seed: string) => {
  const random = seededRandom(seed)
  let block: Uint8Array = new Uint8Array(0)
  let at = 0
  return (length: number): Uint8Array => {
    if (at + length > block.length) {
      block = random(1 << 16)
      at = 0
    }
    at += length
    return block.subarray(at - length, at)
  }
}

/** The places at which two lists differ; none, if all is well. */
const differences = <A>(
  count: number,
  at: (index: number) => readonly [A, A],
): readonly (readonly [number, A, A])[] => {
  const found: (readonly [number, A, A])[] = []
  for (let index = 0; index < count; index++) {
    const [is, ought] = at(index)
    if (is !== ought) found.push([index, is, ought])
  }
  return found
}

const fieldSize = 36
const limbs = 9

describe('the field of the kernel agrees with noble', () => {
  const room = 2 * fieldSize
  /** Runs an operation on elements given by their limbs; the result by its bytes. */
  const withLimbs = (inputs: readonly (readonly number[])[], use: (r: number, ...at: number[]) => void): bigint =>
    operate((arena) => {
      const addresses = inputs.map((input) => arena.put(new Uint8Array(Int32Array.from(input).buffer)))
      const r = arena.reserve(room)
      const bytes = arena.reserve(32)
      use(r, ...addresses)
      exports.fieldStore(bytes, r)
      return number(arena.take(bytes, 32))
    })

  const valueOf = (element: readonly number[]): bigint =>
    element.reduce((sum, limb, index) => sum + (BigInt(limb) << BigInt(29 * index)), 0n)

  const bytes = bytesFrom('limbs')
  /** Limbs anywhere within a size, one in three elements with every limb at an end of it. */
  const elementOf = (size: number): readonly number[] => {
    const drawn = bytes(4 * limbs + 1)
    const view = new DataView(drawn.buffer, drawn.byteOffset)
    const bound = size * 2 ** 28
    const isExtreme = (drawn[4 * limbs] ?? 0) < 85
    const hasOneSign = (drawn[4 * limbs] ?? 0) < 20
    return Array.from({ length: limbs }, (_, index) => {
      const word = view.getUint32(4 * index)
      if (hasOneSign) return (drawn[0] ?? 0) & 1 ? bound : -bound
      if (isExtreme) return word & 1 ? bound : -bound
      return Math.round((word / 2 ** 31 - 1) * bound)
    })
  }

  type Case = {
    readonly sizes: readonly number[]
    readonly use: (r: number, ...at: number[]) => void
    readonly value: (...values: readonly bigint[]) => bigint
  }
  const zero = 0n
  /** Every operation with operands as large as it may be given. */
  const cases: Readonly<Record<string, readonly Case[]>> = {
    multiply: [
      [7, 2],
      [2, 7],
      [7, 1],
      [1, 1],
      [3, 4],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldMultiply(...(at as [number, number, number])),
      value: (a = zero, b = zero) => a * b,
    })),
    multiplyPlus: [
      [3, 4, 7],
      [2, 2, 1],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldMultiplyPlus(...(at as [number, number, number, number])),
      value: (a = zero, b = zero, e = zero) => a * b + e,
    })),
    square: [[1], [2], [3]].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldSquare(...(at as [number, number])),
      value: (a = zero) => a * a,
    })),
    products: [
      [2, 2, 2, 5],
      [7, 1, 7, 1],
      [2, 2, 1, 3],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldProducts(...(at as [number, number, number, number, number])),
      value: (a = zero, b = zero, e = zero, f = zero) => a * b + e * f,
    })),
    productsDifference: [
      [2, 2, 2, 5],
      [7, 1, 7, 1],
      [1, 2, 1, 1],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldProductsDifference(...(at as [number, number, number, number, number])),
      value: (a = zero, b = zero, e = zero, f = zero) => a * b - e * f,
    })),
    cross: [
      [1, 1, 1, 1, 1, 1],
      [2, 1, 2, 2, 7, 7],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldCross(...(at as [number, number, number, number, number, number, number])),
      value: (a = zero, b = zero, e = zero, f = zero, g = zero, h = zero) => (a + b) * (e + f) - g - h,
    })),
    crossSquare: [
      [1, 1, 1, 1],
      [2, 1, 7, 7],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldCrossSquare(...(at as [number, number, number, number, number])),
      value: (a = zero, b = zero, g = zero, h = zero) => (a + b) * (a + b) - g - h,
    })),
    squares: [[1, 1]].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldSquares(...(at as [number, number, number])),
      value: (a = zero, b = zero) => a * a - 12n * b * b,
    })),
    scale: [[1], [7]].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldScale(...(at as [number, number])),
      value: (a = zero) => 21n * a,
    })),
    addTriple: [
      [1, 1],
      [7, 7],
    ].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldAddTriple(...(at as [number, number, number])),
      value: (a = zero, b = zero) => a + 3n * b,
    })),
    carry: [[1], [6]].map((sizes) => ({
      sizes,
      use: (...at) => exports.fieldCarry(...(at as [number, number])),
      value: (a = zero) => a,
    })),
  }

  it('in sums of products, at the bounds of every operation', () => {
    const all = Object.entries(cases).flatMap(([name, list]) => list.map((one) => ({ name, ...one })))
    const rounds = Math.ceil(many / all.length)
    const wrong = all.flatMap(({ name, sizes, use, value }) => {
      const found = differences(rounds, () => {
        const inputs = sizes.map(elementOf)
        return [withLimbs(inputs, use), mod(value(...inputs.map(valueOf)), p)]
      })
      return found.map((difference) => [name, sizes, difference])
    })
    expect(wrong).toEqual([])
  })

  it('in products of elements read from bytes, and in what is below p', () => {
    const below = numbersBelow(p, 'field')
    const wrong = differences(many, () => {
      const [a, b] = [below(), below()]
      const product = operate((arena) => {
        const x = arena.reserve(fieldSize)
        const y = arena.reserve(fieldSize)
        const out = arena.put(numberToBytesBE(a, 32))
        const isBelow = exports.fieldLoad(x, out) & exports.fieldLoad(y, arena.put(numberToBytesBE(b, 32)))
        exports.fieldMultiply(x, x, y)
        exports.fieldStore(out, x)
        return isBelow === 1 ? number(arena.take(out, 32)) : -1n
      })
      return [product, Fp.mul(a, b)]
    })
    expect(wrong).toEqual([])
    const load = (value: bigint) =>
      operate((arena) => {
        const x = arena.reserve(fieldSize)
        const at = arena.put(numberToBytesBE(value, 32))
        const isBelow = exports.fieldLoad(x, at)
        exports.fieldStore(at, x)
        return [isBelow, number(arena.take(at, 32)), exports.fieldIsZero(x, at)]
      })
    expect(load(p - 1n)).toEqual([1, p - 1n, 0])
    expect(load(p)).toEqual([0, 0n, 1])
    expect(load(p + 1n)).toEqual([0, 1n, 0])
    expect(load((1n << 256n) - 1n)).toEqual([0, (1n << 256n) - 1n - p, 0])
    expect(load(0n)).toEqual([1, 0n, 1])
  })

  it('in inverses and square roots', () => {
    const below = numbersBelow(p, 'roots')
    const of1 = (operation: (r: number, a: number) => void, a: bigint): bigint =>
      operate((arena) => {
        const x = arena.reserve(fieldSize)
        const at = arena.put(numberToBytesBE(a, 32))
        exports.fieldLoad(x, at)
        operation(x, x)
        exports.fieldStore(at, x)
        return number(arena.take(at, 32))
      })
    const inverses = differences(some, () => {
      const a = below()
      return [of1(exports.fieldInvert, a), a === 0n ? 0n : Fp.inv(a)]
    })
    const roots = differences(some, () => {
      const square = Fp.sqr(below())
      const root = of1(exports.fieldRoot, square)
      return [Fp.sqr(root), square]
    })
    expect([...inverses, ...roots]).toEqual([])
  })
})

describe('the scalars of the kernel agree with noble', () => {
  it('in sums, differences and products', () => {
    const below = numbersBelow(n, 'scalars')
    const { add, subtract, multiply } = kernel.scalars
    const wrong = differences(Math.ceil(many / 3), () => {
      const [a, b] = [below(), below()]
      const [x, y] = [scalar(a), scalar(b)]
      const is = [add(x, y), subtract(x, y), multiply(x, y)].map(number).join()
      return [is, [Fn.add(a, b), Fn.sub(a, b), Fn.mul(a, b)].join()]
    })
    expect(wrong).toEqual([])
  })

  it('in reductions of 64 bytes and of 32', () => {
    const random = seededRandom('wide')
    const top = (1n << 512n) - 1n
    const edges = [0n, 1n, n, n * n, n * n - 1n, top, top - n, n << 256n, (n << 256n) - 1n, 1n << 256n, 1n << 511n]
    const wide = concatBytes(...edges.map((value) => numberToBytesBE(value, 64)), random((64 * many) / 2))
    expect(equal(kernel.scalars.reduce(wide), noble.scalars.reduce(wide))).toBe(true)
    const below = numbersBelow(1n << 256n, 'narrow')
    const wrong = differences(many / 2, (index) => {
      const value = index < 4 ? n - 2n + BigInt(index) : below()
      const reduced = operate((arena) => {
        const at = arena.put(numberToBytesBE(value, 32))
        const r = arena.reserve(40)
        exports.scalarLoad(r, at)
        exports.scalarStore(at, r)
        return number(arena.take(at, 32))
      })
      const isBelow = kernel.scalars.areCanonical(numberToBytesBE(value, 32))
      return [`${reduced} ${isBelow}`, `${value % n} ${value < n}`]
    })
    expect(wrong).toEqual([])
  })

  it('in sums of as many products as there is room for', () => {
    const below = numbersBelow(n, 'sums')
    for (const count of [1, 416, 4_096]) {
      for (const draw of [below, () => n - 1n]) {
        let ought = 0n
        const is = operate((arena) => {
          const [w, r, a, b] = [160, 40, 40, 40].map((size) => arena.reserve(size)) as [number, number, number, number]
          const at = arena.reserve(32)
          const load = (to: number, value: bigint) => {
            new Uint8Array(exports.memory.buffer, at, 32).set(scalar(value))
            exports.scalarLoad(to, at)
          }
          for (let index = 0; index < count; index++) {
            const [x, y] = [draw(), draw()]
            load(a, x)
            load(b, y)
            exports.wideAddProduct(w, a, b)
            exports.wideAdd(w, b)
            ought += x * y + y
          }
          exports.wideReduce(r, w)
          exports.scalarStore(at, r)
          return number(arena.take(at, 32))
        })
        expect(is).toBe(ought % n)
      }
    }
  })

  it('in inverses, in order and in what is high', () => {
    const below = numbersBelow(n, 'inverses')
    const wrong = differences(1_000, () => {
      const a = scalar(below())
      const { invert, isHigh } = kernel.scalars
      const is = `${String(invert(a))} ${isHigh(a)}`
      return [is, `${String(noble.scalars.invert(a))} ${noble.scalars.isHigh(a)}`]
    })
    expect(wrong).toEqual([])
    for (const value of [n, n + 1n, (1n << 256n) - 1n]) {
      expect(kernel.scalars.invert(scalar(value))).toBeUndefined()
      expect(kernel.scalars.isHigh(scalar(value))).toBe(true)
    }
  })
})

const text = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? 'undefined' : Buffer.from(bytes).toString('hex')

/** Scalars whose windows, halves and signs are at an edge, and those near powers of two. */
const factors: readonly bigint[] = [
  ...edgesOf(n),
  Point.Fn.create(0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n),
  ...Array.from({ length: 64 }, (_, index) => 1n << BigInt(4 * index + 3)).flatMap((k) => [k - 1n, k, n - k]),
  ...Array.from({ length: 40 }, (_, small) => BigInt(small)),
].map((value) => mod(value, n))

describe('the points of the kernel agree with noble', () => {
  const random = seededRandom('points')
  const someScalars = (count: number): Uint8Array => noble.scalars.reduce(random(64 * count))
  const unsafe = (point: typeof Point.BASE, factor: bigint): string => {
    const product = point.multiplyUnsafe(factor)
    return product.is0() ? 'undefined' : text(product.toBytes())
  }

  it('in multiples of G, and in those at the edges', () => {
    const all = [...factors, ...split(someScalars(some), 32).map(number)]
    const wrong = differences(all.length, (index) => {
      const factor = all[index] ?? 0n
      return [text(kernel.points.multiplyBase(scalar(factor))), unsafe(Point.BASE, factor)]
    })
    expect(wrong).toEqual([])
    const vector = someScalars(300)
    const multiples = split(vector, 32).map((k) => Point.BASE.multiplyUnsafe(number(k)).toBytes())
    expect(kernel.points.multiplyBase(vector)).toEqual(concatBytes(...multiples))
  })

  it('in multiples of other points, and in those at the edges', () => {
    const all = [...factors, ...split(someScalars(some), 32).map(number)]
    const points = split(kernel.points.multiplyBase(someScalars(64)) ?? new Uint8Array(0), 33)
    const wrong = differences(all.length, (index) => {
      const factor = all[index] ?? 0n
      const point = points[index % points.length] ?? new Uint8Array(0)
      return [text(kernel.points.multiply(scalar(factor), point)), unsafe(Point.fromBytes(point), factor)]
    })
    expect(wrong).toEqual([])
  })

  it('in multiples on whose way a doubling has limbs at both ends of what they may be', () => {
    const found = [
      [
        '20bed22f4b393f5c87d14f644f9e6e9e5dda961623ef73464a8e18039b0fe6f8',
        '36bf01cdc40443f5cfcab51caea1b81e6f332b8e49b3b17b853882d58ab24719',
      ],
      [
        'e9d183dd97d0ad0f6556753854928137d58fa8e809f32996148cef40d66ff040',
        '1d1625a7de3d315a336581c9f2962883275357f06a93297aaa8a3fe63af79c58',
      ],
      [
        '049ec62d8fa320e9d26e1259c7870ad84edb5989598dda78b55437798a93f6bf',
        '027cd3a5aa62d5b8cedc292474a4b43b80a3e51074b4bcb9d979656e66e8cc11',
      ],
    ] as const
    for (const [k, of] of found) {
      const point = noble.points.multiplyBase(hexToBytes(of)) ?? hexToBytes(of)
      expect(kernel.points.multiply(hexToBytes(k), point)).toEqual(noble.points.multiply(hexToBytes(k), point))
    }
  })

  it('in sums: of equal points, of opposite ones and of any', () => {
    const encoded = kernel.points.multiplyBase(someScalars(40)) ?? new Uint8Array(0)
    const points = split(encoded, 33)
    const opposite = (point: Uint8Array) => point.with(0, 5 - (point[0] ?? 0))
    const wrong = differences(points.length ** 2, (index) => {
      const P = points[index % points.length] ?? encoded
      const other = points[Math.floor(index / points.length)] ?? encoded
      const Q = index % 7 === 0 ? opposite(P) : index % 5 === 0 ? P : other
      return [text(kernel.points.add(P, Q)), text(noble.points.add(P, Q))]
    })
    expect(wrong).toEqual([])
    const withOpposite = concatBytes(encoded.subarray(33), opposite(encoded.subarray(0, 33)))
    const turned = concatBytes(encoded.subarray(33), encoded.subarray(0, 33))
    expect(kernel.points.add(turned, withOpposite)).toBeUndefined()
    expect(kernel.points.add(turned, turned)).toEqual(noble.points.add(turned, turned))
  })

  it('in what is an encoding of a point', () => {
    const below = numbersBelow(1n << 256n, 'encodings')
    const wrong = differences(3_000, (index) => {
      const x = index < 600 ? mod(p - 300n + BigInt(index), 1n << 256n) : below()
      const prefix = index % 61 === 0 ? index % 256 : 2 + (index & 1)
      const encoding = concatBytes(new Uint8Array([prefix]), numberToBytesBE(x, 32))
      return [kernel.points.areValid(encoding), noble.points.areValid(encoding)]
    })
    expect(wrong).toEqual([])
  })

  it('in what is refused', () => {
    const G = Point.BASE.toBytes()
    const one = scalar(1n)
    const offCurve = concatBytes(new Uint8Array([2]), scalar(5n))
    const refused: readonly ((arithmetic: Arithmetic) => unknown)[] = [
      ({ points }) => points.multiplyBase(concatBytes(one, scalar(0n), one)),
      ({ points }) => points.multiplyBase(concatBytes(one, scalar(n))),
      ({ points }) => points.multiply(scalar(0n), G),
      ({ points }) => points.multiply(scalar(n), G),
      ({ points }) => points.multiply(scalar((1n << 256n) - 1n), G),
      ({ points }) => points.multiply(one, concatBytes(G, offCurve)),
      ({ points }) => points.multiply(one, G.subarray(0, 32)),
      ({ points }) => points.add(G, offCurve),
      ({ points }) => points.add(offCurve, G),
      ({ points }) => points.add(G, concatBytes(G, G)),
      ({ points }) => points.add(concatBytes(G, G), concatBytes(G, G.with(0, 5 - (G[0] ?? 0)))),
      ({ transfer }) => transfer.choose({ base: offCurve, blinds: one, choices: new Uint8Array(1) }),
      ({ transfer }) => transfer.choose({ base: G, blinds: scalar(0n), choices: new Uint8Array(1) }),
      ({ transfer }) => transfer.choose({ base: G, blinds: scalar(n), choices: new Uint8Array(1) }),
      ({ transfer }) => transfer.choose({ base: G, blinds: scalar(n - 1n), choices: new Uint8Array([1]) }),
      ({ transfer }) => transfer.choose({ base: G, blinds: scalar(n - 1n), choices: new Uint8Array([0]) }),
      ({ transfer }) => transfer.keys({ secret: scalar(0n), base: G, points: G }),
      ({ transfer }) => transfer.keys({ secret: scalar(n), base: G, points: G }),
      ({ transfer }) => transfer.keys({ secret: one, base: G, points: G }),
      ({ transfer }) => transfer.keys({ secret: one, base: offCurve, points: G }),
      ({ transfer }) => transfer.keys({ secret: one, base: G, points: offCurve }),
    ]
    for (const refuse of refused) expect([refuse(kernel), refuse(noble)]).toEqual([undefined, undefined])
    const empty = new Uint8Array(0)
    for (const { points, scalars } of [kernel, noble]) {
      expect(points.areValid(empty)).toBe(true)
      expect(points.multiplyBase(empty)).toEqual(empty)
      expect(points.multiply(one, empty)).toEqual(empty)
      expect(points.add(empty, empty)).toEqual(empty)
      expect(scalars.areCanonical(empty)).toBe(true)
    }
  })

  it('in multiplications of either side of base OTs, also with blinds and choices at the edges', () => {
    const a = someScalars(1)
    const base = kernel.points.multiplyBase(a) ?? new Uint8Array(0)
    const edges = factors.slice(1, 60).filter((factor) => factor !== 0n)
    // Each transfer takes 256 of either side.
    for (let round = 0; round < times(3, 8); round++) {
      const blinds = concatBytes(...(round < 3 ? edges.map(scalar) : []), someScalars(kappa)).subarray(0, 32 * kappa)
      const choices = round === 1 ? new Uint8Array(16).fill(255) : round === 2 ? new Uint8Array(16) : random(16)
      const chosen = kernel.transfer.choose({ base, blinds, choices })
      expect(chosen).toEqual(noble.transfer.choose({ base, blinds, choices }))
      const input = { secret: a, base, points: chosen?.points ?? base }
      expect(kernel.transfer.keys(input)).toEqual(noble.transfer.keys(input))
    }
  })
})

describe('signatures by the kernel agree with noble', () => {
  it('in 150 that are right and as many changed ones', () => {
    const random = seededRandom('signatures')
    const wrong = differences(150, (index) => {
      const secret = noble.scalars.reduce(random(64))
      const digest = index === 0 ? scalar(0n) : noble.scalars.reduce(random(64))
      const key = noble.points.multiplyBase(secret) ?? secret
      const [v = 9, ...rs] = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
      const signature = Uint8Array.from([...rs, v])
      const place = index % 65
      const changed = signature.with(place, (signature[place] ?? 0) ^ (1 << (index % 8)))
      const answers = ({ isSignature }: Arithmetic) => {
        const asked = [isSignature(key, digest, signature), isSignature(key, digest, changed)]
        return [...asked, isSignature(key, secret, signature)].join()
      }
      return [answers(kernel), answers(noble)]
    })
    expect(wrong).toEqual([])
  })
})

describe('what an operation leaves in the memory of the kernel', () => {
  const memory = () => Buffer.from(exports.memory.buffer)
  const curve = curveOf(exports, operateOn(exports))
  const secret = scalar(0x1234567890abcdef1234567890abcdefn)
  const base = noble.points.multiplyBase(scalar(7n)) ?? secret
  const operations: Readonly<Record<string, () => unknown>> = {
    'points.multiplyBase': () => curve.points.multiplyBase(secret),
    'points.multiply': () => curve.points.multiply(secret, base),
    'points.add': () => curve.points.add(base, base),
    'transfer.choose': () =>
      curve.transfer.choose({ base, blinds: concatBytes(secret, secret), choices: new Uint8Array([1]) }),
    'transfer.keys': () => curve.transfer.keys({ secret: scalar(7n), base, points: Point.BASE.toBytes() }),
    'scalars.multiply': () => curve.scalars.multiply(secret, secret),
    'scalars.invert': () => curve.scalars.invert(secret),
    'an operation that throws': () =>
      operate((arena) => {
        exports.scalarsMultiply(arena.reserve(32), arena.put(secret), arena.put(secret))
        throw new Error('thrown')
      }),
  }
  for (const [name, operation] of Object.entries(operations)) {
    it(`is nothing, after ${name}`, () => {
      const before = memory()
      const copy = Buffer.from(before)
      try {
        operation()
      } catch (cause) {
        expect(cause).toEqual(new Error('thrown'))
      }
      expect(memory().subarray(0, copy.length).equals(copy)).toBe(true)
      expect(
        memory()
          .subarray(copy.length)
          .every((byte) => byte === 0),
      ).toBe(true)
    })
  }
})
