import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../domain/model/Diagnostics.ts'

describe('the recorded text of a failure', () => {
  it.each([
    ['no valid wallet id found', 'no valid wallet id found'],
    [
      'wallet with id 5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f does not exist',
      'wallet with id 5b1f6c2d-0e3a-4f7b-8c9d-1a2b3c4d5e6f does not exist',
    ],
    [
      "Cannot read properties of undefined (reading 'toWalletDescription')",
      "Cannot read properties of undefined (reading 'toWalletDescription')",
    ],
    ['no mail to ada@example.com', 'no mail to [mailbox]'],
    ['code 123456 is wrong', 'code […] is wrong'],
    ['GET https://api.example/users?email=ada#secret', 'GET https://api.example/users?[…]'],
    ['key 5f1d0c3b2a49586776859a0b1c2d3e4f', 'key […]'],
    ['token F0KdkrOeeHWLSXtRF0KdkrOeeHWLSXtRF0KdkrOee-_', 'token […]'],
    ['one\r\ntwo\u001b[31m\u202ethree', 'one two [31m three'],
  ])('%j is %j', (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected)
  })

  it('is one line without a key, wherever the key was', () => {
    const key = fc.uint8Array({ minLength: 16, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('hex'))
    const property = fc.property(fc.string(), key, fc.string(), (before, secret, after) => {
      const line = withoutSecrets(`${before} ${secret} ${after}`)
      // A secret of letters alone, which is not hex of random bytes, would be a word.
      expect(line.includes(secret)).toBe(!/[0-9]/.test(secret) && secret.length <= 40)
      expect(/\p{C}/u.test(line)).toBe(false)
    })
    fc.assert(property)
  })
})
