/** A person at a computer: a browser context of its own, watched from its first moment. */
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, TestRunner } from 'vitest'
import { development, stack } from './stack.ts'
import { watch, type Watch } from './watch.ts'

export type Visitor = {
  readonly context: BrowserContext
  readonly seen: Watch
  /** A tab on the shop. */
  readonly shop: () => Promise<Page>
  readonly close: () => Promise<void>
}

const screen = { width: 1280, height: 800 }

/** The Chromium of this run, for the tests of this file. */
export const useChromium = (): (() => Browser) => {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.connect(stack().chromium)
  })
  afterEach(async () => {
    for (const [context, seen] of here) await record(context, seen)
  })
  afterAll(async () => {
    await browser?.close()
  })
  return () => {
    if (browser === undefined) throw new Error('Chromium is there from the first test on')
    return browser
  }
}

/** Before the first page: with what the person comes, and what their browser does. */
export type Visit = BrowserContextOptions & {
  readonly prepare?: (context: BrowserContext) => Promise<unknown> | void
}

export const visit = async (browser: Browser, { prepare, ...options }: Visit = {}): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: screen, screen, ...options })
  // A passkey without PRF searches for random primes, which takes many times as long as usual now and then.
  context.setDefaultTimeout(90_000)
  await prepare?.(context)
  const seen = await watch(context)
  here.set(context, seen)
  context.once('close', () => here.delete(context))
  return {
    context,
    seen,
    shop: async () => {
      const page = await context.newPage()
      await page.goto(stack().shop)
      return page
    },
    close: async () => {
      await record(context, seen)
      await context.close()
    },
  }
}

/** Visitors who have not gone. */
const here = new Map<BrowserContext, Watch>()

/** What a failed test leaves to be looked at: what its pages printed and showed, and pictures of them. */
const record = async (context: BrowserContext, { printed }: Watch): Promise<void> => {
  if (TestRunner.getCurrentTest()?.result?.state !== 'fail') return
  const lines = printed.slice(-20).map((text) => text.slice(0, 200))
  for (const [index, page] of context.pages().entries()) {
    const shown = await page.locator('body').innerText({ timeout: 5_000 }).catch(String)
    lines.push(`${new URL(page.url()).pathname}:`, shown)
    const path = join('dist', 'screenshots', 'failed', `${Date.now()}-${index}.png`)
    await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined)
  }
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Where there is no activation left and where a blocker is strict, window.open answers null: here it always does. */
export const blockPopups = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    window.open = () => null
  })

/** Holds back these calls until they are let go. */
export const hold = async (visitor: Visitor, path: RegExp): Promise<() => void> => {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await visitor.context.route(path, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

let people = 0

export const newEmail = (): string => `person-${process.pid}-${(people += 1)}-${Date.now()}@example.com`

/** Another one for each visitor. */
export const newPassword = (): string => `orchid lamp ${crypto.randomUUID()}`

/** The newest code that was mailed to this address. */
export const mailedCode = async (email: string): Promise<string> => {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const answer = await fetch(`${stack().admin}/dev/mailbox?to=${encodeURIComponent(email)}`)
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly code: string | null }[] }
    const code = messages.at(-1)?.code
    if (code !== undefined && code !== null) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no code was mailed')
}

export const chainUrl = (): string => {
  const { chain } = development().addresses
  if (chain === undefined) throw new Error('this platform has no local chain')
  return chain
}
