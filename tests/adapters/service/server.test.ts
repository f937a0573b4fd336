/** The listener under clients that send wrongly, on real sockets. */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen, makeServer, sendingLimits } from '../../../adapters/service/http/server.ts'
import { isLong } from '../../kit/long.ts'

const crossOrigin = { isPageOfAny: (origin: string) => Promise.resolve(origin === 'https://shop.example') }
const options = { role: 'api', log: pino({ level: 'silent' }), trustedProxies: [], crossOrigin }

const portOf = async (server: FastifyInstance): Promise<number> => {
  server.post('/', (_request, reply) => reply.send('answered'))
  server.get('/half', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-length': 8 }).write('half')
  })
  return listen(server, 'api', { host: '127.0.0.1', port: 0 })
}

/** Sends a text and then one more character every 50 ms, and gives what came back when the server ends the connection. */
const sendSlowly = (port: number, text: string): Promise<{ readonly answer: string; readonly ms: number }> =>
  new Promise((resolve) => {
    const began = performance.now()
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const drip = setInterval(() => {
      if (socket.writable) socket.write('x')
    }, 50)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearInterval(drip)
      resolve({ answer, ms: performance.now() - began })
    })
  })

const refused = (status: string, code: string, sentence: string) =>
  [
    `HTTP/1.1 ${status}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'access-control-allow-origin: *',
    'access-control-expose-headers: x-error-code',
    `x-error-code: ${code}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${sentence.length}`,
    'connection: close',
    '',
    sentence,
  ].join('\r\n')

const tooSlow = refused('408 Request Timeout', 'RequestTooSlow', 'request was sent too slowly')
const slowHeaders = 'POST / HTTP/1.1\r\nhost: a\r\nx-slow: '
const slowBody = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n'

describe('a listener', () => {
  const limits = isLong ? sendingLimits : { headersMs: 300, requestMs: 600, lookMs: 50 }
  let server: FastifyInstance
  let port: number
  beforeAll(async () => {
    server = await makeServer({ ...options, sendingLimits: limits })
    port = await portOf(server)
  })
  afterAll(() => server.close())

  it.each([
    ['headers', slowHeaders, limits.headersMs],
    ['a body', slowBody, limits.requestMs],
  ])('answers 408 to %s that come too slowly, when their time is up', async (_, text, endsMs) => {
    const { answer, ms } = await sendSlowly(port, text)

    expect(answer).toBe(tooSlow)
    expect(ms).toBeGreaterThanOrEqual(endsMs - 50)
    expect(ms).toBeLessThan(endsMs + 4_000)
  })

  it('answers what it cannot read with a sentence and its name', async () => {
    const large = `GET / HTTP/1.1\r\nhost: a\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`

    expect((await sendSlowly(port, 'nonsense\r\n\r\n')).answer).toBe(
      refused('400 Bad Request', 'MalformedRequest', 'malformed request'),
    )
    expect((await sendSlowly(port, large)).answer).toBe(
      refused('431 Request Header Fields Too Large', 'HeadersTooLarge', 'request headers are too large'),
    )
  })

  it('answers a malformed address with a sentence and its name', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/%E0%A4%A`)

    expect([answer.status, await answer.text()]).toEqual([400, 'malformed request'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-error-code': 'MalformedRequest',
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each([
    ['a malformed address', 400, '/%E0%A4%A', ''],
    ['an unknown one', 404, '/nowhere', ''],
    ['a body that is too large', 413, '/', 'x'.repeat(300_000)],
  ])(
    'lets pages read the refusal of %s: those of partners with credentials, others without',
    async (_, status, path, body) => {
      const fieldsFor = async (origin: string) => {
        const asked = fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'POST',
          headers: { origin },
          ...(body === '' ? {} : { body }),
        })
        const preflight = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        })
        const answer = await asked
        expect(answer.status).toBe(status)
        return [answer, preflight].map(({ headers }) =>
          ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`)),
        )
      }

      const byName = ['https://shop.example', 'true']
      expect(await fieldsFor('https://shop.example')).toEqual([byName, byName])
      expect(await fieldsFor('https://evil.example')).toEqual([
        ['*', null],
        ['*', null],
      ])
    },
  )

  it('writes nothing into an answer that has begun', async () => {
    const { answer } = await sendSlowly(port, 'GET /half HTTP/1.1\r\nhost: a\r\n\r\n')

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*\r\nhalf$/)
  })

  it('answers what it cannot read on a connection that has served others', async () => {
    const { answer } = await sendSlowly(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n')

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*\r\nansweredHTTP\/1\.1 400 Bad Request\r\n/)
  })
})

it('the time that clients have to send is what the documents say', () => {
  expect(sendingLimits).toMatchObject({ headersMs: 10_000, requestMs: 15_000 })
})
