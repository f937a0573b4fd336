/**
 * What a browser makes of our CORS and of the session cookie (openapi/README.md#pages-of-other-origins): the public client asks with
 * credentials, our SDK without. No request is intercepted, because Playwright would answer the preflights then.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Frame, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { development, stack } from './kit/stack.ts'
import { useChromium } from './kit/visitor.ts'

const browser = useChromium()

/** Two apps; the frame in each has the origin 'null'. */
let apps: readonly Server[] = []
beforeAll(async () => {
  const html =
    '<!doctype html><link rel="icon" href="data:,"><title>App</title><iframe sandbox="allow-scripts" srcdoc=""></iframe>'
  apps = [1, 2].map(() => createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html)))
  for (const app of apps) await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const app of apps) app.close()
})

let context: BrowserContext
beforeEach(async () => {
  context = await browser().newContext()
})
afterEach(() => context.close())

const open = async (app: Server | undefined): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`http://localhost:${(app?.address() as AddressInfo).port}/`)
  return page
}

/** On the site of those pages: a cookie of DEV goes to no other. */
const api = () => `http://localhost:${new URL(stack().api).port}`

/** What the page can read of the answer: the session or the refusal, and a new token. */
const ask = (page: Page | Frame, method: string, path: string, credentials: RequestCredentials) =>
  page.evaluate(
    async ({ url, apiKey, ...init }) => {
      try {
        const answer = await fetch(url, { ...init, headers: { 'x-external-api-key': apiKey } })
        const text = await answer.text()
        const said = answer.ok
          ? (JSON.parse(text) as { readonly sessionId?: string }).sessionId
          : `${answer.status} ${answer.headers.get('x-error-code') ?? ''}: ${text}`
        return { said, token: answer.headers.get('x-capsule-sid') }
      } catch {
        return { said: 'not to be read', token: null }
      }
    },
    { url: api() + path, method, credentials, apiKey: development().apiKey },
  )

const touch = (page: Page | Frame, credentials: RequestCredentials) => ask(page, 'POST', '/touch', credentials)

it('a page of the partner reads with credentials and without, and its cookie keeps the session until it logs out', async () => {
  const page = await open(apps[0])

  const begun = await touch(page, 'include')
  const again = await touch(page, 'include')
  expect([begun.token, again.token]).toEqual([expect.stringMatching(/^[\w-]{43}$/), null])
  expect(again.said).toBe(begun.said)
  expect((await touch(page, 'omit')).said).not.toBe(begun.said)

  await ask(page, 'GET', '/logout', 'include')
  expect(await context.cookies(api())).toEqual([])
  expect((await touch(page, 'include')).said).not.toBe(begun.said)
})

it('a page of another origin does not get the session by the cookie', async () => {
  const [shop, other] = [await open(apps[0]), await open(apps[1])]

  const begun = await touch(shop, 'include')
  expect(await context.cookies(api())).toHaveLength(1)
  expect((await touch(other, 'include')).said).not.toBe(begun.said)
})

it('a foreign page reads why it is refused without credentials, and nothing with them', async () => {
  const [, page] = (await open(apps[0])).frames()
  if (page === undefined) throw new Error('the page has its frame from the beginning')

  expect((await touch(page, 'omit')).said).toBe('403 OriginNotAllowed: origin not allowed')
  expect((await touch(page, 'include')).said).toBe('not to be read')
  expect((await ask(page, 'GET', '/logout', 'omit')).said).toBe('not to be read')
  expect(await context.cookies(api())).toEqual([])
})
