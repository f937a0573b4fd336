/**
 * Phone numbers. The library with the numbering plans has 29 kB, so the caller loads it and passes it in:
 * `Phone.parse(await import('libphonenumber-js'), input)`.
 */
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import type { CountryCode, parsePhoneNumberWithError } from 'libphonenumber-js'
import { nationalNumberMaxDigits, nationalNumberMinDigits, phoneInputLength } from './Limits.ts'

export type Library = { readonly parsePhoneNumberWithError: typeof parsePhoneNumberWithError }
export type Country = CountryCode

export const codes = ['NOT_A_NUMBER', 'TOO_SHORT', 'TOO_LONG', 'INVALID_COUNTRY'] as const
export type Code = (typeof codes)[number]

/** `countryCode` is the calling code with its plus, `phone` the national number: joined they are `international`. */
export type Phone = {
  readonly countryCode: `+${string}`
  readonly phone: string
  readonly international: `+${string}`
  readonly country?: Country
}

/** Reads a number in international form, or in the national form of `country`. */
export const parse = (library: Library, input: string, country?: Country): Result.Result<Phone, InvalidPhone> => {
  if (input.length > phoneInputLength) return Result.fail(new InvalidPhone({ code: 'TOO_LONG' }))
  return Result.flatMap(numberOf(library, input, country), (number) => {
    const { countryCallingCode, nationalNumber, country } = number
    if (nationalNumber.length < nationalNumberMinDigits) return Result.fail(new InvalidPhone({ code: 'TOO_SHORT' }))
    if (nationalNumber.length > nationalNumberMaxDigits) return Result.fail(new InvalidPhone({ code: 'TOO_LONG' }))
    return Result.succeed({
      countryCode: `+${countryCallingCode}`,
      phone: nationalNumber,
      international: `+${countryCallingCode}${nationalNumber}`,
      ...(country === undefined ? {} : { country }),
    })
  })
}

/** Reads the two fields of an auth object: a calling code, with or without its plus, and a national number. */
export const parseParts = (
  library: Library,
  parts: { readonly countryCode: string; readonly phone: string },
): Result.Result<Phone, InvalidPhone> => parse(library, `+${parts.countryCode.replace(/^\+/, '')}${parts.phone}`)

const numberOf = (library: Library, input: string, country: Country | undefined) => {
  try {
    return Result.succeed(library.parsePhoneNumberWithError(input, country))
  } catch (cause) {
    const code = codes.find((code) => cause instanceof Error && cause.message === code)
    if (code === undefined) throw cause
    return Result.fail(new InvalidPhone({ code }))
  }
}

/** The parsing library's code is the message too. */
export class InvalidPhone extends Data.TaggedError('InvalidPhone')<{ readonly code: Code }> {
  override readonly message = this.code
}
