import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Identity from '../../../domain/model/Identity.ts'
import { absentText, callingCode, digits, email, handle, identity, presentText } from './arbitrary.ts'

const fields = [
  'email',
  'phone',
  'countryCode',
  'farcasterUsername',
  'telegramUserId',
  'externalWalletAddress',
  'userId',
] as const

const identifierKinds = ['EMAIL', 'PHONE', 'TELEGRAM', 'CUSTOM_ID', 'DISCORD', 'TWITTER'] as const

/** Upper case here and there. */
const recased = (text: string, upper: readonly boolean[]) =>
  [...text].map((char, index) => (upper[index % upper.length] ? char.toUpperCase() : char)).join('')

describe('an auth object has exactly one identity kind', () => {
  it('each identity comes back from its own auth object', () => {
    fc.assert(
      fc.property(identity, (identity) => {
        expect(Identity.fromAuthObjectOrUserId(Identity.toAuthObject(identity))).toEqual(identity)
      }),
    )
  })

  it('a kind applies only when none of the others is set', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        fc.pre(a.kind !== b.kind)

        const both = { ...Identity.toAuthObject(a), ...Identity.toAuthObject(b) }

        expect(Identity.fromAuthObjectOrUserId(both)).toBeUndefined()
      }),
    )
  })

  it("the strings 'null', 'undefined' and empty count as absent", () => {
    fc.assert(
      fc.property(identity, fc.array(absentText, { minLength: 7, maxLength: 7 }), (identity, absent) => {
        const noise = Object.fromEntries(fields.map((field, index) => [field, absent[index]]))

        const auth = { ...noise, ...Identity.toAuthObject(identity) }

        expect(Identity.fromAuthObjectOrUserId(noise)).toBeUndefined()
        expect(Identity.fromAuthObjectOrUserId(auth)).toEqual(identity)
      }),
    )
  })

  it('a phone needs phone and country code', () => {
    fc.assert(
      fc.property(presentText, absentText, (text, absent) => {
        expect(Identity.fromAuthObject({ phone: text, countryCode: absent })).toBeUndefined()
        expect(Identity.fromAuthObject({ phone: absent, countryCode: text })).toBeUndefined()
      }),
    )
  })

  it('half a phone still excludes the other kinds', () => {
    expect(Identity.fromAuthObject({ email: 'a@b.co', countryCode: '+1' })).toBeUndefined()
    expect(Identity.fromAuthObject({ email: 'a@b.co', phone: '5550001' })).toBeUndefined()
  })

  it('a user id is an identity only when allowed', () => {
    expect(Identity.fromAuthObject({ userId: 'u' })).toBeUndefined()
    expect(Identity.fromAuthObjectOrUserId({ userId: 'u' })).toEqual({ kind: 'userId', userId: 'u' })
    expect(Identity.fromAuthObject({ email: 'a@b.co', userId: 'u' })).toBeUndefined()
    expect(Identity.fromAuthObject({ email: 'a@b.co' })).toEqual({ kind: 'email', email: 'a@b.co' })
  })

  it("if required and none matches: 'invalid auth object'", () => {
    const missing = Identity.required(Identity.fromAuthObject({ email: 'null' }))

    expect(Result.getOrThrow(Result.flip(missing))).toBeInstanceOf(Identity.InvalidAuthObject)
    expect(Result.getOrThrow(Identity.required({ kind: 'email', email: 'a@b.co' }))).toEqual({
      kind: 'email',
      email: 'a@b.co',
    })
  })
})

describe('the key that identifies each kind', () => {
  it('is the value itself, or the value suffixed', () => {
    fc.assert(
      fc.property(presentText, (text) => {
        expect(Identity.key({ kind: 'email', email: text })).toBe(text)
        expect(Identity.key({ kind: 'userId', userId: text })).toBe(text)
        expect(Identity.key({ kind: 'farcasterUsername', farcasterUsername: text })).toBe(`${text}-farcaster`)
        expect(Identity.key({ kind: 'telegramUserId', telegramUserId: text })).toBe(`${text}-telegram`)
        expect(Identity.key({ kind: 'externalWalletAddress', externalWalletAddress: text })).toBe(
          `${text}-external-wallet`,
        )
      }),
    )
  })

  it('a phone identity is the country code joined to the phone', () => {
    expect(Identity.key({ kind: 'phone', phone: '5550001', countryCode: '+1' })).toBe('+15550001')
  })
})

