import { serializeSignDoc, type StdSignDoc } from '@cosmjs/amino'
import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { base64 } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'
import { times } from '../../kit/long.ts'

const signer = 'cosmos1h806c7khnvmjlywdrkdgk2vrayy2mmvf9rxk2r'

/** Keys in order at every depth, as amino JSON has them. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

describe('a plain message for a Cosmos wallet (ADR-036)', () => {
  it('is the only message of a transaction that is never valid on a chain', () => {
    const text = new TextDecoder().decode(CosmosMessage.signDoc(signer, new TextEncoder().encode('Hello')))

    expect(text).toBe(
      '{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"",' +
        `"msgs":[{"type":"sign/MsgSignData","value":{"data":"SGVsbG8=","signer":"${signer}"}}],"sequence":"0"}`,
    )
  })

  it('is canonical for any data, and contains all of it', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        const text = new TextDecoder().decode(CosmosMessage.signDoc(signer, data))
        const document = JSON.parse(text) as { msgs: [{ value: { data: string } }] }

        expect(text).toBe(JSON.stringify(sorted(document)))
        expect(base64.decode(document.msgs[0].value.data)).toEqual(data)
      }),
    )
  })
})

describe('the bytes of a document', () => {
  it('are those of cosmjs for any direct document, whose account number is a bigint, text or a Long', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        fc.nat(),
        (body, authInfo, id, nat) => {
          const document = makeSignDoc(body, authInfo, id, nat)
          for (const accountNumber of [BigInt(nat), nat, `${nat}`, { toString: () => `${nat}` }]) {
            expect(CosmosMessage.directBytes({ ...document, accountNumber })).toEqual(makeSignBytes(document))
          }
        },
      ),
    )
  })

  it('are of an account number with 64 bits or fewer', () => {
    const of = (accountNumber: bigint | string) =>
      CosmosMessage.directBytes({ bodyBytes: none, authInfoBytes: none, chainId: '', accountNumber })

    expect(of(2n ** 64n - 1n)).toEqual(Uint8Array.of(0x20, ...Array.from({ length: 9 }, () => 0xff), 1))
    for (const number of [2n ** 64n, -1n, '1.5', '', 'seven']) expect(of(number)).toBeUndefined()
  })

  it('are none where a field is not as cosmjs has it, as in a document that was JSON', () => {
    const document = { bodyBytes: none, authInfoBytes: none, chainId: 'hub-1', accountNumber: 0 }
    expect(CosmosMessage.directBytes(document)).toBeInstanceOf(Uint8Array)
    for (const wrong of [{ bodyBytes: 'CgA=' }, { authInfoBytes: [10, 0] }, { chainId: undefined }]) {
      expect(CosmosMessage.directBytes({ ...document, ...wrong } as unknown as typeof document)).toBeUndefined()
    }
  })

  it('are those of cosmjs for any amino document', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (memo, value) => {
        const document: StdSignDoc = {
          chain_id: 'a & <b>',
          account_number: '1',
          sequence: '0',
          fee: { amount: [], gas: '1' },
          msgs: [{ type: 'a', value: { of: named(value) } }],
          memo,
        }
        expect(CosmosMessage.aminoBytes(document)).toEqual(serializeSignDoc(document))
      }),
      { numRuns: times(30, 1_000) },
    )
  })

  it('have keys in the order of their text also where they are whole numbers, as Go writes them', () => {
    const text = new TextDecoder().decode(CosmosMessage.aminoBytes({ b: 1, 10: 2, 9: 3, a: 4 }))

    expect(text).toBe('{"10":2,"9":3,"a":4,"b":1}')
  })
})

/** The value with keys that are no whole numbers, which cosmjs would not keep in order. */
const named = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(named)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`_${key}`, named(inner)]))
}

const none = new Uint8Array(0)
