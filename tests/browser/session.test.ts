/**
 * What an app's page knows of its session, across windows, tabs and page loads: seen on the bare host, without React.
 */
import type { BrowserContext, Page } from 'playwright'
import { recoverTypedDataAddress } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as PopupRules from '../../domain/model/Popup.ts'
import type { Bare } from './harness/host.ts'
import { bareHost, clickGo, openBareHost, signUpOn, verify, went } from './kit/bareHost.ts'
import { passwordOf } from './kit/credentials.ts'
import { button, createPassword, enterPassword } from './kit/person.ts'
import { blockPopups, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

declare const window: Bare

const browser = useChromium()

const status = (host: Page) => host.evaluate(() => window.para.session.get())

/** The statuses that a subscriber is told, from now on. */
const watchStatus = (host: Page) =>
  host.evaluate(() => {
    const told: string[] = [window.para.session.get().status]
    window.para.session.subscribe(() => void told.push(window.para.session.get().status))
    Object.assign(window, { told })
  })

const told = (host: Page) => host.evaluate(() => (window as unknown as { told: string[] }).told)

const becomes = async (host: Page, expected: string) =>
  expect.poll(async () => (await status(host)).status, { timeout: 30_000 }).toBe(expected)

const signUp = async (context: BrowserContext) => {
  const password = newPassword()
  return { password, ...(await signUpOn(context, passwordOf(password))) }
}

const beginLogin = async (host: Page, email: string): Promise<Page> => {
  await host.evaluate((known) => {
    window.onGo = () => window.para.login({ email: known })
  }, email)
  return clickGo(host)
}

let visitor: Visitor
beforeEach(async () => {
  visitor = await visit(browser())
})
afterEach(() => visitor.close())

describe('the session of an app’s page', () => {
  it('is reported from anonymous to ready, and is ready again after a reload', { tags: 'usual' }, async () => {
    const host = await openBareHost(visitor.context)
    await watchStatus(host)
    await becomes(host, 'anonymous')
    const password = newPassword()
    await verify(host)
    await becomes(host, 'needs-setup')
    expect(await status(host)).toMatchObject({ setup: 'credential' })

    await host.evaluate(() => {
      window.onGo = () => window.para.setUpPassword()
    })
    await createPassword(await clickGo(host), password)
    expect(await went(host)).toMatchObject({ value: { recoverySecret: expect.any(String) } })
    // Anonymous once more when the service has named its operator.
    expect(await told(host)).toEqual(['loading', 'anonymous', 'anonymous', 'needs-setup', 'ready'])

    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    expect(await status(host)).toEqual({ status: 'loading', wallets: [] })
    await watchStatus(host)
    await becomes(host, 'ready')
    expect(await told(host)).toEqual(['loading', 'ready'])
    expect((await status(host)).wallets.map(({ type }) => type)).toEqual(['EVM', 'SOLANA', 'COSMOS'])
    expectQuiet(visitor.seen)
  })

  it('ends in every tab when one logs out, and each tab reports it', async () => {
    const { host } = await signUp(visitor.context)
    const other = await openBareHost(visitor.context)
    await watchStatus(other)
    await becomes(other, 'ready')
    await other.evaluate(() => {
      window.went = new Promise((resolve) =>
        window.addEventListener('paraLogout', ({ detail }: CustomEventInit) => resolve(detail)),
      )
    })

    await host.evaluate(() => window.para.logout())

    await becomes(other, 'anonymous')
    expect(await went(other)).toEqual({ data: null })
    expect(await other.evaluate(() => Object.keys(localStorage))).toEqual([])
    expectQuiet(visitor.seen)
  })

  it('ends when the service answers that it has ended', async () => {
    const { host } = await signUp(visitor.context)
    await watchStatus(host)
    await becomes(host, 'ready')
    visitor.seen.expectErrors(/401/, /501/)

    await host.evaluate(() => localStorage.setItem('@CAPSULE/sessionCookie', 'a'.repeat(43)))
    await host.evaluate(() => window.para.getWallets().catch(() => undefined))

    await becomes(host, 'anonymous')
  })
})

describe('a popup', () => {
  it('has the size of its kind and is centred over the app', async () => {
    const { host, email } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())

    const asked = host.evaluate(
      () =>
        new Promise<readonly unknown[]>((resolve) => {
          const open = window.open.bind(window)
          window.open = (...given) => {
            resolve(given)
            return open(...given)
          }
        }),
    )
    const portal = await beginLogin(host, email)

    const [url, name, features] = await asked
    expect([url, name]).toEqual(['', expect.stringMatching(/^LOGIN_PASSKEY-[0-9a-f-]{36}$/)])
    const place = await host.evaluate(() => ({ left: screenX, top: screenY, width: outerWidth, height: outerHeight }))
    expect(features).toBe(PopupRules.features('LOGIN_PASSKEY', place))
    expect(portal.viewportSize()).toEqual({ width: 550, height: 798 })
  })

  it('that is blocked leaves an address, which this tab follows and comes back from signed in', async () => {
    const { host, email, password } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())
    await blockPopups(visitor.context)
    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    const blocked = await host.evaluate(
      (known) =>
        window.para.login({ email: known }).then(
          () => undefined,
          (error: unknown) => ({ ...(error as Record<string, unknown>) }),
        ),
      email,
    )
    const continueUrl = expect.stringContaining('/web/passwords/login')
    expect(blocked).toMatchObject({ _tag: 'PopupBlocked', continueUrl })

    await host.goto(String(blocked?.['continueUrl']))
    await button(host, 'Yes, continue').click()
    await enterPassword(host, password)

    await host.getByRole('heading', { name: 'Your wallets' }).waitFor({ timeout: 30_000 })
    expect(host.url()).not.toContain('#')
    const bare = await openBareHost(visitor.context)
    await watchStatus(bare)
    await becomes(bare, 'ready')
  })

  it('that is blocked leaves an address, which another tab follows while this one waits', async () => {
    const { host, email, password } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())
    await blockPopups(visitor.context)
    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    const blocked = await host.evaluate(
      (known) =>
        window.para.login({ email: known }).then(
          () => undefined,
          (error: unknown) => ({ ...(error as Record<string, unknown>) }),
        ),
      email,
    )
    await host.evaluate(() => {
      window.went = window.para.resume()
    })

    const portal = await visitor.context.newPage()
    await portal.goto(String(blocked?.['continueUrl']))
    await button(portal, 'Yes, continue').click()
    await enterPassword(portal, password)

    expect(await went(host)).toMatchObject({ kind: 'login', needsWallet: false, missing: [] })
    expect(await status(host)).toMatchObject({ status: 'ready', email })
    await portal.getByRole('heading', { name: 'Your wallets' }).waitFor({ timeout: 30_000 })
  })
})

