/** A service whose database an attacker writes: its answers have other values in them. */
import type { Route } from 'playwright'
import { stack } from './stack.ts'

export type Rewriting = {
  readonly method: 'GET' | 'POST'
  /** Other values of the same form, for what the service answered. */
  readonly change: (body: Record<string, unknown>) => unknown
}

export const rewrite = async (route: Route, { method, change }: Rewriting): Promise<void> => {
  const request = route.request()
  if (request.method() !== method) return route.continue()
  const { api, apiHere } = stack()
  const sent = request.postDataBuffer()
  const answer = await fetch(request.url().replace(api, apiHere), {
    method,
    headers: await request.allHeaders(),
    ...(sent === null ? {} : { body: Uint8Array.from(sent) }),
  })
  const text = await answer.text()
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !hopByHop.test(name)))
  const body = answer.ok ? JSON.stringify(change(JSON.parse(text) as Record<string, unknown>)) : text
  await route.fulfill({ status: answer.status, headers, body })
}

/** What belongs to the connection, or to the body as it was. */
const hopByHop = /^(?:connection|content-encoding|content-length|keep-alive|transfer-encoding)$/
