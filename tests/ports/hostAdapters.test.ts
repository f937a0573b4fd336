import { p256 } from '@noble/curves/nist.js'
import { bytesToHex, hexToBytes, randomBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Option from 'effect/Option'
import * as Queue from 'effect/Queue'
import * as Redacted from 'effect/Redacted'
import { argon2Sync, constants, generateKeyPairSync, privateDecrypt, publicEncrypt } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiHttp } from '../../adapters/browser/Api.ts'
import { CosignerHttp } from '../../adapters/browser/Cosigner.ts'
import { DeviceKeysWebCrypto } from '../../adapters/browser/DeviceKeys.ts'
import { LocksWeb } from '../../adapters/browser/Locks.ts'
import { NavigationWindow } from '../../adapters/browser/Navigation.ts'
import { OpenerWindow } from '../../adapters/browser/Opener.ts'
import { PasswordHashWorker } from '../../adapters/browser/PasswordHashWorker.ts'
import { PopupWindow } from '../../adapters/browser/Popup.ts'
import { RsaWebCrypto } from '../../adapters/browser/Rsa.ts'
import { StorageMemory, StorageWeb } from '../../adapters/browser/Storage.ts'
import { TabsBroadcast } from '../../adapters/browser/Tabs.ts'
import { Api } from '../../domain/client/ports/Api.ts'
import { Cosigner } from '../../domain/client/ports/Cosigner.ts'
import { DeviceKeys } from '../../domain/client/ports/DeviceKeys.ts'
import { Locks } from '../../domain/client/ports/Locks.ts'
import { Navigation } from '../../domain/client/ports/Navigation.ts'
import { Opener } from '../../domain/client/ports/Opener.ts'
import { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'
import { Popup } from '../../domain/client/ports/Popup.ts'
import { Rsa } from '../../domain/client/ports/Rsa.ts'
import { Settings } from '../../domain/client/ports/Settings.ts'
import { Storage } from '../../domain/client/ports/Storage.ts'
import { Tabs } from '../../domain/client/ports/Tabs.ts'
import { SessionState, SessionStateMemory } from '../../domain/client/SessionState.ts'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import { developmentHosts } from '../../domain/model/Environment.ts'

afterEach(() => vi.unstubAllGlobals())

const sessionId = '3d0b2a55-6f0c-4c2b-8a43-1f5f7c1f8a01'
const token = '@CAPSULE/sessionCookie'

describe('the contract over fetch', () => {
  type Seen = {
    readonly method: string
    readonly url: string
    readonly headers: Headers
    readonly body: Uint8Array
    readonly credentials: string
  }

  const make = (answer: (seen: Seen) => Response | Error, changes: Partial<Settings['Service']> = {}) => {
    const seen: Seen[] = []
    const fetch = async (request: Request) => {
      const { method, url, headers, credentials } = request
      const sent = { method, url, headers, credentials, body: new Uint8Array(await request.arrayBuffer()) }
      seen.push(sent)
      const answered = answer(sent)
      if (answered instanceof Error) throw answered
      return answered
    }
    const settings = Layer.succeed(Settings, {
      environment: 'DEV',
      hosts: developmentHosts,
      apiKey: 'a key',
      origin: 'https://shop.example',
      theme: {},
      mailLook: {},
      supportedWalletTypes: undefined,
      ...changes,
    })
    const memory = DeviceKeysWebCrypto.pipe(
      Layer.provideMerge(Layer.mergeAll(StorageMemory, SessionStateMemory, settings)),
    )
    const http = Layer.mergeAll(ApiHttp(fetch), CosignerHttp(fetch))
    const runtime = ManagedRuntime.make(http.pipe(Layer.provideMerge(memory)))
    return { runtime, seen }
  }
  const json = (body: unknown, init?: ResponseInit) => Response.json(body, init)
  const knowSession = Effect.gen(function* () {
    const session = { isAuthenticated: true, sessionId, sessionLookupId: sessionId, clockOffset: 5_000, missing: [] }
    yield* Effect.flatMap(SessionState, ({ set }) => set(session))
    return yield* Effect.flatMap(DeviceKeys, ({ create }) => create(sessionId))
  })
  const call = Effect.flatMap(Api, (api) => api.call('touchSession', { query: { regenerate: 'false' } }))

  it('sends the caller’s headers, and stores the session token of every answer', async () => {
    const { runtime, seen } = make(({ url }) =>
      url.includes('touch')
        ? json({ sessionId }, { headers: { 'x-capsule-sid': 'first' } })
        : new Response('no signed-in user', { status: 401, headers: { 'x-capsule-sid': 'second' } }),
    )

    const held = await runtime.runPromise(
      Effect.gen(function* () {
        yield* call
        const { local } = yield* Storage
        const first = yield* local.get(token)
        const api = yield* Api
        yield* Effect.flip(api.call('keepSessionAlive', { path: { userId: 'a/b' } }))
        return [first, yield* local.get(token)]
      }),
    )

    expect(held).toEqual(['first', 'second'])
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST http://localhost:8080/touch?regenerate=false',
      'POST http://localhost:8080/users/a%2Fb/session/keep-alive',
    ])
    const headers = Object.fromEntries(seen[1]?.headers ?? [])
    expect(headers).toMatchObject({
      'x-external-api-key': 'a key',
      'x-para-version': 'dev',
      'x-capsule-sid': 'first',
      origin: 'https://shop.example',
    })
    expect(headers).not.toHaveProperty('content-type')
    expect(seen[1]?.body).toHaveLength(0)
  })

  it('reports 1.17.0 outside DEV and SANDBOX, and no key or origin that it was not given', async () => {
    const { runtime, seen } = make(() => json({}), { environment: 'PROD', apiKey: undefined, origin: '' })

    await runtime.runPromise(call)

    const headers = Object.fromEntries(seen[0]?.headers ?? [])
    expect(headers['x-para-version']).toBe('1.17.0')
    expect(headers).not.toHaveProperty('x-external-api-key')
    expect(headers).not.toHaveProperty('origin')
  })

  it('has the device sign a request where the contract requires it, and only there', async () => {
    const { runtime, seen } = make(() => json({ ticket: '' }))

    const key = await runtime.runPromise(
      Effect.gen(function* () {
        const key = yield* knowSession
        const api = yield* Api
        yield* api.call('createOpeningTicket', { path: { openingId: sessionId }, body: { page: 'review' } })
        yield* api.call('deleteTemporaryShares', { path: { userId: 'u' }, query: { sessionLookupId: sessionId } })
        yield* api.call('touchSession', { query: { regenerate: 'true' } })
        yield* api.call('getOpening', { path: { openingId: sessionId } })
        return hexToBytes(key.publicKey)
      }),
    )

    const checks = seen.slice(0, 3).map(({ method, url, headers, body }) => {
      const header = DeviceKey.parseHeader(headers.get('x-tandem-device') ?? '')
      const target = url.replace('http://localhost:8080', '')
      return header && DeviceKey.checkRequest(header, key, { method, target, sessionId, body }, Date.now() + 5_000)
    })
    expect(checks).toMatchObject(Array(3).fill({ _tag: 'Success' }))
    expect(new TextDecoder().decode(seen[0]?.body)).toBe('{"page":"review"}')
    expect(seen[0]?.headers.get('content-type')).toBe('application/json')
    expect(seen.map(({ credentials }) => credentials)).toEqual(Array(4).fill('omit'))
    expect(seen[1]?.url).toBe(`http://localhost:8080/users/u/temporary-shares?sessionLookupId=${sessionId}`)
    expect(seen[3]?.headers.has('x-tandem-device')).toBe(false)
  })

  it('sends the options of a call: partner, another token', async () => {
    const { runtime, seen } = make(() => json({}, { headers: { 'x-capsule-sid': 'of the other' } }))

    const held = await runtime.runPromise(
      Effect.gen(function* () {
        const options = { partnerId: 'p', session: Redacted.make('another') }
        yield* Effect.flatMap(Api, (api) => api.call('logout', {}, options))
        return yield* Effect.flatMap(Storage, ({ local }) => local.get(token))
      }),
    )

    expect(Object.fromEntries(seen[0]?.headers ?? [])).toMatchObject({
      'x-partner-id': 'p',
      'x-capsule-sid': 'another',
    })
    expect(held).toBeUndefined()
  })

  it('does not store the token of an answer that arrives after its session was left', async () => {
    let leave: () => Promise<unknown> = () => Promise.resolve()
    const { runtime } = make(() => json({}))
    const late = async (request: Request) => {
      await leave()
      return json({ url: request.url }, { headers: { 'x-capsule-sid': 'too late' } })
    }
    const context = await runtime.runPromise(Effect.context<Settings | Storage | DeviceKeys | SessionState>())

    const held = await runtime.runPromise(
      Effect.gen(function* () {
        const { local } = yield* Storage
        yield* local.set(token, 'left')
        leave = () => Effect.runPromise(local.remove(token))
        yield* call
        return yield* local.get(token)
      }).pipe(Effect.provide(ApiHttp(late)), Effect.provide(context)),
    )

    expect(held).toBeUndefined()
  })

  it('asks again for the session where another tab has begun one meanwhile, and does not replace that one', async () => {
    const { runtime } = make(() => json({}))
    const context = await runtime.runPromise(Effect.context<Settings | Storage | DeviceKeys | SessionState>())
    const sent: (string | null)[] = []
    let signIn: () => Promise<unknown> = () => Promise.resolve()
    const answered = async ({ headers }: Request) => {
      sent.push(headers.get('x-capsule-sid'))
      await signIn()
      const isOfTab = headers.get('x-capsule-sid') === 'of the other tab'
      return json({ isAuthenticated: isOfTab }, { headers: { 'x-capsule-sid': isOfTab ? 'rotated' : 'of nobody' } })
    }

    const held = await runtime.runPromise(
      Effect.gen(function* () {
        const { local } = yield* Storage
        signIn = () => Effect.runPromise(local.set(token, 'of the other tab'))
        const { isAuthenticated } = yield* call
        return { isAuthenticated, token: yield* local.get(token) }
      }).pipe(Effect.provide(ApiHttp(answered)), Effect.provide(context)),
    )

    expect(sent).toEqual([null, 'of the other tab'])
    expect(held).toEqual({ isAuthenticated: true, token: 'rotated' })
  })

  it.each([
    ['https://shop.example', true],
    [developmentHosts.portal, false],
    [developmentHosts.connect, false],
    ['', false],
  ])('tells the developer of the page %j which origin is refused, and the command: %j', async (origin, isTold) => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const refused = new Response('origin not allowed', { status: 403, headers: { 'x-error-code': 'OriginNotAllowed' } })
    const { runtime } = make(() => refused, { origin })
    const error = await runtime.runPromise(Effect.flip(call))
    const lines = said.mock.calls.map(String)
    said.mockRestore()

    expect(error).toMatchObject({ message: 'origin not allowed', code: 'OriginNotAllowed', status: 403 })
    const command = 'tandem partner set-origins PARTNER --add https://shop.example --reason REASON'
    expect(error.fix).toEqual(
      isTold ? expect.stringMatching(`^https://shop.example is not .*: ${command}$`) : undefined,
    )
    expect(lines).toEqual(isTold ? [`origin not allowed: ${error.fix}`] : [])
  })

  it('writes lists of a query as indexed brackets, and leaves out what is undefined', async () => {
    const { runtime, seen } = make(() => json({ wallets: [] }))

    await runtime.runPromise(
      Effect.flatMap(Api, (api) =>
        api.call('listPregenWallets', { query: { ids: { EMAIL: ['a+b@x.io', 'c d'] }, expand: 'false' } as never }),
      ),
    )

    expect(seen[0]?.url).toBe(
      'http://localhost:8080/wallets/pregen?ids%5BEMAIL%5D%5B0%5D=a%2Bb%40x.io&ids%5BEMAIL%5D%5B1%5D=c+d&expand=false',
    )
  })

  it.each([
    [
      'a sentence',
      () => new Response('login key mismatch', { status: 409, headers: { 'x-error-code': 'LoginKeyMismatch' } }),
      { message: 'login key mismatch', status: 409, code: 'LoginKeyMismatch' },
    ],
    ['JSON', () => json({ message: 'too large' }, { status: 413 }), { message: 'too large', status: 413 }],
    ['201', () => json({}, { status: 201 }), { message: 'Invalid status code', status: 201 }],
    ['an empty body', () => new Response('', { status: 500 }), { message: 'Invalid status code', status: 500 }],
    ['nothing', () => new TypeError('fetch failed'), { message: 'Connection error' }],
  ])('accepts only 200 as success: %s', async (_, answer, expected) => {
    const { runtime } = make(answer)

    expect(await runtime.runPromise(Effect.flip(call))).toMatchObject({ _tag: 'ApiError', ...expected })
  })

  it('reads an empty 200 as an empty object, and refuses invalid JSON', async () => {
    const answers = [new Response(''), new Response('{')]
    const { runtime } = make(() => answers.shift() ?? new Response(''))

    expect(await runtime.runPromise(call)).toEqual({})
    expect(await runtime.runPromise(Effect.flip(call))).toMatchObject({ _tag: 'ApiError' })
  })

  it('ends a request whose caller no longer waits', async () => {
    let signal: AbortSignal | undefined
    const fetch = (request: Request) => {
      signal = request.signal
      return new Promise<Response>(() => undefined)
    }
    const { runtime } = make(() => json({}))
    const settings = await runtime.runPromise(Effect.context<Settings | Storage | DeviceKeys | SessionState>())
    const fiber = Effect.runFork(call.pipe(Effect.provide(ApiHttp(fetch)), Effect.provide(settings)))

    await expect.poll(() => signal).toBeDefined()
    fiber.interruptUnsafe()

    await expect.poll(() => signal?.aborted).toBe(true)
  })

  it('sends a frame to the co-signer and returns its answer, whatever the bytes', async () => {
    const frame = randomBytes(300)
    const { runtime, seen } = make(({ body }) => new Response(body.slice().reverse()))

    const answer = await runtime.runPromise(Effect.flatMap(Cosigner, ({ exchange }) => exchange(frame)))

    expect(answer).toEqual(frame.slice().reverse())
    expect(seen[0]).toMatchObject({ method: 'POST', url: 'http://localhost:3000/protocol' })
    expect(seen[0]?.body).toEqual(frame)
    expect(seen[0]?.headers.get('content-type')).toBe('application/octet-stream')
  })

  it('returns the co-signer’s refusal as a sentence, and no answer as a connection error', async () => {
    const answers = [new Response('key share is locked', { status: 423 }), new TypeError('fetch failed')]
    const { runtime } = make(() => answers.shift() ?? new Response(''))
    const exchange = Effect.flip(Effect.flatMap(Cosigner, (cosigner) => cosigner.exchange(new Uint8Array(3))))

    expect(await runtime.runPromise(exchange)).toMatchObject({ message: 'key share is locked', status: 423 })
    expect(await runtime.runPromise(exchange)).toMatchObject({ message: 'Connection error' })
  })
})

