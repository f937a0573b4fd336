import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Probe } from '../react/Probe.tsx'
import { useChromium } from './kit/visitor.ts'

const browser = useChromium()
let server: Server
let origin: string

/** The probe's page with React as it is for developers: only that one renders and mounts twice. */
const bundle = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' },
    worker: { format: 'es' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: new URL('../react/probePage.tsx', import.meta.url).pathname,
        output: { codeSplitting: false },
      },
    },
  })
  const { output } = built as Rolldown.RolldownOutput
  return output.find((file) => file.type === 'chunk')!.code
}

beforeAll(async () => {
  const code = await bundle()
  // All other requests stay unanswered, so that a login stays pending.
  server = createServer((request, response) => {
    if (request.url === '/probe.js') response.setHeader('content-type', 'text/javascript').end(code)
    if (request.url === '/') {
      const html = renderToString(createElement(Probe, { api: origin }))
      const head = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/probe.js"></script>'
      response.setHeader('content-type', 'text/html').end(`${head}<div id="root">${html}</div>`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('under StrictMode', { tags: 'usual' }, () => {
  it('a page hydrates the server’s HTML, and has one client, one window for two clicks, and none once it is left', async () => {
    const context = await browser().newContext()
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', ({ message }) => errors.push(message))
    const noted = (expression: string) => page.evaluate(expression)
    let opened = 0

    await page.goto(origin)
    await page.getByText('The session is anonymous').waitFor()
    expect(await noted('mended')).toEqual([])
    expect(await noted('clientCount()')).toBe(1)

    context.on('page', () => {
      opened += 1
    })
    const button = page.getByRole('button', { name: /^Login is/ })
    await Promise.all([context.waitForEvent('page'), button.dblclick()])
    await expect.poll(() => button.textContent()).not.toContain('idle')
    expect(context.pages()).toHaveLength(2)

    await page.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => context.pages().length).toBe(1)
    expect(opened).toBe(1)
    expect(errors).toEqual([])
    await context.close()
  })
})
