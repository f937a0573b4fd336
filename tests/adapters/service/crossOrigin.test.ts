/** Which pages may read what the listeners answer, over HTTP (openapi/README.md#pages-of-other-origins). */
import * as Effect from 'effect/Effect'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../../adapters/service/database/Database.ts'
import { Partners } from '../../../domain/service/ports/Partners.ts'
import { startService, type TestService } from '../../kit/service.ts'

const shop = 'https://shop.example'
const bakery = 'https://bakery.example'
const bakerysPortal = 'https://login.bakery.example'
const portal = 'https://portal.example'
const connect = 'https://connect.example'
const evil = 'https://evil.example'

let service: TestService
let bakeryKeys: TestService['partner']
beforeAll(async () => {
  service = await startService({
    environment: { PORTAL_URL: portal, CONNECT_URL: connect },
    partner: { origins: [shop] },
  })
  bakeryKeys = await service.addPartner({ origins: [bakery], portalUrl: `${bakerysPortal}/pages` })
})
afterAll(() => service.stop())

type Listener = 'api' | 'cosigner'

const ask = (path: string, origin: string | undefined, headers: Record<string, string> = {}, at: Listener = 'api') =>
  fetch(service.addresses[at] + path, {
    method: path === '/logout' ? 'GET' : 'POST',
    headers: { ...(origin === undefined ? {} : { origin }), ...headers },
  })

