import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as Wallet from '../../../domain/model/Wallet.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'

const sentence = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).message

const ada = { userId: 'user-1', email: 'ada@x.io' }
const mine: Wallet.Wallet = { id: 'w1', type: 'EVM', scheme: 'DKLS', userId: 'user-1', address: '0xAb' }
const waiting: Wallet.Wallet = {
  id: 'w2',
  type: 'EVM',
  scheme: 'DKLS',
  isPregen: true,
  pregenIdentifier: 'ada@x.io',
  pregenIdentifierType: 'EMAIL',
}
const evmOnly: WalletSelection.Criteria = { user: ada, supported: [{ type: 'EVM' }, { type: 'COSMOS' }] }

const identified = (
  pregenIdentifierType: Wallet.PregenIdentifierType,
  pregenIdentifier: string,
  more: Partial<Wallet.Wallet> = {},
) => ({ pregenIdentifierType, pregenIdentifier, ...more })

/** Whose a wallet of Ada's may be. */
const owned = [{ userId: 'user-1' }, { userId: 'user-1', isPregen: true }]
const claimable = [
  identified('EMAIL', 'ADA@x.io'),
  identified('PHONE', '001 (555) 0001'),
  identified('TELEGRAM', '@Ada'),
  identified('EMAIL', 'ada@x.io', { isPregen: true, userId: 'user-2' }),
]
const notHers = [
  {},
  { userId: 'user-2' },
  { isPregen: true },
  identified('EMAIL', 'bob@x.io'),
  identified('PHONE', '5550001'),
  identified('TELEGRAM', 'ada@x.io'),
  identified('EMAIL', 'ada@x.io', { userId: 'user-2' }),
  identified('EMAIL', 'ada@x.io', { userId: 'user-1' }),
]

/** Which types a scheme serves. */
const pairs = [
  { type: 'EVM', scheme: 'DKLS' },
  { type: 'EVM', scheme: 'CGGMP' },
  { type: 'COSMOS', scheme: 'DKLS' },
  { type: 'COSMOS', scheme: 'CGGMP' },
  { type: 'SOLANA', scheme: 'ED25519' },
] as const

/** Some, `one` among them or not. */
const someWith = <A>(all: readonly A[], one: A) =>
  fc.subarray(all.filter((other) => other !== one)).map((some) => [...some, one])
const someWithout = <A>(all: readonly A[], one: unknown) => fc.subarray(all.filter((other) => other !== one))
const orAny = <A>(some: fc.Arbitrary<readonly A[]>) => fc.option(some, { nil: undefined })

const user = { userId: 'user-1', email: 'ada@x.io', phone: '5550001', countryCode: '+1', telegramUserId: 'ada' }

/** A wallet that a call of Ada's may work with, and the call. */
const fulfilled = fc
  .tuple(fc.constantFrom(...pairs), fc.constantFrom(...owned, ...claimable))
  .chain(([{ type, scheme }, whose]) =>
    fc.record({
      wallet: fc.constant<Wallet.Wallet>({ id: 'w1', type, scheme, address: '0xAb', ...whose }),
      criteria: fc.record({
        user: fc.constant(user),
        supported: someWith(Wallet.walletTypes, type).map((types) => types.map((type) => ({ type }))),
        types: orAny(someWith(Wallet.walletTypes, type)),
        schemes: orAny(someWith(Wallet.schemes, scheme)),
        pregen: fc.constantFrom('allowed' as const, undefined),
      }),
    }),
  )

type Call = { readonly wallet: Wallet.Wallet; readonly criteria: WalletSelection.Criteria }

