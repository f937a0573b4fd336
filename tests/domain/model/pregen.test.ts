import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { InvalidAuthObject } from '../../../domain/model/Identity.ts'
import * as Pregen from '../../../domain/model/Pregen.ts'
import { phoneOf } from '../../../domain/model/User.ts'
import { isClaimable } from '../../../domain/model/Wallet.ts'
import { absentText, presentText, user, wallets } from './arbitrary.ts'

const kind = fc.constantFrom(...Pregen.identifierTypes)

describe('pregen identifiers', () => {
  it('pregen identifier types: EMAIL, PHONE, TELEGRAM', () => {
    fc.assert(
      fc.property(absentText, presentText, kind, (email, identifier, type) => {
        const parsed = Pregen.parse({ email, pregenIdentifier: identifier, pregenIdentifierType: type })

        expect(Result.getOrThrow(parsed)).toEqual({ identifier, type })
      }),
    )
  })

  it('a pregen e-mail, when present, overrides the identifier and sets its type to EMAIL', () => {
    fc.assert(
      fc.property(presentText, fc.option(presentText), fc.option(kind), (email, identifier, type) => {
        const parsed = Pregen.parse({ email, pregenIdentifier: identifier, pregenIdentifierType: type })

        expect(Result.getOrThrow(parsed)).toEqual({ identifier: email, type: 'EMAIL' })
      }),
    )
  })

  it('anything else is refused, the kinds that only other clients send among it', () => {
    const refused = [
      {},
      { pregenIdentifier: 'ada@x.io' },
      { pregenIdentifierType: 'EMAIL' },
      { pregenIdentifier: 'null', pregenIdentifierType: 'EMAIL' },
      ...Pregen.foreignIdentifierTypes.map((type) => ({ pregenIdentifier: 'ada', pregenIdentifierType: type })),
    ]

    expect(refused.map((given) => Result.getOrThrow(Result.flip(Pregen.parse(given))))).toEqual(
      refused.map(() => new InvalidAuthObject()),
    )
  })

  it("a user's ids are their own identifiers by kind", () => {
    fc.assert(
      fc.property(user, (user) => {
        const phone = phoneOf(user)

        expect(Pregen.idsOfUser(user)).toEqual({
          ...(user.email && { EMAIL: [user.email] }),
          ...(phone && { PHONE: [phone] }),
          ...(user.telegramUserId && { TELEGRAM: [user.telegramUserId] }),
        })
      }),
    )
  })

  it('the ids of wallets are each identifier once, under its kind', () => {
    fc.assert(
      fc.property(wallets, (wallets) => {
        const ids = Pregen.idsOf(wallets)

        const listed = Pregen.identifierTypes.flatMap((type) => (ids[type] ?? []).map((id) => `${type} ${id}`))
        const held = wallets
          .filter(({ pregenIdentifier, pregenIdentifierType }) => pregenIdentifier && pregenIdentifierType)
          .map(({ pregenIdentifier, pregenIdentifierType }) => `${pregenIdentifierType} ${pregenIdentifier}`)
        expect([...listed].sort()).toEqual([...new Set(held)].sort())
        expect(Object.values(ids).every((list) => list.length > 0)).toBe(true)
      }),
    )
  })
})

describe('claiming needs the share data loaded first', () => {
  it('gives every claimable wallet, or refuses when the share of one is missing', () => {
    fc.assert(
      fc.property(wallets, user, (wallets, user) => {
        const claimable = wallets.filter((wallet) => isClaimable(wallet, user))

        const claim = Pregen.toClaim(wallets, user)

        if (claimable.every(({ signer }) => signer)) expect(Result.getOrThrow(claim)).toEqual(claimable)
        else expect(Result.getOrThrow(Result.flip(claim))).toBeInstanceOf(Pregen.PregenWalletDataMissing)
      }),
    )
  })

  it('a claimable wallet without its share refuses, with it does not', () => {
    const waiting = { id: 'w', scheme: 'DKLS', pregenIdentifier: 'ada@x.io', pregenIdentifierType: 'EMAIL' } as const

    expect(Pregen.toClaim([waiting], { email: 'ada@x.io' })).toEqual(Result.fail(new Pregen.PregenWalletDataMissing()))
    expect(Result.isSuccess(Pregen.toClaim([{ ...waiting, signer: 'share' }], { email: 'ada@x.io' }))).toBe(true)
    expect(Result.getOrThrow(Pregen.toClaim([waiting], { email: 'bob@x.io' }))).toEqual([])
  })
})
