import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as Effect from 'effect/Effect'
import { sql } from 'kysely'
import { Database } from '../../../adapters/service/database/Database.ts'
import { defaultRates } from '../../../domain/service/rates.ts'
import { transmissionLimits, sweep } from '../../../domain/service/transmissions.ts'
import { startService, type TestService } from '../../kit/service.ts'

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService({ log: (line) => lines.push(line) })
})
afterAll(() => service.stop())
beforeEach(() => service.advance(defaultRates.R3_LINKS.burst * defaultRates.R3_LINKS.perMs))

const shop = 'http://shop.localhost:3010'
const portal = 'http://localhost:3003'

const create = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.addresses.api}/temporary-transmissions`, {
    method: 'POST',
    headers: {
      'x-external-api-key': service.partner.apiKey,
      origin: shop,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  })

const created = async (message: string): Promise<string> =>
  ((await (await create({ message })).json()) as { id: string }).id

const get = (id: string, headers: Record<string, string> = { origin: portal }) =>
  fetch(`${service.addresses.api}/temporary-transmissions/${id}`, { headers })

const rows = () =>
  service.run(
    Effect.flatMap(Database, ({ query }) =>
      query(async (db) => (await sql<Record<string, unknown>>`select * from temporary_transmissions`.execute(db)).rows),
    ),
  )

describe('a temporary transmission', () => {
  it('is stored before any login, and fetched once, by the portal and without an API key', async () => {
    const message = Buffer.from('sealed').toString('base64')
    const answer = await create({ message, userId: '8c5d2f0e-53a1-4f0b-9a55-0f4d3f4f3f11' })
    const { id } = (await answer.json()) as { id: string }

    expect(answer.status).toBe(200)
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    const asked = await Promise.all(Array.from({ length: 5 }, () => get(id)))
    const texts = await Promise.all(asked.map((one) => one.text()))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    expect(texts.sort()).toEqual(
      ['not found', 'not found', 'not found', 'not found', JSON.stringify({ message })].sort(),
    )
  })

  it('is not given to another page than the portal’s, and is not used up by its request', async () => {
    const id = await created('m')

    for (const origin of [shop, 'https://evil.example', 'null', 'http://portal.localhost:3003']) {
      const answer = await get(id, { origin, 'x-external-api-key': service.partner.apiKey })
      expect([origin, answer.status, await answer.text()]).toEqual([origin, 403, 'origin not allowed'])
    }
    expect((await get(id)).status).toBe(200)
  })

  it('is kept for ten minutes', async () => {
    const [inTime, late] = [await created('a'), await created('b')]

    service.advance(transmissionLimits.life - 5_000)
    expect((await get(inTime)).status).toBe(200)
    service.advance(5_000)
    expect((await get(late)).status).toBe(404)
    await service.run(sweep())
    expect(await rows()).toEqual([])
  })

  it('cannot be found by id by a reader of the database or the log', async () => {
    lines.length = 0
    const id = await created('sealed text')
    const stored = JSON.stringify(await rows())

    expect(stored).toContain('sealed text')
    expect(stored).not.toContain(id)
    await get(id)
    expect(lines.join('')).not.toContain(id)
    expect(lines.join('')).toContain('/temporary-transmissions/:transmissionId')
  })

  it('is accepted from a partner’s page only, with a message of bounded length', async () => {
    expect((await create({ message: 'm' }, { 'x-external-api-key': 'pk_nobodys' })).status).toBe(401)
    expect((await create({ message: 'm' }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await create({ message: 'm'.repeat(65_537) })).status).toBe(400)
    expect((await create({})).status).toBe(400)
    expect((await create({ message: 'm'.repeat(65_536) })).status).toBe(200)
  })

  it('is limited by network address, and by the number that wait', async () => {
    const statuses: number[] = []
    for (let made = 0; made <= defaultRates.R3_LINKS.burst; made++)
      statuses.push((await create({ message: 'm' })).status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(defaultRates.R3_LINKS.burst)
    expect(statuses.at(-1)).toBe(429)

    service.advance(transmissionLimits.life)
    await service.run(sweep())
    const { partnerId } = service.partner
    const expires = Date.now() + 1e9
    await service.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) =>
          sql`insert into temporary_transmissions select 'mac ' || n, ${partnerId}, 'm', ${expires} from generate_series(1, ${transmissionLimits.waiting}::int) n`.execute(
            db,
          ),
        ),
      ),
    )
    const full = await create({ message: 'm' })
    const other = await service.addPartner()
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '600'])
    expect((await create({ message: 'm' }, { 'x-external-api-key': other.apiKey })).status).toBe(200)
  })
})
