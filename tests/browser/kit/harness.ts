/** The bare host: built once per run, and served among the shop's files, so from its origin and under its policy. */
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { build } from 'vite'
import { stack } from './stack.ts'

const base = '/assets/bare/'

/** Into a copy of the built pages, which is then what the stack serves. */
export const buildHarness = async (pagesFolder: string): Promise<void> => {
  await build({
    root: join(import.meta.dirname, '..', 'harness'),
    base,
    configFile: false,
    envDir: false,
    publicDir: false,
    mode: 'production',
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: join(pagesFolder, 'example', ...base.split('/')),
      target: 'es2022',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
}

export const bareHost = (): string => `${stack().shop}${base}index.html`

/** A tab on the bare host. */
export const openBareHost = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(bareHost())
  await page.waitForFunction(() => document.title === 'Bare host, ready')
  return page
}