describe('device keys', () => {
  const key = Effect.gen(function* () {
    const keys = yield* DeviceKeys
    const made = yield* keys.create('one')
    const again = yield* keys.create('one')
    const other = yield* keys.create('two')
    const message = new TextEncoder().encode('a message')
    const signature = yield* keys.sign('one', message)
    yield* keys.certify('one', { rootPublicKey: 'aa', certificate: 'bb' })
    const certified = yield* keys.find('one')
    yield* keys.remove('one')
    return { made, again, other, message, signature, certified, gone: yield* keys.find('one') }
  })
  const isWhole = ({ made, again, other, message, signature, certified, gone }: Effect.Success<typeof key>) => {
    expect(again).toEqual(made)
    expect(other.publicKey).not.toBe(made.publicKey)
    expect(signature).toHaveLength(64)
    expect(p256.verify(signature, message, hexToBytes(made.publicKey), { lowS: false })).toBe(true)
    expect(Option.getOrNull(certified)).toEqual({ ...made, certification: { rootPublicKey: 'aa', certificate: 'bb' } })
    expect(Option.isNone(gone)).toBe(true)
  }

  it('are stored as text where there is no database, and log that this is weak', async () => {
    const result = await Effect.runPromise(
      key.pipe(Effect.provide(DeviceKeysWebCrypto.pipe(Layer.provide(StorageMemory)))),
    )

    isWhole(result)
    expect(result.made.weak).toBe(true)
  })

  it('are made for another place, where they sign as they would here', async () => {
    const message = new TextEncoder().encode('a message')
    const moved = Effect.gen(function* () {
      const keys = yield* DeviceKeys
      const made = yield* keys.makePortable
      const jwk = JSON.parse(Redacted.value(made.privateKey)) as Record<string, string>
      const other = JSON.parse(Redacted.value((yield* keys.makePortable).privateKey)) as Record<string, string>
      const texts = ['', '{}', 'no JSON', JSON.stringify({ ...jwk, d: other['d'] }), JSON.stringify({ ...jwk, x: '' })]
      const refused = yield* Effect.forEach(texts, (text) => keys.keep('one', Redacted.make(text)))
      const isGone = Option.isNone(yield* keys.find('one'))
      const isKept = yield* keys.keep('one', made.privateKey)
      return {
        made,
        refused,
        isGone,
        isKept,
        kept: yield* keys.find('one'),
        signature: yield* keys.sign('one', message),
      }
    })
    const { made, refused, isGone, isKept, kept, signature } = await Effect.runPromise(
      moved.pipe(Effect.provide(DeviceKeysWebCrypto.pipe(Layer.provide(StorageMemory)))),
    )

    expect([refused, isGone, isKept]).toEqual([Array(5).fill(false), true, true])
    expect(Option.getOrNull(kept)).toEqual({ publicKey: made.publicKey, weak: true })
    expect(p256.verify(signature, message, hexToBytes(made.publicKey), { lowS: false })).toBe(true)
  })

  it('are made once for simultaneous callers', async () => {
    const create = Effect.flatMap(DeviceKeys, (keys) => keys.create('one'))
    const made = await Effect.runPromise(
      Effect.all([create, create, create], { concurrency: 'unbounded' }).pipe(
        Effect.provide(DeviceKeysWebCrypto.pipe(Layer.provide(StorageMemory))),
      ),
    )

    expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
  })
})

