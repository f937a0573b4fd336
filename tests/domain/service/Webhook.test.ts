import { Webhook as StandardWebhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { bodyOf, nextAttempt, secretText, signedHeaders, webhookLimits } from '../../../domain/service/Webhook.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

describe('the attempts', () => {
  it('are at 0, 5 s, 5 min, 30 min, 2 h, 5 h and 10 h after each other, then each 10 h, for three days', () => {
    const pauses: number[] = []
    let now = 0
    for (let attempts = 1; attempts < 100; attempts += 1) {
      const next = nextAttempt(attempts, 0, now)
      if (next === undefined) break
      pauses.push(next - now)
      now = next
    }

    expect(pauses.slice(0, 6)).toEqual([5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour])
    expect(new Set(pauses.slice(6))).toEqual(new Set([10 * hour]))
    expect(now).toBeLessThanOrEqual(webhookLimits.trying)
    expect(now).toBeGreaterThan(webhookLimits.trying - 10 * hour)
  })
})

describe('a signature', () => {
  const secret = new Uint8Array(32).fill(7)
  const body = bodyOf('wallet.created', { walletId: 'w' }, Date.parse('2026-01-02T03:04:05Z'))

  it('verifies by the reference library, with the text of the secret', () => {
    const headers = signedHeaders('msg_1', body, [secret], Date.now())

    expect(new StandardWebhook(secretText(secret)).verify(body, headers)).toEqual({
      type: 'wallet.created',
      timestamp: '2026-01-02T03:04:05.000Z',
      data: { walletId: 'w' },
    })
    expect(() => new StandardWebhook(secretText(secret)).verify(`${body} `, headers)).toThrow('No matching signature')
  })

  it('verifies with either secret after a rotation', () => {
    const other = new Uint8Array(32).fill(8)
    const headers = signedHeaders('msg_1', body, [secret, other], Date.now())

    for (const one of [secret, other]) new StandardWebhook(secretText(one)).verify(body, headers)
    const third = new StandardWebhook(secretText(new Uint8Array(32).fill(9)))
    expect(() => third.verify(body, headers)).toThrow('No matching signature')
  })

  it('is of its time: late is refused', () => {
    const headers = signedHeaders('msg_1', body, [secret], Date.now() - 6 * minute)

    expect(() => new StandardWebhook(secretText(secret)).verify(body, headers)).toThrow('too old')
  })
})
