/** What holds for every verb, whatever it does: how it fails, and that it ends. */
import { runInNewContext } from 'node:vm'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import * as Queue from 'effect/Queue'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DeviceKeysWebCrypto } from '../../../adapters/browser/DeviceKeys.ts'
import { flowsOf } from '../../../adapters/browser/flows.ts'
import { faultOf } from '../../../adapters/browser/inputs.ts'
import { settingsOf } from '../../../adapters/browser/runtime.ts'
import { isSdkError, Para, type ParaOptions } from '../../../adapters/browser/sdk.ts'
import { StorageMemory } from '../../../adapters/browser/Storage.ts'
import { verbNames, verbs, type Verb, type VerbName } from '../../../adapters/browser/verbs.ts'
import { DeviceKeys } from '../../../domain/client/ports/DeviceKeys.ts'
import { Popup, type WindowMessage } from '../../../domain/client/ports/Popup.ts'
import { developmentHosts } from '../../../domain/model/Environment.ts'
import { retryTimeoutMs } from '../../../domain/model/Limits.ts'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const address = '0x0000000000000000000000000000000000000001'
const signDoc = { bodyBytes: new Uint8Array(), authInfoBytes: new Uint8Array(), chainId: 'hub-1', accountNumber: 0n }
const amino = {
  chain_id: 'hub-1',
  account_number: '0',
  sequence: '0',
  fee: { amount: [], gas: '1' },
  msgs: [],
  memo: '',
}
const email = 'ada@example.com'

/** An input of each verb, as its type has it. */
const inputs: { readonly [Name in VerbName]?: unknown } = {
  checkUserExists: { email },
  createUser: { email },
  verifyEmail: '123456',
  getSupportedAuthMethods: { email },
  login: { email },
  findWallet: { address },
  endDelegation: { id: 'a session' },
  signMessage: { message: 'hello' },
  signTypedData: { typedData: { types: {}, primaryType: 'A', message: {} } },
  signAuthorization: { address, chainId: 1, nonce: 0 },
  signTransaction: { transaction: '0x02', chainId: 1 },
  sendTransaction: { transaction: '0x02', chainId: 1 },
  signSolanaTransaction: { message: new Uint8Array(1) },
  sendSolanaTransaction: { transaction: new Uint8Array(1), chainId: 'solana:mainnet' },
  signCosmosDirect: { signerAddress: 'cosmos1', signDoc },
  signCosmosAmino: { signerAddress: 'cosmos1', signDoc: amino },
  sendCosmosTransaction: { signerAddress: 'cosmos1', signDoc },
  preSignMessage: { message: new Uint8Array(32) },
  signRawHash: { hash: new Uint8Array(32) },
  importSession: 'text',
  createShortLink: 'http://localhost:3003/login',
}

/** Windows that open and stay as they are. */
const silentPopups = Layer.succeed(
  Popup,
  Popup.of({
    open: () =>
      Effect.succeed({
        navigate: () => Effect.void,
        close: Effect.void,
        closed: Effect.succeed(false),
        post: () => Effect.void,
      }),
    messages: Queue.unbounded<WindowMessage>(),
  }),
)

class InPage extends Para {
  protected override readonly popups = silentPopups
}

