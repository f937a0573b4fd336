/**
 * Attackers in a browser (SECURITY.md): pages on an origin of their own, links to logins that the attacker began, a writer
 * of the service's database, and a stolen token. The victim does everything that the page allows.
 */
import { generateKeyPairSync } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as RsaKey from '../../domain/crypto/RsaKey.ts'
import type { Bare } from './harness/host.ts'
import { heardBy, layBait, startEvilSite, type Bait, type EvilSite } from './kit/evil.ts'
import { passwordOf } from './kit/credentials.ts'
import { bareHost, openBareHost } from './kit/bareHost.ts'
import { button, enterPassword, giveEmail, openDialog, signUp, windowOf } from './kit/person.ts'
import { rewrite } from './kit/rewrite.ts'
import { stack } from './kit/stack.ts'
import { newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'

const browser = useChromium()

let evil: EvilSite
const email = newEmail()
const password = newPassword()

beforeAll(async () => {
  evil = await startEvilSite()
  const victim = await visit(browser())
  await signUp(victim, email, passwordOf(password).signUp)
  await victim.close()
})

afterAll(async () => {
  await evil.close()
})

/** The calls of a page that could authenticate a session or deliver a share. */
const deliveriesOf = (visitor: Visitor): readonly string[] =>
  visitor.seen.requests
    .filter((request) => request.method() === 'POST')
    .filter((request) => /\/(?:temporary-shares|wallets\/set|redeem)$/.test(request.url()))
    .map((request) => new URL(request.url()).pathname)

/** The victim's browser, on the attacker's site. */
const lure = async (): Promise<{ readonly victim: Visitor; readonly page: Page }> => {
  const victim = await visit(browser())
  const page = await victim.context.newPage()
  await page.goto(evil.origin)
  return { victim, page }
}

const openFrom = async (victim: Visitor, page: Page, link: string): Promise<Page> => {
  const opened = victim.context.waitForEvent('page')
  await page.evaluate((link) => {
    const opens = () => window.open(link, 'portal', 'popup,width=500,height=700')
    document.querySelector('button')?.addEventListener('click', opens)
  }, link)
  await page.getByRole('button').click()
  return opened
}

/** Agrees to everything, types the password, and waits for the outcome. */
const comply = async (portal: Page): Promise<void> => {
  await button(portal, 'Yes, continue').click()
  await enterPassword(portal, password)
  await portal.waitForURL((url) => url.origin !== stack().portal)
}

/** In the victim's own shop no session is signed in, and nothing is stored. */
const expectNobodyIn = async (victim: Visitor): Promise<void> => {
  const host = await openBareHost(victim.context)
  expect(await host.evaluate(() => (window as unknown as Bare).para.isSessionActive())).toBe(false)
  expect(await host.evaluate(() => (window as unknown as Bare).para.getWallets().catch(() => []))).toEqual([])
}

describe('invariant 2: no session is authenticated by a page whose opener or return origin is not its own', () => {
  let bait: Bait
  beforeAll(async () => {
    bait = await layBait(browser(), email)
  })
  afterAll(async () => {
    await bait.close()
  })

  it('invariant 2: the portal does not load in a frame', { tags: 'usual' }, async () => {
    const { victim, page } = await lure()
    victim.seen.expectErrors(/frame-ancestors|X-Frame-Options/i)
    await page.evaluate((link) => {
      const frame = document.createElement('iframe')
      frame.src = link
      document.body.append(frame)
    }, bait.link)

    await expect.poll(() => victim.seen.printed.join()).toMatch(/frame-ancestors/)
    const frame = page.frames().find((found) => found !== page.mainFrame())
    expect(
      await frame
        ?.locator('input, button')
        .count()
        .catch(() => 0),
    ).toBe(0)
    expect(victim.seen.requests.filter((request) => request.url().endsWith('/openings'))).toEqual([])
    expect(await heardBy(page)).toEqual([])
    await bait.expectNothing()
    await victim.close()
  })

  it('invariant 2: a page that opens the portal itself hears nothing, and no session is authenticated', async () => {
    const { victim, page } = await lure()
    const portal = await openFrom(victim, page, bait.link)

    await comply(portal)
    expect(new URL(portal.url()).origin).toBe(stack().shop)
    expect(await heardBy(page)).toEqual([])
    await expectNobodyIn(victim)
    await bait.expectNothing()
    await victim.close()
  })

  it('invariant 2: a page that opens the portal and then becomes the shop gets no answer from it', async () => {
    const { victim, page } = await lure()
    const portal = await openFrom(victim, page, bait.link)
    await page.goto(bareHost())

    await button(portal, 'Yes, continue').waitFor()
    expect(victim.seen.requests.filter((request) => request.url().endsWith('/ticket'))).toEqual([])
    await comply(portal)
    await expectNobodyIn(victim)
    await bait.expectNothing()
    await victim.close()
  })

  it('invariant 2: a link to an attacker’s session authenticates no session', async () => {
    const { victim, page } = await lure()
    await page.goto(bait.link)

    await comply(page)
    expect(new URL(page.url()).origin).toBe(stack().shop)
    await expectNobodyIn(victim)
    await bait.expectNothing()
    await victim.close()
  })

  it('invariant 2: a link whose encryption key was swapped stops before anything is typed', async () => {
    const [theirs, victims] = [await layBait(browser(), newEmail()), await layBait(browser(), email)]
    const { victim, page } = await lure()
    const swapped = new URL(victims.link)
    swapped.searchParams.set('encryptionKey', new URL(theirs.link).searchParams.get('encryptionKey') ?? '')

    const portal = await openFrom(victim, page, swapped.href)
    await portal.getByText('This link does not match its login').waitFor()
    expect(await portal.locator('input').count()).toBe(0)
    expect(deliveriesOf(victim)).toEqual([])
    await theirs.expectNothing()
    await victims.expectNothing()
    for (const { close } of [theirs, victims, victim]) await close()
  })

  it('invariant 2: a link that names another address to return to returns to the registered one', async () => {
    const { victim, page } = await lure()
    const asked = evil.asked.length
    const link = new URL(bait.link)
    for (const name of ['returnUrl', 'redirectUrl', 'redirect_uri', 'deeplinkUrl', 'origin', 'portalUrl']) {
      link.searchParams.set(name, `${evil.origin}/take`)
    }
    const portal = await openFrom(victim, page, link.href)

    await comply(portal)
    expect(new URL(portal.url()).origin).toBe(stack().shop)
    expect(evil.asked.slice(asked)).toEqual([])
    await expectNobodyIn(victim)
    await bait.expectNothing()
    await victim.close()
  })
})

describe('invariant 1: no share leaves the portal but to the key whose owner answered in that page', () => {
  /** Keys of the attacker, as the service would have them in its tables. */
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const theirs = {
    loginPublicKey: RsaKey.publicPemHex(new Uint8Array(rsa.export({ type: 'pkcs1', format: 'der' }))),
    devicePublicKey: bytesToHex(p256.getPublicKey(p256.utils.randomSecretKey(), false)),
  }

  /** A login of the victim at a service whose database an attacker writes. */
  const logInAt = async (change: (body: Record<string, unknown>) => unknown, encryptionKey?: string) => {
    const victim = await visit(browser())
    victim.seen.expectErrors(/./)
    await victim.context.route(`${stack().api}/openings`, (route) => rewrite(route, { method: 'POST', change }))
    if (encryptionKey !== undefined) await victim.context.addInitScript(exchangeKey, encryptionKey)
    const shop = await victim.shop()
    await openDialog(shop)
    await giveEmail(shop, email)
    return { victim, shop, portal: await windowOf(shop, 'Sign in with your password') }
  }

  /** The link that the portal's page reads has another key in it. */
  const exchangeKey = (key: string) => {
    const url = new URL(location.href)
    if (!url.searchParams.has('encryptionKey')) return
    url.searchParams.set('encryptionKey', key)
    history.replaceState(null, '', url)
  }

  const expectStopped = async (victim: Visitor, portal: Page) => {
    await portal.getByRole('heading', { name: /^We could not confirm that/ }).waitFor()
    expect(await portal.locator('input').count()).toBe(0)
    expect(deliveriesOf(victim)).toEqual([])
  }

  it('invariant 1: a login key that was swapped in the database stops the page', { tags: 'usual' }, async () => {
    const { victim, portal } = await logInAt((body) => ({ ...body, loginPublicKey: theirs.loginPublicKey }))

    await portal.getByText('This link does not match its login').waitFor()
    expect(await portal.locator('input').count()).toBe(0)
    expect(deliveriesOf(victim)).toEqual([])
    await victim.close()
  })

  it('invariant 1: a login key that was swapped in the database and in the link proves no opener', async () => {
    const { loginPublicKey } = theirs
    const { victim, portal } = await logInAt((body) => ({ ...body, loginPublicKey }), loginPublicKey)

    await expectStopped(victim, portal)
    await victim.close()
  })

  it('invariant 1: a device key that was swapped in the database stops the page', async () => {
    const { victim, portal } = await logInAt((body) => ({ ...body, devicePublicKey: theirs.devicePublicKey }))

    await expectStopped(victim, portal)
    await victim.close()
  })

  it('invariant 1: an origin swapped in the database has no answer, and is read before anything is typed', async () => {
    const { victim, portal } = await logInAt((body) => ({ ...body, origin: evil.origin, returnUrl: `${evil.origin}/` }))

    await button(portal, 'Yes, continue').waitFor()
    await portal.getByText(`you’ll be sent to ${evil.origin}`).waitFor()
    expect(await portal.locator('input').count()).toBe(0)
    expect(deliveriesOf(victim)).toEqual([])
    await victim.close()
  })
})
