/** Failures on the way: windows closed or blocked, no connection, reloads. Nothing is lost, and the page says what failed. */
import type { Page, Request } from 'playwright'
import { describe, expect, it } from 'vitest'
import { retries } from '../../domain/model/Limits.ts'
import { passwordOf } from './kit/credentials.ts'
import {
  button,
  closeDialog,
  closing,
  createPassword,
  enterPassword,
  forgetDatabases,
  giveEmail,
  heading,
  keepRecoverySecret,
  openDialog,
  proveEmail,
  shownAddresses,
  signInShop,
  signUp,
  windowOf,
} from './kit/person.ts'
import { stack } from './kit/stack.ts'
import { blockPopups, hold, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectQuiet } from './kit/watch.ts'

const browser = useChromium()

const problem = (page: Page, title: string | RegExp) => page.getByRole('alert').filter({ hasText: title }).first()

/** What the browser itself prints of a request that fails. */
const offlineNoise = /ERR_INTERNET_DISCONNECTED|Failed to fetch|NetworkError/

const account = async () => {
  const [email, password] = [newEmail(), newPassword()]
  const visitor = await visit(browser())
  const { shop } = await signUp(visitor, email, passwordOf(password).signUp)
  const addresses = await shownAddresses(shop)
  await visitor.close()
  return { email, password, addresses }
}

/** To the question of how to sign in. */
const welcomeBack = async (visitor: Visitor, email: string): Promise<Page> => {
  const shop = await visitor.shop()
  await openDialog(shop)
  await giveEmail(shop, email)
  await button(shop, 'Sign in with your password').waitFor()
  return shop
}

describe('where popups are blocked', () => {
  it('a sign-up and a login go on in the same tab and come back', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const first = await visit(browser(), { prepare: blockPopups })
    const shop = await first.shop()
    await proveEmail(shop, email)
    await button(shop, 'Use a password').click()
    await shop.getByRole('link', { name: /in this tab/ }).click()
    await button(shop, 'Yes, continue').click()
    await createPassword(shop, password)
    await shop.waitForURL((url) => url.origin === stack().shop)
    await finish(shop)
    const addresses = await shownAddresses(shop)
    expect(shop.url()).not.toContain('tandem=')

    const second = await visit(browser(), { prepare: blockPopups })
    const again = await welcomeBack(second, email)
    await button(again, 'Sign in with your password').click()
    await again.getByRole('link', { name: /in this tab/ }).click()
    await button(again, 'Yes, continue').click()
    await enterPassword(again, password)
    await again.waitForURL((url) => url.origin === stack().shop)
    await again.getByRole('heading', { name: 'Your wallets', includeHidden: true }).waitFor({ timeout: 30_000 })
    await closeDialog(again)
    expect(await shownAddresses(again)).toEqual(addresses)
    await signInShop(again, 'The same wallet.')
    for (const { seen, close } of [first, second]) {
      expect(seen.errors).toEqual([])
      expect(seen.foreign).toEqual([])
      await close()
    }
  })
})

describe('a device that has lost its keys, and not its session', () => {
  it('says that the person has to sign out first, after which a login brings the wallets', async () => {
    const { email, password, addresses } = await account()
    const visitor = await visit(browser())
    visitor.seen.expectErrors(/409/)
    const shop = await welcomeBack(visitor, email)
    await enterPassword(await windowOf(shop, 'Sign in with your password'), password)
    expect(await shownAddresses(shop)).toEqual(addresses)
    await forgetDatabases(shop, ['tandem/sealed', 'tandem/keys'])
    await openDialog(shop)
    await button(shop, 'Continue').click()
    await windowOf(shop, 'Sign in with your password')
    await problem(shop, 'This browser has lost a key of your session').waitFor()
    await button(shop, 'Sign out').click()
    await shop.getByRole('dialog').waitFor({ state: 'hidden' })

    await openDialog(shop)
    await giveEmail(shop, email)
    await enterPassword(await windowOf(shop, 'Sign in with your password'), password)
    expect(await shownAddresses(shop)).toEqual(addresses)
    await visitor.close()
  })
})