describe('a sign-up whose popup is blocked', () => {
  // It redeems what came back: once for the commit, and once with the certificate that was read in the result.
  it.each([
    ['before the commit was asked for', 1],
    ['before its certificate was handed in', 2],
    ['soon after that', undefined],
  ])('continues in this tab, returns, is left %s, and still shows its recovery secret', async (_, cut) => {
    await blockPopups(visitor.context)
    const host = await openBareHost(visitor.context)
    const password = newPassword()
    await verify(host)
    const blocked = await host.evaluate(() =>
      window.para.setUpPassword().then(
        () => undefined,
        (error: unknown) => ({ ...(error as Record<string, unknown>) }),
      ),
    )
    expect(blocked).toMatchObject({ _tag: 'PopupBlocked', continueUrl: expect.stringContaining('/passwords/') })

    await host.goto(String(blocked?.['continueUrl']))
    await button(host, 'Yes, continue').click()
    let redeemed = 0
    await visitor.context.route('**/redeem', (route) => {
      redeemed += 1
      return redeemed === cut ? undefined : route.continue()
    })
    await createPassword(host, password)
    await expect.poll(() => redeemed, { timeout: 30_000 }).toBe(cut ?? 2)
    await host.goto(bareHost())
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    await watchStatus(host)
    await expect.poll(async () => (await status(host)).setup, { timeout: 30_000 }).toBe('wallets')

    expect(await host.evaluate(() => window.para.finishSetup())).toMatchObject({ recoverySecret: expect.any(String) })
    expect((await status(host)).status).toBe('ready')
  })
})

describe('a login that its page was reloaded in', () => {
  it('continues with the window that was proven before, and its result is in the session', async () => {
    const { host, email, password } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())
    const portal = await beginLogin(host, email)
    await portal.getByLabel('Password', { exact: true }).waitFor()

    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    await watchStatus(host)
    await becomes(host, 'anonymous')
    await enterPassword(portal, password)

    await becomes(host, 'ready')
    expect(await host.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })
})

describe('a portal page whose app was reloaded before it was proven', () => {
  it('returns by redirect, gives its result to the tab that waits, and closes', async () => {
    const { host, email, password } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())
    const reloads: (() => void)[] = []
    const isReloaded = new Promise<void>((resolve) => void reloads.push(resolve))
    await visitor.context.route('**/openings', async (route) => {
      await isReloaded
      return route.continue()
    })
    const portal = await beginLogin(host, email)
    await portal.waitForURL(/passwords/)
    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    await watchStatus(host)
    for (const reloaded of reloads) reloaded()

    await button(portal, 'Yes, continue').click({ timeout: 20_000 })
    await enterPassword(portal, password)

    await becomes(host, 'ready')
    await expect.poll(() => portal.isClosed(), { timeout: 10_000 }).toBe(true)
    expect(await host.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })
})

describe('an app that wants no workers', () => {
  it('signs on its own thread', async () => {
    const { host } = await signUp(visitor.context)
    const workers = host.workers().length

    const { signature } = await host.evaluate(() =>
      window.make({ disableWorkers: true }).signMessage({ message: 'hello' }),
    )

    expect(signature).toMatch(/^[0-9a-f]{130}$/)
    expect(host.workers()).toHaveLength(workers)
  })
})

