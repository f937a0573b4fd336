import { afterEach, describe, expect, it, vi } from 'vitest'
import { Para } from '../../../adapters/browser/sdk.ts'
import * as StorageKeys from '../../../domain/model/StorageKeys.ts'

afterEach(() => vi.unstubAllGlobals())

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
