/** The session cookie as a browser and its attackers send it, over HTTP (openapi/README.md#session-cookie). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as sessionCookie from '../../../adapters/service/http/sessionCookie.ts'
import { isLong } from '../../kit/long.ts'
import { startService, type TestService } from '../../kit/service.ts'

const shop = 'https://shop.example'
const blog = 'https://blog.shop.example'
const bakery = 'https://bakery.example'
const portal = 'https://portal.example'
const connect = 'https://connect.example'

const hosts = {
  API_URL: 'https://api.example',
  COSIGNER_URL: 'https://cosigner.example',
  PORTAL_URL: portal,
  CONNECT_URL: connect,
}

type Sent = {
  readonly origin?: string
  readonly cookie?: string
  readonly token?: string
  readonly key?: string | null
}

const asked =
  (service: TestService) =>
  async (method: string, path: string, sent: Sent = {}, body?: string) => {
    const { origin = shop, cookie, token, key = service.partner.apiKey } = sent
    const answer = await fetch(service.addresses.api + path, {
      method,
      headers: {
        ...(origin === '' ? {} : { origin }),
        ...(key === null ? {} : { 'x-external-api-key': key }),
        ...(cookie === undefined ? {} : { cookie }),
        ...(token === undefined ? {} : { 'x-capsule-sid': token }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    const [cookies, given] = [answer.headers.getSetCookie(), answer.headers.get('x-capsule-sid')]
    return { status: answer.status, text, cookies, token: given, code: answer.headers.get('x-error-code') }
  }

const begin = async (service: TestService, sent: Sent = {}) => {
  const { token, text, cookies } = await asked(service)('POST', '/touch', sent)
  const { sessionId, sessionLookupId } = JSON.parse(text) as { sessionId: string; sessionLookupId: string }
  const [written = ''] = cookies
  return { token: token ?? '', sessionId, sessionLookupId, written, cookie: written.split(';')[0] ?? '' }
}

let service: TestService
let ask: ReturnType<typeof asked>
let bakeryKeys: TestService['partner']
beforeAll(async () => {
  service = await startService({ environment: hosts, partner: { origins: [shop, blog] } })
  bakeryKeys = await service.addPartner({ origins: [bakery, shop] })
  ask = asked(service)
})
afterAll(() => service.stop())

describe('a token that is given to a page of the partner', () => {
  it('comes as a cookie, too', async () => {
    const { token, written } = await begin(service)

    expect(token).toMatch(/^[\w-]{43}$/)
    expect(written).toBe(`x-capsule-sid=${token}; Path=/; HttpOnly; SameSite=Lax`)
  })

  it.each(['SANDBOX', 'BETA', 'PROD'] as const)(
    'has a cookie of the partner, site and TLS alone in %s',
    (environment) => {
      const owner = { partnerId: 'p1', environment }
      const [name, fields] = ['__Host-x-capsule-sid-p1', 'Path=/; HttpOnly; Secure; Partitioned; SameSite=None']

      expect(sessionCookie.set('token', owner)).toBe(`${name}=token; ${fields}`)
      expect(sessionCookie.clear(owner)).toBe(`${name}=; Max-Age=0; ${fields}`)
      expect(sessionCookie.read(`x-capsule-sid=a; ${name}2=b; ${name}=c`, owner)).toBe('c')
      expect(sessionCookie.read(`x-capsule-sid=a; ${name}2=b`, owner)).toBeUndefined()
    },
  )

  it.runIf(isLong)('comes as such a cookie from a service outside DEV', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-cookie-'))
    mkdirSync(join(folder, 'keys'))
    const key = join(folder, 'keys', 'key')
    writeFileSync(key, `${'3f'.repeat(32)}\n`, { mode: 0o600 })
    const sandbox = await startService({
      environment: {
        ...hosts,
        TANDEM_ENVIRONMENT: 'SANDBOX',
        KEY_ENCRYPTION_KEY_FILE: key,
        COSIGNER_FOLDER: join(folder, 'cosigner'),
        COSIGNER_NAME: 'example',
        OPERATOR_NAME: 'Corner Bank',
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'no-reply@example.com',
      },
      partner: { origins: [shop] },
    })
    try {
      const { partnerId } = sandbox.partner
      const fields = 'Path=/; HttpOnly; Secure; Partitioned; SameSite=None'
      const { token, written, cookie, sessionId } = await begin(sandbox)

      expect(written).toBe(`__Host-x-capsule-sid-${partnerId}=${token}; ${fields}`)
      expect(await begin(sandbox, { cookie })).toMatchObject({ sessionId, written: '' })
      const bare = `x-capsule-sid=${token}`
      expect((await begin(sandbox, { cookie: bare })).sessionId).not.toBe(sessionId)
      expect((await asked(sandbox)('GET', '/logout', { cookie })).cookies).toEqual([
        `__Host-x-capsule-sid-${partnerId}=; Max-Age=0; ${fields}`,
      ])
      expect((await begin(sandbox, { cookie })).sessionId).not.toBe(sessionId)
    } finally {
      await sandbox.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('comes without one to servers, to our own pages and to an answer that is repeated', async () => {
    for (const origin of ['', connect]) expect((await begin(service, { origin })).written).toBe('')

    const signUp = () =>
      fetch(`${service.addresses.api}/users`, {
        method: 'POST',
        headers: { origin: shop, 'x-external-api-key': service.partner.apiKey, 'idempotency-key': 'cookie' },
        body: '{"email":"cora@example.com"}',
      })
    const [first, second] = [await signUp(), await signUp()]
    expect([first.headers.getSetCookie().length, second.status, second.headers.getSetCookie()]).toEqual([1, 200, []])
  })

  it('comes with none to a page of a foreign origin, which is given no token', async () => {
    expect(await ask('POST', '/touch', { origin: 'https://evil.example' })).toMatchObject({ token: null, cookies: [] })
  })
})

describe('the cookie', () => {
  it('names the session where the header is missing', async () => {
    const { cookie, sessionId, sessionLookupId } = await begin(service)

    expect((await begin(service, { cookie })).sessionId).toBe(sessionId)
    expect(await ask('GET', `/sessions/${sessionLookupId}/origin`, { cookie: `other=1; ${cookie}` })).toMatchObject({
      status: 200,
      text: `{"origin":"${shop}"}`,
    })
  })

  it('counts for nothing at another origin, even one of the same partner, nor without an origin', async () => {
    const { cookie, sessionLookupId } = await begin(service)
    const read = (sent: Sent) => ask('GET', `/sessions/${sessionLookupId}/origin`, { cookie, ...sent })

    for (const origin of [blog, portal, connect, 'https://evil.example', 'null', ''])
      expect([origin, (await read({ origin })).code]).toEqual([origin, 'NoSignedInUser'])
    expect((await read({})).status).toBe(200)
  })

  it('counts for nothing in a form, which has no API key, nor with a key that is unknown', async () => {
    const { cookie, sessionId, sessionLookupId } = await begin(service)
    const form = 'proof=1'

    for (const key of [null, 'pk_unknown']) {
      expect((await ask('POST', `/sessions/${sessionId}/keys`, { cookie, key }, form)).code).toBe('NoSignedInUser')
      expect((await ask('GET', `/sessions/${sessionLookupId}/origin`, { cookie, key })).code).toBe('NoSignedInUser')
      expect(await ask('GET', '/logout', { cookie, key })).toMatchObject({ status: 200, cookies: [] })
    }
    expect((await begin(service, { cookie })).sessionId).toBe(sessionId)
  })

  it('counts for nothing with the key of another partner at the same origin', async () => {
    const { cookie, sessionId, sessionLookupId } = await begin(service)
    const sent = { cookie, key: bakeryKeys.apiKey }

    expect((await ask('GET', `/sessions/${sessionLookupId}/origin`, sent)).code).toBe('NoSignedInUser')
    await ask('GET', '/logout', sent)
    expect((await begin(service, { cookie })).sessionId).toBe(sessionId)
  })

  it('gives way to the header, even to one that names no session', async () => {
    const [one, other] = [await begin(service), await begin(service)]

    expect((await begin(service, { cookie: one.cookie, token: other.token })).sessionId).toBe(other.sessionId)
    const unknown = { cookie: one.cookie, token: 'x'.repeat(43) }
    expect((await ask('GET', `/sessions/${one.sessionLookupId}/origin`, unknown)).code).toBe('NoSignedInUser')
  })

  it('logs out by the page that began the session alone, and is cleared then', async () => {
    const { cookie, token, sessionId } = await begin(service)

    for (const origin of [blog, portal, 'https://evil.example', '']) await ask('GET', '/logout', { cookie, origin })
    expect((await begin(service, { cookie })).sessionId).toBe(sessionId)
    expect(await ask('GET', '/logout', { cookie })).toMatchObject({
      status: 200,
      cookies: ['x-capsule-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'],
    })
    for (const sent of [{ cookie }, { token }]) expect((await begin(service, sent)).sessionId).not.toBe(sessionId)
  })

  it('is cleared by a log-out with the header, too', async () => {
    const { cookie, token, sessionId } = await begin(service)

    expect((await ask('GET', '/logout', { token })).cookies).toEqual([
      'x-capsule-sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect((await begin(service, { cookie })).sessionId).not.toBe(sessionId)
  })

  it.each([
    ['no value', 'x-capsule-sid'],
    ['an empty value', 'x-capsule-sid='],
    ['no name', '=;;'],
    ['a value that cannot be decoded', 'x-capsule-sid=%E0%A4%A'],
    ['a name that objects have', '__proto__=1; constructor=1'],
    ['a long value', `x-capsule-sid=${'x'.repeat(9_000)}`],
  ])('that no browser wrote is ignored: %s', async (_, cookie) => {
    const { status, token } = await ask('POST', '/touch', { cookie })

    expect([status, token?.length]).toEqual([200, 43])
  })
})
