/**
 * An attacker who asks a strict partner about addresses, with an account and without: every operation that takes one
 * before a login answers both alike, with the same statements of the database. Whether it takes as long for both is a
 * measurement, which other work on the machine disturbs, so that it is made only when it is asked for:
 *
 *     TANDEM_SAMPLES=2000 npm run test:long -- tests/service/enumeration.test.ts
 *
 * asks about as many of each.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notBuilt } from '../../adapters/service/http/notBuilt.ts'
import { Database } from '../../adapters/service/database/Database.ts'
import * as Header from '../../domain/model/Header.ts'
import { verifierAssociatedData } from '../../domain/service/Credential.ts'
import { Vault } from '../../domain/service/ports/Vault.ts'
import type { OperationId } from '../../generated/operations.ts'
import { bodySchemaOf, operationIds, parametersOf, schemaAt } from '../contract/Contract.ts'
import { countedQueries, type CountedQueries } from '../kit/countedQueries.ts'
import { databaseIn } from '../kit/databasePlace.ts'
import { makeDatabaseUrl } from '../kit/database.ts'
import { connect } from '../kit/recoverer.ts'
import { startService, type TestService } from '../kit/service.ts'
import { makePortalSession, makeSession } from './credentials.ts'
import { portal, shop, signUp } from './people.ts'
import { operationOf, requestOf, takes, type Ids } from './requests.ts'
import { apart, timeApart } from './welch.ts'

/** Of each kind of address. */
const count = Number(process.env['TANDEM_SAMPLES'] ?? 1)

const wide = '900000/1s'
const environment = Object.fromEntries(
  ['R1', 'R2', 'R3', 'R5', 'R5_NETWORK', 'R5_DEVICE', 'R5_UNKNOWN', 'R6_NETWORK', 'R6_PARTNER', 'R8'].map((name) => [
    `RATE_${name}`,
    wide,
  ]),
)

let service: TestService
let queries: CountedQueries
let page: string
let apiKey: string
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const knownAddress = (index: number) => `known.${String(index).padStart(4, '0')}@example.org`
const unknownAddress = (index: number) => `other.${String(index).padStart(4, '0')}@example.org`

beforeAll(async () => {
  queries = countedQueries(Layer.orDie(databaseIn({ kind: 'postgres', url: await makeDatabaseUrl() })))
  service = await startService({ environment, database: queries.layer })
  const strict = await service.addPartner({ strict: true })
  apiKey = strict.apiKey
  const { partnerId } = strict
  const ada = await signUp(service)
  const session = await makeSession(service, { partnerId, userId: null, state: 'NEW' })
  page = (await makePortalSession(service, { session, partnerId, userId: null })).token
  await copyAccount(ada.userId)
})

afterAll(async () => {
  agent.destroy()
  await service.stop()
})

/** Makes an account for each known address, with a copy of Ada's credential. */
const copyAccount = (userId: string) =>
  service.run(
    Effect.gen(function* () {
      const { query } = yield* Database
      const { seal } = yield* Vault
      const ids = yield* query(async (db) => {
        const addresses = sql`(select 'known.' || lpad(n::text, 4, '0') || '@example.org' as email
          from generate_series(0, ${sql.lit(count - 1)}) n) as addresses`
        await sql`insert into users (id, identity_kind, identity_value, identity, has_credential, root_public_key, created_at)
          select gen_random_uuid(), 'email', email, jsonb_build_object('kind', 'email', 'email', email), true, root_public_key,
          created_at from users, ${addresses} where id = ${userId}`.execute(db)
        const { rows } = await sql<{
          id: string
        }>`insert into passwords (id, user_id, partner_id, session_id, status, salt,
          sealed_pepper, completion, sealed_verifier, created_at, expires_at) select gen_random_uuid(), users.id, partner_id,
          session_id, status, salt, sealed_pepper, completion, sealed_verifier, passwords.created_at, expires_at
          from passwords, users where user_id = ${userId} and identity_value like 'known.%' returning id`.execute(db)
        return rows.map(({ id }) => id)
      })
      for (const id of ids) {
        const sealed_verifier = yield* seal(verifierAssociatedData(id), randomBytes(32))
        yield* query((db) => db.updateTable('passwords').set({ sealed_verifier }).where('id', '=', id).execute())
      }
      yield* query((db) => sql`analyze`.execute(db))
    }),
  )

