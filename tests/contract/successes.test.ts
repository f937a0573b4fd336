/**
 * Tests the contract against real traffic from both sides. Each request that people make of a real service is sent to
 * the contract's mock too, which validates it, and whose answer has to have the shape of ours. And every call of the
 * SDK is made by the SDK's own adapters at the mock.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiHttp, type Fetch } from '../../adapters/browser/Api.ts'
import { CosignerHttp } from '../../adapters/browser/Cosigner.ts'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { settingsOf } from '../../adapters/browser/runtime.ts'
import { StorageMemory } from '../../adapters/browser/Storage.ts'
import { notBuilt } from '../../adapters/service/http/notBuilt.ts'
import { notServed } from '../../adapters/service/http/notServed.ts'
import { passwordSetup, setUpCredential } from '../../domain/client/setUpCredential.ts'
import { checkUserExists, createUser, verifyEmail } from '../../domain/client/users.ts'
import { login } from '../../domain/client/login.ts'
import { Api, type ApiCallOptions } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { ShareStore } from '../../domain/client/ports/ShareStore.ts'
import { SessionState, SessionStateMemory } from '../../domain/client/SessionState.ts'
import { keepSessionToken } from '../../domain/client/sessionToken.ts'
import { setUpAccount } from '../../domain/client/setUpAccount.ts'
import type { ApiError } from '../../domain/model/ApiError.ts'
import * as Header from '../../domain/model/Header.ts'
import type { Input } from '../../generated/handlers.ts'
import { operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { email, makeAccountWorld } from '../kit/accountWorld.ts'
import { startMock, type Mock } from '../kit/mock.ts'
import { personWith } from '../kit/portalPlayer.ts'
import { startService } from '../kit/service.ts'
import { makeWalletWorld } from '../kit/walletWorld.ts'
import { hostsOf, shop } from '../service/people.ts'
import type { Passing } from '../service/proxy.ts'
import { faultsOf, mediaOf, operationIds, requestFaultsOf, type Received } from './Contract.ts'
import { differences, fieldsOf, fits, shapeOf, type Shape } from './shapes.ts'
import { liveStories, type Granted } from './stories.ts'

const built = operationIds.filter((id) => !(id in notBuilt))

const password = 'a sturdy passphrase'

let mock: Mock
/** The requests that were granted in the stories, one of each form. */
let granted: readonly Granted[] = []

beforeAll(async () => {
  mock = await startMock()
  const service = await startService()
  granted = oneOfEachForm(await liveStories(service).finally(service.stop))
})
afterAll(() => mock.stop())

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

const bodyOf = (type: string, body: Uint8Array): unknown => {
  if (body.length === 0) return undefined
  return mediaOf(type) === 'application/json' ? JSON.parse(textOf(body)) : type
}

const typeOf = ({ headers }: Granted['request'] | Granted['reply']): string => headers['content-type'] ?? ''

const queryOf = (target: string): readonly string[] => [...new URLSearchParams(target.split('?')[1]).keys()]

const oneOfEachForm = (all: readonly Granted[]): readonly Granted[] => {
  const formOf = ({ id, request, reply }: Granted) =>
    JSON.stringify([
      id,
      queryOf(request.target),
      [request, reply].map((message) => shapeOf(bodyOf(typeOf(message), message.body))),
    ])
  return [...new Map(all.toReversed().map((one) => [formOf(one), one])).values()]
}

const received = ({ reply }: Granted): Received => ({ status: reply.status, type: typeOf(reply), body: reply.body })

/** Headers of the connection, which fetch writes itself. */
const ofConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive']

/** The same request, asked of the mock. */
const atMock = async ({ method, target, headers, body }: Passing): Promise<Received> => {
  const sent = Object.entries(headers).filter(([name]) => !ofConnection.includes(name))
  const answer = await fetch(mock.address + target, {
    method,
    headers: sent.map(([name, value]) => [name, String(value)]),
    ...(body.length === 0 ? {} : { body: Uint8Array.from(body) }),
  })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: new Uint8Array(await answer.arrayBuffer()),
  }
}

