/** A page of the browser's adapters alone: bundled once, and given to the browser without a server. */
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { build, type Rolldown } from 'vite'
import type { shown } from '../adapters/page.ts'

/** A secure context that no other test has. */
const origin = 'http://adapters.localhost'

export type AdaptersWindow = { readonly shown: typeof shown }

let bundled: Promise<ReadonlyMap<string, Buffer>> | undefined

/** `policy` is the content policy of the page and, since a worker has its own, of its worker. */
export const openAdapters = async (
  context: BrowserContext,
  policy = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'",
): Promise<Page> => {
  const files = await (bundled ??= bundle())
  const headers = { 'content-security-policy': policy }
  await context.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    const body = files.get(name)
    if (name === '') {
      const html = '<!doctype html><script type="module" src="/page.js"></script>'
      return route.fulfill({ body: html, contentType: 'text/html', headers })
    }
    if (body === undefined) return route.fulfill({ status: 404 })
    const contentType = name.endsWith('.js') ? 'text/javascript' : 'application/wasm'
    return route.fulfill({ body, contentType, headers })
  })
  const page = await context.newPage()
  await page.goto(`${origin}/`)
  await page.waitForFunction(() => 'shown' in window)
  return page
}

const bundle = async (): Promise<ReadonlyMap<string, Buffer>> => {
  const built = (await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: { page: join(import.meta.dirname, '..', 'adapters', 'page.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    built.output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  )
}