/** Until so many frames got no answer: from the last retry on, the page waits for its person. */
const lostFrames = (visitor: Visitor, count: number): Promise<unknown> => {
  let lost = 0
  return visitor.context.waitForEvent('requestfailed', (request) => isFrame(request) && ++lost === count)
}

/** Interrupted wallets are finished automatically, or at the press of a button; then the recovery secret is shown. */
const finish = async (shop: Page): Promise<void> => {
  const [secret, offer, more] = [
    shop.getByRole('textbox', { name: 'Recovery secret' }),
    button(shop, 'Finish your wallet'),
    button(shop, 'Create my wallets'),
  ]
  await secret.or(offer).or(more).first().waitFor({ timeout: 60_000 })
  if (await offer.isVisible()) await offer.click()
  await secret.or(more).first().waitFor({ timeout: 60_000 })
  if (await more.isVisible()) await more.click()
  await keepRecoverySecret(shop)
  await closeDialog(shop)
}

const isFrame = (request: Request) => request.url().endsWith('/protocol') && request.method() === 'POST'

describe('a window that is closed', () => {
  it('before anything is typed, after a refusal, and while it works leads back to where it opens again', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const visitor = await visit(browser())
    const shop = await visitor.shop()
    await proveEmail(shop, email)

    const untouched = await windowOf(shop, 'Use a password')
    await heading(untouched, 'Create your password')
    await untouched.close()
    await problem(shop, /closed too early/).waitFor({ timeout: 30_000 })

    const cancelled = await windowOf(shop, 'Use a password')
    await heading(cancelled, 'Create your password')
    await closing(cancelled, () => button(cancelled, 'Cancel').click())
    await problem(shop, /closed too early/).waitFor({ timeout: 30_000 })

    const working = await windowOf(shop, 'Use a password')
    await visitor.context.route(/\/passwords\/[0-9a-f-]{36}$/, () => undefined)
    await createPassword(working, password)
    await heading(working, 'Creating your password')
    await working.close()
    await problem(shop, /closed too early/).waitFor({ timeout: 30_000 })
    await visitor.context.unroute(/\/passwords\/[0-9a-f-]{36}$/)

    await createPassword(await windowOf(shop, 'Use a password'), password)
    await keepRecoverySecret(shop)
    expectQuiet(visitor.seen)
    await visitor.close()
  })

  it('after the shares were delivered does not fail the login', async () => {
    const { email, password, addresses } = await account()
    const visitor = await visit(browser())
    const shop = await welcomeBack(visitor, email)
    const portal = await windowOf(shop, 'Sign in with your password')
    const committed = visitor.context.waitForEvent('response', {
      predicate: (response) => response.url().endsWith('/wallets/set') && response.request().method() === 'POST',
    })
    await enterPassword(portal, password)
    await committed
    if (!portal.isClosed()) await portal.close()

    expect(await shownAddresses(shop)).toEqual(addresses)
    await visitor.close()
  })
})

