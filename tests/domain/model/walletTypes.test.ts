import * as fc from 'fast-check'
import * as Result from 'effect/Result'
import { describe, expect, it } from 'vitest'
import * as WalletTypes from '../../../domain/model/WalletTypes.ts'
import { supported } from './arbitrary.ts'

const sentence = (result: Result.Result<unknown, Error>) => Result.getOrThrow(Result.flip(result)).message

describe('supported wallet type config', () => {
  it('at least one type must be non-optional', () => {
    fc.assert(
      fc.property(supported, (types) => {
        expect(Result.getOrThrow(WalletTypes.check(types))).toEqual(types)
        expect(sentence(WalletTypes.check(types.map((type) => ({ ...type, optional: true }))))).toBe(
          'at least one wallet type must be non-optional',
        )
      }),
    )
    expect(sentence(WalletTypes.check([]))).toBe('at least one wallet type must be non-optional')
  })

  it("an unknown type: 'unsupported wallet type'", () => {
    fc.assert(
      fc.property(supported, fc.string(), (types, text) => {
        fc.pre(!WalletTypes.isWalletType(text))

        expect(sentence(WalletTypes.check([...types, { type: text }]))).toBe('unsupported wallet type')
        expect(sentence(WalletTypes.parseType(text))).toBe('unsupported wallet type')
      }),
    )
  })

  it("a type that the app does not list: 'wallet type {type} is not supported'", () => {
    fc.assert(
      fc.property(supported, fc.constantFrom(...WalletTypes.walletTypes), (types, type) => {
        const required = WalletTypes.requireSupported(types, type)

        if (types.some((one) => one.type === type)) expect(Result.getOrThrow(required)).toBe(type)
        else expect(sentence(required)).toBe(`wallet type ${type} is not supported`)
      }),
    )
  })

  it('the map of a portal URL has the same types as the configuration', () => {
    fc.assert(
      fc.property(supported, (types) => {
        expect(Result.getOrThrow(WalletTypes.fromMap(WalletTypes.toMap(types)))).toEqual(types)
      }),
    )
  })

  it("reads a developer's map", () => {
    expect(
      Result.getOrThrow(WalletTypes.fromMap({ EVM: true, SOLANA: false, COSMOS: { optional: true, prefix: 'osmo' } })),
    ).toEqual([{ type: 'EVM' }, { type: 'COSMOS', optional: true, prefix: 'osmo' }])
    expect(sentence(WalletTypes.fromMap({ EVM: false }))).toBe('at least one wallet type must be non-optional')
  })

  it('the types that are not optional have to exist', () => {
    expect(
      WalletTypes.mandatory([{ type: 'EVM' }, { type: 'SOLANA', optional: true }, { type: 'COSMOS', optional: false }]),
    ).toEqual(['EVM', 'COSMOS'])
  })

  it('touch answers with an array of type and optional, without the prefix', () => {
    expect(WalletTypes.toTouch([{ type: 'EVM' }, { type: 'COSMOS', optional: true, prefix: 'osmo' }])).toEqual([
      { type: 'EVM' },
      { type: 'COSMOS', optional: true },
    ])
  })

  it('the Cosmos prefix is cosmos unless one is configured', () => {
    expect(WalletTypes.cosmosPrefix([{ type: 'EVM' }])).toBe('cosmos')
    expect(WalletTypes.cosmosPrefix([{ type: 'COSMOS' }])).toBe('cosmos')
    expect(WalletTypes.cosmosPrefix([{ type: 'COSMOS', prefix: 'osmo' }])).toBe('osmo')
  })
})
