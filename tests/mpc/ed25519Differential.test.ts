/**
 * ED25519 of the kernel against noble: field and scalars operation by operation, many thousands of each, with limbs at
 * the ends that the kernel's own bounds allow; points and multiplications through the port; and what stays in memory.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { split } from '../../domain/mpc/Codec.ts'
import { noble as nobleOfBoth } from '../../domain/mpc/noble.ts'
import { operateOn } from '../../wasm/Arena.ts'
import { ed25519Of } from '../../wasm/EdKernel.ts'
import { times } from '../kit/long.ts'
import { exports, kernel as kernelOfBoth, operate } from './kernel.ts'
import { seededRandom } from './run.ts'

/** How many inputs each operation gets; those that take a millisecond or more get fewer. */
const many = times(10_000, 100_000)
const some = times(200, 2_000)

const { Point } = ed25519
const p = Point.Fp.ORDER
const L = Point.Fn.ORDER
const noble = nobleOfBoth.ed25519
const kernel = kernelOfBoth.ed25519
const le = (value: bigint): Uint8Array => numberToBytesLE(value, 32)
const mod = (value: bigint): bigint => ((value % p) + p) % p
const text = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? 'undefined' : Buffer.from(bytes).toString('hex')

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

describe('the field of Curve25519 in the kernel agrees with noble', () => {
  const limbs = 9
  const bytes = bytesFrom('ed limbs')
  /** Limbs anywhere within a size; in a third of the elements every one at an end of it, now and then all at one. */
  const elementOf = (size: number): readonly number[] => {
    const drawn = bytes(4 * limbs + 1)
    const view = new DataView(drawn.buffer, drawn.byteOffset)
    const bound = size * 2 ** 28
    const kind = drawn[4 * limbs] ?? 0
    return Array.from({ length: limbs }, (_, index) => {
      const word = view.getUint32(4 * index)
      if (kind < 20) return (drawn[0] ?? 0) & 1 ? bound : -bound
      if (kind < 85) return word & 1 ? bound : -bound
      return Math.round((word / 2 ** 31 - 1) * bound)
    })
  }
  const valueOf = (element: readonly number[]): bigint =>
    element.reduce((sum, limb, index) => sum + (BigInt(limb) << BigInt(29 * index)), 0n)
  const withLimbs = (inputs: readonly (readonly number[])[], use: (r: number, ...at: number[]) => void): bigint =>
    operate((arena) => {
      const addresses = inputs.map((input) => arena.put(new Uint8Array(Int32Array.from(input).buffer)))
      const r = arena.reserve(40)
      const out = arena.reserve(32)
      use(r, ...addresses)
      exports.edFieldStore(out, r)
      return bytesToNumberLE(arena.take(out, 32))
    })

  it('in products and squares, at the bounds of their operands', () => {
    const sizes = [
      [7, 2],
      [2, 7],
      [4, 3],
      [3, 4],
      [1, 1],
      [6, 2],
    ] as const
    const wrong = differences(many / 2, (index) => {
      const [left, right] = sizes[index % sizes.length] ?? [1, 1]
      const [a, b] = [elementOf(left), elementOf(right)]
      return [withLimbs([a, b], (r, x = 0, y = 0) => exports.edFieldMultiply(r, x, y)), mod(valueOf(a) * valueOf(b))]
    })
    expect(wrong).toEqual([])
    const wrongSquares = differences(many / 2, (index) => {
      const a = elementOf((index % 3) + 1)
      return [withLimbs([a], (r, x = 0) => exports.edFieldSquare(r, x)), mod(valueOf(a) * valueOf(a))]
    })
    expect(wrongSquares).toEqual([])
  })

  it('in elements read and written, of every size', () => {
    const wrong = differences(many / 5, (index) => {
      const element = elementOf((index % 6) + 1)
      const stored = operate((arena) => {
        const at = arena.put(new Uint8Array(Int32Array.from(element).buffer))
        const out = arena.reserve(32)
        exports.edFieldStore(out, at)
        return bytesToNumberLE(arena.take(out, 32))
      })
      return [stored, mod(valueOf(element))]
    })
    expect(wrong).toEqual([])
    const read = bytesFrom('ed bytes')
    const powers = [(1n << 255n) - 1n, 1n << 255n, (1n << 256n) - 1n]
    const edges = [0n, 1n, 18n, 19n, p - 1n, p, p + 1n, p + 18n, ...powers].map(le)
    const wrongReads = differences(many / 5, (index) => {
      const given = edges[index] ?? read(32)
      const stored = operate((arena) => {
        const [r, out] = [arena.reserve(40), arena.reserve(32)]
        exports.edFieldLoad(r, arena.put(given))
        exports.edFieldStore(out, r)
        return bytesToNumberLE(arena.take(out, 32))
      })
      return [stored, mod(bytesToNumberLE(given) & ((1n << 255n) - 1n))]
    })
    expect(wrongReads).toEqual([])
  })

  it('in inverses and roots', () => {
    const wrong = differences(300, (index) => {
      const a = index === 0 ? Array.from({ length: limbs }, () => 0) : elementOf((index % 2) + 1)
      const value = mod(valueOf(a))
      const inverse = withLimbs([a], (r, x = 0) => exports.edFieldInvert(r, x))
      const root = withLimbs([a], (r, x = 0) => exports.edFieldRoot(r, x))
      const ought = [value === 0n ? 0n : Point.Fp.inv(value), Point.Fp.pow(value, (p - 5n) / 8n)]
      return [[inverse, root].join(), ought.join()]
    })
    expect(wrong).toEqual([])
  })
})

