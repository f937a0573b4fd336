/** SMS by Twilio's REST API, with a server in its place that checks what it is asked. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SmsTwilio } from '../../../adapters/service/sms/Twilio.ts'
import { NotSent } from '../../../domain/service/ports/Mail.ts'
import { Sms } from '../../../domain/service/ports/Sms.ts'
import { freePort, portOf } from '../../kit/ports.ts'

type Asked = { readonly line: string; readonly headers: IncomingHttpHeaders; readonly form: Record<string, string> }

const accountSid = `AC${'1a'.repeat(16)}`
const to = '+15005550009'
const asked: Asked[] = []
/** Nothing: it keeps the connection, and is silent. */
let answer: { readonly status: number; readonly body: string } | undefined

const server: Server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { method, url, headers } = request
    asked.push({ line: `${method} ${url}`, headers, form: Object.fromEntries(new URLSearchParams(body)) })
    if (answer !== undefined) response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body)
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
  answer = { status: 201, body: '{"sid":"SM1","status":"queued"}' }
})

const error = (status: number, code: number) => ({
  status,
  body: JSON.stringify({ code, message: `The 'To' number ${to} is refused.`, status }),
})

const sendFrom = (from: string, url = `http://127.0.0.1:${portOf(server)}`) =>
  Effect.runPromise(
    Effect.result(Effect.flatMap(Sms, (sms) => sms.send({ to, text: 'Your code is 123456 & no other.' }))).pipe(
      Effect.provide(SmsTwilio({ url, accountSid, authToken: Redacted.make('hunter2'), from }, 200)),
    ),
  )
const number = '+15005550006'

describe('an SMS', () => {
  it.each([
    ['a number', number, 'From'],
    ['a messaging service', `MG${'2b'.repeat(16)}`, 'MessagingServiceSid'],
  ])('is posted as a form under the account, from %s', async (_, from, field) => {
    expect(await sendFrom(from)).toEqual(Result.succeed(undefined))

    const [{ line, headers, form } = { line: '', headers: {}, form: {} }] = asked
    expect(asked).toHaveLength(1)
    expect(line).toBe(`POST /2010-04-01/Accounts/${accountSid}/Messages.json`)
    expect(headers.authorization).toBe(`Basic ${btoa(`${accountSid}:hunter2`)}`)
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect(form).toEqual({ To: to, [field]: from, Body: 'Your code is 123456 & no other.' })
  })

  it.each([
    ['a number that is none', error(400, 21211), 'Twilio answered 400, error 21211', true],
    ['too many', error(429, 20429), 'Twilio answered 429, error 20429', false],
    ['a token that is refused', error(401, 20003), 'Twilio answered 401, error 20003', false],
    ['a failure of its own', { status: 500, body: '<html>' }, 'Twilio answered 500', false],
    ['a redirect', { status: 307, body: '' }, 'Twilio does not answer (TypeError)', false],
    ['silence', undefined, 'Twilio does not answer (TimeoutError)', false],
  ])('is not sent for %s', async (_, given, reason, isFinal) => {
    answer = given

    expect(await sendFrom(number)).toEqual(Result.fail(new NotSent({ reason, isFinal })))
    expect(asked).toHaveLength(1)
  })

  it('is not sent where no one listens', async () => {
    const reason = 'Twilio does not answer (ECONNREFUSED)'
    expect(await sendFrom(number, `http://127.0.0.1:${await freePort()}`)).toEqual(
      Result.fail(new NotSent({ reason, isFinal: false })),
    )
  })
})
