import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as CurrentWalletIds from '../../../domain/model/CurrentWalletIds.ts'
import * as Wallet from '../../../domain/model/Wallet.ts'
import * as WalletSelection from '../../../domain/model/WalletSelection.ts'
import { supported, user, wallet, wallets } from './arbitrary.ts'

const criteria: fc.Arbitrary<WalletSelection.Criteria> = fc.record({
  user,
  supported,
  types: fc.option(fc.subarray([...Wallet.walletTypes]), { nil: undefined }),
  schemes: fc.option(fc.subarray([...Wallet.schemes]), { nil: undefined }),
  pregen: fc.constantFrom('allowed', 'forbidden', undefined),
})

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

describe('a wallet id must exist, be owned by or claimable to the user, be supported and match', () => {
  it('what is selected fulfils every condition, and what is refused breaks one', () => {
    fc.assert(
      fc.property(wallet, criteria, (wallet, criteria) => {
        const { user, supported, types, schemes, pregen } = criteria
        const isPartners = !user.userId && Wallet.isUnclaimed(wallet)
        const isAllowed =
          (Wallet.belongsTo(wallet, user) || Wallet.isClaimable(wallet, user) || isPartners) &&
          !(pregen === 'forbidden' && Wallet.isUnclaimed(wallet)) &&
          Wallet.isSupported(wallet, supported) &&
          (types?.includes(Wallet.typeOf(wallet)) ?? true) &&
          (schemes?.includes(wallet.scheme) ?? true)

        const selected = WalletSelection.select([wallet], wallet.id, criteria)

        expect(Result.isSuccess(selected)).toBe(isAllowed)
        expect(WalletSelection.candidates([wallet], criteria)).toEqual(isAllowed ? [wallet] : [])
        if (Result.isSuccess(selected)) expect(Result.getOrThrow(selected)).toEqual(wallet)
      }),
    )
  })

  it('selects the wallet of the id and no other', () => {
    expect(Result.getOrThrow(WalletSelection.select([waiting, mine], 'w1', evmOnly))).toEqual(mine)
    expect(Result.getOrThrow(WalletSelection.select([waiting, mine], 'w2', evmOnly))).toEqual(waiting)
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

  it("an unclaimed wallet is its partner's while nobody is signed in", () => {
    const nobody = { ...evmOnly, user: {} }

    expect(Result.getOrThrow(WalletSelection.select([waiting], 'w2', nobody))).toEqual(waiting)
    expect(Result.isFailure(WalletSelection.select([mine], 'w1', nobody))).toBe(true)
  })
})

describe('a wallet that the caller does not name', () => {
  it('is the first current id that is usable', () => {
    fc.assert(
      fc.property(wallets, criteria, (wallets, criteria) => {
        const ids = wallets.reduce<CurrentWalletIds.CurrentWalletIds>(
          (ids, wallet) => CurrentWalletIds.add(ids, Wallet.typeOf(wallet), wallet.id),
          {},
        )
        const usable = new Set(WalletSelection.candidates(wallets, criteria).map(({ id }) => id))
        const expected = CurrentWalletIds.all(ids).find((id) => usable.has(id))

        const first = WalletSelection.first(wallets, ids, criteria)

        expect(Result.match(first, { onSuccess: ({ id }) => id, onFailure: () => undefined })).toBe(expected)
      }),
    )
  })

  it('the order is that of the current ids, not that of the wallets', () => {
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

  it('base58 addresses are told apart by case', () => {
    const solana: Wallet.Wallet = { ...mine, type: 'SOLANA', scheme: 'ED25519', address: 'AbC' }
    const criteria: WalletSelection.Criteria = { user: ada, supported: [{ type: 'SOLANA' }] }

    expect(Result.isSuccess(WalletSelection.byAddress([solana], 'AbC', criteria))).toBe(true)
    expect(Result.isFailure(WalletSelection.byAddress([solana], 'abc', criteria))).toBe(true)
  })
})

describe('what a wallet must be for', () => {
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