describe('each operation that is built', () => {
  it('has a request of a real client that the service grants', () => {
    const reached = new Set(granted.map(({ id }) => id))

    expect(built.length).toBeGreaterThan(60)
    expect(built.filter((id) => !reached.has(id))).toEqual([])
    expect([...reached].filter((id) => id in notBuilt)).toEqual([])
  })

  it('never answers with a field that is listed as not served', () => {
    const fields = granted.flatMap(({ id, reply }) =>
      fieldsOf(shapeOf(bodyOf(typeOf(reply), reply.body))).map((field) => `${id}.${field}`),
    )

    expect(fields).toContain('listWallets.wallets.address')
    expect(fields.filter((field) => field in notServed)).toEqual([])
  })

  it('gets no field from real clients that the contract does not name', () => {
    const faults = granted.flatMap(({ id, request }) =>
      requestFaultsOf(id, { query: queryOf(request.target), type: typeOf(request), body: request.body }),
    )

    expect(faults).toEqual([])
  })

  it('is granted by the mock where the service grants it, with an answer of the same status, type and shape', async () => {
    const faults: string[] = []
    for (const one of granted) {
      const { id, request } = one
      const [ours, mocks] = [received(one), await atMock(request)]
      const [our, other] = [ours, mocks].map(({ status, type }) => `${status} ${mediaOf(type)}`)
      if (our !== other) faults.push(`${id}: ${our} of ours, ${other} of the mock: ${textOf(mocks.body).slice(0, 300)}`)
      else if (isBinary(id))
        faults.push(...[ours, mocks].flatMap(({ body }) => (body.length > 0 ? [] : [`${id}: no bytes`])))
      else {
        const [shape, mocksShape] = [ours, mocks].map(({ type, body }) => shapeOf(bodyOf(type, body)))
        faults.push(...faultsOf(id, ours), ...faultsOf(id, mocks))
        faults.push(...differences(shape, mocksShape).map((difference) => `${id}: ${difference}`))
      }
    }

    expect(faults).toEqual([])
  })
})

const isBinary = (id: OperationId): boolean => {
  const operation: Operation = operations[id]
  return operation.binary === true
}

const root = join(import.meta.dirname, '..', '..')
const sources = globSync(['domain/client/**/*.ts', 'adapters/browser/**/*.ts'], { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
)
const found = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1]))

