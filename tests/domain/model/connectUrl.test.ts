import { describe, expect, it } from 'vitest'
import { readRecover, recover } from '../../../domain/model/ConnectUrl.ts'

describe('the address of the recovery page', () => {
  it.each([
    [
      { apiKey: 'a key&', email: 'ada+1@example.com' },
      'https://connect.example/recover?apiKey=a%20key%26&email=ada%2B1%40example.com',
    ],
    [{ apiKey: 'k' }, 'https://connect.example/recover?apiKey=k'],
  ])('has the API key, and the e-mail address where it is known: %o', (asked, address) => {
    expect(recover('https://connect.example/', asked)).toBe(address)
    expect(readRecover(address)).toEqual(asked)
  })

  it.each([
    ['without a key', 'https://connect.example/recover?email=a%40example.com'],
    ['with a text for an absent key', 'https://connect.example/recover?apiKey=undefined'],
    ['of the page of all wallets', 'https://connect.example/?apiKey=k'],
    ['of another page', 'https://connect.example/recover/more?apiKey=k'],
    ['that is broken', 'https://connect.example/recover?apiKey=%'],
  ])('is not read from an address %s', (_, address) => {
    expect(readRecover(address)).toBeUndefined()
  })

  it('leaves out a text for an absent e-mail address', () => {
    expect(recover('https://connect.example', { apiKey: 'k', email: '' })).toBe(
      'https://connect.example/recover?apiKey=k',
    )
    expect(readRecover('https://connect.example/recover?apiKey=k&email=null')).toEqual({ apiKey: 'k' })
  })
})