describe('an EVM wallet in a browser', () => {
  it('signs typed data and an authorization, whose signer viem finds', async () => {
    const { host } = await signUp(visitor.context)
    const typedData = {
      types: { Permit: [{ name: 'owner', type: 'address' }] },
      primaryType: 'Permit',
      domain: { name: 'Coin', chainId: 1 },
      message: { owner: '0x00000000000000000000000000000000DeaDBeef' },
    } as const
    const authorization = { address: typedData.message.owner, chainId: 1, nonce: 3 } as const

    const signed = await host.evaluate(
      async ({ typedData, authorization }) => ({
        address: (await window.para.getWallets()).find(({ type }) => type === 'EVM')?.address,
        signature: await window.para.signTypedData({ typedData }),
        authorization: await window.para.signAuthorization(authorization),
      }),
      { typedData, authorization },
    )

    expect(await recoverTypedDataAddress({ ...typedData, signature: signed.signature })).toBe(signed.address)
    expect(await recoverAuthorizationAddress({ authorization: signed.authorization })).toBe(signed.address)
  })
})

describe('a sign-up that its page was reloaded in', () => {
  it('continues when the person is done, and asks the app for the missing wallets', async () => {
    const host = await openBareHost(visitor.context)
    const password = newPassword()
    await verify(host)
    await host.evaluate(() => {
      window.onGo = () => window.para.setUpPassword()
    })
    const portal = await clickGo(host)
    await portal.getByLabel('Password', { exact: true }).waitFor()

    await host.reload()
    await host.waitForFunction(() => document.title === 'Bare host, ready')
    await watchStatus(host)
    await becomes(host, 'needs-setup')
    expect(await status(host)).toMatchObject({ setup: 'credential' })
    await createPassword(portal, password)

    await expect.poll(async () => (await status(host)).setup, { timeout: 30_000 }).toBe('wallets')
    const { steps, recoverySecret } = await host.evaluate(async () => {
      const told: string[] = []
      const setup = await window.para.finishSetup({
        onProgress: (at) => {
          const round = 'round' in at ? ` ${at.round} of ${at.of}` : ''
          if ('type' in at) told.push(`${at.type} ${at.step}${round}`)
        },
      })
      return { steps: told, recoverySecret: setup.recoverySecret }
    })
    const kept = ['storing', 'confirming', 'checking', 'backing-up', 'distributing']
    const made = { EVM: 3, SOLANA: 2, COSMOS: 3 }
    for (const [type, rounds] of Object.entries(made)) {
      const generating = Array.from({ length: rounds }, (_, index) => `generating ${index + 1} of ${rounds}`)
      const own = steps.filter((step) => step.startsWith(type))
      expect(own).toEqual([...generating, ...kept].map((step) => `${type} ${step}`))
    }
    expect(recoverySecret).toEqual(expect.any(String))
    expect((await status(host)).status).toBe('ready')
    expectQuiet(visitor.seen)
  })
})

describe('two tabs that log in', () => {
  it('have one login where it is the same user', async () => {
    const { host, email, password } = await signUp(visitor.context)
    await host.evaluate(() => window.para.logout())
    const other = await openBareHost(visitor.context)
    const [first, second] = [await beginLogin(host, email), await beginLogin(other, email)]
    await second.getByLabel('Password', { exact: true }).waitFor()

    await enterPassword(first, password)

    expect(await went(host)).toMatchObject({ value: { needsWallet: false } })
    expect(await went(other)).toMatchObject({ value: { needsWallet: false } })
    expect((await status(other)).status).toBe('ready')
    await expect.poll(() => second.isClosed()).toBe(true)
    const signature = await other.evaluate(() => window.para.signMessage({ message: 'hello' }))
    expect(signature.signature).toMatch(/^[0-9a-f]{130}$/)
  })

  it('do not mix two users: the second is told to log out first, and is not let in by another call either', async () => {
    const ada = await signUp(visitor.context)
    await ada.host.evaluate(() => window.para.logout())
    const bob = await signUp(visitor.context)
    await bob.host.evaluate(() => window.para.logout())
    const adas = await beginLogin(ada.host, ada.email)
    const bobs = await beginLogin(bob.host, bob.email)
    await bobs.getByLabel('Password', { exact: true }).waitFor()

    await enterPassword(adas, ada.password)

    expect(await went(ada.host)).toMatchObject({ value: { needsWallet: false } })
    expect(await went(bob.host)).toEqual({ error: 'another user is signed in, log out first' })
    expect(await status(bob.host)).toMatchObject({ status: 'ready', email: ada.email })

    const again = await beginLogin(bob.host, bob.email)
    expect(await went(bob.host)).toEqual({ error: 'another user is signed in, log out first' })
    await expect.poll(() => again.isClosed()).toBe(true)
    expect(await status(bob.host)).toMatchObject({ status: 'ready', email: ada.email })
  })
})
