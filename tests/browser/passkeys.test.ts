/** Passkeys in a real browser, from the click in the app to the wallet. */
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { clickGo, openBareHost, pressGo, verify, went } from './kit/bareHost.ts'
import { attachAuthenticator, awaitAuthenticators, makeKeyring } from './kit/passkeys.ts'
import { button, closing } from './kit/person.ts'
import { stack } from './kit/stack.ts'
import type { Bare } from './harness/host.ts'
import { blockPopups, newEmail, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectNoSecrets, expectQuiet } from './kit/watch.ts'

const browser = useChromium()

const setUp = (host: Page) =>
  host.evaluate(() => {
    const bare = window as unknown as Bare
    bare.onGo = () => bare.para.setUpPasskey()
  })

const logIn = (host: Page, email: string) =>
  host.evaluate((email) => {
    const bare = window as unknown as Bare
    bare.onGo = () => bare.para.login({ email, method: 'PASSKEY' })
  }, email)

/**
 * One window for all pages of the portal, which stays when they close it, so that its authenticator does: no other one
 * could have a passkey with PRF. To the SDK each of them is a window of its own.
 */
const keepPortalWindow = (context: BrowserContext) =>
  context.addInitScript(() => {
    const open = window.open.bind(window)
    window.open = (url, _, features) => open(url, 'the-portal', features)
    if (window.opener !== null) window.close = () => undefined
  })

/** The person says no to the next gesture. */
const decline = (page: Page) =>
  page.evaluate(() => {
    const { prototype } = CredentialsContainer
    const own = Object.getOwnPropertyDescriptor(prototype, 'create') ?? {}
    const dismissed = () => {
      Object.defineProperty(prototype, 'create', own)
      return Promise.reject(new DOMException('dismissed', 'NotAllowedError'))
    }
    Object.defineProperty(prototype, 'create', { ...own, value: dismissed })
  })

const addressesAt = (host: Page) =>
  host.evaluate(async () => {
    const wallets = await (window as unknown as Bare).para.getWallets()
    return wallets.map(({ type, address }) => `${type} ${String(address)}`).sort()
  })

const message = 'signed where nothing was typed'

const sign = (host: Page) =>
  host.evaluate(async (message) => (await (window as unknown as Bare).para.signMessage({ message })).signature, message)

/** Everything that the app's origin keeps in this browser is deleted, as in a new browser; only the tab is the same. */
const forgetEverything = async (host: Page) => {
  await host.evaluate(async () => {
    await (window as unknown as Bare).para.dispose()
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) {
      await new Promise<void>((resolve) => {
        const request = indexedDB.deleteDatabase(name ?? '')
        request.onsuccess = request.onblocked = () => resolve()
      })
    }
  })
  await host.reload()
  await host.waitForFunction(() => document.title === 'Bare host, ready')
}

const asksForPrimes = ({ seen }: Visitor) => seen.requests.some((request) => request.url().includes('prime.worker'))

describe('a passkey of a device with PRF', () => {
  it('makes the account, and opens its wallets after the browser’s storage was cleared', async () => {
    const visitor = await visit(browser(), { prepare: awaitAuthenticators })
    const { context, seen } = visitor
    await keepPortalWindow(context)
    seen.expectErrors(/\/openings\/[^/]+\/beat/)
    const host = await openBareHost(context)
    const email = await verify(host)
    await setUp(host)
    const page = await clickGo(host)
    const authenticator = await attachAuthenticator(page, { hasPrf: true })
    await button(page, 'Create passkey').click()
    const madeBy = await went(host)
    expect(madeBy).toMatchObject({ value: { recoverySecret: expect.stringContaining('backupDecryptionKey') } })
    const addresses = await addressesAt(host)
    await forgetEverything(host)

    await logIn(host, email)
    await pressGo(host)
    await button(page, 'Use passkey').click()

    expect(await went(host)).toMatchObject({ value: { needsWallet: false, missing: [] } })
    expect(addresses).toHaveLength(3)
    expect(await addressesAt(host)).toEqual(addresses)
    expect(await sign(host)).toMatch(/^[0-9a-f]{130}$/)
    expect(await authenticator.credentials()).toHaveLength(1)
    expect(asksForPrimes(visitor)).toBe(false)
    expect(seen.own.map(({ name }) => name)).toEqual(expect.arrayContaining(['PRF output', 'user handle']))
    expectQuiet(seen)
    await expectNoSecrets(seen)
    await visitor.close()
  })
})