/** The storage of a browser whose user has signed in. */
const signedIn = () => {
  const areaOf = (entries: Map<string, string>) => ({
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
  const local = new Map([[StorageKeys.sessionCookie, 'a token']])
  return { local, override: { local: areaOf(local), session: areaOf(new Map()) } }
}

const callWith = (para: Para, name: VerbName, ...input: readonly unknown[]): Promise<unknown> =>
  (para[name] as (...args: unknown[]) => Promise<unknown>).apply(para, [...input])

const call = (para: Para, name: VerbName): Promise<unknown> =>
  callWith(para, name, ...(verbs[name].inputs === 0 ? [] : [inputs[name]]))

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'success',
    (error: unknown) => (isSdkError(error) ? error.code : error),
  )

describe('with a service that never answers', () => {
  const asked: AbortSignal[] = []
  beforeEach(() => {
    asked.length = 0
    vi.stubGlobal('fetch', (request: Request | URL) => {
      // A verb that makes keys fetches the kernel ahead, which JavaScript replaces.
      if (!(request instanceof Request)) return Promise.reject(new TypeError('Failed to fetch'))
      const { signal } = request
      asked.push(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  })

  it('each verb ends within its limit, with a code, and asks nothing any more', async () => {
    // The time that passes is not the machine's, on which code would load.
    await Promise.all([
      import('../../../adapters/browser/engine.ts'),
      import('../../../adapters/browser/lockQueues.ts'),
      ...Object.values(flowsOf).map((load) => load()),
    ])
    const begun = Date.now()
    const ends = verbNames.map(async (name) => {
      const para = new InPage('DEV', 'a key', { storage: signedIn().override, logLevel: 'None' })
      const code = await codeOf(call(para, name))
      expect([name, Date.now() - begun]).toEqual([name, expect.toSatisfy((ms: number) => ms <= verbs[name].withinMs)])
      return [name, code] as const
    })
    const limits = [...new Set(verbNames.map((name) => verbs[name].withinMs))].sort((one, other) => one - other)
    for (const limit of limits) await vi.advanceTimersByTimeAsync(begun + limit - Date.now())

    await vi.advanceTimersByTimeAsync(retryTimeoutMs)

    expect(Object.fromEntries(await Promise.all(ends))).toMatchInlineSnapshot(`
      {
        "cancelRecovery": "OperationTimedOut",
        "checkUserExists": "OperationTimedOut",
        "createShortLink": "ShortLinkRefused",
        "createUser": "OperationTimedOut",
        "createWallet": "OperationTimedOut",
        "endDelegation": "OperationTimedOut",
        "exportPrivateKey": "OperationTimedOut",
        "exportSession": "OperationTimedOut",
        "findWallet": "OperationTimedOut",
        "finishSetup": "OperationTimedOut",
        "getSupportedAuthMethods": "OperationTimedOut",
        "getToken": "OperationTimedOut",
        "getWallets": "OperationTimedOut",
        "importSession": "SessionTextRefused",
        "isSessionActive": "OperationTimedOut",
        "keepSessionAlive": "success",
        "listDelegations": "OperationTimedOut",
        "login": "OperationTimedOut",
        "logout": "success",
        "preSignMessage": "OperationTimedOut",
        "refreshKeys": "OperationTimedOut",
        "resendVerificationCode": "NoSignedInUser",
        "resume": "success",
        "sendCosmosTransaction": "OperationTimedOut",
        "sendSolanaTransaction": "OperationTimedOut",
        "sendTransaction": "OperationTimedOut",
        "setUpPasskey": "NoSignedInUser",
        "setUpPassword": "NoSignedInUser",
        "signAuthorization": "OperationTimedOut",
        "signCosmosAmino": "OperationTimedOut",
        "signCosmosDirect": "OperationTimedOut",
        "signMessage": "OperationTimedOut",
        "signRawHash": "RawHashSigningNotImplemented",
        "signSolanaTransaction": "OperationTimedOut",
        "signTransaction": "OperationTimedOut",
        "signTypedData": "OperationTimedOut",
        "verifyEmail": "NoSignedInUser",
      }
    `)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter(({ aborted }) => !aborted)).toEqual([])
  })

  it('a call that was ended has left nothing behind: the next one goes its way', async () => {
    const { local, override } = signedIn()
    const para = new InPage('DEV', 'a key', { storage: override, logLevel: 'None' })
    const before = [...local]
    const ended = codeOf(para.finishSetup())
    await vi.advanceTimersByTimeAsync(verbs.finishSetup.withinMs)
    expect([await ended, [...local], para.session.get().status]).toEqual(['OperationTimedOut', before, 'loading'])

    const anonymous = { sessionId: crypto.randomUUID(), isAuthenticated: false, serverTime: 0 }
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(anonymous)))
    expect(await para.isSessionActive()).toBe(false)
    // Nothing counts as changing who is signed in any more: the session is shown.
    expect(para.session.get().status).toBe('anonymous')
  })

  it('a signature may take the time that its caller gives to a review, and no longer', async () => {
    const para = new InPage('DEV', 'a key', { storage: signedIn().override, logLevel: 'None' })
    const ended = vi.fn()
    void para.signMessage({ message: 'hello', timeoutMs: 600_000 }).catch(ended)

    await vi.advanceTimersByTimeAsync(verbs.signMessage.withinMs + 600_000 - 1)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'OperationTimedOut', ms: 750_000 }))
  })
})

const isOpening = ({ opens }: Verb): boolean => opens !== undefined

