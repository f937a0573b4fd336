/** What a partner's server is told, over HTTP: each event that there is, and that none is lost, doubled or forged. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Latch from 'effect/Latch'
import * as Result from 'effect/Result'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Para } from '../../adapters/browser/sdk.ts'
import { verifyWebhook } from '../../adapters/browser/server/server.ts'
import { createWebhook } from '../../adapters/cli/webhook.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import { tell } from '../../domain/service/events.ts'
import * as partners from '../../domain/service/partners.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { Outbox } from '../../domain/service/ports/Outbox.ts'
import { Transaction } from '../../domain/service/ports/Transaction.ts'
import { webhookLimits } from '../../domain/service/Webhook.ts'
import * as webhooks from '../../domain/service/webhooks.ts'
import { countedQueries } from '../kit/countedQueries.ts'
import { anyDatabase, makePlace } from '../kit/database.ts'
import { isLong } from '../kit/long.ts'
import { recover } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { startServiceProcess } from '../kit/serviceProcess.ts'
import { hostsOf, newPassword, signUp } from './people.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const queries = countedQueries(anyDatabase())
let service: TestService
let receiver: Receiver
let partnerId: string
let endpoint: string
let turned = 0

beforeAll(async () => {
  service = await startService({ database: queries.layer })
})
afterAll(() => service.stop())

beforeEach(async () => {
  receiver = await startReceiver()
  receiver.ahead = turned
  partnerId = (await service.addPartner()).partnerId
  endpoint = await addEndpoint()
})
afterEach(async () => {
  await service.run(webhooks.disableEndpoint(partnerId, endpoint))
  await receiver.stop()
})

const addEndpoint = async (of = partnerId) => {
  const { id, secret } = await service.run(webhooks.createEndpoint(of, receiver.url))
  receiver.secrets.push(secret)
  return id
}

/** For the service, and for the partner's server. */
const advance = (ms: number) => {
  turned += ms
  receiver.ahead = turned
  service.advance(ms)
}

const deliver = () => service.run(webhooks.deliverDue())
const test = () => service.run(webhooks.testEndpoint(partnerId, endpoint))
const handledIds = () => receiver.handled.map(({ id }) => id)
const countOf = async () => {
  const [{ waiting, failed } = { waiting: -1, failed: -1 }] = await service.run(webhooks.listEndpoints(partnerId))
  return { waiting, failed }
}
/** All that wait were tried, and the worker has settled when they are due again. */
const refused = async () => {
  const errors = () =>
    service.run(
      Effect.flatMap(Database, ({ query }) =>
        query((db) => db.selectFrom('outbox').select('error').where('endpoint_id', '=', endpoint).execute()),
      ),
    )
  const ofAll = (await errors()).map(() => ({ error: `the server answered ${String(receiver.status)}` }))
  await expect.poll(errors).toEqual(ofAll)
}
/** As a worker does it that looks when all of them are due. */
const leased = Effect.suspend(() => {
  const now = Date.now() + turned + 5_000
  const asked = { now, until: now + webhookLimits.lease, limit: 10, limitOfEndpoint: 20 }
  return Effect.flatMap(Outbox, (outbox) => outbox.lease(asked))
})
const requested = (count: number) => expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(count)

