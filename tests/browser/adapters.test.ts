import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stories } from '../ports/shareStore.ts'
import type { SealedSample } from './adapters/page.ts'
import { openAdapters, type AdaptersWindow } from './kit/adaptersPage.ts'
import { useChromium } from './kit/visitor.ts'

declare const window: AdaptersWindow

const browser = useChromium()

let page: Page
beforeEach(async () => {
  page = await openAdapters(await browser().newContext())
})
afterEach(() => page.context().close())

describe('the share store sealed in the database', { tags: 'usual' }, () => {
  it.each(stories)('$name', async ({ name, sees }) => {
    expect(await page.evaluate((told) => window.shown.tell(told), name)).toEqual(sees)
  })

  it('keeps a share although the page was left at once', async () => {
    await page.evaluate(() => window.shown.put('one', 'a share text'))
    await page.close({ runBeforeUnload: false })

    const next = await openAdapters(page.context())

    expect(await next.evaluate(() => window.shown.held())).toEqual(['a share text'])
  })

  it('stores neither the share nor the key that seals it in readable form', async () => {
    await page.evaluate(() => window.shown.put('one', 'a share text'))

    const rests = await page.evaluate(() => window.shown.readDatabases())

    expect(rests).toContain('not extractable')
    expect(rests).not.toContain('a share text')
    expect(await page.evaluate(() => window.shown.localKeys())).toEqual([])
  })

  it('imports the text form of an earlier version, and removes the text', async () => {
    const earlier = { walletId: 'old', userId: 'ada', address: 'an address', shareText: 'an old share' }
    await page.evaluate(
      (text) => localStorage.setItem('@CAPSULE/keyShares', text),
      JSON.stringify({ v: 1, shares: { old: earlier }, candidates: {}, ot: {}, backupPending: ['old'] }),
    )
    await page.evaluate(() => window.shown.put('new', 'a new share'))

    expect(await page.evaluate(() => window.shown.held())).toEqual(['an old share', 'a new share'])
    expect(await page.evaluate(() => window.shown.localKeys())).toEqual([])
    expect(await page.evaluate(() => window.shown.readDatabases())).not.toContain('an old share')
  })

  it('reads a record of version 1, and neither reads nor overwrites one of a later version', async () => {
    const sample = JSON.parse(
      readFileSync(new URL('../adapters/browser/fixtures/shareStore.v1.json', import.meta.url), 'utf8'),
    ) as { readonly local: Readonly<Record<string, string>>; readonly sealed: Omit<SealedSample, 'v'> }
    const { shares } = JSON.parse(sample.local['@CAPSULE/keyShares'] ?? '') as {
      readonly shares: Readonly<Record<string, { readonly shareText: string }>>
    }
    await page.evaluate((sealed) => window.shown.putSealed(sealed), { v: 1, ...sample.sealed })

    expect(await page.evaluate(() => window.shown.held())).toEqual(Object.values(shares).map((one) => one.shareText))

    await page.evaluate((sealed) => window.shown.putSealed(sealed), { v: 2, ...sample.sealed })
    for (const verb of ['held', 'forget'] as const) {
      const said = page.evaluate((name) => window.shown[name]().then(() => 'done', String), verb)
      expect(await said).toContain('key shares cannot be stored here')
    }
  })

  it('leaves neither record nor key when the user is forgotten', async () => {
    await page.evaluate(() => window.shown.put('one', 'a share text'))
    await page.evaluate(() => window.shown.forget())

    expect(await page.evaluate(() => window.shown.readDatabases())).toBe('')
  })

  it('asks the browser for persistent storage with the first share, and never again', async () => {
    await page.evaluate(() => {
      navigator.storage.persist = async () => {
        document.title += `asked over ${(await window.shown.held()).join(' and ')}. `
        return true
      }
    })
    await page.evaluate(() => window.shown.put('one', 'a share text'))
    await expect.poll(() => page.title()).toBe('asked over a share text.')
    await page.evaluate(() => window.shown.put('two', 'another share text'))
    await page.evaluate(() => window.shown.held())

    expect(await page.title()).toBe('asked over a share text.')
  })

  it.each(['refuses', 'does not know how'])(
    'stores shares also where the browser %s persistent storage',
    async (how) => {
      await page.evaluate((how) => {
        const persist = how === 'refuses' ? () => Promise.reject(new Error('no')) : undefined
        Object.defineProperty(navigator.storage, 'persist', { value: persist })
      }, how)
      await page.evaluate(() => window.shown.put('one', 'a share text'))

      expect(await page.evaluate(() => window.shown.held())).toEqual(['a share text'])
    },
  )

  it('overwrites nothing that it cannot open', async () => {
    await page.evaluate(() => window.shown.put('one', 'a share text'))

    const [read, written] = await page.evaluate(() => window.shown.spoil())

    expect(read).toContain('key shares cannot be stored here')
    expect(written).toContain('key shares cannot be stored here')
  })
})

