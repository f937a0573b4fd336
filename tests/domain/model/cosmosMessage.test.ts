import { base64 } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as CosmosMessage from '../../../domain/model/CosmosMessage.ts'

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
