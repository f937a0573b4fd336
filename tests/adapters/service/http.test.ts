import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../../adapters/cli/command.ts'
import { Database, DatabaseUnavailable } from '../../../adapters/service/database/Database.ts'
import { answerTo } from '../../../adapters/service/http/errors.ts'
import { hash } from '../../../domain/crypto/Transcript.ts'
import { TooManyAttempts } from '../../../domain/service/ports/RateLimits.ts'
import { Vault, type AssociatedData } from '../../../domain/service/ports/Vault.ts'
import { startService, type TestService } from '../../kit/service.ts'

let service: TestService
const lines: string[] = []
beforeAll(async () => {
  service = await startService({ log: (line) => lines.push(line) })
})
afterAll(() => service.stop())

const origin = 'http://localhost:3010'

const ask = (
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {},
) =>
  fetch(service.addresses.api + path, {
    method,
    headers: { 'x-external-api-key': service.partner.apiKey, origin, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const refusal = async (answer: Response) => ({
  status: answer.status,
  type: answer.headers.get('content-type'),
  code: answer.headers.get('x-error-code'),
  text: await answer.text(),
})
const plain = 'text/plain; charset=utf-8'

const touch = async () => {
  const answer = await ask('POST', '/touch?regenerate=false')
  return { token: answer.headers.get('x-capsule-sid') ?? '', session: (await answer.json()) as { sessionId: string } }
}

const replayOf = (key: string): AssociatedData => ({
  table: 'replays',
  id: bytesToHex(hash('tandem/replay/v1', [`${service.partner.partnerId}/`, 'createUser', key])),
})

/** What is kept of the answer to a sign-up with this key, opened. */
const storedAnswer = (key: string) =>
  Effect.gen(function* () {
    const vault = yield* Vault
    const { query } = yield* Database
    const row = yield* query((kysely) =>
      kysely.selectFrom('replays').select('sealed_answer').where('key', '=', key).executeTakeFirstOrThrow(),
    )
    return new TextDecoder().decode(yield* vault.open(replayOf(key), row.sealed_answer ?? new Uint8Array()))
  })

const storeAnswer = (key: string, text: string) =>
  Effect.gen(function* () {
    const sealed = yield* (yield* Vault).seal(replayOf(key), new TextEncoder().encode(text))
    const { query } = yield* Database
    yield* query((kysely) =>
      kysely.updateTable('replays').set({ sealed_answer: sealed }).where('key', '=', key).execute(),
    )
  })

describe('the listeners', () => {
  it('answer an unknown route with 404 and the sentence', async () => {
    const expected = { status: 404, type: plain, code: 'NotFound', text: 'not found' }

    expect(await refusal(await ask('GET', '/nowhere'))).toEqual(expected)
    expect(await refusal(await ask('PUT', '/touch'))).toEqual(expected)
    expect(await refusal(await fetch(`${service.addresses.cosigner}/touch`, { method: 'POST' }))).toEqual(expected)
    expect(await refusal(await fetch(`${service.addresses.api}/health/live`))).toEqual(expected)
  })

  it('answer nothing that a cache may keep or a browser may guess the type of', async () => {
    for (const answer of [await ask('POST', '/touch'), await ask('GET', '/nowhere')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it.each([
    ['no type and no body', {}, undefined],
    [
      'the form type and no body, as the public client sends it',
      { 'content-type': 'application/x-www-form-urlencoded' },
      undefined,
    ],
    ['the JSON type and no body', { 'content-type': 'application/json' }, ''],
  ])('take a POST with %s', async (_, headers, body) => {
    const answer = await ask('POST', '/touch?regenerate=false', { headers, ...(body === undefined ? {} : { body }) })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toMatchObject({ isAuthenticated: false, partnerId: service.partner.partnerId })
  })

  it('answer {} where there is no result', async () => {
    const answer = await ask('GET', '/logout')

    expect([answer.status, await answer.text()]).toEqual([200, '{}'])
  })

  it.each([
    ['malformed JSON', '{"email":', 'body is not as the contract has it'],
    ['text that is not UTF-8', Uint8Array.of(34, 0xff, 34), 'body is not as the contract has it'],
    ['half a surrogate pair', '{"email":"\\ud800@b.c"}', 'body is not as the contract has it'],
    ['half a surrogate pair in a name', '{"email":"a@b.c","\\udc00":1}', 'body is not as the contract has it'],
    ['a NUL, which no column holds', '{"email":"a\\u0000@b.c"}', 'body is not as the contract has it'],
    ['a list for an object', '[]', 'body is not as the contract has it'],
    ['an identity that is no text', '{"email":7}', 'invalid auth object'],
    ['a field of another type', '{"email":"a@b.io","theme":7}', 'body.theme is not as the contract has it'],
  ])('answer 400 in one sentence to %s', async (name, body, sentence) => {
    const answer = await refusal(await ask('POST', '/users', { body, headers: { 'content-type': 'application/json' } }))

    expect([name, answer.status, answer.type, answer.text]).toEqual([name, 400, plain, sentence])
  })

  it('answer 413 to a body that is too large, and read no more of it', async () => {
    const answer = await ask('POST', '/users', { body: JSON.stringify({ email: 'x'.repeat(300_000) }) })

    expect(await refusal(answer)).toEqual({
      status: 413,
      type: plain,
      code: 'BodyTooLarge',
      text: 'request body is too large',
    })
  })

  it('answer an id of a wrong form like one that does not exist', async () => {
    const { token } = await touch()
    for (const id of ['x'.repeat(400), 'a%00b']) {
      const answer = await ask('GET', `/openings/${id}`, { headers: { 'x-capsule-sid': token } })
      expect([id, (await refusal(answer)).text, answer.status]).toEqual([id, 'not found', 404])
    }
    expect((await ask('GET', '/partners/%E0%A4%A')).status).toBe(400)
  })

  it('read nested queries as axios writes them', async () => {
    const answer = await ask(
      'GET',
      '/wallets/pregen?ids%5BEMAIL%5D%5B0%5D=a%2Bb%40x.io&ids%5BEMAIL%5D%5B1%5D=c%40d&expand=false',
    )
    const wrong = await ask('GET', '/wallets/pregen?ids%5BEMAIL%5D=a')

    expect([answer.status, await answer.json()]).toEqual([200, { wallets: [] }])
    expect([wrong.status, await wrong.text()]).toEqual([400, 'query.ids.EMAIL is not as the contract has it'])
  })

  it('answer 501 to an operation that is not built', async () => {
    const answer = await ask('POST', '/partners/analytics/react-sdk', { body: '{}' })

    expect(await refusal(answer)).toEqual({
      status: 501,
      type: plain,
      code: 'NotBuilt',
      text: 'reportReactSdkUse is not built yet',
    })
  })

  it('say to `tandem status` which key signs', async () => {
    const its = { ADMIN_LISTEN: new URL(service.addresses.admin).port }
    const { exitCode, out } = await runCommand(['status'], () => Promise.reject(new Error('no file')), its)
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /^Ready: database, migrations, workers, pages\.\nKey [0-9a-f]{16} signs the co-signer’s answers\.$/,
    )
  })

  it('keep the admin listener to themselves', async () => {
    const answer = await fetch(`${service.addresses.admin}/health/ready`, { headers: { origin } })

    expect(await answer.json()).toEqual({
      status: 'ready',
      database: true,
      migrations: true,
      workers: true,
      pages: true,
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const metrics = await (await fetch(`${service.addresses.admin}/metrics`)).text()
    expect(metrics).toMatch(/tandem_answers_total\{role="api",method="POST",path="\/touch",status="200"\} [1-9]/)
  })

  it('identify callers by key and token, and ignore a token of another partner', async () => {
    const { token } = await touch()
    const other = await service.addPartner()
    const origins = (headers: Record<string, string>) =>
      ask('GET', '/openings/none', { headers: { 'x-capsule-sid': token, ...headers } })

    expect((await origins({})).status).toBe(404)
    expect((await origins({ 'x-external-api-key': other.apiKey })).status).toBe(401)
    expect((await origins({ 'x-partner-id': other.partnerId })).status).toBe(401)
    expect((await origins({ 'x-capsule-sid': `${token}x` })).status).toBe(401)
    await ask('GET', '/logout', { headers: { 'x-capsule-sid': token, 'x-external-api-key': other.apiKey } })
    expect((await origins({})).status).toBe(404)
    expect(await refusal(await ask('POST', '/touch', { headers: { 'x-external-api-key': 'pk_nobodys' } }))).toEqual({
      status: 401,
      type: plain,
      code: 'ApiKeyRequired',
      text: 'in order to create a wallet or user with Para, you must provide an API key to the Para instance',
    })
  })

  it('give a repeated request with an idempotency key the same answer, and one effect', async () => {
    const { token } = await touch()
    const to = 'ida@example.com'
    const signUp = (email: string) =>
      ask('POST', '/users', {
        headers: { 'x-capsule-sid': token, 'idempotency-key': 'sign-up', 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })

    const [first, second] = [await signUp(to), await signUp(to)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await second.json()).toEqual(await first.json())
    expect(await service.mailbox(to)).toHaveLength(1)
    expect(await refusal(await signUp('another@example.com'))).toEqual({
      status: 422,
      type: plain,
      code: 'IdempotencyKeyReused',
      text: 'idempotency key was used for another request',
    })
  })

  it('keep no session token for a repeated request: of callers without a session, the first alone gets one', async () => {
    const signUp = () =>
      ask('POST', '/users', {
        headers: { 'idempotency-key': 'anonymous', 'content-type': 'application/json' },
        body: '{"email":"iris@example.com"}',
      })

    const [first, second] = [await signUp(), await signUp()]
    expect([first.status, second.status]).toEqual([200, 200])
    const token = first.headers.get('x-capsule-sid') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(second.headers.get('x-capsule-sid')).toBeNull()
    expect(await second.json()).toEqual(await first.json())
    const kept = await service.run(storedAnswer('anonymous'))
    expect(kept).toContain('userId')
    expect(kept).not.toContain(token)

    await service.run(storeAnswer('anonymous', kept.replace('{}', JSON.stringify({ 'x-capsule-sid': token }))))
    expect(await service.run(storedAnswer('anonymous'))).toContain(token)
    const third = await signUp()
    expect([third.status, third.headers.get('x-capsule-sid')]).toEqual([200, null])
  })

  it('log the template of a path, status and time, and nothing that came with the request', async () => {
    const { token, session } = await touch()
    lines.length = 0

    await ask('GET', `/openings/${session.sessionId}?email=ada%40example.com`, { headers: { 'x-capsule-sid': token } })
    await ask('POST', '/users', { body: '{"email":"eve@example.com","brandColor":7}' })

    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      role: 'api',
      method: 'GET',
      path: '/openings/:openingId',
      status: 404,
    })
    const written = lines.join('\n')
    for (const secret of ['example.com', token, session.sessionId, service.partner.apiKey, 'email'])
      expect(written).not.toContain(secret)
  })

  it('answer an internal error with 500, and write its reason to the log only', async () => {
    lines.length = 0
    const broken = Effect.flatMap(Database, ({ query }) =>
      query((kysely) => sql`alter table partner_keys rename to lost`.execute(kysely)),
    )
    await service.run(broken)
    // Until then the key is answered from memory.
    service.advance(5_000)

    const answer = await refusal(await ask('POST', '/touch'))
    await service.run(
      Effect.flatMap(Database, ({ query }) =>
        query((kysely) => sql`alter table lost rename to partner_keys`.execute(kysely)),
      ),
    )

    expect(answer).toEqual({ status: 500, type: plain, code: 'InternalError', text: 'internal error' })
    expect(service.faults.splice(0)).toEqual(['touchSession: status 500 is not documented'])
    const [defect, request] = lines.map(
      (line) => JSON.parse(line) as { request: string; msg?: string; status?: number },
    )
    expect(defect?.msg).toMatch(/partner_keys/)
    expect(request?.status).toBe(500)
    expect(defect?.request).toBe(request?.request)
  })
})

/** Node tells it in the same turn in which the server gets the request: a server that stops after that has it. */
const requestStarts = () =>
  new Promise<void>((resolve) => {
    const heard = () => {
      unsubscribe('http.server.request.start', heard)
      resolve()
    }
    subscribe('http.server.request.start', heard)
  })

describe('a service that stops', () => {
  it('answers pending requests at once, without waiting for their time to end', async () => {
    const stopping = await startService()
    const headers = { 'x-external-api-key': stopping.partner.apiKey }
    const touched = await fetch(`${stopping.addresses.api}/touch`, { method: 'POST', headers })
    const isIn = requestStarts()
    const waiting = fetch(`${stopping.addresses.api}/touch`, {
      method: 'POST',
      headers: { ...headers, 'x-capsule-sid': touched.headers.get('x-capsule-sid') ?? '', prefer: 'wait=20' },
    })
    await isIn

    const began = performance.now()
    const [answer] = await Promise.all([waiting, stopping.stop()])

    expect(await refusal(answer)).toEqual({
      status: 503,
      type: plain,
      code: 'Unavailable',
      text: 'service unavailable',
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

describe('refusals', () => {
  it('say when to retry', () => {
    expect(answerTo(Cause.fail(new TooManyAttempts({ retryAfterMs: 4_200 }))).answer).toEqual({
      status: 429,
      type: plain,
      body: 'too many attempts',
      headers: { 'x-error-code': 'TooManyAttempts', 'retry-after': '5' },
    })
  })

  it('report a database that does not answer as unavailable, not as an internal error', () => {
    const { answer, defect } = answerTo(Cause.die(new DatabaseUnavailable({ cause: new Error('ECONNREFUSED') })))

    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, 'service unavailable', '1'])
    expect(defect).toBeInstanceOf(DatabaseUnavailable)
  })

  it('reveal nothing about a defect', () => {
    expect(answerTo(Cause.die(new Error('secret'))).answer).toMatchObject({ status: 500, body: 'internal error' })
  })
})
