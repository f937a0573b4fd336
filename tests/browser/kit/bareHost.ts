/** What a person does on the bare host (harness/), whose click on Go begins what the test has said. */
import type { BrowserContext, Page } from 'playwright'
import { expect } from 'vitest'
import type { Bare } from '../harness/host.ts'
import type { Credential } from './credentials.ts'
import { harnessBase } from './harness.ts'
import { stack } from './stack.ts'
import { mailedCode, newEmail } from './visitor.ts'

declare const window: Bare

/** At an origin of the shop. */
export const bareHost = (origin = stack().shop): string => `${origin}${harnessBase}index.html`

/** A tab on the bare host. */
export const openBareHost = async (context: BrowserContext, origin?: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(bareHost(origin))
  await page.waitForFunction(() => document.title === 'Bare host, ready')
  return page
}

/** A new account whose mailbox is proven, before a credential is made; answers its address. */
export const verify = async (host: Page, email = newEmail()): Promise<string> => {
  await host.evaluate((mine) => window.para.createUser({ email: mine }), email)
  const code = await mailedCode(email)
  await host.evaluate((mailed) => window.para.verifyEmail(mailed), code)
  return email
}

/** The click, where it opens no window. */
export const pressGo = (host: Page): Promise<void> => host.getByRole('button', { name: 'Go', exact: true }).click()

/** The click, and the window that it opens. */
export const clickGo = async (host: Page): Promise<Page> => {
  const [opened] = await Promise.all([host.context().waitForEvent('page'), pressGo(host)])
  return opened
}

export type Went = { readonly value?: unknown; readonly error?: string }

/** What came of the last click. */
export const went = (host: Page): Promise<Went> => host.evaluate(() => window.went as Promise<Went>)

/** A tab on the bare host with a new person's wallets. */
export const signUpOn = async (
  context: BrowserContext,
  { signUp }: Pick<Credential, 'signUp'>,
  origin?: string,
): Promise<{ readonly host: Page; readonly email: string }> => {
  const host = await openBareHost(context, origin)
  const email = await verify(host)
  await host.evaluate((isPasskey) => {
    window.onGo = () => (isPasskey ? window.para.setUpPasskey() : window.para.setUpPassword())
  }, signUp.choice === 'Use a passkey')
  await signUp.protect(await clickGo(host))
  expect(await went(host)).toMatchObject({ value: { walletIds: expect.any(Array) } })
  return { host, email }
}

/** Of the person's Ethereum wallet. */
export const evmAddress = async (host: Page): Promise<string> => {
  const wallets = await host.evaluate(() => window.para.getWallets())
  return wallets.find(({ type }) => type === 'EVM')?.address ?? ''
}