type Reply = {
  readonly id: OperationId
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly ms: number
  /** What the database was asked for it. */
  readonly statements: readonly string[]
}

type Asked = {
  readonly id: OperationId
  readonly ids: Ids
  readonly token: string | undefined
  /** What makes this call slower. */
  readonly slower: (() => void) | undefined
}

const originOf = (id: OperationId) => {
  if (takes(operationOf(id), 'P')) return portal
  return /recover/i.test(id) ? connect : shop
}

const sendRequest = ({ id, ids, token, slower }: Asked): Promise<Omit<Reply, 'statements'>> =>
  new Promise((resolve, reject) => {
    const { method, target, body } = requestOf(id, ids)
    const path = isInQuery(id) ? `${target}?email=${encodeURIComponent(ids['email'] ?? '')}` : target
    const headers: Record<string, string> = { [Header.apiKey]: apiKey, origin: originOf(id) }
    const own = takes(operationOf(id), 'P') ? page : token
    if (own !== undefined) headers[Header.session] = own
    if (body !== undefined) headers['content-type'] = 'application/json'
    const { hostname, port } = new URL(service.addresses.api)
    const began = performance.now()
    const sending = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        slower?.()
        const ms = performance.now() - began
        const text = Buffer.concat(parts).toString()
        resolve({ id, status: response.statusCode ?? 0, headers: response.headers, text, ms })
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })

const ask = async (asked: Asked): Promise<Reply> => {
  const replies: Omit<Reply, 'statements'>[] = []
  const statements = await queries.during(async () => replies.push(await sendRequest(asked)))
  const [reply] = replies
  if (reply === undefined) throw new Error('there was no answer')
  return { ...reply, statements }
}

/** What is asked about an address in one session, one call after the other. */
const visits: readonly (readonly OperationId[])[] = [
  ['checkUserExists'],
  ['getSupportedAuthMethods'],
  ['getPasskeyLocationHints'],
  ['getPasskeyChallenge', 'listPasswords', 'verifyPassword'],
  ['createUser', 'resendVerificationCode', 'verifyEmail'],
  ['startRecovery', 'verifyRecovery', 'cancelRecovery'],
  ['initRecovery', 'verifyRecoveryEmail'],
]

/** The last are the same flows by another name. */
const timed = visits.slice(0, -1)

const visit = async (ids: readonly OperationId[], email: string, slower?: () => void): Promise<readonly Reply[]> => {
  const replies: Reply[] = []
  const learnt: Record<string, string> = { email, verificationCode: '000000' }
  let token: string | undefined
  for (const id of ids) {
    const reply = await ask({ id, ids: learnt, token, slower })
    replies.push(reply)
    const given = reply.headers[Header.session]
    if (typeof given === 'string') token = given
    const [, userId] = /"userId":"([^"]+)"/.exec(reply.text) ?? []
    const [, passwordId] = /"id":"([^"]+)"/.exec(reply.text) ?? []
    if (userId !== undefined) learnt['userId'] = userId
    if (passwordId !== undefined) learnt['passwordId'] = passwordId
  }
  return replies
}

const isInQuery = (id: OperationId) =>
  parametersOf(id).some(({ name, in: place }) => name === 'email' && place === 'query')

/** The built ones that anybody with a publishable key, a fresh session or a fresh page may ask about an address. */
const takeAnAddress = operationIds.filter((id) => {
  const { session, principals } = operationOf(id)
  const isBeforeLogin =
    principals.includes('K') || principals.includes('pub') || principals.includes('P') || session === 'NEW'
  const isAbout = isInQuery(id) || JSON.stringify(schemaAt(bodySchemaOf(id))).includes('"email"')
  return isBeforeLogin && isAbout && !(id in notBuilt)
})