describe('a partner’s server', () => {
  it('is told of an account, its wallet, its signatures and its end, with ids alone', async () => {
    partnerId = service.partner.partnerId
    endpoint = await addEndpoint()
    const { device, userId, walletIds, email } = await signUp(service, { types: { SOLANA: true } })
    const walletId = walletIds[0] ?? ''
    const isTold = (sql: string) => sql.includes('into "outbox"')
    const signing = await queries.during(() => device.signMessage({ walletId, message: 'told' }))
    await service.run(applyPolicy(partnerId, { tandem: 'policy/1', default: 'allow', rules: [] }))
    const server = new Para('DEV', service.partner.apiKey, { hosts: hostsOf(service.addresses), logLevel: 'None' })
    await server.importSession(await device.exportSession({ excludeSigners: true }))
    await server.logout()
    await device.logout()
    await Promise.all([server.dispose(), device.dispose()])

    const told = () => receiver.handled.map(({ type, data }) => [type, data])
    await expect.poll(() => told().map(([type]) => type)).toContain('session.ended')
    expect(signing.filter(isTold)).toHaveLength(1)
    const lookup = expect.stringMatching(/^[0-9a-f-]{36}$/) as string
    expect(told()).toEqual(
      expect.arrayContaining([
        ['user.created', { userId }],
        ['session.authenticated', { userId, sessionLookupId: lookup }],
        ['wallet.created', { userId, walletId }],
        ['signature.completed', { userId, walletId, protocolId: lookup }],
        ['policy.applied', { version: 1 }],
        ['session.ended', { userId, sessionLookupId: lookup }],
      ]),
    )
    // The session of a server is none that a person has begun or ended.
    const ofType = (type: string) => receiver.handled.filter((event) => event.type === type).map(({ data }) => data)
    expect(ofType('session.ended')).toEqual(ofType('session.authenticated'))
    expect(receiver.requests.map(({ body }) => body).join()).not.toContain(email)
    expect(new Set(receiver.requests.map(({ status }) => status))).toEqual(new Set([204]))
    // The same by the package's entry for servers, of every request as it came.
    const secret = receiver.secrets.at(-1) ?? ''
    const verified = await Promise.all(receiver.requests.map((request) => verifyWebhook(request, secret)))
    expect(verified.map(({ id, type, data }) => ({ id, type, data }))).toEqual(receiver.handled)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.requests
    await expect(verifyWebhook({ headers, body: `${body} ` }, secret)).rejects.toMatchObject({ reason: 'signature' })
  })

  it('is told nothing of what is rolled back, nothing of another partner’s, and nothing without an endpoint', async () => {
    const other = (await service.addPartner()).partnerId
    const event = (of: string) =>
      Effect.gen(function* () {
        yield* tell(yield* partners.find(of), 'wallet.created', { walletId: randomUUID() })
      })
    const counted = await queries.during(() => service.run(event(other)))
    await service
      .run(
        Effect.flatMap(Transaction, ({ atomically }) =>
          atomically(Effect.andThen(event(partnerId), Effect.fail('no'))),
        ),
      )
      .catch(() => undefined)
    expect(await countOf()).toEqual({ waiting: 0, failed: 0 })

    await service.run(event(partnerId))
    await requested(1)
    expect(counted.filter((sql) => sql.includes('outbox'))).toEqual([])
    expect(receiver.handled).toHaveLength(1)
  })
})

