/**
 * An app without an SDK of ours, on an origin of its own: it makes the calls of the specification with fetch, and gives
 * the specification's jobs to the worker that the portal serves, as the public client does.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright'
import { development, stack } from './stack.ts'

export type PlainPage = {
  readonly page: Page
  /** A call of the contract; the answer's session token is kept. A refusal rejects with its sentence. */
  readonly call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
  /** A job of the worker. A worker that fails rejects with its event's message, and the next job has another worker. */
  readonly job: (functionType: string, params: object) => Promise<Record<string, unknown>>
  readonly close: () => Promise<void>
}

export const openPlainPage = async (context: BrowserContext): Promise<PlainPage> => {
  const { api, portal } = stack()
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(html(JSON.stringify({ api, portal, apiKey: development().apiKey })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const page = await context.newPage()
  await page.goto(`http://spec.localhost:${(server.address() as AddressInfo).port}/`)
  return {
    page,
    call: (method, path, body) =>
      page.evaluate(([method, path, body]) => (window as unknown as Plain).call(method, path, body), [
        method,
        path,
        body,
      ] as const),
    job: (functionType, params) =>
      page.evaluate(([functionType, params]) => (window as unknown as Plain).job(functionType, params), [
        functionType,
        params,
      ] as const),
    close: async () => {
      await page.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Plain = Pick<PlainPage, 'call' | 'job'>

const html = (settings: string) => `<!doctype html>
<link rel="icon" href="data:,"><title>An app of the specification</title>
<script>
const { api, portal, apiKey } = ${settings}
let session
window.call = async (method, path, body) => {
  const headers = { 'X-External-API-Key': apiKey, ...(session ? { 'x-capsule-sid': session } : {}) }
  if (body) headers['content-type'] = 'application/json'
  const answer = await fetch(api + path, { method, headers, credentials: 'include', body: body && JSON.stringify(body) })
  session = answer.headers.get('x-capsule-sid') ?? session
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(answer.status + ': ' + text)
  return JSON.parse(text)
}
let worker
const waiting = new Map()
const start = async () => {
  const source = await (await fetch(portal + '/static/js/mpcWorker-bundle.js')).text()
  const made = new Worker(URL.createObjectURL(new Blob([source], { type: 'application/javascript' })))
  made.onmessage = ({ data: { workId, ...result } }) => {
    waiting.get(workId)?.resolve(result)
    waiting.delete(workId)
  }
  made.onerror = ({ message }) => {
    for (const [workId, { reject }] of waiting) reject(new Error('worker error with workId ' + workId + ': ' + message))
    waiting.clear()
    made.terminate()
    worker = undefined
  }
  return made
}
window.job = async (functionType, params) => {
  const made = await (worker ??= start())
  const workId = crypto.randomUUID()
  return new Promise((resolve, reject) => {
    waiting.set(workId, { resolve, reject })
    made.postMessage({
      env: 'DEV', apiKey, cosmosPrefix: 'cosmos', params, functionType, disableWorkers: false, sessionCookie: session,
      useDKLS: true, disableWebSockets: true, wasmOverride: undefined, offloadMPCComputationURL: undefined, workId,
      returnObject: true,
    })
  })
}
</script>`