/** The calls of the SDK and its pages, read from their sources. */
const called = [...new Set(found(/\.call\(\s*'(\w+)'/g))].sort() as OperationId[]

describe('the SDK', () => {
  const aDevice = async (fetch: Fetch) => {
    const hosts = hostsOf({ api: mock.address, cosigner: mock.address, connect: mock.address })
    const settings = Layer.succeed(Settings, settingsOf('DEV', 'a key', { hosts, origin: shop }))
    const memory = DeviceKeysWebCrypto.pipe(
      Layer.provideMerge(Layer.mergeAll(StorageMemory, SessionStateMemory, settings)),
    )
    const overHttp = Layer.mergeAll(ApiHttp(fetch), CosignerHttp(fetch))
    const runtime = ManagedRuntime.make(overHttp.pipe(Layer.provideMerge(memory)))
    const sessionId = crypto.randomUUID()
    const ids = { sessionId, sessionLookupId: sessionId, partnerId: sessionId }
    const session = { ...ids, isAuthenticated: true, clockOffset: 0, missing: [] }
    await runtime.runPromise(
      Effect.gen(function* () {
        yield* (yield* DeviceKeys).create(sessionId)
        yield* (yield* SessionState).set(session)
        yield* keepSessionToken('a token')
      }),
    )
    return runtime
  }

  type Call = <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: ApiCallOptions,
  ) => Effect.Effect<unknown, ApiError, Api>
  const call: Call = (id, input, options) => Effect.flatMap(Api, (api) => api.call(id, input, options))

  /** The input of a story's request, as the SDK's flows pass it to their port. */
  const inputOf = (id: OperationId, { target, headers, body }: Passing) => {
    const [path = '', query] = target.split('?')
    const names = operations[id].path.split('/')
    const values = path.split('/').map((value, index) => [names[index] ?? '', decodeURIComponent(value)] as const)
    return {
      path: Object.fromEntries(
        values.flatMap(([name, value]) => (name.startsWith('{') ? [[name.slice(1, -1), value]] : [])),
      ),
      query: Object.fromEntries(new URLSearchParams(query)),
      ...(body.length === 0 ? {} : { body: bodyOf(String(headers['content-type']), body) }),
    } as never
  }

  const optionsOf = ({ headers }: Passing): ApiCallOptions => {
    const partnerId = headers[Header.partner]
    return typeof partnerId === 'string' ? { partnerId } : {}
  }

  it('names every operation that it calls where it calls it', () => {
    expect(called.length).toBeGreaterThan(40)
    expect(called.filter((id) => !operationIds.includes(id))).toEqual([])
    expect(found(/(\.call\b)(?!'|\(\s*'\w+')/g)).toEqual([])
    expect(called.filter((id) => id in notBuilt)).toEqual([])
  })

  it('is granted each of its calls by the mock, and reads the answer', async () => {
    const sent: Request[] = []
    const device = await aDevice((request) => {
      sent.push(request.clone())
      return fetch(request)
    })
    const faults: string[] = []
    for (const id of called) {
      for (const { request } of granted.filter((one) => one.id === id)) {
        const answer = await device.runPromise(Effect.result(call(id, inputOf(id, request), optionsOf(request))))
        const last = sent.at(-1)
        const asked = `${String(last?.method)} ${String(last?.url.slice(mock.address.length))}`
        if (asked !== `${request.method} ${request.target}`) faults.push(`${id}: asked for ${asked}`)
        if (last?.headers.has(Header.device) !== (operations[id].device !== false)) faults.push(`${id}: signed, or not`)
        if (answer._tag === 'Failure') faults.push(`${id}: ${String(answer.failure.status)} ${answer.failure.message}`)
        else {
          const body = Buffer.from(JSON.stringify(answer.success))
          faults.push(...faultsOf(id, { status: 200, type: 'application/json', body }))
        }
      }
    }
    await device.dispose()

    expect(faults).toEqual([])
  })

  it('exchanges frames with the mock as with the co-signer', async () => {
    const device = await aDevice(fetch)
    const frame = granted.find(({ id }) => id === 'exchangeFrame')?.request.body ?? new Uint8Array(0)

    const answer = await device.runPromise(Effect.flatMap(Cosigner, (cosigner) => cosigner.exchange(frame)))
    await device.dispose()

    expect(frame.length).toBeGreaterThan(100)
    expect(answer.length).toBeGreaterThan(0)
  })

  const json = { 'content-type': 'application/json' }
  it.each([
    [
      'at an address that the contract does not have',
      (request: Request) => new Request(`${request.url}s`, request),
      404,
    ],
    [
      'in a form that the contract does not have',
      (request: Request) => new Request(request, { body: '{"code":"1"}' }),
      400,
    ],
    ['without a key and a token', (request: Request) => new Request(request, { headers: json }), 401],
  ])('would be refused by the mock if it asked %s', async (_, change, status) => {
    const device = await aDevice((request) => fetch(change(request)))
    const input = { path: { userId: crypto.randomUUID() }, body: { verificationCode: '123456' } }

    const refused = await device.runPromise(Effect.flip(call('verifyEmail', input, {})))
    await device.dispose()

    expect(refused.status).toBe(status)
  })
})

describe('an answer of a test kit’s world', () => {
  /** The contract names the wallet types, of which a person may have any. */
  const saidIn = (answered: unknown): Shape => {
    const said = JSON.parse(JSON.stringify(answered)) as Record<string, unknown>
    return shapeOf('currentWalletIds' in said ? { ...said, currentWalletIds: {} } : said)
  }

  const strange = (calls: readonly { readonly operation: OperationId; readonly answered?: unknown }[]) => {
    const faults = calls.flatMap(({ operation, answered }) => {
      if (answered === undefined) return []
      const known = granted
        .filter(({ id }) => id === operation)
        .map(({ reply }) => saidIn(JSON.parse(textOf(reply.body))))
      const said = saidIn(answered)
      return known.some((shape) => fits(said, shape)) ? [] : [`${operation}: ${JSON.stringify(said)}`]
    })
    return [...new Set(faults)]
  }

  it('has the shape of the service’s answer for accounts', async () => {
    const world = makeAccountWorld()
    const [laptop, phone] = [world.makeDevice(personWith(password)), world.makeDevice(personWith(password))]
    const signUp = Effect.gen(function* () {
      yield* checkUserExists({ kind: 'email', email })
      yield* createUser({ kind: 'email', email })
      yield* verifyEmail('123456')
      return yield* setUpCredential(passwordSetup)
    })
    const { sessionId } = await laptop.runtime.runPromise(signUp)
    const share = world.makeShare(world.rootPublicKey())
    world.listWallet(share)
    await laptop.runtime.runPromise(world.backUp(sessionId, share))
    await phone.runtime.runPromise(login({ kind: 'email', email }))
    await Promise.all([laptop.runtime.dispose(), phone.runtime.dispose()])

    expect(world.operations('host')).toEqual(
      expect.arrayContaining(['createUser', 'listWallets', 'listTemporaryShares']),
    )
    expect(world.operations('page')).toEqual(
      expect.arrayContaining(['verifyPassword', 'listPasswordKeyShares', 'setWallets']),
    )
    expect(strange(world.asked)).toEqual([])
  })

  it('has the shape of the service’s answer for wallets', async () => {
    const world = await makeWalletWorld()
    const keep = Effect.flatMap(ShareStore, ({ pendingRecovery }) => pendingRecovery.set(world.newRecovery()))
    await world.runtime.runPromise(Effect.andThen(keep, setUpAccount()))
    await world.runtime.dispose()

    const asked = world.asked.map(({ operation }) => operation)
    expect(asked).toEqual(
      expect.arrayContaining(['createWallet', 'createKeyShares', 'createRecoveryPublicKeys', 'listWallets']),
    )
    expect(strange(world.asked)).toEqual([])
  })
})