describe('storage', () => {
  const use = Effect.gen(function* () {
    const { local, session } = yield* Storage
    yield* local.set('a', 'local')
    yield* session.set('a', 'session')
    const both = [yield* local.get('a'), yield* session.get('a')]
    yield* local.remove('a')
    return [...both, yield* local.get('a'), yield* session.get('a')]
  })
  const areaOver = (entries: Map<string, string>) => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
  const expected = ['local', 'session', undefined, 'session']

  it('has two areas in memory where there is no window', async () => {
    expect(await Effect.runPromise(Effect.provide(use, StorageWeb()))).toEqual(expected)
  })

  it('is the window’s where there is one, used at the first call', async () => {
    const [local, session] = [new Map<string, string>(), new Map<string, string>()]
    let touched = 0
    vi.stubGlobal('window', {
      get localStorage() {
        touched += 1
        return areaOver(local)
      },
      sessionStorage: areaOver(session),
    })
    const runtime = ManagedRuntime.make(StorageWeb())
    await runtime.runPromise(Effect.void)
    expect(touched).toBe(0)

    expect(await runtime.runPromise(use)).toEqual(expected)
    expect([local.size, session.get('a')]).toEqual([0, 'session'])
  })

  it('is in memory where the browser forbids its own', async () => {
    vi.stubGlobal('window', {
      get localStorage(): never {
        throw new DOMException('denied', 'SecurityError')
      },
      get sessionStorage(): never {
        throw new DOMException('denied', 'SecurityError')
      },
    })

    expect(await Effect.runPromise(Effect.provide(use, StorageWeb()))).toEqual(expected)
  })

  it('is the partner’s where the app gives one, also if that is asynchronous', async () => {
    const local = new Map<string, string>()
    const later = { ...areaOver(local), getItem: async (key: string) => local.get(key) ?? null }

    const result = await Effect.runPromise(
      Effect.provide(use, StorageWeb({ local: later, session: areaOver(new Map()) })),
    )

    expect(result).toEqual(expected)
  })
})

