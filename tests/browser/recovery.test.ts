/** Recovery after the loss of the password and of every device, with the mailbox and the recovery secret. */
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { textNeedle } from '../service/needles.ts'
import { carriedPasskey, passwordOf } from './kit/credentials.ts'
import { look } from './kit/look.ts'
import {
  button,
  createPassword,
  giveEmail,
  heading,
  logIn,
  openDialog,
  shownAddresses,
  signInShop,
  signUp,
  windowOf,
} from './kit/person.ts'
import { development, stack } from './kit/stack.ts'
import { expectEvmSignature } from './kit/verify.ts'
import { blockPopups, hold, newEmail, newPassword, useChromium, visit, type Visitor } from './kit/visitor.ts'
import { expectNoSecrets, expectNothingOwnSent, expectQuiet } from './kit/watch.ts'

const browser = useChromium()

/** The code of the letter that comes after this many. */
const lettersTo = async (email: string) => {
  const answer = await fetch(`${stack().admin}/dev/mailbox?to=${encodeURIComponent(email)}`)
  return (
    (await answer.json()) as {
      readonly messages: readonly { readonly subject: string; readonly code: string | null }[]
    }
  ).messages
}

const codeAfter = async (email: string, letters: number): Promise<string> => {
  await expect.poll(async () => (await lettersTo(email)).slice(letters).some(({ code }) => code !== null)).toBe(true)
  return (await lettersTo(email)).findLast(({ code }) => code !== null)?.code ?? ''
}

/** The page, as its link in the shop's dialog opens it. */
const openFromShop = async (visitor: Visitor, email: string): Promise<Page> => {
  const shop = await visitor.shop()
  await openDialog(shop)
  await giveEmail(shop, email)
  const link = shop.getByRole('link', { name: 'Lost your passkey or password?' })
  const [opened] = await Promise.all([visitor.context.waitForEvent('page'), link.click()])
  await heading(opened, 'Recover your wallets')
  return opened
}

const open = async (visitor: Visitor, email: string): Promise<Page> => {
  const page = await visitor.context.newPage()
  const asked = new URLSearchParams({ apiKey: development().apiKey, email })
  await page.goto(`${stack().connect}/recover?${asked.toString()}`)
  await heading(page, 'Recover your wallets')
  return page
}

/** Up to the question for the secret, by keyboard. */
const proveEmail = async (page: Page, email: string): Promise<void> => {
  const letters = (await lettersTo(email)).length
  await page.keyboard.press('Enter')
  await heading(page, 'Check your email')
  await page.keyboard.type(await codeAfter(email, letters))
  await heading(page, 'Enter your recovery secret')
}

const giveSecret = async (page: Page, secret: string): Promise<void> => {
  await page.getByLabel('Recovery secret', { exact: true }).fill(secret)
  await button(page, 'Open my backups').click()
}

/** Goes to the button by Tab from where the focus is, as a person without a mouse does. */
const pressByKeyboard = async (page: Page, name: string): Promise<void> => {
  for (let steps = 0; steps < 20; steps++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    if (focused === name) return page.keyboard.press('Enter')
  }
  throw new Error(`the focus never came to ${name}`)
}

const anothersSecret = (secret: string): string =>
  JSON.stringify({ ...(JSON.parse(secret) as object), backupDecryptionKey: '07'.repeat(32) })