describe('the scalars modulo L in the kernel agree with noble', () => {
  const bytes = bytesFrom('ed scalars')
  const edges = [0n, 1n, 2n, L - 1n, L, L + 1n, 2n * L, (1n << 252n) - 1n, 1n << 252n, (1n << 256n) - 1n].map(le)
  const operand = (): Uint8Array => {
    const [choice = 0] = bytes(1)
    return choice < 64 ? (edges[choice % edges.length] ?? bytes(32)) : bytes(32)
  }

  it('in sums, differences and products', () => {
    const operations = ['add', 'subtract', 'multiply'] as const
    const wrong = differences(many, (index) => {
      const operation = operations[index % 3] ?? 'add'
      const [a, b] = [operand(), operand()]
      return [text(kernel.scalars[operation](a, b)), text(noble.scalars[operation](a, b))]
    })
    expect(wrong).toEqual([])
  })

  it('in reductions, in what is canonical and in what is not 0', () => {
    const wide = Uint8Array.from(seededRandom('ed wide')(64 * many))
    expect(Buffer.from(kernel.scalars.reduce(wide)).equals(noble.scalars.reduce(wide))).toBe(true)
    const near = (index: number) => (L << BigInt(index % 259)) + BigInt(index % 3) - 1n
    const vector = concatBytes(...Array.from({ length: some }, (_, index) => numberToBytesLE(near(index), 64)))
    expect(Buffer.from(kernel.scalars.reduce(vector)).equals(noble.scalars.reduce(vector))).toBe(true)
    const wrong = differences(many / 5, () => {
      const [a, b] = [operand(), bytes(48)]
      const answers = ({ scalars }: typeof noble) => `${scalars.areCanonical(a)} ${text(scalars.positive(b))}`
      return [answers(kernel), answers(noble)]
    })
    expect(wrong).toEqual([])
  })
})

