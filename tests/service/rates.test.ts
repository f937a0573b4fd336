/** Limits over HTTP, with settings that a test reaches. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
beforeAll(async () => {
  const environment = { TRUSTED_PROXIES: '127.0.0.1', RATE_R1: '2/1m', RATE_R5_NETWORK: '2/1m', RATE_R8: '2/1m' }
  service = await startService({ environment })
})
afterAll(() => service.stop())

const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(service.addresses.api + path, {
    method,
    headers: { 'x-external-api-key': service.partner.apiKey, origin: 'http://localhost:3010', ...headers },
  })
  return { answer, said: `${answer.status} ${answer.headers.get('x-error-code') ?? 'done'}` }
}

const begin = async () => (await ask('POST', '/touch')).answer.headers.get('x-capsule-sid') ?? ''

const times = async (count: number, call: (turn: number) => Promise<{ readonly said: string }>) => {
  const said: string[] = []
  for (let turn = 0; turn < count; turn++) said.push((await call(turn)).said)
  return said
}

describe('a limit', () => {
  it('of a network holds for all addresses of one /64, and for no other', async () => {
    const exists = (address: string) => ask('GET', '/users/exists?email=a@example.org', { 'x-forwarded-for': address })

    expect(await times(3, (turn) => exists(`2001:db8:1:2::${turn}`))).toEqual([
      '200 done',
      '200 done',
      '429 TooManyAttempts',
    ])
    expect((await exists('2001:db8:1:3::1')).said).toBe('200 done')
  })

  it('of a session is its own, and its refusal says when to come again', async () => {
    const [token, other] = [await begin(), await begin()]
    const read = (of: string) => ask('GET', `/partners/${service.partner.partnerId}`, { 'x-capsule-sid': of })

    expect(await times(3, () => read(token))).toEqual(['200 done', '200 done', '429 TooManyAttempts'])
    expect(Number((await read(token)).answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await read(other)).said).toBe('200 done')
    service.advance(60_000)
    expect((await read(token)).said).toBe('200 done')
  })

  it('of proofs holds for a network, whichever session shows them', async () => {
    const prove = async () => {
      const headers = { 'x-capsule-sid': await begin(), 'x-forwarded-for': '203.0.113.9' }
      return ask('POST', '/users/none/verify-email', headers)
    }

    expect(await times(3, prove)).toEqual(['401 NoSignedInUser', '401 NoSignedInUser', '429 TooManyAttempts'])
  })
})