describe('RSA', () => {
  const run = <A, E>(effect: Effect.Effect<A, E, Rsa>) => Effect.runPromise(Effect.provide(effect, RsaWebCrypto))
  const node = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = RsaKey.publicPemHex(new Uint8Array(node.publicKey.export({ type: 'pkcs1', format: 'der' })))
  const privateKey = RsaKey.privatePemHex(new Uint8Array(node.privateKey.export({ type: 'pkcs1', format: 'der' })))
  const label = new TextEncoder().encode('tandem/opener/v1')
  const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: label }

  it('makes keys of 2048 bits and exponent 65537, as the hex of a PKCS#1 PEM with CRLF', async () => {
    const pair = await run(Effect.flatMap(Rsa, ({ generate }) => generate))

    const pem = Buffer.from(pair.publicKey, 'hex').toString()
    expect(pem).toMatch(/^-----BEGIN RSA PUBLIC KEY-----\r\n/)
    expect(RsaKey.publicDer(pair.publicKey)).toHaveLength(270)
    expect(Buffer.from(Redacted.value(pair.privateKey), 'hex').toString()).toMatch(
      /^-----BEGIN RSA PRIVATE KEY-----\r\n/,
    )
  })

  it('seals with SHA-256 and the label as node:crypto does', async () => {
    const nonce = randomBytes(32)

    const sealed = await run(Effect.flatMap(Rsa, ({ seal }) => seal(publicKey, nonce, label)))
    const nodes = publicEncrypt({ key: node.publicKey, ...oaep }, nonce)
    const opened = await run(Effect.flatMap(Rsa, ({ open }) => open(privateKey, nodes, label)))

    expect(new Uint8Array(privateDecrypt({ key: node.privateKey, ...oaep }, sealed))).toEqual(nonce)
    expect(opened).toEqual(nonce)
  })

  it('wraps the key of the hybrid envelope with SHA-1, and opens its own', async () => {
    const messageKey = randomBytes(16)

    const { envelope, text } = await run(
      Effect.gen(function* () {
        const rsa = yield* Rsa
        const envelope = yield* rsa.encrypt(publicKey, { plaintext: Redacted.make('a share'), messageKey })
        return { envelope, text: yield* rsa.decrypt(privateKey, envelope) }
      }),
    )

    const block = Buffer.from(Buffer.from(envelope.encryptedKeyHex, 'hex').toString('utf8'), 'latin1')
    const sha1 = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
    const key = privateDecrypt({ key: node.privateKey, ...sha1 }, block)
    expect(bytesToHex(key)).toBe(bytesToHex(messageKey))
    expect(Redacted.value(text)).toBe('a share')
  })

  it('refuses another key, another label and an invalid key, with the same error', async () => {
    const sealed = publicEncrypt({ key: node.publicKey, ...oaep }, randomBytes(32))

    const errors = await run(
      Effect.gen(function* () {
        const rsa = yield* Rsa
        const other = yield* rsa.generate
        return [
          yield* Effect.flip(rsa.open(other.privateKey, sealed, label)),
          yield* Effect.flip(rsa.open(privateKey, sealed, new Uint8Array(0))),
          yield* Effect.flip(rsa.open(Redacted.make('00'), sealed, label)),
          yield* Effect.flip(rsa.seal('00', randomBytes(32), label)),
          yield* Effect.flip(rsa.decrypt(privateKey, { encryptedMessageHex: '00', encryptedKeyHex: '00' })),
        ]
      }),
    )

    expect(errors.map(({ _tag }) => _tag)).toEqual(Array(5).fill('RsaRefusal'))
  })
})

