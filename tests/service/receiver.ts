/** A partner's server that is told by webhooks. Its ten lines are what a partner writes; the rest is for the tests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }

/** Handles each message once, whatever comes: what is forged or late is refused, what comes again is thanked for. */
const makeHandler = (secrets: () => readonly string[], handle: (message: Received) => void) => {
  const seen = new Set<string>()
  return (headers: IncomingHttpHeaders, body: string): number => {
    const message = secrets().flatMap((secret) => verified(secret, headers, body) ?? [])[0]
    if (message === undefined) return 400
    if (!seen.has(message.id)) handle(message)
    seen.add(message.id)
    return 204
  }
}

const verified = (secret: string, headers: IncomingHttpHeaders, body: string): Received | undefined => {
  try {
    const { type, data } = new Webhook(secret).verify(body, headers as Record<string, string>) as Received
    return { id: String(headers['webhook-id']), type, data }
  } catch {
    return undefined
  }
}

export type Request = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly status: number }

export type Receiver = {
  readonly url: string
  readonly secrets: string[]
  /** What it has handled. */
  readonly handled: Received[]
  /** Every request, with what it was answered. */
  readonly requests: Request[]
  /** Is answered instead, until it is unset. */
  status: number | undefined
  /** By how much its clock is ahead of this process's. */
  ahead: number
  readonly stop: () => Promise<void>
}

const atTime = <A>(ahead: number, act: () => A): A => {
  const now = Date.now
  Date.now = () => now() + ahead
  try {
    return act()
  } finally {
    Date.now = now
  }
}

export const startReceiver = async (): Promise<Receiver> => {
  const handled: Received[] = []
  const requests: Request[] = []
  const secrets: string[] = []
  const handler = makeHandler(
    () => secrets,
    (message) => handled.push(message),
  )
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { headers } = request
      const status = receiver.status ?? atTime(receiver.ahead, () => handler(headers, body))
      requests.push({ headers, body, status })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secrets,
    handled,
    requests,
    status: undefined,
    ahead: 0,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}
