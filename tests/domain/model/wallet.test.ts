import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import { matches } from '../../../domain/model/Identity.ts'
import { phoneOf, type User } from '../../../domain/model/User.ts'
import * as Wallet from '../../../domain/model/Wallet.ts'
import { supported, user, userId, wallet, wallets } from './arbitrary.ts'

const anyScheme = fc.constantFrom(...Wallet.schemes)
const anyType = fc.constantFrom(...Wallet.walletTypes)

const own: Wallet.Wallet = { id: 'w', type: 'EVM', scheme: 'DKLS', userId: 'user-1' }
const all = [{ type: 'EVM' }, { type: 'SOLANA' }, { type: 'COSMOS' }] as const

describe('types and schemes', () => {
  it('DKLS and CGGMP support EVM and Cosmos; ED25519 supports Solana', () => {
    const table = Wallet.schemes.map((scheme) => [
      scheme,
      Wallet.walletTypes.filter((type) => Wallet.schemeSupports(scheme, type)),
    ])

    expect(table).toEqual([
      ['DKLS', ['EVM', 'COSMOS']],
      ['CGGMP', ['EVM', 'COSMOS']],
      ['ED25519', ['SOLANA']],
    ])
  })

  it('Solana uses ED25519; others use DKLS', () => {
    expect(Wallet.walletTypes.map(Wallet.schemeForType)).toEqual(['DKLS', 'ED25519', 'DKLS'])
  })

  it('with a scheme but no type, the type is Solana for ED25519, otherwise EVM', () => {
    expect(Wallet.schemes.map(Wallet.typeForScheme)).toEqual(['EVM', 'EVM', 'SOLANA'])
  })

  it('completed type and scheme fit each other, and keep the requested ones', () => {
    fc.assert(
      fc.property(fc.option(anyType), fc.option(anyScheme), (type, scheme) => {
        const completed = Wallet.typeAndScheme({ type: type ?? undefined, scheme })

        if (type !== null && scheme !== null && !Wallet.schemeSupports(scheme, type)) {
          expect(Result.getOrThrow(Result.flip(completed)).message).toBe('unsupported wallet type')
          return
        }
        const pair = Result.getOrThrow(completed)
        expect(Wallet.schemeSupports(pair.scheme, pair.type)).toBe(true)
        expect(pair).toMatchObject({ ...(type && { type }), ...(scheme && { scheme }) })
      }),
    )
    expect(Result.getOrThrow(Wallet.typeAndScheme({}))).toEqual({ type: 'EVM', scheme: 'DKLS' })
    expect(Result.getOrThrow(Wallet.typeAndScheme({ scheme: null, type: 'COSMOS' }))).toEqual({
      type: 'COSMOS',
      scheme: 'DKLS',
    })
  })

  it('wallet type may also be USER or PREGEN', () => {
    const words = ['EVM', 'SOLANA', 'COSMOS', 'USER', 'PREGEN']

    expect([...words, 'BITCOIN', ''].filter(Wallet.isTypeOrOrigin)).toEqual(words)
  })
})