describe('the points of edwards25519 in the kernel agree with noble', () => {
  const random = seededRandom('ed points')
  const scalars = (count: number): readonly Uint8Array[] => split(noble.scalars.reduce(random(64 * count)), 32)
  const known = scalars(64).map((k) => noble.points.multiplyBase(k) ?? k)
  const point = (index: number): Uint8Array => known[index % known.length] ?? new Uint8Array(32)
  const factors = [0n, 1n, 2n, 15n, 16n, 17n, 31n, 32n, 33n, L - 1n, L - 2n, L, L >> 1n, (1n << 252n) - 1n].map(le)

  it('in multiples of G, and in those at the edges', () => {
    const all = [...factors, ...scalars(some)]
    const wrong = differences(all.length, (index) => {
      const k = all[index] ?? le(0n)
      return [text(kernel.points.multiplyBase(k)), text(noble.points.multiplyBase(k))]
    })
    expect(wrong).toEqual([])
  })

  it('in multiples of other points, added to others, and in those at the edges', () => {
    const all = [...factors, ...scalars(some)]
    const wrong = differences(all.length, (index) => {
      const k = all[index] ?? le(0n)
      const [P, Q] = [point(index), point(5 * index + 1)]
      return [text(kernel.points.addMultiple(P, k, Q)), text(noble.points.addMultiple(P, k, Q))]
    })
    expect(wrong).toEqual([])
  })

  it('in equations, half of which hold', () => {
    const [nonces, challenges, secrets] = [scalars(some), scalars(some), scalars(some)]
    const wrong = differences(some, (index) => {
      const [k, c, x] = [nonces[index] ?? le(1n), challenges[index] ?? le(1n), secrets[index] ?? le(1n)]
      const R = kernel.points.multiplyBase(k) ?? k
      const X = kernel.points.multiplyBase(x) ?? x
      const z = noble.scalars.add(k, noble.scalars.multiply(c, x))
      const holds = index % 2 === 0
      return [kernel.points.holds({ z: holds ? z : noble.scalars.add(z, le(1n)), R, c, X }), holds]
    })
    expect(wrong).toEqual([])
  })

  it('in sums, and in what is a point', () => {
    const wrong = differences(some, (index) => {
      const [P, Q] = [point(index), point(7 * index)]
      return [text(kernel.points.add(P, Q)), text(noble.points.add(P, Q))]
    })
    expect(wrong).toEqual([])
    const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
    const wrongPoints = differences(400, (index) => {
      const twisted = Point.fromBytes(point(index)).add(torsion).toBytes()
      const bytes = index % 4 === 0 ? twisted : index % 4 === 1 ? point(index) : random(32)
      return [kernel.points.areValid(bytes), noble.points.areValid(bytes)]
    })
    expect(wrongPoints).toEqual([])
  })

  it('in both halves of 1,000 exchanges of keys', () => {
    const bytes = bytesFrom('ed exchange')
    const wrong = differences(1_000, () => {
      const [secret, peer] = [bytes(32), bytes(32)]
      const answers = ({ exchange }: typeof noble) =>
        `${text(exchange.publicKey(secret))} ${text(exchange.shared(secret, peer))}`
      return [answers(kernel), answers(noble)]
    })
    expect(wrong).toEqual([])
  })
})

describe('what an operation on edwards25519 leaves in the memory of the kernel', () => {
  const memory = () => Buffer.from(exports.memory.buffer)
  const { points, scalars, exchange } = ed25519Of(exports, operateOn(exports))
  const secret = le(0x1234567890abcdef1234567890abcdefn)
  const G = Point.BASE.toBytes()
  const operations: Readonly<Record<string, () => unknown>> = {
    'points.areValid': () => points.areValid(G),
    'points.multiplyBase': () => points.multiplyBase(concatBytes(secret, secret)),
    'points.add': () => points.add(G, G),
    'points.addMultiple': () => points.addMultiple(G, secret, G),
    'points.holds': () => points.holds({ z: secret, R: G, c: secret, X: G }),
    'scalars.reduce': () => scalars.reduce(new Uint8Array(64).fill(7)),
    'scalars.positive': () => scalars.positive(new Uint8Array(48).fill(7)),
    'scalars.multiply': () => scalars.multiply(secret, secret),
    'scalars.subtract': () => scalars.subtract(secret, le(L - 1n)),
    'exchange.shared': () => exchange.shared(secret, new Uint8Array(32).fill(9)),
    'a secret that is none': () => points.multiplyBase(le(L)),
  }
  for (const [name, operation] of Object.entries(operations)) {
    it(`is nothing, after ${name}`, () => {
      const copy = memory()
      operation()
      expect(memory().subarray(0, copy.length).equals(copy)).toBe(true)
      expect(
        memory()
          .subarray(copy.length)
          .every((byte) => byte === 0),
      ).toBe(true)
    })
  }
})
