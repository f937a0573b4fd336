/**
 * A reverse proxy between a client and a listener of the service: it records requests and answers, and handles them as
 * the test sets.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'

export type Passing = {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** `pass` sends the request on, as often as it is called. */
export type Handle = (request: Passing, pass: () => Promise<Reply>) => Promise<Reply>

export type Proxy = {
  readonly address: string
  readonly seen: { readonly request: Passing; readonly reply: Reply }[]
  /** The handler of requests from now on; without one, they are passed on. */
  handle: Handle
  readonly stop: () => Promise<void>
}

export const passOn: Handle = (_, pass) => pass()

export const startProxy = async (upstream: string): Promise<Proxy> => {
  const server = createServer((request, response) => {
    void (async () => {
      const passing = await read(request)
      const reply = await proxy.handle(passing, () => send(upstream, passing))
      proxy.seen.push({ request: passing, reply })
      response.writeHead(reply.status, reply.headers).end(reply.body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const proxy: Proxy = {
    address: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    seen: [],
    handle: passOn,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

/** Sends each request to another of those that serve then than the one before. */
export const startAlternating = async (serving: () => readonly string[]): Promise<Proxy> => {
  const proxy = await startProxy('')
  let count = 0
  proxy.handle = (request) => {
    const upstreams = serving()
    return send(upstreams[count++ % upstreams.length] ?? '', request)
  }
  return proxy
}

const read = async (request: IncomingMessage): Promise<Passing> => ({
  method: request.method ?? '',
  target: request.url ?? '',
  headers: request.headers,
  body: Buffer.from(await readText(request.setEncoding('latin1')), 'latin1'),
})

/** Headers of this hop, and those that fetch writes itself. */
const ofThisHop = ['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'accept-encoding', 'date']

const send = async (upstream: string, { method, target, headers, body }: Passing): Promise<Reply> => {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    ofThisHop.includes(name) || value === undefined ? [] : [[name, String(value)] as const],
  )
  const response = await fetch(upstream + target, {
    method,
    headers: Object.fromEntries(passed),
    ...(body.length === 0 ? {} : { body: Uint8Array.from(body) }),
  })
  const kept = [...response.headers].filter(([name]) => !ofThisHop.includes(name))
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

export const sentence = (status: number, text: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from(text),
})