describe('ownership', () => {
  it('owned: supported, no pregen identifier, and its user equals the current user', () => {
    fc.assert(
      fc.property(wallet, user, supported, (wallet, user, supported) => {
        const isListed = supported.some(({ type }) => type === Wallet.typeOf(wallet))
        const goesTogether = Wallet.schemeSupports(wallet.scheme, Wallet.typeOf(wallet))
        const hasNoIdentifier = wallet.pregenIdentifier === null && wallet.pregenIdentifierType === null
        const isTheirs = wallet.userId !== null && wallet.userId === user.userId

        expect(Wallet.isOwned(wallet, user, supported)).toBe(isListed && goesTogether && hasNoIdentifier && isTheirs)
      }),
    )
  })

  it('each of the conditions counts', () => {
    const user: User = { userId: 'user-1' }

    expect(Wallet.isOwned(own, user, all)).toBe(true)
    expect(Wallet.isOwned(own, user, [{ type: 'SOLANA' }])).toBe(false)
    expect(Wallet.isOwned({ ...own, scheme: 'ED25519' }, user, all)).toBe(false)
    expect(Wallet.isOwned({ ...own, pregenIdentifier: 'ada@x.io' }, user, all)).toBe(false)
    expect(Wallet.isOwned({ ...own, pregenIdentifierType: 'EMAIL' }, user, all)).toBe(false)
    expect(Wallet.isOwned(own, { userId: 'user-2' }, all)).toBe(false)
    expect(Wallet.isOwned({ ...own, userId: null }, {}, all)).toBe(false)
  })

  it('unclaimed: no user, or flagged pregen with an identifier and type', () => {
    fc.assert(
      fc.property(wallet, (wallet) => {
        const isFlagged =
          wallet.isPregen === true && wallet.pregenIdentifier !== null && wallet.pregenIdentifierType !== null

        expect(Wallet.isUnclaimed(wallet)).toBe(wallet.userId === null || isFlagged)
      }),
    )
    const flagged = { ...own, isPregen: true, pregenIdentifier: 'ada@x.io', pregenIdentifierType: 'EMAIL' } as const
    expect(Wallet.isUnclaimed(flagged)).toBe(true)
    expect(Wallet.isUnclaimed({ ...flagged, isPregen: false })).toBe(false)
    expect(Wallet.isUnclaimed({ ...flagged, pregenIdentifierType: null })).toBe(false)
    expect(Wallet.isUnclaimed({ ...own, userId: null })).toBe(true)
  })

  it("claimable: unclaimed, and the identifier matches the current user's own", () => {
    fc.assert(
      fc.property(wallet, user, (wallet, user) => {
        const own = { EMAIL: user.email, PHONE: phoneOf(user), TELEGRAM: user.telegramUserId }
        const kind = wallet.pregenIdentifierType
        const mine = kind && own[kind]
        const isMatch = Boolean(kind && mine && matches(kind, wallet.pregenIdentifier ?? '', mine))

        expect(Wallet.isClaimable(wallet, user)).toBe(Wallet.isUnclaimed(wallet) && isMatch)
      }),
    )
  })

  it("another kind of the user's identifiers does not make a wallet claimable", () => {
    const waiting = { id: 'w', scheme: 'DKLS', pregenIdentifier: 'ada@x.io', pregenIdentifierType: 'EMAIL' } as const

    expect(Wallet.isClaimable(waiting, { email: 'ADA@x.io' })).toBe(true)
    expect(Wallet.isClaimable(waiting, { telegramUserId: 'ada@x.io' })).toBe(false)
    expect(Wallet.isClaimable({ ...waiting, pregenIdentifierType: 'TELEGRAM' }, { email: 'ada@x.io' })).toBe(false)
    expect(Wallet.isClaimable(waiting, {})).toBe(false)
  })

  it('no wallet is owned and unclaimed at once', () => {
    fc.assert(
      fc.property(wallet, user, supported, (wallet, user, supported) => {
        expect(Wallet.isOwned(wallet, user, supported) && Wallet.isUnclaimed(wallet)).toBe(false)
      }),
    )
  })

  it('claiming clears the pregen identifier and type and sets the userId', () => {
    fc.assert(
      fc.property(wallet, userId, supported, (wallet, userId, supported) => {
        const claimed = Wallet.claimed(wallet, userId)

        expect(claimed).toEqual({ ...wallet, userId, pregenIdentifier: null, pregenIdentifierType: null })
        expect(Wallet.isUnclaimed(claimed)).toBe(false)
        expect(Wallet.isOwned(claimed, { userId }, supported)).toBe(Wallet.isSupported(wallet, supported))
      }),
    )
  })

  it('a Solana (ED25519) claim redistributes the backup share; a DKLS claim refreshes the share', () => {
    expect(Wallet.schemes.map(Wallet.claimCompletion)).toEqual(['refresh', 'refresh', 'redistribute'])
  })

  it("a partner's pregen wallet without a user is signed with the partner id as signer", () => {
    expect(Wallet.signingPrincipal({ ...own, userId: null, partnerId: 'partner-1' })).toBe('partner-1')
    expect(Wallet.signingPrincipal({ ...own, partnerId: 'partner-1' })).toBe('user-1')
    expect(Wallet.signingPrincipal({ ...own, userId: null })).toBeUndefined()
  })
})

describe('account creation creates one wallet per missing type', () => {
  it('missing: non-optional, and no owned wallet of the type that has an address', () => {
    fc.assert(
      fc.property(wallets, user, supported, (wallets, user, supported) => {
        const missing = Wallet.missingTypes(wallets, user, supported)

        for (const { type, optional } of supported) {
          const isThere = wallets.some(
            (wallet) =>
              Wallet.typeOf(wallet) === type && Wallet.isOwned(wallet, user, supported) && Wallet.hasAddress(wallet),
          )
          expect(missing.includes(type)).toBe(!optional && !isThere)
        }
        expect(new Set(missing).size).toBe(missing.length)
      }),
    )
  })

  it('nothing is missing once each missing type was created', () => {
    fc.assert(
      fc.property(wallets, userId, supported, (wallets, userId, supported) => {
        const created = Wallet.missingTypes(wallets, { userId }, supported).map((type, index) => ({
          id: `new-${index}`,
          type,
          scheme: Wallet.schemeForType(type),
          userId,
          address: `0x${index}`,
        }))

        expect(Wallet.missingTypes([...wallets, ...created], { userId }, supported)).toEqual([])
      }),
    )
  })
})

describe('a client’s record of a wallet', () => {
  it('a wallet is shown only once it has an address', () => {
    const shown = [null, '', '0x1'].map((address) => Wallet.hasAddress({ ...own, address }))

    expect([Wallet.hasAddress(own), ...shown]).toEqual([false, false, false, true])
  })

  it("wallets are in the order of the app's types, whichever was made first", () => {
    const one = { ...own, id: 'solana', type: 'SOLANA', scheme: 'ED25519' } as const
    const made = [
      one,
      { ...own, id: 'second' },
      { ...own, id: 'first' },
      { ...own, id: 'cosmos', type: 'COSMOS' } as const,
    ]

    expect(Wallet.inOrder(made, all).map(({ id }) => id)).toEqual(['second', 'first', 'solana', 'cosmos'])
    expect(Wallet.inOrder(made, [{ type: 'COSMOS' }]).map(({ id }) => id)).toEqual([
      'cosmos',
      'solana',
      'second',
      'first',
    ])
    expect(Wallet.inOrder(made, [])).toEqual(made)
  })

  it('balance needs a user id', () => {
    expect(Result.getOrThrow(Wallet.requireUserForBalance({ userId: 'user-1' }))).toBe('user-1')
    expect(Result.getOrThrow(Result.flip(Wallet.requireUserForBalance({ userId: '' })))).toBeInstanceOf(
      Wallet.BalanceNeedsUserId,
    )
  })
})
