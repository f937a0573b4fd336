import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Signature from '../../../domain/model/Signature.ts'
import { times } from '../../kit/long.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secretKey = bytes.filter((bytes) => secp256k1.utils.isValidSecretKey(bytes))

/** A signature that was not made here, with its s as it fell. */
const signed = (digest: Uint8Array, secretKey: Uint8Array): Signature.Signature => {
  const recovered = secp256k1.sign(digest, secretKey, { prehash: false, lowS: false, format: 'recovered' })
  return Result.getOrThrow(Signature.fromBytes(concatBytes(recovered.slice(1), recovered.slice(0, 1))))
}

const sentence = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).message

describe('signature: 32-byte r plus 32-byte s, plus v', () => {
  it('is split from 65 bytes, and joined again', () => {
    fc.assert(
      fc.property(bytes, secretKey, (digest, secretKey) => {
        const signature = signed(digest, secretKey)
        const hex = Signature.toHex(signature)

        expect([signature.r.length, signature.s.length]).toEqual([32, 32])
        expect(hex).toMatch(/^[0-9a-f]{128}0[01]$/)
        expect(Result.getOrThrow(Signature.fromBytes(hexToBytes(hex)))).toEqual(signature)
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
    ]

    expect(wrong.map((hex) => sentence(Signature.fromBytes(hexToBytes(hex))))).toEqual(
      wrong.map(() => 'invalid signature'),
    )
    expect(Result.isSuccess(Signature.fromBytes(hexToBytes(`${scalar}${scalar}00`)))).toBe(true)
    expect(sentence(Signature.fromBytes(new Uint8Array(66).fill(1)))).toBe('invalid signature')
  })

  it('the order is that of the curve', () => {
    expect(Signature.order).toBe(secp256k1.Point.Fn.ORDER)
  })
})

describe('its text forms', () => {
  it("Ethereum's form has 0x in front and v as 27 or 28", () => {
    const signature = { r: new Uint8Array(32).fill(1), s: new Uint8Array(32).fill(2), v: 1 } as const

    expect(Signature.toEthereumHex(signature)).toBe(`0x${'01'.repeat(32)}${'02'.repeat(32)}1c`)
    expect(Signature.toEthereumHex({ ...signature, v: 0 })).toMatch(/1b$/)
  })
})