describe('the password hash', () => {
  it('is Argon2id as node:crypto computes it', async () => {
    const [password, salt] = [randomBytes(12), randomBytes(32)]
    const input = { password, salt, memoryKiB: 256, iterations: 2, parallelism: 1, length: 32 }

    const hash = await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(PasswordHash, ({ argon2id }) => argon2id(input)),
        PasswordHashWorker,
      ),
    )

    const settings = { message: password, nonce: salt, memory: 256, passes: 2, parallelism: 1, tagLength: 32 }
    expect(bytesToHex(hash)).toBe(argon2Sync('argon2id', settings).toString('hex'))
  })
})

describe('the windows', () => {
  const makeWindow = (changes: object = {}) => {
    const listeners = new Map<string, Set<(event: unknown) => void>>()
    const window = {
      screenX: 100,
      screenY: 50,
      outerWidth: 1_200,
      outerHeight: 900,
      opener: null,
      location: { href: 'http://localhost:3003/web/passwords/login?a=b', replace: vi.fn() },
      history: { state: { router: 'kept' }, replaceState: vi.fn() },
      open: vi.fn(),
      close: vi.fn(),
      addEventListener: (type: string, listener: (event: unknown) => void) =>
        listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
      removeEventListener: (type: string, listener: (event: unknown) => void) => listeners.get(type)?.delete(listener),
      ...changes,
    }
    vi.stubGlobal('window', window)
    const fire = (type: string, event: unknown) => listeners.get(type)?.forEach((listener) => listener(event))
    return { window, fire, count: (type: string) => listeners.get(type)?.size ?? 0 }
  }
  const makeOpened = () => ({ closed: false, close: vi.fn(), postMessage: vi.fn(), location: { replace: vi.fn() } })

  it('opens a blank popup under a name of its own, and accepts messages from that popup only', async () => {
    const opened = makeOpened()
    const { window, fire, count } = makeWindow({ open: vi.fn(() => opened) })

    const { popup, heard } = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const popups = yield* Popup
          const inbox = yield* popups.messages
          const popup = yield* popups.open('LOGIN_PASSKEY')
          yield* popup.navigate('http://localhost:3003/a')
          yield* popup.post({ a: 1 }, 'http://localhost:3003')
          fire('message', { source: opened, origin: 'http://localhost:3003', data: 1 })
          fire('message', { source: window, origin: 'http://localhost:3003', data: 2 })
          fire('message', { source: null, origin: 'http://localhost:3003', data: 3 })
          return { popup, heard: [yield* Queue.take(inbox), yield* Queue.take(inbox), yield* Queue.take(inbox)] }
        }),
      ).pipe(Effect.provide(PopupWindow)),
    )

    const [url, name, features] = window.open.mock.calls[0] as unknown as string[]
    expect(url).toBe('')
    expect(name).toMatch(/^LOGIN_PASSKEY-[0-9a-f-]{36}$/)
    expect(features).toContain('width=550,height=798,left=425,top=101')
    expect(opened.location.replace).toHaveBeenCalledWith('http://localhost:3003/a')
    expect(opened.postMessage).toHaveBeenCalledWith({ a: 1 }, 'http://localhost:3003')
    expect(heard.map(({ source }) => source === popup)).toEqual([true, false, false])
    expect(count('message')).toBe(0)
  })

  it('opens a tab where the popup is blocked, and fails where both are', async () => {
    const answers = [null, makeOpened(), null, null]
    const { window } = makeWindow({ open: vi.fn(() => answers.shift() ?? null) })
    const open = Effect.flatMap(Popup, (popups) => popups.open('OAUTH'))

    const [, error] = await Effect.runPromise(
      Effect.all([Effect.asVoid(open), Effect.flip(open)]).pipe(Effect.provide(PopupWindow)),
    )

    expect(window.open.mock.calls[1]).toEqual(['', '_blank'])
    expect(error).toMatchObject({ _tag: 'PopupBlocked' })
  })

  it('gives a page the opener that it was loaded with, and no other', async () => {
    const opener = makeOpened()
    const { window, fire } = makeWindow({ opener })

    const heard = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const page = yield* Opener
          const inbox = yield* page.messages
          window.opener = null
          yield* page.post('hello', 'https://shop.example')
          fire('message', { source: opener, origin: 'https://shop.example', data: 1 })
          fire('message', { source: null, origin: 'https://shop.example', data: 2 })
          return [yield* page.present, yield* Queue.take(inbox), yield* Queue.take(inbox)]
        }),
      ).pipe(Effect.provide(OpenerWindow)),
    )

    expect(opener.postMessage).toHaveBeenCalledWith('hello', 'https://shop.example')
    expect(heard).toMatchObject([true, { fromOpener: true, data: 1 }, { fromOpener: false, data: 2 }])
  })

  it('has no opener where there is none', async () => {
    makeWindow()

    const present = Effect.flatMap(Opener, (page) => page.present)

    expect(await Effect.runPromise(Effect.provide(present, OpenerWindow))).toBe(false)
  })

  it('reads the page’s address once, and reports when the page is hidden', async () => {
    const { window, fire, count } = makeWindow()
    const runtime = ManagedRuntime.make(NavigationWindow)

    const navigation = await runtime.runPromise(Effect.flatMap(Navigation, Effect.succeed))
    window.location.href = 'http://localhost:3003/elsewhere#b'
    const hidden = runtime.runPromise(navigation.hidden)
    await expect.poll(() => count('pagehide')).toBe(1)
    fire('pagehide', {})
    await hidden
    await runtime.runPromise(navigation.replace('/web/passwords/login'))
    await runtime.runPromise(navigation.redirect('https://shop.example/'))
    await runtime.runPromise(navigation.close)

    expect(await runtime.runPromise(navigation.url)).toBe('http://localhost:3003/web/passwords/login?a=b')
    expect(window.history.replaceState).toHaveBeenCalledWith({ router: 'kept' }, '', '/web/passwords/login')
    expect(window.location.replace).toHaveBeenCalledWith('https://shop.example/')
    expect(window.close).toHaveBeenCalledOnce()
  })

  it('leaves the queue for a lock at once when it is interrupted, and releases a lock however its holder ends', async () => {
    vi.stubGlobal('window', { navigator })
    const alone = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.flatMap(Locks, (locks) => locks.alone('a test', effect)).pipe(Effect.provide(Layer.fresh(LocksWeb())))
    const holding = new AbortController()
    const isHeld = new Promise<void>((held) => {
      const forever = Effect.andThen(Effect.sync(held), Effect.never)
      void Effect.runPromiseExit(alone(forever), { signal: holding.signal })
    })
    await isHeld

    const leaving = new AbortController()
    const second = Effect.runPromiseExit(alone(Effect.succeed('got it')), { signal: leaving.signal })
    const waiting = async () => (await navigator.locks.query()).pending?.map(({ name }) => name)
    await expect.poll(waiting).toEqual(['a test'])
    leaving.abort()
    expect(Exit.hasInterrupts(await second)).toBe(true)
    holding.abort()
    expect(await Effect.runPromiseExit(alone(Effect.fail('failed')))).toEqual(Exit.fail('failed'))
    expect(await Effect.runPromise(alone(Effect.succeed('got it')))).toBe('got it')
    await expect.poll(async () => (await navigator.locks.query()).held).toEqual([])
  })

  it('posts messages to other tabs on a channel, and does not receive its own', async () => {
    const tab = () => Effect.provide(Tabs, Layer.fresh(TabsBroadcast))
    const heard = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const [one, other] = [yield* tab(), yield* tab()]
          const [inbox, again, inboxOfOther] = [
            yield* one.messages('a test'),
            yield* one.messages('a test'),
            yield* other.messages('a test'),
          ]
          yield* one.post('another test', 1)
          yield* one.post('a test', { of: 'one' })
          const atOther = yield* Queue.take(inboxOfOther)
          yield* other.post('a test', { of: 'other' })
          return [atOther, yield* Queue.take(inbox), yield* Queue.take(again)]
        }),
      ),
    )

    expect(heard).toEqual([{ of: 'one' }, { of: 'other' }, { of: 'other' }])
  })

  it('is not heard by a listener that left', async () => {
    const [one, other] = [Layer.fresh(TabsBroadcast), Layer.fresh(TabsBroadcast)]
    const heard = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const tabs = yield* Effect.provide(Tabs, one)
          const sender = yield* Effect.provide(Tabs, other)
          yield* Effect.scoped(tabs.messages('a test'))
          const inbox = yield* tabs.messages('a test')
          yield* sender.post('a test', 'after all')
          return yield* Queue.take(inbox)
        }),
      ),
    )

    expect(heard).toBe('after all')
  })
})