describe('a call that cannot begin', () => {
  const nowhere = () => {
    const fetch = vi.fn()
    const open = vi.fn()
    vi.stubGlobal('fetch', fetch)
    return { fetch, open }
  }

  it('is refused on a server where it opens a page of the portal', async () => {
    const { fetch } = nowhere()
    const para = new Para('DEV', 'a key')
    const opening = verbNames.filter((name) => isOpening(verbs[name]))

    expect(opening).toEqual(['setUpPassword', 'setUpPasskey', 'login', 'exportPrivateKey'])
    for (const name of opening) {
      await expect(call(para, name)).rejects.toMatchObject({
        code: 'BrowserRequired',
        message: `${name} opens a page of the portal and needs a browser`,
      })
    }
    expect(fetch).not.toHaveBeenCalled()
  })

  it('takes bytes of another window, and of Node', () => {
    const [other, buffer] = [runInNewContext('new Uint8Array(1)') as Uint8Array, Buffer.alloc(1)]
    expect(other instanceof Uint8Array).toBe(false)
    for (const message of [other, buffer]) expect(faultOf('signSolanaTransaction', [{ message }])).toBeUndefined()
    for (const method of ['PASSKEY', 'PASSWORD', undefined])
      expect(faultOf('login', [{ email, method }])).toBeUndefined()
  })

  it('is refused where a page is no secure context, before a window opens', async () => {
    const { fetch, open } = nowhere()
    vi.stubGlobal('window', { open, location: { hash: '' } })
    vi.stubGlobal('isSecureContext', false)
    const para = new Para('DEV', 'a key')

    for (const name of verbNames)
      await expect(call(para, name)).rejects.toMatchObject({ code: 'SecureContextRequired' })
    expect([fetch.mock.calls, open.mock.calls]).toEqual([[], []])
  })

  it('fails by its promise, also where the verb was taken off the SDK', async () => {
    class Shop extends Para {
      override getWallets = () => Promise.resolve([])
    }
    const shop = new Shop('DEV', 'a key')
    const { getWallets, verifyEmail } = shop as unknown as Record<string, (input?: unknown) => Promise<unknown>>

    expect(await codeOf(verifyEmail!(123_456))).toBe('InvalidInput')
    expect(await getWallets!()).toEqual([])
  })

  it('leaves `on` and `dispose` usable where they were taken off the SDK', async () => {
    const { on, dispose } = new Para('DEV', 'a key') as unknown as Record<
      'on' | 'dispose',
      (...all: unknown[]) => unknown
    >

    expect(on('paraLogout', () => undefined)).toBeTypeOf('function')
    await expect(dispose()).resolves.toBeUndefined()
  })

  it('is refused before a window opens where an argument is not as the verb takes it', async () => {
    const { fetch, open } = nowhere()
    vi.stubGlobal('window', { open })
    const para = new Para('DEV', 'a key')
    const wrong: readonly (readonly [VerbName, unknown, string])[] = [
      ['login', undefined, 'login takes an input as object'],
      ['login', { email: null }, 'login takes email as string'],
      ['login', { email, method: 'passkey' }, 'login takes method as PASSKEY or PASSWORD or undefined'],
      ['verifyEmail', 123_456, 'verifyEmail takes an input as string'],
      ['createWallet', 'EVM', 'createWallet takes an input as object'],
      ['createWallet', null, 'createWallet takes an input as object'],
      ['signMessage', {}, 'signMessage takes message as string or Uint8Array'],
      ['signMessage', { message: 'a', timeoutMs: '1' }, 'signMessage takes timeoutMs as number or undefined'],
      ['signTypedData', { typedData: '{}' }, 'signTypedData takes typedData as object'],
      ['signTransaction', { transaction: '02' }, 'signTransaction takes chainId as string or number or bigint'],
      ...['a', null, new Uint16Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1)].map(
        (message) =>
          ['signSolanaTransaction', { message }, 'signSolanaTransaction takes message as Uint8Array'] as const,
      ),
    ]
    for (const [name, input, message] of wrong) {
      await expect(callWith(para, name, input)).rejects.toMatchObject({ code: 'InvalidInput', message })
    }
    expect([fetch.mock.calls, open.mock.calls]).toEqual([[], []])
  })
})

