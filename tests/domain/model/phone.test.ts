import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import * as library from 'libphonenumber-js'
import { describe, expect, it } from 'vitest'
import * as Phone from '../../../domain/model/Phone.ts'
import { callingCode, digits } from './arbitrary.ts'

const codeOf = (input: string, country?: Phone.Country) =>
  Result.match(Phone.parse(library, input, country), { onSuccess: () => 'parsed', onFailure: ({ code }) => code })

/** A library that accepts any input. */
const credulous = {
  parsePhoneNumberWithError: (input: string) => ({ countryCallingCode: '49', nationalNumber: input }),
} as unknown as Phone.Library

const national = (input: string) =>
  Result.match(Phone.parse(credulous, input), { onSuccess: () => 'parsed', onFailure: ({ code }) => code })

describe('phone parsing', () => {
  it('gives country code and phone, which joined are the international number', () => {
    expect(Result.getOrThrow(Phone.parse(library, '+1 (213) 373-4253'))).toEqual({
      countryCode: '+1',
      phone: '2133734253',
      international: '+12133734253',
      country: 'US',
    })
    expect(Result.getOrThrow(Phone.parse(library, '020 7946 0958', 'GB'))).toMatchObject({
      countryCode: '+44',
      phone: '2079460958',
    })
  })

  it('reads the two fields of an auth object, with or without a plus', () => {
    fc.assert(
      fc.property(callingCode, digits(6, 10), fc.boolean(), (code, number, plus) => {
        const parsed = Phone.parseParts(library, { countryCode: `${plus ? '+' : ''}${code}`, phone: number })

        expect(parsed).toEqual(Phone.parse(library, `+${code}${number}`))
      }),
    )
    expect(Result.getOrThrow(Phone.parseParts(library, { countryCode: '44', phone: '2079460958' }))).toMatchObject({
      international: '+442079460958',
    })
  })

  it('what it gives parses to itself, for numbers that do not begin like a prefix for long distance', () => {
    fc.assert(
      fc.property(callingCode, fc.constantFrom(...Array.from('23456789')), digits(1, 15), (code, first, rest) => {
        const parsed = Phone.parse(library, `+${code}${first}${rest}`)
        fc.pre(Result.isSuccess(parsed))
        const { countryCode, phone, international } = Result.getOrThrow(parsed)

        expect(countryCode + phone).toBe(international)
        expect(Result.getOrThrow(Phone.parse(library, international)).international).toBe(international)
      }),
    )
  })

  it('NOT_A_NUMBER', () => {
    expect(codeOf('no number at all')).toBe('NOT_A_NUMBER')
    expect(codeOf('')).toBe('NOT_A_NUMBER')
  })

  it('TOO_SHORT', () => {
    expect(codeOf('+1')).toBe('TOO_SHORT')
    expect(codeOf('2', 'US')).toBe('TOO_SHORT')
  })

  it('TOO_LONG', () => {
    expect(codeOf(`+49${'1'.repeat(18)}`)).toBe('TOO_LONG')
  })

  it('INVALID_COUNTRY', () => {
    expect(codeOf('2133734253')).toBe('INVALID_COUNTRY')
    expect(codeOf('+999 123456')).toBe('INVALID_COUNTRY')
    expect(codeOf('2133734253', 'XX' as Phone.Country)).toBe('INVALID_COUNTRY')
  })

  it('rejects input longer than 250 characters', () => {
    expect(codeOf(`+12133734253${' '.repeat(238)}`)).toBe('parsed')
    expect(codeOf(`+12133734253${' '.repeat(239)}`)).toBe('TOO_LONG')
    fc.assert(
      fc.property(fc.string({ minLength: 251, maxLength: 400 }), (input) => {
        expect(codeOf(input)).toBe('TOO_LONG')
      }),
    )
  })

  it('rejects a national number under 2 or over 17 digits, whatever the library says', () => {
    fc.assert(
      fc.property(digits(0, 30), (number) => {
        const expected = number.length < 2 ? 'TOO_SHORT' : number.length > 17 ? 'TOO_LONG' : 'parsed'

        expect(national(number)).toBe(expected)
      }),
    )
    expect(['1', '12', '1'.repeat(17), '1'.repeat(18)].map(national)).toEqual([
      'TOO_SHORT',
      'parsed',
      'parsed',
      'TOO_LONG',
    ])
  })

  it('any text gives a phone or one of the four codes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (input) => {
        expect(['parsed', ...Phone.codes]).toContain(codeOf(input))
      }),
    )
  })

  it("a mistake of the library's own is not a phone error", () => {
    const broken = {
      parsePhoneNumberWithError: () => {
        throw new TypeError('metadata is missing')
      },
    } as unknown as Phone.Library

    expect(() => Phone.parse(broken, '+1')).toThrow(TypeError)
  })
})