describe('a message', () => {
  it('that was lost comes again under its id, signed anew', async () => {
    receiver.status = 500
    const id = await test()
    await refused()
    receiver.status = undefined
    expect(await deliver()).toBe(0)
    advance(5_000)
    await deliver()
    await requested(2)

    const [lost, again] = receiver.requests
    expect([lost?.headers['webhook-id'], again?.headers['webhook-id'], lost?.body]).toEqual([id, id, again?.body])
    expect(again?.headers['webhook-signature']).not.toBe(lost?.headers['webhook-signature'])
    expect(handledIds()).toEqual([id])
  })

  it('that comes twice is handled once; a late one and a forged one are refused', async () => {
    const id = await test()
    await requested(1)
    await expect.poll(countOf).toEqual({ waiting: 0, failed: 0 })
    expect(await service.run(webhooks.resend(partnerId, endpoint, id))).toBe(1)
    await requested(2)

    const [first] = receiver.requests
    const replay = (changes: Readonly<Record<string, string>>, body = first?.body ?? '') => {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      const headers = Object.fromEntries(names.map((name) => [name, String(first?.headers[name])]))
      return fetch(receiver.url, { method: 'POST', headers: { ...headers, ...changes }, body })
    }
    const late = String(Math.floor((Date.now() + turned) / 1000) - 10 * 60)
    expect((await replay({ 'webhook-timestamp': late })).status).toBe(400)
    expect((await replay({}, first?.body.replace('webhook.test', 'user.created'))).status).toBe(400)
    expect((await replay({ 'webhook-id': 'msg_other' })).status).toBe(400)
    expect((await replay({})).status).toBe(204)
    expect(handledIds()).toEqual([id])
  })

  it('is delivered once by workers that look at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, test))
    for (let round = 0; round < 10; round += 1) await Promise.all([deliver(), deliver(), deliver(), deliver()])
    await expect.poll(countOf).toEqual({ waiting: 0, failed: 0 })

    expect(receiver.requests.map(({ headers }) => String(headers['webhook-id'])).sort()).toEqual(ids.toSorted())
  })

  it('is leased by one worker, while another one leases the next', async () => {
    receiver.status = 500
    const ids = await Promise.all(Array.from({ length: 15 }, test))
    await refused()
    const [leasing, going] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    const first = service.run(
      Effect.flatMap(Transaction, ({ atomically }) =>
        atomically(Effect.tap(leased, () => Effect.andThen(leasing.open, going.await))),
      ),
    )
    await Effect.runPromise(leasing.await)
    const second = service.run(leased)
    await Promise.race([second, new Promise((done) => setTimeout(done, 2_000))])
    going.openUnsafe()

    const both = [await first, await second]
    expect(both.map((all) => all.length)).toEqual([10, 5])
    expect(both.flatMap((all) => all.map(({ messageId }) => messageId)).sort()).toEqual(ids.toSorted())
  })

  it.each(['body', 'partner'])('whose %s a writer of the database changed is not signed', async (what) => {
    receiver.status = 500
    await test()
    await refused()
    receiver.status = undefined
    const other = (await service.addPartner()).partnerId
    await service.run(
      Effect.flatMap(Database, ({ query }) =>
        what === 'body'
          ? query((db) => db.updateTable('outbox').set({ body: '{}' }).where('endpoint_id', '=', endpoint).execute())
          : query((db) =>
              db.updateTable('webhook_endpoints').set({ partner_id: other }).where('id', '=', endpoint).execute(),
            ),
      ),
    )
    if (what === 'partner') partnerId = other
    advance(5_000)
    await deliver()

    await expect.poll(countOf).toEqual({ waiting: 0, failed: 1 })
    expect(receiver.requests).toHaveLength(1)
  })

  it('is not lost with the worker that took it', async () => {
    receiver.status = 500
    const id = await test()
    await refused()
    // A worker that dies before it settles what it has leased.
    const taken = await service.run(leased)
    expect(taken.map(({ messageId }) => messageId)).toEqual([id])
    receiver.status = undefined
    advance(5_000 + webhookLimits.lease)
    await deliver()
    await expect.poll(countOf).toEqual({ waiting: 0, failed: 0 })

    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
  })
})

