/** A private key is shown on the portal's page, and no other page or person receives it. */
import type { CDPSession, Page } from 'playwright'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bare } from './harness/host.ts'
import { clickGo, evmAddress, signUpOn, went } from './kit/bareHost.ts'
import { carriedPasskey, passwordOf, type Credential } from './kit/credentials.ts'
import { look } from './kit/look.ts'
import { button, closing, heading } from './kit/person.ts'
import { makeKeyring } from './kit/passkeys.ts'
import { stack } from './kit/stack.ts'
import { newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectNoSecrets, expectNothingOwnSent, expectQuiet } from './kit/watch.ts'

declare const window: Bare & { heard: string[] }

const browser = useChromium()

let visitor: Visitor

/** A host page with a user's wallets, that keeps every message it receives. */
const signedUp = async ({ context }: Visitor, credential: Credential) => {
  await context.addInitScript(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    window.addEventListener('message', ({ data }) => void heard.push(JSON.stringify(data)))
  })
  const { host } = await signUpOn(context, credential)
  const address = await evmAddress(host)
  await host.evaluate(() => {
    window.onGo = () => window.para.exportPrivateKey()
  })
  return { host, address }
}

const shownKey = async (page: Page): Promise<`0x${string}`> => {
  await button(page, 'Show').click()
  return (await page.locator('code', { hasText: /^0x[0-9a-f]{64}$/ }).innerText()) as `0x${string}`
}

/** Everything in the memory of the page's own process, as text. */
const heapOf = async (page: Page): Promise<string> => {
  const session: CDPSession = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(chunk))
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return chunks.join('')
}

beforeEach(async () => {
  visitor = await visit(browser())
})
afterEach(() => visitor.close())

describe('the private key of a wallet', () => {
  it('is shown once the password is given, on the page of the portal alone', async () => {
    const password = newPassword()
    const { host, address } = await signedUp(visitor, passwordOf(password))
    const page = await clickGo(host)
    await heading(page, 'Export your private key')
    await look(page, 'portal-export')
    await button(page, 'Export the key').click()
    await page.getByText('Enter your password.').waitFor()
    visitor.seen.expectErrors(/401/)
    await page.getByLabel('Password', { exact: true }).fill('not my password')
    await button(page, 'Export the key').click()
    await page.getByText(/Incorrect password/).waitFor()
    await look(page, 'portal-export-refused')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Export the key').click()
    await heading(page, 'Your private key')

    const hidden = await page.content()
    await look(page, 'portal-exported-hidden')
    const key = await shownKey(page)
    await look(page, 'portal-exported-shown')
    expect(privateKeyToAccount(key).address).toBe(address)
    expect(await page.locator('body').innerText()).toContain(address)
    expect(hidden).not.toContain(key.slice(2, 10))
    expect(await went(host)).toEqual({ value: 'accepted' })

    await button(page, 'Hide').click()
    expect(await page.content()).not.toContain(key.slice(2, 10))
    const heap = await heapOf(host)
    const heard = await host.evaluate(() => window.heard.join())
    expect(heap).toContain(address)
    expect(heard).toContain('tandem.done')
    for (const where of [heap, heard, await host.content()]) {
      expect(where.includes(key.slice(2)), 'the host has the key').toBe(false)
    }
    expectQuiet(visitor.seen)
    const secrets = [{ name: 'private key', bytes: Buffer.from(key.slice(2), 'hex') }]
    await expectNoSecrets(visitor.seen, secrets)
    expectNothingOwnSent(visitor.seen, secrets)
    await closing(page, () => button(page, 'Done').click())
  })

  it('is copied completely, and removed from a page that is out of view', async () => {
    const password = newPassword()
    const { host } = await signedUp(visitor, passwordOf(password))
    await visitor.context.grantPermissions(['clipboard-write'], { origin: stack().portal })
    const page = await clickGo(host)
    await page.clock.install()
    await heading(page, 'Export your private key')
    // Pages of the portal may not read the clipboard, so the test records what they write to it.
    await page.evaluate(() => {
      const write = navigator.clipboard.writeText.bind(navigator.clipboard)
      navigator.clipboard.writeText = (text) => {
        Object.assign(window, { copied: text })
        return write(text)
      }
    })
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.clock.runFor(1_000)
    await button(page, 'Export the key').click()
    await heading(page, 'Your private key')
    await button(page, 'Copy').click()
    await page.getByText(/^Copied\./).waitFor()
    await look(page, 'portal-exported-copied')
    const copied = await page.evaluate(() => (window as unknown as { readonly copied: string }).copied)
    expect(copied).toBe(await shownKey(page))

    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await page.clock.runFor(11 * 60_000)
    await heading(page, 'Your key is no longer on this page')
    await look(page, 'portal-exported-gone')
    expect(await page.content()).not.toContain(copied.slice(2, 10))
  })

  it('is shown once the passkey is given', { tags: 'usual' }, async () => {
    await visitor.close()
    const keyring = makeKeyring({ hasPrf: false })
    visitor = await visit(browser(), { prepare: keyring.carry })
    const { host, address } = await signedUp(visitor, carriedPasskey(keyring))
    const page = await clickGo(host)
    await heading(page, 'Export your private key')
    await look(page, 'portal-export-passkey')
    await keyring.of(page)
    await button(page, 'Use passkey and export the key').click()
    await heading(page, 'Your private key')

    expect(privateKeyToAccount(await shownKey(page)).address).toBe(address)
    expect(await went(host)).toEqual({ value: 'accepted' })
    expectQuiet(visitor.seen)
  })

  it('is not exported by a person who cancels, or closes the window', async () => {
    const { host } = await signedUp(visitor, passwordOf())
    const first = await clickGo(host)
    await heading(first, 'Export your private key')
    await closing(first, () => button(first, 'Cancel').click())
    expect(await went(host)).toEqual({ value: 'cancelled' })

    const second = await clickGo(host)
    await heading(second, 'Export your private key')
    await second.close()
    expect(await went(host)).toEqual({ value: 'cancelled' })
    expectQuiet(visitor.seen)
  })

  it('is shown on no page that the app did not open', async () => {
    const { host } = await signedUp(visitor, passwordOf())
    const page = await clickGo(host)
    await heading(page, 'Export your private key')
    const address = await page.evaluate(() => (history.state as { readonly address: string }).address)
    await page.close()
    const copy = await visitor.context.newPage()
    await copy.goto(address)

    await heading(copy, 'Open this page from the app')
    await look(copy, 'portal-export-without-app')
    expect(await copy.getByLabel('Password').count()).toBe(0)
  })
})
