/** Attackers: a site of their own, and the link to a login that they began themselves in the genuine shop. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'
import type { Bare } from '../harness/host.ts'
import { openBareHost, pressGo } from './bareHost.ts'
import { stack } from './stack.ts'
import { visit } from './visitor.ts'

export type EvilSite = {
  readonly origin: string
  /** What it was asked for. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

const page = `<!doctype html>
<link rel="icon" href="data:,"><title>Free coins</title><h1>Free coins</h1><button>Claim</button>
<script>
window.heard = []
addEventListener('message', ({ data, origin }) => heard.push(JSON.stringify([origin, data])))
</script>`

/** Serves a page to whatever is asked, and keeps every message that it is sent. */
export const startEvilSite = async (): Promise<EvilSite> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('content-type', 'text/html')
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://evil.localhost:${port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export const heardBy = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as { readonly heard: readonly string[] }).heard)

export type Bait = {
  /** The portal's page, for the attacker's session and key, with the victim's e-mail in it. */
  readonly link: string
  /** Fails if the attacker's session was let in, or got anything. */
  readonly expectNothing: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The attacker logs in as the victim in a browser of their own, takes the link out of the popup, and waits. */
export const layBait = async (browser: Browser, email: string): Promise<Bait> => {
  const attacker = await visit(browser)
  attacker.seen.expectErrors(/./)
  let open: (link: string) => void = () => undefined
  const opened = new Promise<string>((resolve) => {
    open = resolve
  })
  await attacker.context.route(`${stack().portal}/web/**`, (route) => {
    open(route.request().url())
    return route.abort()
  })
  const host = await openBareHost(attacker.context)
  await host.evaluate((email) => {
    const bare = window as unknown as Bare
    bare.onGo = () => bare.para.login({ email, method: 'PASSWORD' })
  }, email)
  await pressGo(host)
  const link = await opened
  return {
    link,
    expectNothing: async () => {
      const state = await host.evaluate(async () => {
        const { para, went } = window as unknown as Bare
        const isLetIn = await para.isSessionActive()
        const wallets = await para.getWallets().catch(() => [])
        const outcome = await Promise.race([went, new Promise((resolve) => setTimeout(() => resolve('waits'), 100))])
        const hasValue = typeof outcome === 'object' && outcome !== null && 'value' in outcome
        return { isLetIn, wallets: wallets.length, hasValue }
      })
      expect(state).toEqual({ isLetIn: false, wallets: 0, hasValue: false })
      const answers = attacker.seen.requests.filter((request) => request.url().includes('/temporary-shares'))
      for (const request of answers) expect((await request.response())?.status()).not.toBe(200)
    },
    close: attacker.close,
  }
}