/** What breaks one condition and no other, and how it is refused. */
const breaks: readonly (readonly [when: string, tag: string, (call: Call) => fc.Arbitrary<Call>])[] = [
  [
    'it neither belongs to the user nor can be claimed by the user',
    'WalletNotOwned',
    ({ wallet: { id, type = null, scheme }, criteria }) =>
      fc.constantFrom(...notHers).map((whose) => ({ wallet: { id, type, scheme, ...whose }, criteria })),
  ],
  [
    'it waits to be claimed, which the call forbids',
    'PregenWalletNotSelectable',
    ({ wallet: { id, type = null, scheme }, criteria }) =>
      fc.constantFrom(...claimable).map((whose) => ({
        wallet: { id, type, scheme, ...whose },
        criteria: { ...criteria, pregen: 'forbidden' },
      })),
  ],
  [
    'its type is not supported',
    'WalletNotSupported',
    ({ wallet, criteria }) =>
      someWithout(Wallet.walletTypes, wallet.type).map((types) => ({
        wallet,
        criteria: { ...criteria, supported: types.map((type) => ({ type })) },
      })),
  ],
  [
    'its scheme cannot serve its type',
    'WalletNotSupported',
    ({ wallet, criteria }) =>
      fc.constant({ wallet: { ...wallet, scheme: wallet.type === 'SOLANA' ? 'DKLS' : 'ED25519' }, criteria }),
  ],
  [
    'another type is asked for',
    'WalletTypeNotSelectable',
    ({ wallet, criteria }) =>
      someWithout(Wallet.walletTypes, wallet.type).map((types) => ({ wallet, criteria: { ...criteria, types } })),
  ],
  [
    'another scheme is asked for',
    'WalletSchemeNotSelectable',
    ({ wallet, criteria }) =>
      someWithout(Wallet.schemes, wallet.scheme).map((schemes) => ({ wallet, criteria: { ...criteria, schemes } })),
  ],
]

describe('a wallet id must exist, be owned by or claimable to the user, be supported and match', () => {
  it('a wallet that fulfils every condition is selected', () => {
    fc.assert(
      fc.property(fulfilled, ({ wallet, criteria }) => {
        expect(WalletSelection.select([wallet], 'w1', criteria)).toEqual(Result.succeed(wallet))
        expect(WalletSelection.candidates([wallet], criteria)).toEqual([wallet])
      }),
    )
  })

  it.each(breaks)('is refused when one condition fails: %s', (_, tag, broken) => {
    fc.assert(
      fc.property(fulfilled.chain(broken), ({ wallet, criteria }) => {
        expect(Result.getOrThrow(Result.flip(WalletSelection.select([wallet], 'w1', criteria)))._tag).toBe(tag)
        expect(WalletSelection.candidates([wallet], criteria)).toEqual([])
      }),
    )
  })

  it('selects the wallet of the id and no other', () => {
    expect(Result.getOrThrow(WalletSelection.select([waiting, mine], 'w1', evmOnly))).toEqual(mine)
    expect(Result.getOrThrow(WalletSelection.select([waiting, mine], 'w2', evmOnly))).toEqual(waiting)
  })

  it('a wallet that names no type has that of its scheme', () => {
    const [evm, solana] = [{ ...mine, type: null }, { ...mine, type: null, scheme: 'ED25519' } as const]

    expect(Result.getOrThrow(WalletSelection.select([evm], 'w1', { ...evmOnly, types: ['EVM'] }))).toEqual(evm)
    expect(sentence(WalletSelection.select([solana], 'w1', evmOnly))).toBe(
      'wallet with id w1 and type SOLANA is not supported, supported types are: EVM, COSMOS',
    )
  })

  it("'wallet with id {id} does not exist'", () => {
    expect(sentence(WalletSelection.select([mine], 'w9', evmOnly))).toBe('wallet with id w9 does not exist')
  })

  it("'... is not owned by the current user'", () => {
    const expected = 'wallet with id w1 is not owned by the current user'

    expect(sentence(WalletSelection.select([{ ...mine, userId: 'user-2' }], 'w1', evmOnly))).toBe(expected)
    expect(
      sentence(WalletSelection.select([{ ...waiting, id: 'w1', pregenIdentifier: 'bob@x.io' }], 'w1', evmOnly)),
    ).toBe(expected)
  })

  it("'pre-generated wallet with id {id} cannot be selected'", () => {
    expect(sentence(WalletSelection.select([waiting], 'w2', { ...evmOnly, pregen: 'forbidden' }))).toBe(
      'pre-generated wallet with id w2 cannot be selected',
    )
    expect(Result.isSuccess(WalletSelection.select([mine], 'w1', { ...evmOnly, pregen: 'forbidden' }))).toBe(true)
  })

  it("'wallet with id {id} and type {type} cannot be selected'", () => {
    expect(sentence(WalletSelection.select([mine], 'w1', { ...evmOnly, types: ['COSMOS'] }))).toBe(
      'wallet with id w1 and type EVM cannot be selected',
    )
  })

  it("'... and scheme {scheme} cannot be selected'", () => {
    expect(sentence(WalletSelection.select([mine], 'w1', { ...evmOnly, schemes: ['CGGMP'] }))).toBe(
      'wallet with id w1 and scheme DKLS cannot be selected',
    )
  })

  it("'... is not supported, supported types are: ...'", () => {
    const supported = [{ type: 'SOLANA' }, { type: 'COSMOS', optional: true }] as const

    expect(sentence(WalletSelection.select([mine], 'w1', { user: ada, supported }))).toBe(
      'wallet with id w1 and type EVM is not supported, supported types are: SOLANA, COSMOS',
    )
  })

  it("an unclaimed wallet is its partner's while no user is signed in", () => {
    const nobody = { ...evmOnly, user: {} }

    expect(Result.getOrThrow(WalletSelection.select([waiting], 'w2', nobody))).toEqual(waiting)
    expect(WalletSelection.select([mine], 'w1', nobody)).toEqual(
      Result.fail(new WalletSelection.WalletNotOwned({ walletId: 'w1' })),
    )
  })
})

