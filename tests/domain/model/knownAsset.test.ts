import fc from 'fast-check'
import { formatUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { chainName, coinOf, inUnits } from '../../../domain/model/KnownAsset.ts'

describe('an asset that a page shows', () => {
  it.each([
    ['eip155:1/slip44:60', { symbol: 'ETH', decimals: 18 }],
    ['eip155:137/slip44:60', { symbol: 'POL', decimals: 18 }],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp/slip44:501', { symbol: 'SOL', decimals: 9 }],
    ['cosmos:cosmoshub-4/slip44:118', { symbol: 'ATOM', decimals: 6 }],
    ['cosmos:cosmoshub-4/denom:uatom', { symbol: 'ATOM', decimals: 6 }],
  ])('is the chain’s own coin: %s', (asset, coin) => {
    expect(coinOf(asset)).toEqual(coin)
  })

  it.each([
    'eip155:1/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'eip155:987654/slip44:60',
    'cosmos:osmosis-1/slip44:118',
    'cosmos:osmosis-1/denom:uatom',
    'cosmos:cosmoshub-4/denom:uosmo',
    'eip155:1/slip44:60/1',
    'eip155:1/slip44:60x',
    'eip155:1',
    'slip44:60',
    '',
  ])('is not guessed: %s', (asset) => {
    expect(coinOf(asset)).toBeUndefined()
  })

  it('has the chain’s name, or none', () => {
    expect(chainName('eip155:8453')).toBe('Base')
    expect(chainName('eip155:987654')).toBeUndefined()
  })
})

describe('an amount in units', () => {
  it('is the amount in base units exactly, as viem writes it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.constantFrom(6, 9, 18), (amount, decimals) => {
        expect(inUnits(String(amount), { symbol: 'X', decimals })).toBe(formatUnits(amount, decimals))
      }),
    )
  })

  it.each(['unlimited', '', '-1', '1.5', '1e9', ' 1', '0x10'])('is none for %j', (amount) => {
    expect(inUnits(amount, { symbol: 'ETH', decimals: 18 })).toBeUndefined()
  })
})
