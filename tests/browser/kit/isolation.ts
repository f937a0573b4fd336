import type { Page } from 'playwright'
import { stack } from './stack.ts'

/**
 * The shop's documents come with `Cross-Origin-Opener-Policy: same-origin`, as those of a partner may: its popups then have no
 * opener. The header is put in on its way, so that the document still comes from its own address.
 */
export const isolateHost = async (page: Page): Promise<void> => {
  const cdp = await page.context().newCDPSession(page)
  cdp.on('Fetch.requestPaused', ({ requestId, responseStatusCode, responseHeaders = [] }) => {
    const others = responseHeaders.filter(({ name }) => name.toLowerCase() !== 'cross-origin-opener-policy')
    const headers = [...others, { name: 'Cross-Origin-Opener-Policy', value: 'same-origin' }]
    cdp
      .send('Fetch.continueResponse', { requestId, responseCode: responseStatusCode ?? 200, responseHeaders: headers })
      .catch(() => undefined)
  })
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: `${stack().shop}/*`, resourceType: 'Document', requestStage: 'Response' }] })
}