/** Random values by their form. */
const masked = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/[0-9a-f]{32,}/g, ({ length }) => `hex(${length})`)
    .replace(/"[\w+/-]{43}=?"/g, '"token"')
    .replace(/=[\w-]{43};/g, '=token;')

const formOf = ({ status, headers, text }: Reply) => ({
  status,
  text: masked(text),
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name === 'date' ? [] : [[name, masked(`"${String(value)}"`)]])),
  ),
})

/** The partner is remembered for some seconds, and read again whatever is asked (adapters/service/database/Partners.ts). */
const withoutPartner = ({ statements }: Reply) => statements.filter((sql) => !sql.includes('from "partners"'))

describe('an address with an account and one without, at a strict partner', () => {
  it('are asked about by every operation of the contract that takes one before a login', () => {
    expect(takeAnAddress.filter((id) => !visits.flat().includes(id))).toEqual([])
  })

  it.each(visits.map((ids) => [ids.join(', '), ids] as const))('are alike: %s', async (_, ids) => {
    await visit(ids, unknownAddress(9_998))
    const known = await visit(ids, knownAddress(0))
    const unknown = await visit(ids, unknownAddress(9_999))

    expect(known.map(formOf)).toEqual(unknown.map(formOf))
    expect(known.map(({ status }) => status).filter((status) => status >= 429)).toEqual([])
    expect(known.map(withoutPartner)).toEqual(unknown.map(withoutPartner))
  })
})

const questions: readonly OperationId[] = [
  'checkUserExists',
  'getSupportedAuthMethods',
  'getPasskeyLocationHints',
  'getPasskeyChallenge',
  'listPasswords',
]

it.each(questions)('%s is answered when a time is over that hides what was read', async (id) => {
  const [ids = []] = visits.filter((all) => all.includes(id))
  const asked = (await visit(ids, unknownAddress(9_997))).filter((reply) => reply.id === id)

  expect(asked.map(({ ms }) => ms >= 24)).toEqual([true])
})

type Kind = 'known' | 'unknown'
type Times = { readonly [K in Kind]: number[] }

const shuffled = <A>(all: readonly A[]): readonly A[] =>
  all
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

/** Work of a millisecond. */
const work = () => {
  const until = performance.now() + 1
  while (performance.now() < until);
}

/** Each address is asked about once; those with an account and those without in a random order. */
const timesOf = async (ids: readonly OperationId[], slower?: () => void): Promise<ReadonlyMap<OperationId, Times>> => {
  const times = new Map(ids.map((id): [OperationId, Times] => [id, { known: [], unknown: [] }]))
  const addresses = Array.from({ length: count }, (_, index) => [
    ['known', knownAddress(index)] as const,
    ['unknown', unknownAddress(index)] as const,
  ])
  for (const [kind, email] of shuffled(addresses.flat())) {
    const replies = await visit(ids, email, kind === 'known' ? slower : undefined)
    for (const { id, ms } of replies) times.get(id)?.[kind].push(ms)
  }
  return times
}

const timeout = 1_800_000

describe.runIf(count > 1)(`${count} addresses with an account and as many without, at a strict partner`, () => {
  it.each(timed.map((ids) => [ids.join(', '), ids] as const))('take as long: %s', { timeout }, async (_, ids) => {
    for (const [id, { known, unknown }] of await timesOf(ids)) {
      expect.soft(Math.abs(timeApart(known, unknown)), id).toBeLessThan(apart)
    }
  })

  it('would be told apart by a millisecond', { timeout }, async () => {
    const times = (await timesOf(['getSupportedAuthMethods'], work)).get('getSupportedAuthMethods')

    expect(timeApart(times?.known ?? [], times?.unknown ?? [])).toBeGreaterThan(apart)
  })
})