const preflight = (origin: string, at: Listener = 'api') =>
  fetch(`${service.addresses[at]}${at === 'api' ? '/touch' : '/protocol'}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-capsule-sid,x-tandem-device',
    },
  })

const ofPartner = () => ({ 'x-external-api-key': service.partner.apiKey })
const ofBakery = () => ({ 'x-external-api-key': bakeryKeys.apiKey })

const fieldsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const toRead = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'x-capsule-sid, x-error-code, retry-after',
})
const toReadRefusal = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-error-code' }
const toAsk = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'content-type, x-capsule-sid, x-para-version, x-partner-id, x-external-api-key, x-tandem-device, prefer, idempotency-key',
}

describe('a preflight', () => {
  it.each([shop, bakery, bakerysPortal, portal, connect])(
    'from %s, of some partner or ours, is allowed',
    async (origin) => {
      for (const listener of ['api', 'cosigner'] as const) {
        const answer = await preflight(origin, listener)

        expect([answer.status, await answer.text()]).toEqual([204, ''])
        expect(fieldsOf(answer)).toEqual({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-max-age': '7200',
          ...toAsk,
        })
        expect(answer.headers.get('vary')).toBe('origin')
      }
    },
  )

  it.each([evil, `${shop}.evil.example`, 'http://shop.example', `${shop}:8443`, 'null'])(
    'from %s passes without credentials alone, says why and is not remembered',
    async (origin) => {
      for (const listener of ['api', 'cosigner'] as const) {
        const answer = await preflight(origin, listener)

        expect([answer.status, await answer.text()]).toEqual([200, 'origin not allowed'])
        expect(fieldsOf(answer)).toEqual({ ...toReadRefusal, ...toAsk })
        expect(answer.headers.get('x-error-code')).toBe('OriginNotAllowed')
        expect(answer.headers.get('vary')).toBe('origin')
      }
    },
  )

  it('follows the origins of a partner as they are set', async () => {
    const { partnerId } = await service.addPartner({ origins: [] })
    const moved = 'https://moved.example'
    const set = (origins: readonly string[]) =>
      service.run(Effect.flatMap(Partners, (port) => port.setOrigins(partnerId, origins)))

    expect((await preflight(moved)).status).toBe(200)
    await set([moved])
    expect((await preflight(moved)).status).toBe(204)
    await set([])
    expect((await preflight(moved)).status).toBe(200)
  })

  it('of any number costs one look at the database in five seconds', async () => {
    const rename = (from: string, to: string) =>
      service.run(
        Effect.flatMap(Database, ({ query }) =>
          query((db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db)),
        ),
      )
    expect((await preflight(shop)).status).toBe(204)
    await rename('partner_origins', 'lost')

    for (const origin of [shop, evil, bakery])
      expect((await preflight(origin)).status).toBe(origin === evil ? 200 : 204)
    service.advance(5_000)
    expect((await preflight(shop)).status).toBe(200)
    await rename('lost', 'partner_origins')
    expect((await preflight(shop)).status).toBe(204)
  })
})

describe('a call', () => {
  it.each([shop, portal, connect])('from %s may be read with credentials, by the page that asked', async (origin) => {
    const answer = await ask('/logout', origin, ofPartner())

    expect(answer.status).toBe(200)
    expect(fieldsOf(answer)).toEqual(toRead(origin))
    expect(answer.headers.get('vary')).toBe('origin')
  })

  it('is judged by the partner whose key came, not by the others', async () => {
    const own = await ask('/touch', bakery, ofBakery())
    const others = await ask('/touch', bakery, ofPartner())

    expect([own.status, fieldsOf(own)]).toEqual([200, toRead(bakery)])
    expect([others.status, await others.text(), fieldsOf(others)]).toEqual([403, 'origin not allowed', toReadRefusal])
    expect([...others.headers.keys()]).not.toContain('x-capsule-sid')
    expect(fieldsOf(await ask('/logout', bakerysPortal, ofBakery()))).toEqual(toRead(bakerysPortal))
    expect(fieldsOf(await ask('/logout', bakerysPortal, ofPartner()))).toEqual({})
  })

  it('of a foreign page is refused in words that the page may read, and what is open to all is not read by it', async () => {
    for (const origin of [evil, 'null']) {
      const refused = await ask('/touch', origin, ofPartner())
      const open = await ask('/logout', origin, ofPartner())

      expect([refused.status, await refused.text(), fieldsOf(refused)]).toEqual([
        403,
        'origin not allowed',
        toReadRefusal,
      ])
      expect([open.status, fieldsOf(open)]).toEqual([200, {}])
    }
  })

  it('without a known key is judged as its preflight was', async () => {
    for (const headers of [{}, { 'x-external-api-key': 'pk_mistyped' }]) {
      const [own, foreign] = [await ask('/touch', shop, headers), await ask('/touch', evil, headers)]

      expect([own.status, fieldsOf(own)]).toEqual([401, toRead(shop)])
      expect([foreign.status, fieldsOf(foreign)]).toEqual([401, toReadRefusal])
    }
    expect(fieldsOf(await ask('/protocol', shop, {}, 'cosigner'))).toEqual(toRead(shop))
    expect(fieldsOf(await ask('/protocol', evil, {}, 'cosigner'))).toEqual(toReadRefusal)
    expect(fieldsOf(await ask('/logout', evil))).toEqual({})
  })

  it('without an origin gets no field of these', async () => {
    const answer = await ask('/touch', undefined, ofPartner())

    expect([answer.status, fieldsOf(answer)]).toEqual([200, {}])
  })

  it('of a listener that is none of these gets none either', async () => {
    for (const address of [`${service.addresses.admin}/health/live`, `${service.addresses.portal}/config.json`])
      expect(fieldsOf(await fetch(address, { headers: { origin: shop } }))).toEqual({})
  })
})

describe('pages of this machine', () => {
  const local = ['http://localhost:5173', 'https://localhost', 'http://127.0.0.1:4000', 'http://my-app.localhost:3999']

  it.each(local)('are of every partner in DEV: %s', async (origin) => {
    expect((await preflight(origin)).status).toBe(204)
    const answer = await ask('/touch', origin, ofPartner())
    expect([answer.status, fieldsOf(answer)]).toEqual([200, toRead(origin)])
  })

  it.each([
    'http://localhost.evil.example',
    'http://evil-localhost',
    'http://127.0.0.1.evil.example',
    'http://127.0.0.2',
  ])('are not those of a like name: %s', async (origin) => {
    expect((await preflight(origin)).status).toBe(200)
    expect((await ask('/touch', origin, ofPartner())).status).toBe(403)
  })
})
