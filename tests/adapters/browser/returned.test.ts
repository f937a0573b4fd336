/** The code of the redirect variant, which must not stay where other scripts of the app's page would read it. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearAddress, hasReturned, takeReturned } from '../../../adapters/browser/returned.ts'
import { Para } from '../../../adapters/browser/sdk.ts'

const code = `#tandem=7f7c3a52-1d1e-4f0b-9d2c-0a4f3f2b1c01.${'ab'.repeat(32)}`

/** As much of a window as is touched before anything is loaded. */
const stand = (hash: string) => {
  const location = { hash, href: `https://shop.example/cart?item=1${hash}` }
  const replaceState = vi.fn((_state: unknown, _title: string, to: string) =>
    Object.assign(location, { hash: '', href: to }),
  )
  const listening = { addEventListener: () => undefined, removeEventListener: () => undefined }
  const locks = { request: (_name: string, _options: object, held: () => Promise<void>) => held() }
  vi.stubGlobal('window', {
    location,
    history: { state: { router: 1 }, replaceState },
    navigator: { locks },
    ...listening,
  })
  vi.stubGlobal('document', { visibilityState: 'visible', ...listening })
  return { location, replaceState }
}

afterEach(() => {
  takeReturned()
  vi.unstubAllGlobals()
})

describe('the code that a page of the portal returned', () => {
  it('is taken out of the address at once, and the router’s history state stays', () => {
    const { location, replaceState } = stand(code)

    clearAddress()

    expect(location.href).toBe('https://shop.example/cart?item=1')
    expect(replaceState).toHaveBeenCalledWith({ router: 1 }, '', 'https://shop.example/cart?item=1')
  })

  it('is redeemed once', () => {
    stand(code)
    clearAddress()

    expect(hasReturned()).toBe(true)
    expect(takeReturned()).toBe(`https://shop.example/cart?item=1${code}`)
    expect([hasReturned(), takeReturned()]).toEqual([false, undefined])
  })

  it('is not taken from any other fragment', () => {
    const { location, replaceState } = stand('#reviews')

    clearAddress()

    expect([location.hash, hasReturned()]).toEqual(['#reviews', false])
    expect(replaceState).not.toHaveBeenCalled()
  })

  it('is removed from the address with the first look at the session, before anything is loaded', async () => {
    const { location } = stand(code)
    const para = new Para('DEV', 'a key', { hosts: { api: 'http://127.0.0.1:9' } })

    const stop = para.session.subscribe(() => undefined)

    expect([location.hash, hasReturned()]).toEqual(['', true])
    await vi.waitFor(() => expect(hasReturned()).toBe(false), { timeout: 30_000 })
    stop()
    await para.dispose()
  })
})