describe('an endpoint', () => {
  it('gets messages that both secrets signed for a day after a rotation, and then the new one’s alone', async () => {
    const old = receiver.secrets.splice(0)
    const fresh = await service.run(webhooks.rotateSecret(partnerId, endpoint))
    expect(old).not.toContain(fresh)

    receiver.secrets.push(...old)
    await test()
    await requested(1)
    receiver.secrets.splice(0, 1, fresh)
    await test()
    await requested(2)
    expect(receiver.requests.map(({ status }) => status)).toEqual([204, 204])

    advance(webhookLimits.bothSecrets)
    await test()
    await requested(3)
    receiver.secrets.splice(0, 1, ...old)
    await test()
    await requested(4)
    expect(receiver.requests.map(({ status }) => status)).toEqual([204, 204, 204, 400])
  })

  it('that answers 410 is disabled, and gets what failed once it is enabled and asks for it', async () => {
    receiver.status = 410
    const id = await test()
    await expect.poll(countOf).toEqual({ waiting: 0, failed: 1 })
    await expect(test()).rejects.toThrow('webhook endpoint is disabled')
    const [listed] = await service.run(webhooks.listEndpoints(partnerId))
    expect(listed?.disabledAt).not.toBeNull()

    receiver.status = undefined
    await service.run(webhooks.enableEndpoint(partnerId, endpoint))
    expect(await service.run(webhooks.resend(partnerId, endpoint))).toBe(1)
    await expect.poll(handledIds).toEqual([id])
    expect(await countOf()).toEqual({ waiting: 0, failed: 0 })
    expect(await service.run(webhooks.resend(partnerId, endpoint))).toBe(0)
  })

  it('that answers nothing but errors for three days has failed', async () => {
    receiver.status = 503
    await test()
    await refused()
    for (let hours = 0; hours < 80; hours += 10) {
      advance(10 * 60 * 60_000)
      await deliver()
    }

    await expect.poll(countOf).toEqual({ waiting: 0, failed: 1 })
    expect(receiver.requests.length).toBeGreaterThan(6)
  })

  it('can have a message of the last 30 days again, and older ones are deleted', async () => {
    const id = await test()
    await requested(1)
    advance(webhookLimits.kept - 60_000)
    expect(await service.run(webhooks.resend(partnerId, endpoint, id))).toBe(1)
    await requested(2)
    await expect.poll(countOf).toEqual({ waiting: 0, failed: 0 })

    advance(120_000)
    expect(await service.run(webhooks.resend(partnerId, endpoint, id))).toBe(0)
    // The service sweeps as well, and may have been first.
    await service.run(webhooks.sweep(1_000))
    const kept = Effect.flatMap(Database, ({ query }) =>
      query((db) => db.selectFrom('outbox').select('message_id').where('message_id', '=', id).execute()),
    )
    await expect.poll(() => service.run(kept)).toEqual([])
    expect(await service.run(webhooks.sweep(1_000))).toBe(0)
  })

  it('is one of its own partner, at an address that can be, and one of ten', async () => {
    const other = (await service.addPartner()).partnerId
    const add = (url: string) => service.run(webhooks.createEndpoint(other, url))
    for (const act of [webhooks.rotateSecret, webhooks.disableEndpoint, webhooks.enableEndpoint, webhooks.testEndpoint])
      await expect(service.run<unknown, unknown>(act(other, endpoint))).rejects.toThrow('not found')
    await expect(service.run(webhooks.resend(other, endpoint))).rejects.toThrow('not found')
    await expect(service.run(webhooks.listEndpoints('none'))).rejects.toThrow('not found')
    await expect(add('ftp://shop.example/')).rejects.toThrow('webhook address is not https')

    for (let count = 0; count < webhookLimits.endpointsOfPartner; count += 1) await add(receiver.url)
    await expect(add(receiver.url)).rejects.toThrow('a partner has at most 10 webhook endpoints')
  })
})

describe.runIf(isLong)('in the long run', () => {
  it('a partner’s server is told of a recovery', async () => {
    partnerId = service.partner.partnerId
    endpoint = await addEndpoint()
    const { device, email, userId, recoverySecret } = await signUp(service, { types: { SOLANA: true } })
    const page = await recover(service, { email, recoverySecret, password: newPassword() })
    await Promise.all([device.dispose(), page.close()])

    const told = () => receiver.handled.map(({ type, data }) => [type, data])
    await expect.poll(told).toEqual(
      expect.arrayContaining([
        ['recovery.verified', { userId }],
        ['recovery.finished', { userId }],
      ]) as unknown,
    )
  })

  it('a process that dies after the commit loses no message', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-webhooks-'))
    const place = await makePlace('PostgreSQL', folder)
    const started = await startServiceProcess(folder, place)
    const { device, walletIds } = await signUp(started, { types: { EVM: true } })
    const sign = () => device.signMessage({ walletId: walletIds[0] ?? '', message: 'told' })
    await sign()
    const variables = { DATA_FOLDER: folder, ...(place.kind === 'postgres' ? { DATABASE_URL: place.url } : {}) }
    const made = await createWebhook(
      { variables: variables, partnerId: started.partner.partnerId, reason: 'asked for' },
      receiver.url,
    )
    receiver.secrets.push((Result.getOrThrow(made).data as { readonly secret: string }).secret)
    receiver.ahead = 0
    receiver.status = 503
    await started.killAt('sign.commit.after', 2)
    await sign().catch(() => undefined)
    expect(await started.hasDied()).toBe(true)

    receiver.status = undefined
    const next = await startServiceProcess(folder, place)
    await next.advance(webhookLimits.lease + 5_000)
    await expect
      .poll(() => receiver.handled.map(({ type }) => type), { timeout: 10_000 })
      .toEqual(['signature.completed'])
    await Promise.all([device.dispose(), next.stop()])
    rmSync(folder, { recursive: true, force: true })
  })
})