describe('the code of a failure', () => {
  const answering = (answer: () => Promise<Response>) => {
    vi.stubGlobal('fetch', answer)
    return new Para('DEV', 'a key', { storage: signedIn().override, logLevel: 'None' })
  }

  it.each([
    ['ConnectionError', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['InvalidStatusCode', () => Promise.resolve(new Response('a proxy', { status: 502 }))],
    [
      'PartnerFrozen',
      () => Promise.resolve(new Response('no', { status: 403, headers: { 'x-error-code': 'PartnerFrozen' } })),
    ],
    ['UnknownError', () => Promise.resolve(new Response('no JSON'))],
  ])('is %s', async (code, answer) => {
    expect(await codeOf(answering(answer).checkUserExists({ email }))).toBe(code)
  })

  it('is that of what ended it: of the caller’s signal at once, also where the work goes on', async () => {
    const ending = new AbortController()
    const cancelled = codeOf(answering(() => new Promise(() => undefined)).checkUserExists({ email }, ending))
    ending.abort()
    expect(await cancelled).toBe('ConnectionCanceled')
  })

  it('is that of a wrong setting, at the first call', async () => {
    expect(await codeOf(new Para('NOWHERE', 'a key').getWallets())).toBe('UnsupportedEnv')
    const types = { EVM: { optional: true } } as const
    expect(await codeOf(new Para('DEV', 'a key', { supportedWalletTypes: types }).getWallets())).toBe(
      'AllWalletTypesOptional',
    )
  })

  const whole = {
    api: 'https://api.shop.example',
    cosigner: 'https://cosigner.shop.example',
    portal: 'https://portal.shop.example',
    connect: 'https://connect.shop.example:8443',
  }

  it.each<readonly [string, object | undefined, string]>([
    ['PROD', undefined, 'api'],
    ['PROD', {}, 'api'],
    ['PRODUCTION', { api: whole.api }, 'cosigner'],
    ...Object.keys(whole).map((host) => ['SANDBOX', { ...whole, [host]: undefined }, host] as const),
    ['BETA', { ...whole, portal: `${whole.portal}/` }, 'portal'],
    ['PROD', { ...whole, api: `${whole.api}/v1` }, 'api'],
    ['PROD', { ...whole, api: 'http://api.shop.example' }, 'api'],
    ['PROD', { ...whole, api: 'http://localhost.shop.example' }, 'api'],
    ['PROD', { ...whole, api: 'http://localhost:1@shop.example' }, 'api'],
    ['PROD', { ...whole, api: 'http://mylocalhost' }, 'api'],
    ['PROD', { ...whole, connect: 'connect.shop.example' }, 'connect'],
    ['DEV', { api: 'localhost:8080' }, 'api'],
  ])('is EnvNotSupported in %s of %o: no other place takes the place of a host', async (environment, hosts, host) => {
    const options: ParaOptions = hosts === undefined ? {} : { hosts }
    const given = String((hosts as Record<string, unknown> | undefined)?.[host])
    await expect(new Para(environment, 'a key', options).getWallets()).rejects.toMatchObject({
      code: 'EnvNotSupported',
      message: `env: ${environment} not supported: hosts.${host} is ${given}, not https://host`,
    })
  })

  it('is none of hosts that are whole, and of DEV, which has those of this machine', () => {
    expect(settingsOf('PROD', 'a key', { hosts: whole }).hosts).toEqual({ ...whole, oauth: '' })
    const local = {
      ...whole,
      api: 'http://localhost:8080',
      cosigner: 'http://127.0.0.1',
      connect: 'http://a.localhost',
      portal: 'http://[::1]:1',
    }
    expect(settingsOf('E2E', 'a key', { hosts: local }).hosts).toEqual({
      ...local,
      oauth: '',
      portal: developmentHosts.portal,
    })
    const other = { ...whole, api: 'http://api.shop.example' }
    expect(settingsOf('DEV', 'a key', { hosts: other }).hosts).toEqual({ ...other, oauth: developmentHosts.oauth })
    expect(settingsOf('DEV', 'a key', { hosts: { api: whole.api } }).hosts).toEqual({
      ...developmentHosts,
      api: whole.api,
    })
  })

  it('is UnknownError of a defect, whatever it is named', async () => {
    const { override } = signedIn()
    const odd = () => {
      throw Object.assign(new Error('no such key'), { _tag: 'Odd' })
    }
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ sessionId: 'a session', serverTime: 0 })))
    vi.spyOn(crypto.subtle, 'generateKey').mockImplementation(odd)
    const para = new InPage('DEV', 'a key', { storage: override, logLevel: 'None' })
    await expect(para.login({ email })).rejects.toMatchObject({ code: 'UnknownError', message: 'no such key' })
  })

  const full = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))

  it.each(['getItem', 'setItem'])('is StorageFailed where the storage of the app refuses %s', async (refusing) => {
    const { override } = signedIn()
    const local = { ...override.local, [refusing]: full }
    const answer = () => Promise.resolve(Response.json({}, { headers: { 'x-capsule-sid': 'a token' } }))
    vi.stubGlobal('fetch', answer)
    const para = new Para('DEV', 'a key', { storage: { ...override, local }, logLevel: 'None' })
    await expect(para.createUser({ email })).rejects.toMatchObject({
      code: 'StorageFailed',
      cause: { name: 'QuotaExceededError' },
    })
  })

  it('is StorageFailed where the browser keeps no key of the device', async () => {
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    const keys = DeviceKeysWebCrypto.pipe(Layer.provide(StorageMemory))
    const created = Effect.flatMap(DeviceKeys, ({ create }) => create('a session'))
    await expect(Effect.runPromise(Effect.provide(created, keys))).rejects.toMatchObject({
      _tag: 'StorageFailed',
      cause: { name: 'SecurityError' },
    })
  })
})
