/**
 * Looks at a page as people have it: light and dark, narrow and wide. axe finds nothing, nothing is wider than the
 * window, and a picture of each stays in dist/screenshots to be looked at.
 */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const folder = join('dist', 'screenshots')

const widths = { narrow: { width: 400, height: 760 }, wide: { width: 1280, height: 800 } } as const

export const look = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize()
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, size] of Object.entries(widths)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(size)
      await atRest(page)
      const variant = `${colorScheme} ${width}`
      await page.screenshot({ path: join(folder, `${name}.${colorScheme}.${width}.png`) })
      found.push(...(await overflowIn(page)).map((what) => `${variant}: ${what} is wider than the window`))
      // Each scheme and each width once: what axe looks at besides is the same in all four.
      const isAudited = (colorScheme === 'light') === (width === 'narrow')
      if (isAudited) found.push(...(await violationsIn(page)).map((what) => `${variant}: ${what}`))
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before !== null) await page.setViewportSize(before)
  expect.soft(found, name).toEqual([])
}

/** What fades in has done so. */
const atRest = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))

const violationsIn = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run(),
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id} (${help}) at ${html.slice(0, 160)}`),
  )
}

const overflowIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body, body *')]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect()
        return width > 0 && right > window.innerWidth + 1
      })
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`)
      .slice(0, 3),
  )
