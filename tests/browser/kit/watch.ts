/**
 * What is seen of a visitor's browser: every page and popup from its first moment, every request and answer. A story is
 * clean if no error was printed, nobody outside was asked, no popup was refused, and no secret stood where it must not.
 */
import type { BrowserContext, Request, Response } from 'playwright'
import { expect } from 'vitest'
import { foundIn, textNeedle, type Needle } from '../../service/needles.ts'
import { ownOrigins, serverLog, stack } from './stack.ts'
import { spyOn } from './spy.ts'

export type Watch = {
  /** Errors that pages printed or threw, with where they were. */
  readonly errors: string[]
  readonly foreign: string[]
  readonly blockedPopups: string[]
  /** The secrets that were seen, and those that a test knows: `keep` for texts, `own` for what never leaves the browser. */
  readonly kept: Needle[]
  readonly own: Needle[]
  /** All that a server or a referrer may see of an address. */
  readonly addresses: () => Promise<readonly string[]>
  /** Bodies of requests, as they went out. */
  readonly bodies: () => readonly Uint8Array[]
  readonly printed: string[]
  readonly requests: Request[]
  /** How many shares were in the last record that was sealed before this request. */
  readonly sharesSealedBefore: (request: Request | undefined) => number
  /** From here on, errors that mention one of these are expected: the browser prints each request that fails. */
  readonly expectErrors: (...patterns: readonly RegExp[]) => void
}

/** Shorter secrets are looked for as texts. */
const shortest = 8

export const watch = async (context: BrowserContext): Promise<Watch> => {
  const own = ownOrigins()
  const [errors, foreign, blockedPopups, printed]: [string[], string[], string[], string[]] = [[], [], [], []]
  const kept = new Map<string, Needle>()
  const inner = new Map<string, Needle>()
  const requests: Request[] = []
  const referrers: Promise<string | undefined>[] = []
  const expected: RegExp[] = []
  const sealed: { readonly at: number; readonly shares: number }[] = []
  const isExpected = (text: string) => expected.some((pattern) => pattern.test(text))
  const remember = (list: Map<string, Needle>, name: string, bytes: Uint8Array) => {
    if (bytes.length >= shortest) list.set(`${name} ${Buffer.from(bytes).toString('hex')}`, { name, bytes })
  }

  await spyOn(context, ({ kind, name, base64 }) => {
    const bytes = Buffer.from(base64, 'base64')
    if (kind === 'popup') blockedPopups.push(name)
    else if (kind === 'kept') for (const secret of secretsIn(name, bytes.toString())) remember(kept, name, Buffer.from(secret))
    else {
      if (name === 'sealed') sealed.push({ at: Date.now(), shares: bytes.toString().split('"shareText"').length - 1 })
      for (const secret of partsOf(bytes)) remember(inner, name, secret)
    }
  })
  context.on('console', (message) => {
    const text = `${message.text()} (${message.location().url})`
    printed.push(text)
    if (message.type() === 'error' && !isExpected(text)) errors.push(`${message.page()?.url() ?? ''}: ${text}`)
  })
  context.on('weberror', (thrown) => {
    const text = String(thrown.error().stack ?? thrown.error())
    printed.push(text)
    if (!isExpected(text)) errors.push(`${thrown.page()?.url() ?? ''}: ${text}`)
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:|^wss?:/.test(url.protocol) && !own.has(url.origin)) foreign.push(request.url())
    requests.push(request)
    referrers.push(
      request
        .allHeaders()
        .catch(() => request.headers())
        .then((headers) => headers['referer']),
    )
  })
  context.on('response', (response) => void readSecrets(response).then((found) => {
    for (const [name, secret] of found) remember(kept, name, Buffer.from(secret))
  }))

  return {
    errors,
    foreign,
    blockedPopups,
    printed,
    requests,
    get kept() {
      return [...kept.values()]
    },
    get own() {
      return [...inner.values()]
    },
    addresses: async () => {
      const seen = await Promise.all(referrers)
      const withoutFragment = requests.map((request) => request.url().split('#')[0] ?? '').filter(isSent)
      return [...withoutFragment, ...seen.filter((referrer) => referrer !== undefined)]
    },
    sharesSealedBefore: (request) => {
      const asked = request?.timing().startTime ?? 0
      return sealed.filter(({ at }) => at < asked).at(-1)?.shares ?? 0
    },
    bodies: () => requests.flatMap((request) => request.postDataBuffer() ?? []),
    expectErrors: (...patterns) => void expected.push(...patterns),
  }
}

const isSent = (url: string) => /^(?:http|ws)s?:/.test(url)

/** Nothing was printed, nobody outside was asked, nothing was refused. */
export const expectQuiet = (seen: Watch): void => {
  expect(seen.errors).toEqual([])
  expect(seen.foreign).toEqual([])
  expect(seen.blockedPopups).toEqual([])
}

/** No secret in any address, referrer, server log or console; and what is the browser's own in nothing that was sent. */
export const expectNoSecrets = async (seen: Watch, known: readonly Needle[] = []): Promise<void> => {
  const secrets = [...seen.kept, ...seen.own, ...known]
  expect(secrets.length).toBeGreaterThan(0)
  const heap = (texts: readonly string[]) => Buffer.from(texts.join('\n'))
  const addresses = await seen.addresses()
  const decoded = addresses.map((address) => decodeURIComponent(address.replaceAll('+', ' ')))
  expect(foundIn(heap([...addresses, ...decoded]), secrets)).toEqual([])
  expect(foundIn(heap(seen.printed), secrets)).toEqual([])
  expect(foundIn(heap([serverLog()]), secrets)).toEqual([])
  expect(foundIn(Buffer.concat(seen.bodies().map((body) => Buffer.concat([body, Buffer.from('\n')]))), seen.own)).toEqual([])
}

/** Of what storage holds, what is secret: tokens, private keys, and the secrets of openings. */
const secretsIn = (key: string, text: string): readonly string[] => {
  if (key === 'ticket' || /sessionCookie/i.test(key)) return [text]
  const privateKey = /-----BEGIN (?:RSA )?PRIVATE KEY-----[^-]+/.exec(text)?.[0]
  return [...(privateKey === undefined ? [] : [privateKey]), ...[...text.matchAll(/"secret":"([0-9a-f]{64})"/g)].map(([, secret]) => secret ?? '')]
}

/** Sealed records are JSON: what is secret in them are the shares and the recovery secret, not the whole of it. */
const partsOf = (bytes: Buffer): readonly Uint8Array[] => {
  const text = bytes.toString()
  if (!text.startsWith('{')) return bytes.length <= 64 ? [bytes] : []
  return [...text.matchAll(/\\?"(?:share|x|secret|recoverySecret|privateKey|seed)\\?":\\?"([^"\\]{16,})/g)].map(([, secret]) => Buffer.from(secret ?? ''))
}

const readSecrets = async (response: Response): Promise<readonly (readonly [string, string])[]> => {
  if (!response.url().startsWith(stack().api)) return []
  const token = response.headers()['x-capsule-sid']
  const found: [string, string][] = token === undefined ? [] : [['session token', token]]
  if (/\/openings/.test(response.url())) {
    const body = await response.text().catch(() => '')
    for (const [, name = '', secret = ''] of body.matchAll(/"(openingSecret|ticket|pepper)":"([0-9a-f]+)"/g)) found.push([name, secret])
  }
  return found
}

export { textNeedle }