describe('a wallet that the caller does not name', () => {
  it('is the first current id that is usable', () => {
    const whose = fc.array(fc.constantFrom('user-1', 'user-2'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(whose, fc.boolean(), (userIds, isReversed) => {
        const wallets = userIds.map((userId, index) => ({ ...mine, id: `w${index}`, userId }))
        const listed = isReversed ? wallets.toReversed() : wallets

        const first = WalletSelection.first(listed, { EVM: ['gone', ...wallets.map(({ id }) => id)] }, evmOnly)

        const place = userIds.indexOf('user-1')
        expect(Result.match(first, { onSuccess: ({ id }) => id, onFailure: ({ message }) => message })).toBe(
          place === -1 ? 'no valid wallet id found' : `w${place}`,
        )
      }),
    )
  })

  it('is the first in the order of the current ids, not of the wallets', () => {
    const other = { ...mine, id: 'w3' }

    const first = WalletSelection.first([mine, other], { EVM: ['gone', 'w3', 'w1'] }, evmOnly)

    expect(Result.getOrThrow(first)).toEqual(other)
  })

  it("'no valid wallet id found'", () => {
    expect(sentence(WalletSelection.first([mine], {}, evmOnly))).toBe('no valid wallet id found')
    expect(sentence(WalletSelection.first([], { EVM: ['w1'] }, evmOnly))).toBe('no valid wallet id found')
  })

  it("'no valid Para wallet found'", () => {
    expect(Result.getOrThrow(WalletSelection.any([mine], evmOnly))).toEqual(mine)
    expect(sentence(WalletSelection.any([], evmOnly))).toBe('no valid Para wallet found')
  })

  it("'wallet with address {address} not found'", () => {
    expect(Result.getOrThrow(WalletSelection.byAddress([mine], '0xaB', evmOnly))).toEqual(mine)
    expect(sentence(WalletSelection.byAddress([mine], '0xcd', evmOnly))).toBe('wallet with address 0xcd not found')
    expect(sentence(WalletSelection.byAddress([{ ...mine, userId: 'user-2' }], '0xAb', evmOnly))).toBe(
      'wallet with address 0xAb not found',
    )
  })

  it('base58 addresses are case-sensitive', () => {
    const solana: Wallet.Wallet = { ...mine, type: 'SOLANA', scheme: 'ED25519', address: 'AbC' }
    const criteria: WalletSelection.Criteria = { user: ada, supported: [{ type: 'SOLANA' }] }

    expect(Result.isSuccess(WalletSelection.byAddress([solana], 'AbC', criteria))).toBe(true)
    const refusal = new WalletSelection.WalletAddressNotFound({ address: 'abc' })
    expect(WalletSelection.byAddress([solana], 'abc', criteria)).toEqual(Result.fail(refusal))
  })
})

describe('conditions of an operation on its wallet', () => {
  it("Cosmos and amino signing: 'Address {address} not found in wallet'", () => {
    expect(Result.getOrThrow(WalletSelection.requireAddress('cosmos1a', 'cosmos1a'))).toBe('cosmos1a')
    expect(sentence(WalletSelection.requireAddress('cosmos1a', 'cosmos1b'))).toBe(
      'Address cosmos1b not found in wallet',
    )
  })

  it('private key export only for DKLS and needs a wallet', () => {
    expect(Result.getOrThrow(WalletSelection.requireExportable(mine))).toEqual(mine)
    expect(sentence(WalletSelection.requireExportable(undefined))).toBe('wallet not found')
    expect(sentence(WalletSelection.requireExportable({ ...mine, scheme: 'CGGMP' }))).toBe('invalid wallet scheme')
    expect(sentence(WalletSelection.requireExportable({ ...mine, scheme: 'ED25519' }))).toBe('invalid wallet scheme')
  })
})
