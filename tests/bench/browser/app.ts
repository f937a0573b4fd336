/** The example app as a person uses it: from the last click in the portal's window to an address in the shop. */
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Credential } from '../../browser/kit/credentials.ts'
import { giveEmail, isPortal, openDialog, proveEmail } from '../../browser/kit/person.ts'
import { stack } from '../../browser/kit/stack.ts'
import { newEmail } from '../../browser/kit/visitor.ts'
import { inTime } from './inTime.ts'
import { observe, takeRuns, type SeenRun } from './observe.ts'

type Seen = { readonly ms: number; readonly requests: number }

export type SeenEntry = {
  readonly signUp: Seen
  readonly logIn: Seen
  /** The key generations of the sign-up. */
  readonly runs: readonly SeenRun[]
}

/** A new person signs up, and logs in with a browser that has never been there. */
export const enterTwice = async (browser: Browser, credential: Credential): Promise<SeenEntry> => {
  const email = newEmail()
  const first = await visitShop(browser, credential)
  await proveEmail(first.shop, email)
  const signUp = await measured(first, credential.signUp.choice, credential.signUp.protect)
  const runs = await takeRuns(first.shop)
  await first.context.close()

  const second = await visitShop(browser, credential)
  await openDialog(second.shop)
  await giveEmail(second.shop, email)
  const logIn = await measured(second, credential.logIn.choice, credential.logIn.prove)
  await second.context.close()
  return { signUp, logIn, runs }
}

type Visit = { readonly context: BrowserContext; readonly shop: Page; readonly lastClick: () => number }

const visitShop = async (browser: Browser, credential: Credential): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await credential.prepare(context)
  await observe(context, { withoutKernel: false })
  let lastClick = 0
  await context.exposeBinding('benchClicked', ({ page }, at: number) => {
    if (isPortal(page)) lastClick = at
  })
  await context.addInitScript(tellClicks)
  const shop = await context.newPage()
  await shop.goto(stack().shop)
  return { context, shop, lastClick: () => lastClick }
}

declare const benchClicked: (at: number) => Promise<void>

/** Pages compare their clocks by the time since the epoch. */
const tellClicks = () => {
  const tell = ({ timeStamp }: Event) => void benchClicked(performance.timeOrigin + timeStamp)
  document.addEventListener('click', tell, { capture: true })
}

const measured = async (
  { context, shop, lastClick }: Visit,
  choice: string,
  answer: (portal: Page) => Promise<void>,
): Promise<Seen> => {
  const [portal] = await Promise.all([
    context.waitForEvent('page'),
    shop.getByRole('button', { name: choice, exact: true }).click(),
  ])
  const sentAt: number[] = []
  context.on('request', () => sentAt.push(Date.now()))
  const shown = shop.evaluate(addressShown)
  await answer(portal)
  const shownAt = await inTime(shown)
  const clickedAt = lastClick()
  return { ms: shownAt - clickedAt, requests: sentAt.filter((at) => at >= clickedAt && at <= shownAt).length }
}

/** When the shop shows an address of an EVM wallet. */
const addressShown = () =>
  new Promise<number>((resolve) => {
    const look = () => {
      const shown = [...document.querySelectorAll('dd')].map(({ textContent }) => textContent)
      if (!shown.some((text) => /^0x[0-9a-f]{40}$/i.test(text))) return
      observer.disconnect()
      resolve(performance.timeOrigin + performance.now())
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
