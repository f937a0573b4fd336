/** The guide's page without a build in browsers of the distribution. One that is not installed is skipped by its name. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { recoverMessageAddress, type Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packageName } from '../../react/pack/manifest.ts'
import { quickstart } from '../../react/pack/quickstart.ts'
import { isLong } from '../kit/long.ts'
import { makeProject, type Project } from '../package/project.ts'
import { otherBrowsers, type OtherBrowser } from './kit/otherBrowsers.ts'
import { serveFolder, settingsFor } from './kit/packagedApp.ts'
import { mailedCode, newEmail, newPassword } from './kit/visitor.ts'

let project: Project
beforeEach(async () => {
  project = await makeProject()
}, 300_000)
afterEach(() => project.remove())

/** What a page's elements are, as expressions in it. */
const one = (selector: string): string => `document.querySelector(${JSON.stringify(selector)})`
const buttonOf = (name: string): string =>
  `[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === ${JSON.stringify(name)})`
/** As React hears of it. */
const filling = (element: string, text: string): string =>
  `(() => { const field = ${element}; Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)}); field.dispatchEvent(new Event('input', { bubbles: true })) })()`

const story = async (browser: OtherBrowser, url: string): Promise<void> => {
  await browser.open(url)
  const [page = ''] = await browser.windows()
  const isThere = (window: string, element: string) =>
    expect.poll(() => browser.evaluate(window, `Boolean(${element})`), { timeout: 60_000 }).toBe(true)
  const says = (text: RegExp) =>
    expect.poll(() => browser.evaluate(page, `${one('output')}.value`), { timeout: 120_000 }).toMatch(text)
  const signs = async () => {
    await browser.click(page, one('#sign'))
    await says(/^0x[0-9a-f]{130}$/)
    const signature = (await browser.evaluate(page, `${one('output')}.value`)) as Hex
    return recoverMessageAddress({ message: 'hello', signature })
  }
  const email = newEmail()
  await browser.evaluate(page, filling(one('[name=email]'), email))
  await browser.click(page, one('#signup button'))
  await says(/A code was mailed/)
  await browser.evaluate(page, filling(one('[name=code]'), await mailedCode(email)))
  await browser.click(page, one('#verify button'))
  await says(/The address is proven/)
  await browser.click(page, one('#protect'))
  await expect.poll(async () => (await browser.windows()).length).toBe(2)
  const portal = (await browser.windows()).find((window) => window !== page) ?? ''
  const field = (index: number) => `document.querySelectorAll('input[type=password]')[${index}]`
  await isThere(portal, field(1))
  const password = newPassword()
  for (const index of [0, 1]) await browser.evaluate(portal, filling(field(index), password))
  // A person is slower: the page lets no one decide in the first moments in which it is in front.
  await isThere(portal, `(${buttonOf('Create password')}?.getAttribute('aria-disabled') === 'false')`)
  await browser.click(portal, buttonOf('Create password'))
  await says(/Keep this recovery secret/)
  const before = await signs()
  await browser.open(url)

  expect(await signs()).toBe(before)
}

describe.runIf(isLong)('a page without a build signs up, signs, and signs after a reload', () => {
  for (const [name, start] of Object.entries(otherBrowsers)) {
    it.skipIf(start === undefined)(`in ${name}`, async () => {
      const dist = join(project.folder, 'node_modules', packageName, 'dist')
      await project.write({ ...quickstart('script').files, 'public/settings.js': settingsFor('public/settings.js') })
      await cp(dist, join(project.folder, 'public', 'tandem'), { recursive: true })
      const { port, stop } = await serveFolder(join(project.folder, 'public'))
      const browser = await start?.()
      try {
        if (browser !== undefined) await story(browser, `http://app.localhost:${port}/`)
      } finally {
        await browser?.close()
        await stop()
      }
    })
  }
})
