/** What a person does in the shop and in the portal's windows, by the words that stand on the buttons. */
import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { operatorName, stack } from './stack.ts'
import { mailedCode, type Visitor } from './visitor.ts'

export type Addresses = { readonly evm: string; readonly solana: string }

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })

/** Until the page shows this heading. */
export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name }).waitFor()

/** The shop with its dialog open. */
export const openDialog = async (shop: Page): Promise<void> => {
  await button(shop, 'Sign in').click()
  await shop.getByRole('dialog').waitFor()
}

export const giveEmail = async (shop: Page, email: string): Promise<void> => {
  await shop.getByLabel('Email address').fill(email)
  await button(shop, 'Continue').click()
}

/** Up to the question of what protects the wallets. */
export const proveEmail = async (shop: Page, email: string): Promise<void> => {
  await openDialog(shop)
  await giveEmail(shop, email)
  await shop.getByRole('group', { name: 'Code from the email' }).getByRole('textbox').first().click()
  await shop.keyboard.type(await mailedCode(email))
  await button(shop, 'Use a password').waitFor()
  await shop.getByText(`A window of ${operatorName} at ${new URL(stack().portal).host} opens.`).waitFor()
}

/** Presses a button of the shop and answers the portal's window that opens. */
export const windowOf = async (shop: Page, name: string): Promise<Page> => {
  const [opened] = await Promise.all([shop.context().waitForEvent('page'), button(shop, name).click()])
  return opened
}

export const createPassword = async (portal: Page, password: string): Promise<void> => {
  await portal.getByLabel('Password', { exact: true }).fill(password)
  await portal.getByLabel('Repeat password', { exact: true }).fill(password)
  await button(portal, 'Create password').click()
}

export const enterPassword = async (portal: Page, password: string): Promise<void> => {
  await portal.getByLabel('Password', { exact: true }).fill(password)
  await button(portal, 'Open my wallets').click()
}

/** The recovery secret is shown once; the person closes the view. Returns the secret. */
export const keepRecoverySecret = async (shop: Page): Promise<string> => {
  const text = shop.getByRole('textbox', { name: 'Recovery secret' })
  await text.waitFor()
  const secret = await text.inputValue()
  await button(shop, 'Continue without it').click()
  await shop.getByText('It is shown only once', { exact: true }).waitFor()
  await shop.getByText(`not even ${operatorName}.`).waitFor()
  await button(shop, 'Continue without it').click()
  return secret
}

export const closeDialog = async (shop: Page): Promise<void> => {
  const dialog = shop.getByRole('dialog')
  if (await dialog.isVisible()) await shop.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

/** Up to the signed-in shop: `protect` does what the portal's window asks for. */
export const signUp = async (
  visitor: Visitor,
  email: string,
  { choice, protect }: { readonly choice: string; readonly protect: (portal: Page) => Promise<void> },
): Promise<{ readonly shop: Page; readonly recoverySecret: string }> => {
  const shop = await visitor.shop()
  await proveEmail(shop, email)
  await protect(await windowOf(shop, choice))
  const recoverySecret = await keepRecoverySecret(shop)
  await closeDialog(shop)
  return { shop, recoverySecret }
}

export const logIn = async (
  visitor: Visitor,
  email: string,
  { choice, prove }: { readonly choice: string; readonly prove: (portal: Page) => Promise<void> },
): Promise<Page> => {
  const shop = await visitor.shop()
  await openDialog(shop)
  await giveEmail(shop, email)
  await prove(await windowOf(shop, choice))
  await shop.getByRole('heading', { name: 'Your wallets' }).waitFor({ timeout: 30_000 })
  return shop
}

/** The session stays, and this device has lost its key shares (tandem/sealed) or the keys of the session (tandem/keys). */
export const forgetDatabases = async (shop: Page, names: readonly string[]): Promise<void> => {
  await shop.goto(`${stack().shop}/nowhere.txt`)
  await shop.evaluate(
    (all) =>
      Promise.all(
        all.map(
          (name) =>
            new Promise((resolve, reject) => {
              Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onblocked: reject })
            }),
        ),
      ),
    names,
  )
  await shop.goto(stack().shop)
}

/** As the shop shows them. */
export const shownAddresses = async (shop: Page): Promise<Addresses> => {
  const shown = (name: string) =>
    shop.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').innerText()
  await shop.getByRole('heading', { name: 'Your wallets' }).waitFor()
  await expect.poll(async () => `${await shown('Ethereum')} ${await shown('Solana')}`).not.toContain('not made yet')
  return { evm: await shown('Ethereum'), solana: await shown('Solana') }
}

/** Signs in the shop's form, with the Ethereum wallet. */
export const signInShop = async (shop: Page, message: string): Promise<`0x${string}`> => {
  await shop.getByRole('radio', { name: 'Ethereum' }).check()
  await shop.getByLabel('Message').fill(message)
  await button(shop, 'Sign').click()
  await shop.getByText('viem has verified it').waitFor()
  return (await textUnder(shop, 'Signature')) as `0x${string}`
}

/** The same with the Solana wallet; base64. */
export const signInShopBySolana = async (shop: Page, message: string): Promise<string> => {
  await shop.getByRole('radio', { name: 'Solana' }).check()
  await shop.getByLabel('Message').fill(message)
  await button(shop, 'Sign').click()
  await shop.getByText('Your browser has verified it').waitFor()
  return textUnder(shop, 'Signature')
}

/** Pays for a coffee; answers the transaction's hash. */
export const payInShop = async (shop: Page): Promise<`0x${string}`> => {
  await button(shop, 'Get 1 test ETH').click()
  await button(shop, /^Pay /).click({ timeout: 20_000 })
  await shop.getByText('Paid, and mined in block').waitFor({ timeout: 20_000 })
  return (await textUnder(shop, 'Transaction')) as `0x${string}`
}

const textUnder = (shop: Page, label: string): Promise<string> =>
  shop.getByText(label, { exact: true }).locator('xpath=following-sibling::p').first().innerText()

export const signOut = async (shop: Page, email: string): Promise<void> => {
  await button(shop, email).click()
  await button(shop, 'Sign out').click()
  await shop.getByRole('heading', { name: 'Good coffee', includeHidden: true }).waitFor()
  await closeDialog(shop)
  await button(shop, 'Open a wallet or sign in').waitFor()
}

/** Whether this is a page of the portal. */
export const isPortal = (page: Page): boolean => page.url().startsWith(stack().portal)

/** Does what closes this window, and waits until it has: the window may be gone before a click or a key has ended. */
export const closing = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  const [acted, closed] = await Promise.allSettled([act(), page.waitForEvent('close')])
  if (closed.status === 'rejected') throw acted.status === 'rejected' ? acted.reason : closed.reason
}

/** On the page of a review that asks for the person's password. */
export const acceptWithPassword = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('Your password, to accept', { exact: true }).fill(password)
  await button(page, 'Accept').click()
}
