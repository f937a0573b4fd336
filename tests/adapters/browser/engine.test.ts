import { afterEach, describe, expect, it, vi } from 'vitest'
import { Para, type ParaOptions } from '../../../adapters/browser/sdk.ts'
import { SessionView } from '../../../adapters/browser/SessionView.ts'
import { connectionError } from '../../../domain/model/ApiError.ts'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** A storage whose reads of key shares wait until the test releases them. */
const slowStorage = () => {
  let letGo: () => void = () => undefined
  const asked = vi.fn()
  const isFree = new Promise<void>((resolve) => (letGo = resolve))
  const area = () => {
    const entries = new Map<string, string>()
    return {
      getItem: async (key: string) => {
        if (key === StorageKeys.keyShares) {
          asked()
          await isFree
        }
        return entries.get(key) ?? null
      },
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    }
  }
  return { storage: { local: area(), session: area() }, asked, letGo }
}

describe('what an app is shown of its session', () => {
  it('is the newest known state, also where an earlier call answers later', async () => {
    let isAuthenticated = true
    vi.stubGlobal('fetch', () =>
      Promise.resolve(
        Response.json({
          sessionId: crypto.randomUUID(),
          isAuthenticated,
          ...(isAuthenticated ? { userId: crypto.randomUUID(), needsWallet: false } : {}),
          serverTime: Date.now(),
        }),
      ),
    )
    const { storage, asked, letGo } = slowStorage()
    const para = new Para('DEV', 'a key', { storage })

    const first = para.isSessionActive()
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 10_000, interval: 5 })
    isAuthenticated = false
    expect(await para.isSessionActive()).toBe(false)
    expect(para.session.get().status).toBe('anonymous')
    letGo()

    expect(await first).toBe(true)
    expect(para.session.get().status).toBe('anonymous')
  })
})

describe('subscribers to the session', () => {
  it('all hear of a change, also where one throws', () => {
    const uncaught: (() => void)[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) => uncaught.push(task))
    const view = new SessionView(() => undefined)
    const heard = vi.fn()
    view.subscribe(() => {
      throw new Error('a defect of the app')
    })
    view.subscribe(heard)

    view.show({ status: 'anonymous', wallets: [] })

    expect(heard).toHaveBeenCalledTimes(1)
    expect(uncaught).toHaveLength(1)
    expect(uncaught[0]).toThrow('a defect of the app')
  })
})

describe('a session that cannot be looked up', () => {
  const page = () => {
    const window = new EventTarget()
    const added = vi.spyOn(window, 'addEventListener')
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.stubGlobal('window', Object.assign(window, { location: { hash: '', href: 'https://shop.example/' } }))
    const online = () => window.dispatchEvent(new Event('online'))
    return { said, online, waits: () => added.mock.calls.filter(([event]) => event === 'online').length }
  }
  const nothing = () => undefined

  it.each([
    ['EnvNotSupported: env: PROD not supported: hosts.api is undefined, not https://host', 'PROD', true],
    ['UnsupportedEnv: unsupported env', 'production', true],
    ['SecureContextRequired: wallets need https, or localhost', 'DEV', false],
  ])('for a setting says %s to its developer, once', async (sentence, environment, isSecure) => {
    const { said, waits } = page()
    vi.stubGlobal('isSecureContext', isSecure)
    const para = new Para(environment, 'a key')

    para.session.subscribe(nothing)
    await vi.waitFor(() => expect(said).toHaveBeenCalled(), { timeout: 10_000, interval: 5 })
    para.session.subscribe(nothing)
    await para.dispose()

    expect(said.mock.calls).toEqual([[sentence]])
    expect(waits()).toBe(0)
  })

  it('for a lost connection is looked up once the page is online again, unless the SDK was disposed of', async () => {
    const { said, online, waits } = page()
    const tries = vi.fn()
    const options: ParaOptions = {
      get hosts(): never {
        tries()
        throw connectionError()
      },
    }
    const para = new Para('DEV', 'a key', options)

    for (let subscribers = 0; subscribers < 2; subscribers++) para.session.subscribe(nothing)
    await vi.waitFor(() => expect(waits()).toBe(2), { timeout: 10_000, interval: 5 })
    const before = tries.mock.calls.length
    online()
    await vi.waitFor(() => expect(waits()).toBe(3), { timeout: 10_000, interval: 5 })
    expect(tries.mock.calls.length).toBe(before + 1)
    await para.dispose()
    online()
    await new Promise((resolve) => setImmediate(resolve))

    expect(tries.mock.calls.length).toBe(before + 1)
    expect(said).not.toHaveBeenCalled()
  })
})