describe('identity matching', () => {
  it('e-mail: case-insensitive', () => {
    fc.assert(
      fc.property(email, fc.array(fc.boolean(), { minLength: 1 }), (email, upper) => {
        expect(Identity.matches('EMAIL', email, recased(email, upper))).toBe(true)
        expect(Identity.matches('EMAIL', email, `x${email}`)).toBe(false)
      }),
    )
  })

  it('phone: after normalisation to international digits', () => {
    fc.assert(
      fc.property(callingCode, digits(4, 12), fc.constantFrom(' ', '-', '.', '/'), (code, number, separator) => {
        const written = `+${code}${separator}(${number.slice(0, 3)})${separator}${number.slice(3)}`

        expect(Identity.matches('PHONE', written, `+${code}${number}`)).toBe(true)
        expect(Identity.matches('PHONE', written, `00${code}${number}`)).toBe(true)
        expect(Identity.matches('PHONE', written, `${code}${number}`)).toBe(true)
        expect(Identity.matches('PHONE', written, `+${code}${number}0`)).toBe(false)
      }),
    )
  })

  it('phone: full-width digits are digits', () => {
    expect(Identity.matches('PHONE', '＋１ ５５５ ０００１', '+15550001')).toBe(true)
  })

  it('custom id: exact', () => {
    fc.assert(
      fc.property(presentText, presentText, (a, b) => {
        expect(Identity.matches('CUSTOM_ID', a, a)).toBe(true)
        expect(Identity.matches('CUSTOM_ID', a, b)).toBe(a === b)
      }),
    )
    expect(Identity.matches('CUSTOM_ID', 'Ada', 'ada')).toBe(false)
    expect(Identity.matches('CUSTOM_ID', '@ada', 'ada')).toBe(false)
  })

  it('other kinds (such as a handle): case-insensitive after stripping a leading @', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('TELEGRAM' as const, 'DISCORD' as const, 'TWITTER' as const),
        handle,
        fc.array(fc.boolean(), { minLength: 1 }),
        (kind, handle, upper) => {
          expect(Identity.matches(kind, `@${recased(handle, upper)}`, handle)).toBe(true)
          expect(Identity.matches(kind, handle, `${handle}@`)).toBe(false)
          expect(Identity.matches(kind, `@@${handle}`, handle)).toBe(false)
        },
      ),
    )
  })

  it('is symmetric, and an identifier that is empty in its normal form matches nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...identifierKinds), fc.string(), fc.string(), (kind, a, b) => {
        expect(Identity.matches(kind, a, b)).toBe(Identity.matches(kind, b, a))
        expect(Identity.matches(kind, a, a)).toBe(Identity.normalForm(kind, a) !== '')
      }),
    )
    expect(Identity.matches('PHONE', 'no number', 'none either')).toBe(false)
    expect(Identity.matches('TELEGRAM', '@', '')).toBe(false)
  })

  it('identities of two kinds are never the same, though their texts are', () => {
    const text = '+4915112'
    const all: readonly Identity.Identity[] = [
      { kind: 'email', email: text },
      { kind: 'phone', countryCode: '+49', phone: '15112' },
      { kind: 'farcasterUsername', farcasterUsername: text },
      { kind: 'telegramUserId', telegramUserId: text },
      { kind: 'externalWalletAddress', externalWalletAddress: text },
      { kind: 'userId', userId: text },
    ]

    expect(all.map((identity) => Identity.value(Identity.normalized(identity)))).toEqual(all.map(() => text))
    for (const one of all) expect(all.filter((other) => Identity.same(one, other))).toEqual([one])
    expect(
      Identity.same({ kind: 'email', email: 'a-farcaster' }, { kind: 'farcasterUsername', farcasterUsername: 'a' }),
    ).toBe(false)
  })

  it('the normal form matches the identity, and is its own normal form', () => {
    fc.assert(
      fc.property(email, callingCode, digits(4, 12), handle, (email, code, number, handle) => {
        const written: readonly Identity.Identity[] = [
          { kind: 'email', email: email.toUpperCase() },
          { kind: 'phone', countryCode: code, phone: `(${number.slice(0, 3)}) ${number.slice(3)}` },
          { kind: 'farcasterUsername', farcasterUsername: `@${handle.toUpperCase()}` },
          { kind: 'telegramUserId', telegramUserId: handle },
        ]
        for (const identity of written) {
          const normal = Identity.normalized(identity)
          expect(Identity.same(identity, normal)).toBe(true)
          expect(Identity.normalized(normal)).toEqual(normal)
        }
        expect(Identity.normalized({ kind: 'phone', countryCode: code, phone: number })).toEqual({
          kind: 'phone',
          countryCode: `+${code}`,
          phone: number,
        })
      }),
    )
  })

  it('base58 addresses keep their case, hexadecimal ones do not', () => {
    const external = (externalWalletAddress: string) =>
      ({ kind: 'externalWalletAddress', externalWalletAddress }) as const

    expect(Identity.same(external('0xAbC1'), external('0xabc1'))).toBe(true)
    expect(Identity.same(external('AbC1'), external('abc1'))).toBe(false)
  })
})
