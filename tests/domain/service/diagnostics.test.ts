import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { developmentPartner } from '../../../adapters/development/partner.ts'
import { environments } from '../../../domain/model/Environment.ts'
import { Caller } from '../../../domain/service/Caller.ts'
import { reportSdkError } from '../../../domain/service/diagnostics.ts'
import { Deployment } from '../../../domain/service/ports/Deployment.ts'
import { FailureLog, type Failure } from '../../../domain/service/ports/FailureLog.ts'
import { RateLimits } from '../../../domain/service/ports/RateLimits.ts'
import { defaultRates } from '../../../domain/service/rates.ts'
import { startService, type TestService } from '../../kit/service.ts'

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService({ log: (line) => lines.push(line) })
})
afterAll(() => service.stop())
beforeEach(() => {
  service.advance(defaultRates.R9.burst * defaultRates.R9.perMs)
  lines.length = 0
})

const report = (body: unknown) => send(JSON.stringify(body))

const send = (body: string) =>
  fetch(`${service.addresses.api}/errors/sdk`, {
    method: 'POST',
    headers: { 'x-external-api-key': service.partner.apiKey, 'content-type': 'application/json' },
    body,
  })

const written = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'an SDK reports a failure')

const userId = '8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11'

it('a report is one line of the log', async () => {
  const answer = await report({
    methodName: 'signMessage',
    sdkType: 'WEB',
    userId,
    error: { name: 'ApiError', message: 'not found' },
  })

  expect([answer.status, await answer.text()]).toEqual([200, '{}'])
  expect(written()).toMatchObject([
    {
      partnerId: service.partner.partnerId,
      methodName: 'signMessage',
      sdkType: 'WEB',
      userId,
      error: 'ApiError',
      message: 'not found',
    },
  ])
})

it('a hostile report is one short line too, without the secrets in it', async () => {
  const secret = '5f1d0c3b2a49586776859a0b1c2d3e4f'
  const hostile = [
    {
      methodName: 'x\n{"level":60}',
      sdkType: `\u001b[31m`,
      userId: `${userId}\n`,
      error: { name: `a b ${secret}`, message: `\r\n\u001b[0m ${secret} ada@example.com` },
    },
    {
      methodName: 'signMessage',
      sdkType: 'WEB',
      stack: secret,
      error: { name: 'E', message: { body: { token: secret } }, stack: secret },
    },
    { methodName: 'signMessage', sdkType: 'WEB', error: { message: 'a '.repeat(4_000) } },
    { methodName: 'signMessage', sdkType: 'WEB', error: { message: { text: 'a'.repeat(200_000) } } },
    { methodName: 'signMessage', sdkType: 'WEB', error: {} },
  ]

  for (const body of hostile) expect((await report(body)).status).toBe(200)

  const found = written()
  expect(found).toHaveLength(hostile.length)
  expect(found[0]).toMatchObject({
    methodName: 'unknown',
    sdkType: 'unknown',
    error: 'unknown',
    message: ' [0m […] [mailbox]',
  })
  expect(found[0]).not.toHaveProperty('userId')
  expect(lines.join('')).not.toContain(secret)
  for (const line of lines) expect(line.length).toBeLessThan(800)
})

it('a report that is nested deeper than its text could be written is one short line too', async () => {
  const deep = 10_000
  const nested = '{"a":'.repeat(deep) + '0' + '}'.repeat(deep)

  const answer = await send(`{"methodName":"signMessage","sdkType":"WEB","error":{"name":"E","message":${nested}}}`)

  expect(answer.status).toBe(200)
  expect(written()).toMatchObject([{ methodName: 'signMessage', error: 'E', message: 'unknown' }])
})

it('a report that violates the contract or is too large is refused and not logged', async () => {
  for (const body of [
    {},
    { methodName: 'a'.repeat(600), sdkType: 'WEB', error: {} },
    { methodName: 'a', sdkType: 'WEB', error: { message: 'a'.repeat(9_000) } },
  ]) {
    expect((await report(body)).status).toBe(400)
  }
  expect(
    (await report({ methodName: 'a', sdkType: 'WEB', error: { message: { a: 'a'.repeat(300_000) } } })).status,
  ).toBe(413)
  expect(written()).toEqual([])
})

it('reports are limited by address, and those above the limit are not logged', async () => {
  const statuses: number[] = []
  for (let sent = 0; sent < defaultRates.R9.burst + 5; sent++) {
    statuses.push(
      (await report({ methodName: 'signMessage', sdkType: 'WEB', error: { name: 'E', message: 'm' } })).status,
    )
  }

  const taken = statuses.filter((status) => status === 200).length
  expect(statuses[defaultRates.R9.burst - 1]).toBe(200)
  expect(statuses.at(-1)).toBe(429)
  expect(written()).toHaveLength(taken)
})

it.each(environments)('in %s a report is logged, unless that is PROD', async (environment) => {
  const failures: Failure[] = []
  const services = Layer.mergeAll(
    Layer.succeed(Deployment, {
      environment,
      apiOrigin: 'https://api.example',
      portalOrigin: 'https://portal.example',
      connectOrigin: 'https://connect.example',
      operatorName: 'Tandem',
    }),
    Layer.succeed(FailureLog, { write: (failure) => Effect.sync(() => void failures.push(failure)) }),
    Layer.succeed(RateLimits, { take: () => Effect.void, clear: () => Effect.void, sweep: () => Effect.void }),
    Layer.succeed(Caller, { partner: { ...developmentPartner, id: 'partner' }, network: '127.0.0.1' } as Caller),
  )

  await Effect.runPromise(
    Effect.provide(reportSdkError({ methodName: 'createUser', sdkType: 'SERVER', error: {} }), services),
  )

  expect(failures.map(({ methodName }) => methodName)).toEqual(environment === 'PROD' ? [] : ['createUser'])
})