describe('a passkey of a device without PRF', () => {
  it('makes the account with a worker that searches its primes, and opens its wallets in another browser', async () => {
    const keyring = makeKeyring({ hasPrf: false })
    const prepare = keyring.carry
    const [first, second] = [await visit(browser(), { prepare }), await visit(browser(), { prepare })]
    const host = await openBareHost(first.context)
    const email = await verify(host)
    await setUp(host)
    const page = await clickGo(host)
    await keyring.of(page)
    await button(page, 'Create passkey').click()
    expect(await went(host)).toMatchObject({ value: { walletIds: expect.any(Array) } })

    const other = await openBareHost(second.context)
    await logIn(other, email)
    const login = await clickGo(other)
    await keyring.of(login)
    await button(login, 'Use passkey').click()

    expect(await went(other)).toMatchObject({ value: { needsWallet: false, missing: [] } })
    expect(await addressesAt(other)).toEqual(await addressesAt(host))
    expect(await sign(other)).toMatch(/^[0-9a-f]{130}$/)
    expect([asksForPrimes(first), asksForPrimes(second)]).toEqual([true, false])
    for (const { seen, close } of [first, second]) {
      expectQuiet(seen)
      await expectNoSecrets(seen)
      await close()
    }
  })
})

describe('the page that makes a passkey', () => {
  it('offers it again after the person dismissed it', async () => {
    const { context, seen, close } = await visit(browser(), { prepare: awaitAuthenticators })
    const host = await openBareHost(context)
    await verify(host)
    await setUp(host)
    const page = await clickGo(host)
    await attachAuthenticator(page, { hasPrf: true })
    await button(page, 'Create passkey').waitFor()
    await decline(page)
    await button(page, 'Create passkey').click()

    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await button(page, 'Try again').click()

    expect(await went(host)).toMatchObject({ value: { walletIds: expect.any(Array) } })
    expectQuiet(seen)
    await close()
  })

  it('says where the device cannot make a passkey, and leads back to the app', async () => {
    const { context, seen, close } = await visit(browser())
    const host = await openBareHost(context)
    await verify(host)
    await setUp(host)
    const page = await clickGo(host)

    await page.getByRole('heading', { name: 'This device cannot make a passkey here' }).waitFor()
    await closing(page, () => button(page, /^Go back to /).click())

    expect(await went(host)).toEqual({ error: 'exitted login without setting up user' })
    expect(page.isClosed()).toBe(true)
    expectQuiet(seen)
    await close()
  })

  it('fits its popup without scrolling', { tags: 'usual' }, async () => {
    const { context, close } = await visit(browser(), { prepare: awaitAuthenticators })
    const host = await openBareHost(context)
    await verify(host)
    await setUp(host)
    const page = await clickGo(host)
    await attachAuthenticator(page, { hasPrf: true })
    await button(page, 'Create passkey').waitFor()

    const { width, height, isWhole } = await page.evaluate(() => ({
      width: window.innerWidth,
      height: window.innerHeight,
      isWhole: document.documentElement.scrollHeight <= window.innerHeight,
    }))

    expect({ width, height, isWhole }).toEqual({ width: 550, height: 464, isWhole: true })
    await close()
  })

  it('works in the app’s own tab where windows are blocked, and comes back to it', async () => {
    const { context, close } = await visit(browser(), { prepare: blockPopups })
    const host = await openBareHost(context)
    const email = newEmail()
    await verify(host, email)
    const blocked = await host.evaluate(() =>
      (window as unknown as Bare).para.setUpPasskey().then(
        () => undefined,
        (error: unknown) => ({ ...(error as Readonly<Record<string, unknown>>) }),
      ),
    )
    await attachAuthenticator(host, { hasPrf: true })
    await host.goto(String(blocked?.['continueUrl']))
    await button(host, 'Yes, continue').click()
    await button(host, 'Create passkey').click()

    await host.waitForURL(`${stack().shop}/`)
    const bare = await openBareHost(context)
    const seeSetup = () =>
      bare.evaluate(() => {
        const { session } = (window as unknown as Bare).para
        session.subscribe(() => undefined)
        return session.get().setup
      })
    await expect.poll(seeSetup, { timeout: 15_000 }).toBe('wallets')
    const finished = await bare.evaluate(() => (window as unknown as Bare).para.finishSetup())

    expect(blocked).toMatchObject({ _tag: 'PopupBlocked', continueUrl: expect.stringContaining('/biometrics/') })
    expect(finished).toMatchObject({ recoverySecret: expect.stringContaining('backupDecryptionKey') })
    expect(await addressesAt(bare)).toHaveLength(3)
    await close()
  })
})