describe('the protocol worker', { tags: 'usual' }, () => {
  type Signed = Awaited<ReturnType<AdaptersWindow['shown']['keygenAndSign']>>
  const isSigned = ({ keys: [key = '', other], message, signature }: Signed) => {
    expect(other).toBe(key)
    return signature.length === 128
      ? ed25519.verify(hexToBytes(signature), hexToBytes(message), hexToBytes(key))
      : secp256k1.verify(hexToBytes(signature.slice(0, 128)), hexToBytes(message), hexToBytes(key), { prehash: false })
  }

  it.each(['DKLS', 'ED25519'] as const)('makes a key and signs with %s, by the kernel', async (scheme) => {
    const signed = await page.evaluate((chosen) => window.shown.keygenAndSign(chosen), scheme)

    expect(isSigned(signed)).toBe(true)
    expect(signed.logs).toEqual(['the protocols are computed by the kernel'])
    await expect.poll(() => page.workers()).toEqual([])
  })

  it('falls back to noble where the page’s policy forbids WebAssembly', async () => {
    page = await openAdapters(page.context(), "script-src 'self'; worker-src 'self'")

    const signed = await page.evaluate(() => window.shown.keygenAndSign('DKLS'))

    expect(isSigned(signed)).toBe(true)
    expect(signed.logs).toEqual(['the protocols are computed by noble, because the kernel does not run here'])
  })

  it('falls back to noble where the kernel is not the pinned one', async () => {
    const other = { body: anotherModule, contentType: 'application/wasm' }
    await page.context().route('**/*.wasm', (route) => route.fulfill(other))

    const signed = await page.evaluate(() => window.shown.keygenAndSign('DKLS'))

    expect(isSigned(signed)).toBe(true)
    expect(signed.logs).toEqual(['the protocols are computed by noble, because the kernel does not run here'])
  })

  /** A valid module that does nothing. */
  const anotherModule = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
})

describe('the device key in the database', { tags: 'usual' }, () => {
  const message = '00ff'.repeat(20)

  it('is the same for all documents that make it at the same moment', async () => {
    const other = await openAdapters(page.context())
    const made = await Promise.all([page, other].map((tab) => tab.evaluate(() => window.shown.devicesAtOnce('new'))))

    expect(new Set(made.flat()).size).toBe(1)
  })

  it('signs, stays with its session, cannot be exported, and goes when it is removed', async () => {
    const { made, again, signature } = await page.evaluate((text) => window.shown.device(text), message)

    const point = Buffer.from(made.publicKey, 'hex')
    const key = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    })
    const signed = { key, dsaEncoding: 'ieee-p1363' } as const
    expect(verify('sha256', Buffer.from(message, 'hex'), signed, Uint8Array.from(signature))).toBe(true)
    expect(made.weak).toBe(false)
    expect(again).toEqual(made)
    expect(await page.evaluate(() => window.shown.readDatabases())).toContain('not extractable')
    expect(await page.evaluate(() => window.shown.deviceAfter())).toEqual([true, false])
  })
})