describe('a person who lost everything but the mailbox and the recovery secret', () => {
  it('recovers the same wallets with a new password, and the lost device no longer signs', async () => {
    const [email, password] = [newEmail(), newPassword()]
    const lost = await visit(browser())
    const { shop, recoverySecret } = await signUp(lost, email, passwordOf().signUp)
    const addresses = await shownAddresses(shop)

    const visitor = await visit(browser())
    visitor.seen.expectErrors(/40\d|ERR_FAILED/)
    const page = await openFromShop(visitor, email)
    expect(page.url()).toBe(`${stack().connect}/recover`)
    expect(await page.evaluate(() => window.opener === null)).toBe(true)
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)
    await look(page, 'recover-email')

    const letters = (await lettersTo(email)).length
    await page.getByLabel('Email address').focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Check your email')
    await look(page, 'recover-code')
    const code = await codeAfter(email, letters)
    await page.keyboard.type(code === '000000' ? '111111' : '000000')
    await page.getByText('Incorrect code').waitFor()
    await look(page, 'recover-code-refused')
    await page.keyboard.type(code)
    await heading(page, 'Enter your recovery secret')
    expect((await lettersTo(email)).at(-1)?.subject).toMatch(/recovery/i)
    await look(page, 'recover-secret')

    await giveSecret(page, anothersSecret(recoverySecret))
    await page.getByText('This is not the recovery secret of these wallets').waitFor()
    await look(page, 'recover-secret-refused')
    const file = page.getByLabel('File with the recovery secret')
    const tooLong = Buffer.alloc(16 * 1024 + 1)
    await file.setInputFiles({ name: 'another.json', mimeType: 'application/json', buffer: tooLong })
    await page.getByText('This file is too long for a recovery secret').waitFor()
    await page.evaluate(() => {
      File.prototype.text = () => {
        Reflect.deleteProperty(File.prototype, 'text')
        return Promise.reject(new DOMException('it is gone', 'NotFoundError'))
      }
    })
    await file.setInputFiles({ name: 'gone.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.getByText('This file cannot be read').waitFor()
    await file.setInputFiles({
      name: 'recovery-secret.json',
      mimeType: 'application/json',
      buffer: Buffer.from(recoverySecret),
    })
    await expect.poll(() => page.getByLabel('Recovery secret', { exact: true }).inputValue()).toBe(recoverySecret)
    expect(await page.getByText('This file').count()).toBe(0)
    await button(page, 'Open my backups').click()
    await heading(page, 'Protect your wallets again')
    await look(page, 'recover-credential')

    const closed = await windowOf(page, 'Use a password')
    await heading(page, 'Continue in the window')
    await look(page, 'recover-waiting')
    await button(page, 'Close the window and go back').click()
    await heading(page, 'Protect your wallets again')
    await expect.poll(() => closed.isClosed()).toBe(true)

    // The line to the co-signer breaks at the first wallet, and is mended.
    let isBroken = true
    await visitor.context.route(/\/protocol$/, (route) => (isBroken ? route.abort() : route.continue()))
    const portal = await windowOf(page, 'Use a password')
    await createPassword(portal, password)
    await heading(page, 'Recovering your wallets')
    await heading(page, 'No connection')
    await look(page, 'recover-stopped')
    isBroken = false
    const letGo = await hold(visitor, /\/key-shares$/)
    await button(page, 'Try again').click()
    await page.getByText('backing up').waitFor({ timeout: 30_000 })
    await look(page, 'recover-working')
    letGo()

    await heading(page, 'Keep your new secret safe')
    await look(page, 'recover-new-secret')
    const made = await page.getByRole('textbox', { name: 'Recovery secret' }).inputValue()
    expect(made).not.toBe(recoverySecret)
    await button(page, 'Save as a file').click()
    await button(page, 'I’ve saved it').click()
    await heading(page, 'Your wallets are back')
    await look(page, 'recover-done')
    expect(await page.getByRole('list', { name: 'Wallets' }).innerText()).toContain('Ethereum wallet of')
    await page.reload()
    await heading(page, 'Recover your wallets')
    await expect.poll(async () => (await lettersTo(email)).at(-1)?.subject).toMatch(/recovered/i)

    const back = await visit(browser())
    const again = await logIn(back, email, passwordOf(password).logIn)
    expect(await shownAddresses(again)).toEqual(addresses)
    await expectEvmSignature(addresses.evm, 'I am back.', await signInShop(again, 'I am back.'))

    lost.seen.expectErrors(/40\d|ApiError/)
    await shop.getByLabel('Message').fill('Somebody else.')
    await button(shop, 'Sign').click()
    await shop
      .getByText(/session|sign in|log in/i)
      .first()
      .waitFor()
    expect(await shop.getByText('viem has verified it').count()).toBe(0)

    const known = [
      textNeedle('recovery secret', recoverySecret),
      textNeedle('new recovery secret', made),
      textNeedle('password', password),
    ]
    expectQuiet(visitor.seen)
    expectQuiet(back.seen)
    expectNothingOwnSent(visitor.seen, known)
    await expectNoSecrets(visitor.seen, known)
    for (const { context } of [lost, visitor, back]) await context.close()
  })

  it('recovers with a passkey, and confirms the addresses where the secret has an older form', async () => {
    const email = newEmail()
    const lost = await visit(browser())
    const { shop, recoverySecret } = await signUp(lost, email, passwordOf().signUp)
    const addresses = await shownAddresses(shop)
    await lost.close()

    const passkey = carriedPasskey()
    const visitor = await visit(browser(), { prepare: passkey.prepare })
    const page = await open(visitor, email)
    await proveEmail(page, email)
    const { backupDecryptionKey } = JSON.parse(recoverySecret) as { readonly backupDecryptionKey: string }
    await page.keyboard.insertText(`${backupDecryptionKey}|anything`)
    await pressByKeyboard(page, 'Open my backups')
    await heading(page, 'Are these your wallets?')
    await look(page, 'recover-comparing')
    const shown = await page.getByRole('list', { name: 'Wallets' }).innerText()
    expect(shown.replace(/\s/g, '')).toContain(addresses.evm.replace(/\s/g, ''))
    await pressByKeyboard(page, 'They are mine')
    await heading(page, 'Protect your wallets again')
    await passkey.signUp.protect(await windowOf(page, 'Use a passkey'))
    await heading(page, 'Keep your new secret safe')
    await pressByKeyboard(page, 'Continue without it')
    await heading(page, 'Continue without it?')
    await look(page, 'recover-new-secret-leaving')
    await pressByKeyboard(page, 'Back to the secret')
    await heading(page, 'Keep your new secret safe')
    await pressByKeyboard(page, 'Copy')
    await page.getByText('Copied. Paste it').waitFor()
    await pressByKeyboard(page, 'I’ve saved it')
    await heading(page, 'Your wallets are back')
    expectQuiet(visitor.seen)
    await visitor.close()

    const back = await visit(browser(), { prepare: passkey.prepare })
    const again = await logIn(back, email, passkey.logIn)
    expect(await shownAddresses(again)).toEqual(addresses)
    await expectEvmSignature(addresses.evm, 'With a passkey.', await signInShop(again, 'With a passkey.'))
    await back.close()
  })
})

describe('the recovery page', () => {
  it('says what to do where windows are blocked, and stops when the person gives up', { tags: 'usual' }, async () => {
    const email = newEmail()
    const lost = await visit(browser())
    const { recoverySecret } = await signUp(lost, email, passwordOf().signUp)

    const visitor = await visit(browser(), { prepare: blockPopups })
    const page = await open(visitor, email)
    const letMail = await hold(visitor, /\/recovery\/init$/)
    const proven = proveEmail(page, email)
    await button(page, 'Sending a code…').waitFor()
    await look(page, 'recover-email-working')
    letMail()
    await proven
    const letOpen = await hold(visitor, /\/key-shares\?type=USER/)
    await giveSecret(page, recoverySecret)
    await button(page, 'Opening your backups…').waitFor()
    await look(page, 'recover-secret-working')
    letOpen()
    await heading(page, 'Protect your wallets again')
    await button(page, 'Use a password').click()
    await page.getByText('Your browser blocked the window').waitFor()
    await look(page, 'recover-popup-blocked')
    await button(page, 'Cancel this recovery').click()
    await heading(page, 'Recover your wallets')

    const shop = lost.context.pages()[0]
    if (shop === undefined) throw new Error('the shop is open')
    const { evm } = await shownAddresses(shop)
    await expectEvmSignature(evm, 'Still me.', await signInShop(shop, 'Still me.'))
    await button(shop, email).click()
    await button(shop, 'Cancel a recovery I didn’t start').click()
    await shop.getByText('No recovery of your account is under way').waitFor()
    await look(shop, 'shop-account-stopped')
    await lost.close()
    await visitor.close()
  })

  it('is reached from the portal’s login pages, and needs an app to come from', async () => {
    const email = newEmail()
    const lost = await visit(browser())
    await signUp(lost, email, passwordOf().signUp)
    await lost.close()

    const visitor = await visit(browser())
    const shop = await visitor.shop()
    await openDialog(shop)
    await giveEmail(shop, email)
    await button(shop, 'Sign in with your password').waitFor()
    await look(shop, 'shop-login')
    const portal = await windowOf(shop, 'Sign in with your password')
    await heading(portal, 'Enter your password')
    await look(portal, 'portal-login-password')
    const link = portal.getByRole('link', { name: 'Lost your passkey or password?' })
    const [page] = await Promise.all([visitor.context.waitForEvent('page'), link.click()])
    await heading(page, 'Recover your wallets')
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)

    await page.goto(`${stack().connect}/recover`)
    await heading(page, 'Recover your wallets')
    const other = await visitor.context.newPage()
    await other.goto(`${stack().connect}/recover`)
    await heading(other, 'This link is incomplete')
    await look(other, 'recover-incomplete')
    await other.goto(stack().connect)
    await heading(other, 'All your wallets, in one place')
    await look(other, 'connect')
    expectQuiet(visitor.seen)
    await visitor.close()
  })
})
