/** Every page and view, as people see it. */
import { describe, expect, it } from 'vitest'
import { carriedPasskey } from './kit/credentials.ts'
import { look } from './kit/look.ts'
import {
  button,
  closeDialog,
  createPassword,
  enterPassword,
  forgetDatabases,
  giveEmail,
  heading,
  openDialog,
  proveEmail,
  signUp,
  windowOf,
} from './kit/person.ts'
import { development, stack } from './kit/stack.ts'
import { blockPopups, hold, mailedCode, newEmail, newPassword, useChromium, visit } from './kit/visitor.ts'

const browser = useChromium()

describe('axe finds nothing, and nothing is cut off', () => {
  it('on the way to a new wallet with a password', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const visitor = await visit(browser())
    const shop = await visitor.shop()
    await look(shop, 'shop-welcome')
    await openDialog(shop)
    await look(shop, 'shop-email')
    await giveEmail(shop, 'nobody')
    await look(shop, 'shop-email-refused')
    await giveEmail(shop, email)
    const digits = shop.getByRole('group', { name: 'Code from the email' }).getByRole('textbox')
    await digits.first().click()
    await look(shop, 'shop-code')
    const code = await mailedCode(email)
    await shop.keyboard.type(code === '000000' ? '111111' : '000000')
    await shop
      .getByText(/invalid|not right|incorrect|wrong/i)
      .first()
      .waitFor()
    await look(shop, 'shop-code-refused')
    await digits.first().click()
    await shop.keyboard.press('Control+a')
    for (let index = 0; index < 6; index++) await shop.keyboard.press('Backspace')
    await digits.first().click()
    await shop.keyboard.type(code)
    await button(shop, 'Use a password').waitFor()
    await look(shop, 'shop-protect')

    const portal = await windowOf(shop, 'Use a password')
    await heading(portal, 'Create your password')
    await look(portal, 'portal-create-password')
    await look(shop, 'shop-waiting')
    await portal.getByLabel('Password', { exact: true }).fill('short')
    await portal.getByLabel('Repeat password', { exact: true }).fill('shorter')
    await button(portal, 'Create password').click()
    await look(portal, 'portal-create-password-refused')
    const letGo = await hold(visitor, /\/passwords\/[0-9a-f-]{36}$/)
    await createPassword(portal, password)
    await heading(portal, 'Creating your password')
    await look(portal, 'portal-create-password-working')
    const letGoKeys = await hold(visitor, /\/key-shares$/)
    letGo()
    await shop
      .getByText(/backing up/)
      .first()
      .waitFor()
    await look(shop, 'shop-making')
    letGoKeys()
    await shop.getByRole('textbox', { name: 'Recovery secret' }).waitFor()
    await look(shop, 'shop-recovery')
    await button(shop, 'Continue without it').click()
    await shop.getByText('It is shown only once', { exact: true }).waitFor()
    await look(shop, 'shop-recovery-leaving')
    await button(shop, 'Continue without it').click()
    await closeDialog(shop)
    await heading(shop, 'Your wallets')
    await look(shop, 'shop-customer')
    await button(shop, 'Sign').click()
    await shop.getByText('viem has verified it').waitFor()
    await look(shop, 'shop-signed')
    await shop.getByRole('radio', { name: 'Solana' }).check()
    await button(shop, 'Sign').click()
    await shop.getByText('Your browser has verified it').waitFor()
    await look(shop, 'shop-signed-solana')
    await button(shop, email).click()
    await heading(shop, 'Your account')
    await look(shop, 'shop-account')
    await forgetDatabases(shop, ['tandem/sealed'])
    await openDialog(shop)
    await shop.getByText(/^You are signed in as/).waitFor()
    await look(shop, 'shop-locked')
    await button(shop, 'Continue').click()
    await enterPassword(await windowOf(shop, 'Sign in with your password'), password)
    await heading(shop, 'Your wallets')
    await visitor.close()

    const second = await visit(browser())
    const again = await second.shop()
    await openDialog(again)
    await giveEmail(again, email)
    await button(again, 'Sign in with your password').waitFor()
    await look(again, 'shop-login')
    const login = await windowOf(again, 'Sign in with your password')
    await heading(login, 'Enter your password')
    await look(login, 'portal-login-password')
    await login.getByLabel('Password', { exact: true }).fill('not my password')
    await button(login, 'Open my wallets').click()
    await login.getByText(/Incorrect password/).waitFor()
    await look(login, 'portal-login-password-refused')
    await second.close()
  })

  it('on the pages for passkeys', async () => {
    const email = newEmail()
    const passkey = carriedPasskey()
    const visitor = await visit(browser(), { prepare: passkey.prepare })
    const { shop } = await signUp(visitor, email, {
      choice: 'Use a passkey',
      protect: async (portal) => {
        await heading(portal, 'Create your passkey')
        await look(portal, 'portal-create-passkey')
        await passkey.signUp.protect(portal)
      },
    })
    await shop.close()
    await visitor.close()

    const second = await visit(browser(), { prepare: passkey.prepare })
    const again = await second.shop()
    await openDialog(again)
    await giveEmail(again, email)
    const login = await windowOf(again, 'Sign in with your passkey')
    await heading(login, 'Use your passkey')
    await look(login, 'portal-login-passkey')
    await second.close()

    const without = await visit(browser())
    const stranger = await without.shop()
    await proveEmail(stranger, newEmail())
    const portal = await windowOf(stranger, 'Use a passkey')
    await heading(portal, 'This device cannot make a passkey here')
    await look(portal, 'portal-no-passkeys')
    await without.close()
  })

  it('where popups are blocked and the portal asks', async () => {
    const visitor = await visit(browser(), { prepare: blockPopups })
    const shop = await visitor.shop()
    await proveEmail(shop, newEmail())
    await button(shop, 'Use a password').click()
    const link = shop.getByRole('link', { name: /in this tab/ })
    await link.waitFor()
    await look(shop, 'shop-popup-blocked')
    await link.click()
    await heading(shop, /^Did you begin this in/)
    await look(shop, 'portal-asking')
    await visitor.close()
  })

  it('where the page is not secure', async () => {
    // An address of no machine: the shop answers for it.
    const elsewhere = 'http://192.0.2.2'
    const visitor = await visit(browser(), {
      prepare: (context) =>
        context.route(`${elsewhere}/**`, async (route) => {
          const url = route.request().url().replace(elsewhere, stack().shop.replace('shop.localhost', '127.0.0.1'))
          await route.fulfill({ response: await route.fetch({ url }) })
        }),
    })
    visitor.seen.expectErrors(/SecureContextRequired/)
    const shop = await visitor.context.newPage()
    await shop.goto(`${elsewhere}/?quickstart`)
    await openDialog(shop)
    await shop.getByText('Wallets need https, or localhost').waitFor()
    await look(shop, 'shop-insecure')
    await visitor.close()
  })

  it('on pages that cannot go on, on connect, and where there is no page', { tags: 'usual' }, async () => {
    const visitor = await visit(browser())
    visitor.seen.expectErrors(/40[0-9]|410/)
    const page = await visitor.context.newPage()
    const { portal, connect } = stack()
    const query = `apiKey=${development().apiKey}&sessionId=${crypto.randomUUID()}&email=a%40example.com`
    const link = `${portal}/web/passwords/login?${query}`
    await page.goto(link)
    await page.getByRole('heading').first().waitFor()
    await look(page, 'portal-dead-link')
    await page.goto(`${portal}/web/passwords/login`)
    await page.getByRole('heading').first().waitFor()
    await look(page, 'portal-empty-link')
    await page.goto(`${portal}/nowhere`)
    await heading(page, 'There is no page at this address')
    await look(page, 'portal-missing')
    await page.goto(connect)
    await page.getByRole('heading').first().waitFor()
    await look(page, 'connect')
    await page.goto(`${stack().shop}/?quickstart`)
    await button(page, 'Sign in').waitFor()
    await look(page, 'shop-quickstart')
    expect(visitor.seen.foreign).toEqual([])
    await visitor.close()
  })
})
