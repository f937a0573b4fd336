import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { recoverAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { evm } from '../../../domain/model/Address.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import { times } from '../../kit/long.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secretKey = bytes.filter((bytes) => secp256k1.utils.isValidSecretKey(bytes))

/** A signature that was not made here, with its s as it fell. */
const signed = (digest: Uint8Array, secretKey: Uint8Array): Signature.Signature => {
  const recovered = secp256k1.sign(digest, secretKey, { prehash: false, lowS: false, format: 'recovered' })
  return Result.getOrThrow(Signature.fromBytes(concatBytes(recovered.slice(1), recovered.slice(0, 1))))
}

const compact = ({ r, s }: Signature.Signature) => concatBytes(r, s)

const sentence = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).message

describe('signature: 32-byte r plus 32-byte s, plus v', () => {
  it('is split from 65 bytes and from 130 hex digits, and joined again', () => {
    fc.assert(
      fc.property(bytes, secretKey, (digest, secretKey) => {
        const signature = signed(digest, secretKey)
        const hex = Signature.toHex(signature)

        expect([signature.r.length, signature.s.length]).toEqual([32, 32])
        expect(hex).toMatch(/^[0-9a-f]{128}0[01]$/)
        expect(Result.getOrThrow(Signature.fromHex(hex))).toEqual(signature)
        expect(Result.getOrThrow(Signature.fromHex(`0x${hex.toUpperCase()}`))).toEqual(signature)
        expect(Result.getOrThrow(Signature.fromBytes(Signature.toBytes(signature)))).toEqual(signature)
      }),
      { numRuns: times(25, 250) },
    )
  })

  it('anything else is refused', () => {
    const scalar = '01'.padStart(64, '0')
    const order = Signature.order.toString(16)
    const wrong = [
      '',
      `${scalar}${scalar}`,
      `${scalar}${scalar}1b`,
      `${scalar}${scalar}02`,
      `${scalar}${scalar}0000`,
      `${'0'.repeat(64)}${scalar}00`,
      `${scalar}${'0'.repeat(64)}00`,
      `${order}${scalar}00`,
      `${scalar}${order}00`,
      `${scalar}${scalar}0x`,
    ]

    expect(wrong.map((hex) => sentence(Signature.fromHex(hex)))).toEqual(wrong.map(() => 'invalid signature'))
    expect(Result.isSuccess(Signature.fromHex(`${scalar}${scalar}00`))).toBe(true)
    expect(sentence(Signature.fromBytes(new Uint8Array(0)))).toBe('invalid signature')
    expect(sentence(Signature.fromBytes(new Uint8Array(66).fill(1)))).toBe('invalid signature')
  })

  it('the order is that of the curve', () => {
    expect(Signature.order).toBe(secp256k1.Point.Fn.ORDER)
  })
})

describe('low s', () => {
  it('the lower form verifies for the same message and key', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, secretKey, async (digest, secretKey) => {
        const publicKey = secp256k1.getPublicKey(secretKey, false)

        const low = Signature.withLowS(signed(digest, secretKey))

        expect(Signature.isLowS(low)).toBe(true)
        expect(secp256k1.verify(compact(low), digest, publicKey, { prehash: false, lowS: true })).toBe(true)
        expect(await recoverAddress({ hash: `0x${bytesToHex(digest)}`, signature: Signature.toEthereumHex(low) })).toBe(
          evm(publicKey),
        )
      }),
      { numRuns: times(25, 250) },
    )
  })

  it('v is flipped with s, and only above half the order', () => {
    const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
    const of = (s: bigint) =>
      Result.getOrThrow(Signature.fromBytes(concatBytes(scalar(1n), scalar(s), Uint8Array.of(0))))

    const highest = of(Signature.highestLowS)
    const above = of(Signature.highestLowS + 1n)

    expect(Signature.withLowS(highest)).toEqual(highest)
    expect(Signature.isLowS(above)).toBe(false)
    expect(Signature.withLowS(above)).toEqual({ ...highest, v: 1 })
  })

  it("Ethereum's form has 0x in front and v as 27 or 28", () => {
    const signature = { r: new Uint8Array(32).fill(1), s: new Uint8Array(32).fill(2), v: 1 } as const

    expect(Signature.toEthereumHex(signature)).toBe(`0x${'01'.repeat(32)}${'02'.repeat(32)}1c`)
    expect(Signature.toEthereumHex({ ...signature, v: 0 })).toMatch(/1b$/)
  })
})
