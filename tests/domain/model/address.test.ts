import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58, base64, bech32 } from '@scure/base'
import * as fc from 'fast-check'
import { publicKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import * as Address from '../../../domain/model/Address.ts'
import { times } from '../../kit/long.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
const secretKey = bytes.filter((bytes) => secp256k1.utils.isValidSecretKey(bytes))

/** CosmJS, packages/amino/src/addresses.spec.ts and the faucet's account. */
const cosmosVectors = [
  ['AtQaCqFnshaZQp6rIkvAPyzThvCvXSDO+9AzbxVErqJP', 'cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r'],
  ['A08EGB7ro1ORuFhjOnZcSgwYlpe0DSFjVNUIkNNQxwKQ', 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'],
] as const

/** ERC-55, test cases. */
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

describe('an address from a public key', () => {
  it('EVM: as viem derives it, from either form of the key', () => {
    fc.assert(
      fc.property(secretKey, (secretKey) => {
        const uncompressed = secp256k1.getPublicKey(secretKey, false)
        const expected = publicKeyToAddress(`0x${Buffer.from(uncompressed).toString('hex')}`)

        expect(Address.evm(uncompressed)).toBe(expected)
        expect(Address.evm(secp256k1.getPublicKey(secretKey, true))).toBe(expected)
      }),
      { numRuns: times(25, 250) },
    )
  })

  it.each(cosmosVectors)('Cosmos: %s is %s', (publicKey, address) => {
    const compressed = base64.decode(publicKey)

    expect(Address.cosmos(compressed)).toBe(address)
    expect(Address.cosmos(secp256k1.Point.fromBytes(compressed).toBytes(false))).toBe(address)
  })

  it('Cosmos: the prefix is cosmos by default, and may be another', () => {
    const publicKey = base64.decode(cosmosVectors[0][0])

    expect(Address.fromPublicKey('COSMOS', publicKey)).toMatch(/^cosmos1/)
    expect(Address.fromPublicKey('COSMOS', publicKey, 'osmo')).toMatch(/^osmo1/)
    expect(bech32.decodeToBytes(Address.cosmos(publicKey, 'osmo'))).toMatchObject({ prefix: 'osmo' })
  })

  it('Solana: the key itself in base58', () => {
    fc.assert(
      fc.property(bytes, (publicKey) => {
        expect(base58.decode(Address.solana(publicKey))).toEqual(publicKey)
      }),
    )
    expect(Address.solana(new Uint8Array(32))).toBe('1'.repeat(32))
  })

  it("each wallet type's own", () => {
    const point = secp256k1.getPublicKey(new Uint8Array(32).fill(1))

    expect(Address.isEvm(Address.fromPublicKey('EVM', point))).toBe(true)
    expect(Address.isSolana(Address.fromPublicKey('SOLANA', new Uint8Array(32).fill(1)))).toBe(true)
    expect(Address.fromPublicKey('COSMOS', point)).toBe(Address.cosmos(point))
  })

  it('an invalid public key throws', () => {
    expect(() => Address.evm(new Uint8Array(33))).toThrow('bad point')
    expect(() => Address.cosmos(new Uint8Array(32))).toThrow('bad point')
    expect(() => Address.solana(new Uint8Array(33))).toThrow('an Ed25519 public key has 32 bytes')
  })
})

describe('a valid address', () => {
  it.each(checksummed)('%s is in checksum case', (address) => {
    expect(Address.checksum(address.toLowerCase())).toBe(address)
    expect(Address.isEvm(address)).toBe(true)
    expect(Address.isEvm(address.toLowerCase())).toBe(true)
    expect(Address.isEvm(`0x${address.slice(2).toUpperCase()}`)).toBe(true)
  })

  it('one letter in the wrong case is a mistake', () => {
    expect(Address.isEvm('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(false)
  })

  it('has its length and its alphabet', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

    expect(['', address.slice(2), address.slice(0, -1), `${address}0`, `${address}\n`].some(Address.isEvm)).toBe(false)
    expect(['', '1'.repeat(31), '1'.repeat(33), `${'1'.repeat(31)}0`].some(Address.isSolana)).toBe(false)
  })
})

describe('truncated addresses show 4 characters each side by default', () => {
  it.each([
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aAe...eAed'],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'EPjF...Dt1v'],
    ['cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r', 'cosmos1h806...xk2r'],
  ])('%s is shown as %s', (address, shown) => {
    expect(Address.truncate(address)).toBe(shown)
  })

  it('by as many characters as asked for, and never longer than the address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{1,44}$/), fc.integer({ min: 1, max: 30 }), (address, length) => {
        const shown = Address.truncate(address, length)

        if (address.length <= 2 * length) expect(shown).toBe(address)
        else expect(shown).toBe(`${address.slice(0, length)}...${address.slice(-length)}`)
      }),
    )
  })
})
