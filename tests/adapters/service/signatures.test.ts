import { createPublicKey, randomInt, verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { bytesToNumberLE, numberToBytesBE, numberToBytesLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { makeRecall } from '../../../adapters/service/node/recall.ts'
import { verifyP256 as verifyByWebCrypto } from '../../../adapters/browser/p256.ts'
import { openssl } from '../../../adapters/service/node/Signatures.ts'
import { noble, verifyEd25519, verifyP256, type Verify } from '../../../domain/crypto/Signatures.ts'
import { itWithVectors, wycheproof, bytesOf } from '../../domain/crypto/wycheproof.ts'
import { smallOrder } from '../../kit/ed25519Points.ts'
import { times } from '../../kit/long.ts'

afterEach(() => vi.unstubAllGlobals())

type Signed = { readonly key: Uint8Array; readonly message: Uint8Array; readonly signature: Uint8Array }

/** Mulberry32: a failure names the seed that repeats it. */
const randomOf = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (count: number) => next() % count
  return {
    below,
    bytes: (length: number) => Uint8Array.from({ length }, () => below(256)),
    one: <A>(of: readonly A[]): A => {
      const chosen = of[below(of.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    },
  }
}
type Random = ReturnType<typeof randomOf>

const joined = (first: Uint8Array, second: Uint8Array) => concatBytes(first, second)
const halves = (bytes: Uint8Array) => [bytes.slice(0, 32), bytes.slice(32)] as const

// Changes of bytes that suit every signature.

const flipped = (bytes: Uint8Array, random: Random) => {
  const changed = bytes.slice()
  const at = random.below(bytes.length)
  changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
  return changed
}
const filled = (bytes: Uint8Array, random: Random) => {
  const changed = bytes.slice()
  const from = random.below(bytes.length)
  return changed.fill(random.one([0, 255, 127, 1]), from, from + 1 + random.below(bytes.length))
}
const resized = (bytes: Uint8Array, random: Random) =>
  random.one([bytes.slice(1), bytes.slice(0, -1), joined(bytes, random.bytes(1)), new Uint8Array(0)])
const bytesChanged = (bytes: Uint8Array, random: Random) =>
  random.one([flipped, flipped, filled, resized, (_: Uint8Array, by: Random) => by.bytes(bytes.length)])(bytes, random)

const changedAnywhere = (signed: Signed, random: Random): Signed =>
  random.one([
    { ...signed, key: bytesChanged(signed.key, random) },
    { ...signed, message: bytesChanged(joined(signed.message, random.bytes(1)), random) },
    { ...signed, signature: bytesChanged(signed.signature, random) },
  ])

// P-256.

const p256Order = p256.Point.Fn.ORDER
const p256Prime = p256.Point.Fp.ORDER
const wide = (value: bigint) => numberToBytesBE(value % 2n ** 256n, 32)
const p256Numbers = [0n, 1n, p256Order - 1n, p256Order, p256Order + 1n, p256Prime, 2n ** 256n - 1n] as const

const p256Signed = (random: Random): Signed => {
  const secret = p256.utils.randomSecretKey(random.bytes(48))
  const message = random.bytes(random.below(80))
  const signature = p256.sign(message, secret, { prehash: true, lowS: false, format: 'compact' })
  return { key: p256.getPublicKey(secret, false), message, signature }
}
const p256Changes = [
  (signed: Signed) => signed,
  changedAnywhere,
  (signed: Signed) => {
    const { r, s } = p256.Signature.fromBytes(signed.signature)
    return { ...signed, signature: joined(wide(r), wide(p256Order - s)) }
  },
  (signed: Signed, random: Random) => {
    const [r, s] = halves(signed.signature)
    const other = wide(random.one(p256Numbers))
    return { ...signed, signature: random.one([joined(other, s), joined(r, other), joined(other, other)]) }
  },
  (signed: Signed, random: Random) => {
    const { r, s } = p256.Signature.fromBytes(signed.signature)
    const beyond = [joined(wide(r + p256Order), wide(s)), joined(wide(r), wide(s + p256Order))] as const
    return { ...signed, signature: random.one(beyond) }
  },
  (signed: Signed, random: Random) => {
    const compressed = p256.Point.fromBytes(signed.key).toBytes(true)
    const hybrid = joined(Uint8Array.of(6 + ((signed.key[64] ?? 0) & 1)), signed.key.slice(1))
    const other = joined(Uint8Array.of(4), joined(wide(random.one(p256Numbers)), wide(random.one(p256Numbers))))
    return { ...signed, key: random.one([compressed, hybrid, other, Uint8Array.of(0), new Uint8Array(65)]) }
  },
  (signed: Signed) => ({ ...signed, key: smallPoint(p256Prime) }),
  (signed: Signed) => ({ ...signed, key: smallPoint(0n) }),
] as const

/** The first point with a small x, which is also written with x + p in 32 bytes. */
const smallPoint = (added: bigint): Uint8Array => {
  for (let x = 1n; ; x++) {
    try {
      const point = p256.Point.fromBytes(joined(Uint8Array.of(2), wide(x)))
      return joined(Uint8Array.of(4), joined(wide(x + added), wide(point.toAffine().y)))
    } catch {
      continue
    }
  }
}

// Ed25519.

const { Point } = ed25519
const order = Point.Fn.ORDER
const prime = Point.Fp.ORDER
const narrow = (value: bigint) => numberToBytesLE(value % 2n ** 256n, 32)
const number = (bytes: Uint8Array) => bytesToNumberLE(sha512(bytes)) % order

const ofSmallOrder = [narrow(1n), ...smallOrder]

/** The same points where a second encoding of them exists: y not reduced, or the sign of an x that is 0. */
const notCanonical = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
].map((text) => Uint8Array.from(Buffer.from(text, 'hex')))

const torsionOf = (random: Random) => Point.fromBytes(ofSmallOrder[random.below(8)] ?? new Uint8Array(32))

/** Under a key that is a·B + `keyTorsion`, with R moved by `torsion`: valid if and only if the cofactor is cleared. */
const ed25519Signed = (random: Random, keyTorsion = Point.ZERO, torsion = Point.ZERO): Signed => {
  const [a, r] = [number(random.bytes(32)), number(random.bytes(32))]
  const message = random.bytes(random.below(80))
  const key = Point.BASE.multiply(a).add(keyTorsion).toBytes()
  const point = Point.BASE.multiply(r).add(torsion).toBytes()
  const k = bytesToNumberLE(sha512(concatBytes(point, key, message))) % order
  return { key, message, signature: joined(point, narrow((r + k * a) % order)) }
}

/** What OpenSSL takes under a key of small order, found by trying: R is S·B less the right multiple of the key. */
const forged = (key: Uint8Array, random: Random): Signed => {
  const point = Point.fromBytes(key, true)
  for (;;) {
    const s = number(random.bytes(32))
    const message = random.bytes(8)
    const R = Point.BASE.multiply(s)
      .subtract(point.multiplyUnsafe(BigInt(random.below(8))))
      .toBytes()
    const k = bytesToNumberLE(sha512(concatBytes(R, key, message))) % order
    const holds = Point.BASE.multiply(s).subtract(point.multiplyUnsafe(k)).toBytes()
    if (Buffer.compare(holds, R) === 0) return { key, message, signature: joined(R, narrow(s)) }
  }
}

const ed25519Changes = [
  (random: Random) => ed25519Signed(random),
  (random: Random) => changedAnywhere(ed25519Signed(random), random),
  (random: Random) => ed25519Signed(random, torsionOf(random)),
  (random: Random) => ed25519Signed(random, Point.ZERO, torsionOf(random)),
  (random: Random) => changedAnywhere(ed25519Signed(random, torsionOf(random), torsionOf(random)), random),
  (random: Random) => {
    const signed = ed25519Signed(random)
    const [point, s] = halves(signed.signature)
    const value = bytesToNumberLE(s)
    const others = [
      value + order,
      value + 2n * order,
      value + 7n * order,
      order,
      order - 1n,
      0n,
      order - value,
    ] as const
    return { ...signed, signature: joined(point, narrow(random.one(others))) }
  },
  (random: Random) => {
    const signed = ed25519Signed(random)
    const [point, s] = halves(signed.signature)
    const beyond = Uint8Array.from(narrow(prime + BigInt(random.below(19))))
    const other = random.one([...ofSmallOrder, ...notCanonical, beyond, point])
    return random.one([
      { ...signed, key: other },
      { ...signed, signature: joined(other, s) },
    ])
  },
  (random: Random) => forged(random.one([...ofSmallOrder, ...notCanonical]), random),
] as const

const rounds = times(15, 250)

const differences = (make: (random: Random) => Signed, one: Verify, other: Verify) => {
  const differing: string[] = []
  const first = randomInt(2 ** 31)
  for (let seed = first; seed < first + rounds; seed++) {
    const { key, message, signature } = make(randomOf(seed))
    const verdict = one(key, message, signature)
    if (other(key, message, signature) !== verdict) differing.push(`seed ${seed}: noble says ${verdict}`)
  }
  return { differing, seeds: `${first}..${first + rounds - 1}` }
}

describe('the verdict of OpenSSL is that of noble', () => {
  it.each(p256Changes.map((change, at) => [at, change] as const))('for P-256, change %i', (_, change) => {
    const make = (random: Random) => change(p256Signed(random), random)
    const { differing, seeds } = differences(make, verifyP256, openssl.p256)

    expect(differing, `seeds ${seeds}`).toEqual([])
  })

  it.each(ed25519Changes.map((change, at) => [at, change] as const))('for Ed25519, change %i', (_, change) => {
    const { differing, seeds } = differences(change, verifyEd25519, openssl.ed25519)

    expect(differing, `seeds ${seeds}`).toEqual([])
  })

  itWithVectors('for the vectors of Ed25519', () => {
    for (const group of wycheproof('ed25519_test')) {
      const key = Buffer.from((group['publicKey'] as { readonly pk: string }).pk, 'hex')
      for (const vector of group.tests) {
        const verdict = openssl.ed25519(key, bytesOf(vector, 'msg'), bytesOf(vector, 'sig'))
        expect([vector.tcId, verdict]).toEqual([vector.tcId, vector.result === 'valid'])
      }
    }
  })
})

describe('the verdict of WebCrypto is that of noble', () => {
  it.each(p256Changes.map((change, at) => [at, change] as const))('for P-256, change %i', async (_, change) => {
    const first = randomInt(2 ** 31)
    for (let seed = first; seed < first + rounds; seed++) {
      const random = randomOf(seed)
      const { key, message, signature } = change(p256Signed(random), random)
      const verdict = await verifyByWebCrypto(key, message, signature)

      expect([seed, verdict]).toEqual([seed, verifyP256(key, message, signature)])
    }
  })

  it('is false where the platform has no such algorithm', async () => {
    const { key, message, signature } = p256Signed(randomOf(8))
    expect(await verifyByWebCrypto(key, message, signature)).toBe(true)

    vi.stubGlobal('crypto', {})

    expect(await verifyByWebCrypto(key, message, signature)).toBe(false)
  })
})

describe('what is remembered', () => {
  it('is a verdict for the same bytes alone', () => {
    const random = randomOf(7)
    for (const [check, signed, other] of [
      [openssl.p256, p256Signed(random), p256Signed(random)],
      [openssl.ed25519, ed25519Signed(random), ed25519Signed(random)],
    ] as const) {
      const { key, message, signature } = signed
      const changed = flipped(joined(message, random.bytes(1)), random)
      for (let time = 0; time < 2; time++) {
        expect(check(key, message, signature)).toBe(true)
        expect(check(other.key, message, signature)).toBe(false)
        expect(check(key, changed, signature)).toBe(false)
        expect(check(key, message, other.signature)).toBe(false)
        // The same bytes in one row, cut in another place.
        expect(check(key, message.slice(0, -1), joined(signature, message.slice(-1)))).toBe(false)
      }
    }
  })

  it('is made once, and forgotten when enough others have come since', () => {
    const { recall } = makeRecall<string>(2)
    let made = 0
    const ask = (name: string) => recall(name, () => (name === 'none' ? undefined : `${name}${++made}`))

    expect(['a', 'b', 'a', 'c', 'a', 'b', 'none', 'none', 'a'].map(ask)).toEqual([
      'a1',
      'b2',
      'a1',
      'c3',
      'a1',
      'b4',
      undefined,
      undefined,
      'a1',
    ])
  })
})

describe('where OpenSSL and noble differ, noble decides', () => {
  const alone = ({ key, message, signature }: Signed) => {
    const x = Buffer.from(key).toString('base64url')
    return verify(null, message, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
  }
  const ours = ({ key, message, signature }: Signed) => openssl.ed25519(key, message, signature)

  // OpenSSL 3.0, which comes with Node 20, takes them; 3.5 does not.
  it.each([...ofSmallOrder, ...notCanonical])('keys of small order are refused in each encoding: %#', (key) => {
    expect(ours(forged(key, randomOf(7)))).toBe(false)
  })

  it('OpenSSL refuses what only the cofactor makes valid', () => {
    for (const torsion of ofSmallOrder.slice(1)) {
      const signed = ed25519Signed(randomOf(7), Point.ZERO, Point.fromBytes(torsion))
      expect([alone(signed), ours(signed)]).toEqual([false, true])
    }
  })

  it('takes a valid signature, and no other', () => {
    const signed = ed25519Signed(randomOf(8))
    const other = p256Signed(randomOf(8))

    expect(ours(signed)).toBe(true)
    expect(ours({ ...signed, message: randomOf(9).bytes(4) })).toBe(false)
    expect(openssl.p256(other.key, other.message, other.signature)).toBe(true)
    expect(openssl.p256(other.key, randomOf(9).bytes(4), other.signature)).toBe(false)
  })
})

describe('what OpenSSL makes is what noble makes', () => {
  it('signatures of P-256, with low s, of every secret key and message', () => {
    const random = randomOf(randomInt(2 ** 31))
    for (let round = 0; round < 20; round++) {
      // One with zeros in front, too.
      const secretKey = round === 0 ? Uint8Array.from({ length: 32 }, (_, at) => Number(at > 29)) : random.bytes(32)
      const message = random.bytes(random.below(300))
      const signature = openssl.signP256(secretKey, message)

      expect(noble.p256(p256.getPublicKey(secretKey, false), message, signature)).toBe(true)
      expect(p256.Signature.fromBytes(signature, 'compact').hasHighS()).toBe(false)
    }
  })

  it('no signature under a key that is none', () => {
    for (const key of [new Uint8Array(32), new Uint8Array(32).fill(255), new Uint8Array(31).fill(1)])
      expect(() => openssl.signP256(key, randomOf(1).bytes(3))).toThrow(
        'a secret key of P-256 is a number below its order',
      )
  })

  it('digests', () => {
    for (const length of [0, 1, 64, 70_000]) {
      const bytes = randomOf(length).bytes(length)
      expect(Buffer.from(openssl.sha256(bytes))).toEqual(Buffer.from(noble.sha256(bytes)))
    }
  })
})