describe('without a connection', () => {
  it('each step of the sign-up can be repeated, and the typed text is kept', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const visitor = await visit(browser())
    visitor.seen.expectErrors(offlineNoise)
    const shop = await visitor.shop()
    await openDialog(shop)

    await visitor.context.setOffline(true)
    await giveEmail(shop, email)
    await problem(shop, /connection|reach/i).waitFor({ timeout: 20_000 })
    expect(await shop.getByLabel('Email address').inputValue()).toBe(email)
    await visitor.context.setOffline(false)
    await shop.keyboard.press('Escape')
    await shop.getByRole('dialog').waitFor({ state: 'hidden' })
    await proveEmail(shop, email)

    const portal = await windowOf(shop, 'Use a password')
    await heading(portal, 'Create your password')
    await portal.getByLabel('Password', { exact: true }).fill(password)
    await portal.getByLabel('Repeat password', { exact: true }).fill(password)
    await visitor.context.setOffline(true)
    await button(portal, 'Create password').click()
    await problem(portal, 'No connection').waitFor({ timeout: 30_000 })
    expect(await portal.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
    await visitor.context.setOffline(false)
    await button(portal, 'Create password').click()

    await keepRecoverySecret(shop)
    await visitor.close()
  })

  it('keys that are being made are finished when the connection is back', { tags: 'usual' }, async () => {
    const [email, password] = [newEmail(), newPassword()]
    const visitor = await visit(browser())
    visitor.seen.expectErrors(offlineNoise)
    const shop = await visitor.shop()
    await proveEmail(shop, email)
    const begun = visitor.context.waitForEvent('request', isFrame)
    const letGo = await hold(visitor, /\/protocol$/)
    await createPassword(await windowOf(shop, 'Use a password'), password)
    await begun
    const given = lostFrames(visitor, 1 + retries)
    await visitor.context.setOffline(true)
    letGo()
    await given
    await visitor.context.setOffline(false)

    await finish(shop)
    await shownAddresses(shop)
    await visitor.close()
  })

  it('a login keeps its password and continues, and a signature fails with the word that nothing was signed', async () => {
    const { email, password, addresses } = await account()
    const visitor = await visit(browser())
    visitor.seen.expectErrors(offlineNoise)
    const shop = await welcomeBack(visitor, email)
    const portal = await windowOf(shop, 'Sign in with your password')
    await heading(portal, 'Enter your password')
    await portal.getByLabel('Password', { exact: true }).fill(password)
    await visitor.context.setOffline(true)
    await button(portal, 'Open my wallets').click()
    await problem(portal, 'No connection').waitFor({ timeout: 30_000 })
    expect(await portal.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
    await visitor.context.setOffline(false)
    await button(portal, 'Open my wallets').click()
    expect(await shownAddresses(shop)).toEqual(addresses)
    await shop.getByRole('dialog').waitFor({ state: 'hidden' })

    await visitor.context.setOffline(true)
    await button(shop, 'Sign').click()
    await problem(shop, 'Nothing was signed').waitFor({ timeout: 60_000 })
    await visitor.context.setOffline(false)
    await signInShop(shop, 'Back again.')
    await visitor.close()
  })
})

describe('a reload in the middle', () => {
  it('of the portal asks again for what was typed, and of the shop goes on with the wallets', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const visitor = await visit(browser())
    const shop = await visitor.shop()
    await proveEmail(shop, email)
    const portal = await windowOf(shop, 'Use a password')
    await heading(portal, 'Create your password')
    await portal.reload()
    await heading(portal, 'Create your password')
    const begun = visitor.context.waitForEvent('request', isFrame)
    await createPassword(portal, password)
    await begun
    await shop.reload()

    await finish(shop)
    await signInShop(shop, 'After a reload.')
    await visitor.close()
  })
})

describe('two tabs at once', () => {
  it('that log in for the first time both succeed, and both sign', async () => {
    const { email, password, addresses } = await account()
    const visitor = await visit(browser())
    const shops = [await welcomeBack(visitor, email), await welcomeBack(visitor, email)]
    const portals: Page[] = []
    for (const shop of shops) {
      await shop.bringToFront()
      portals.push(await windowOf(shop, 'Sign in with your password'))
    }
    for (const portal of portals) {
      if (portal.isClosed()) continue
      await portal.bringToFront()
      await enterPassword(portal, password).catch((error: unknown) => {
        // The other tab's login was taken over meanwhile, and this window is not needed any more.
        if (!portal.isClosed()) throw error
      })
    }
    for (const shop of shops) expect(await shownAddresses(shop)).toEqual(addresses)
    for (const shop of shops) await shop.getByRole('dialog').waitFor({ state: 'hidden' })
    await Promise.all(shops.map((shop, index) => signInShop(shop, `From tab ${index}.`)))
    expectQuiet(visitor.seen)
    await visitor.close()
  })
})
