/**
 * What is seen of a visitor's browser: every page and popup from its first moment, every request and answer. A story is
 * clean if no error was printed, no other host was asked, no popup was refused, and no secret stood where it must not.
 */
import type { BrowserContext, Request, Response } from 'playwright'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import { expect } from 'vitest'
import * as ShareText from '../../../domain/mpc/ShareText.ts'
import { foundIn, type Needle } from '../../service/needles.ts'
import { ownOrigins, serverLog, stack } from './stack.ts'
import { spyOn, type Told } from './spy.ts'

export type Watch = {
  /** Errors that pages printed or threw, with where they were. */
  readonly errors: string[]
  readonly foreign: string[]
  readonly blockedPopups: string[]
  /** The secrets that were seen, and those that a test knows: `own` are those that never leave the browser. */
  readonly kept: Needle[]
  readonly own: Needle[]
  /** All that a server or a referrer may see of an address. */
  readonly addresses: () => Promise<readonly string[]>
  readonly printed: string[]
  readonly requests: Request[]
  /** How many shares were in the last record that was sealed before this request. */
  readonly sharesSealedBefore: (request: Request) => number
  /** From here on, errors that mention one of these are expected: the browser prints each request that fails. */
  readonly expectErrors: (...patterns: readonly RegExp[]) => void
}

/**
 * How Chromium prints a heartbeat that is answered 410: one that is under way while its page commits what it did, which
 * ends the portal session. The page closes next, and needs no answer.
 */
const lateBeat = /status of 410 \(Gone\) \(\S+\/openings\/[0-9a-f-]{36}\/beat\)$/

/** Shorter secrets are looked for as texts. */
const shortest = 8

export const watch = async (context: BrowserContext): Promise<Watch> => {
  const own = ownOrigins()
  const [errors, foreign, blockedPopups, printed]: [string[], string[], string[], string[]] = [[], [], [], []]
  const kept = new Map<string, Needle>()
  const inner = new Map<string, Needle>()
  const requests: Request[] = []
  const referrers: Promise<string | undefined>[] = []
  const expected: RegExp[] = [lateBeat]
  const sealed: { readonly at: number; readonly shares: number }[] = []
  const isExpected = (text: string) => expected.some((pattern) => pattern.test(text))
  const remember = (list: Map<string, Needle>, name: string, bytes: Uint8Array) => {
    if (bytes.length >= shortest) list.set(`${name} ${Buffer.from(bytes).toString('hex')}`, { name, bytes })
  }

  const hear = ({ kind, name, base64, at }: Told) => {
    const bytes = Buffer.from(base64, 'base64')
    if (kind === 'popup') blockedPopups.push(name)
    else if (kind === 'kept') {
      const secrets = secretsIn(name, bytes.toString())
      for (const secret of secrets.kept) remember(kept, name, Buffer.from(secret))
      for (const secret of secrets.own) remember(inner, name, bytesOf(secret))
    } else {
      if (name === 'sealed') sealed.push({ at, shares: bytes.toString().split('"shareText"').length - 1 })
      for (const [part, secret] of partsOf(name, bytes)) remember(inner, part, secret)
    }
  }
  // A page hears nothing of what fails here, so it counts as an error of the story.
  await spyOn(context, (told) => {
    try {
      hear(told)
    } catch (failure) {
      errors.push(`what the page told of ${told.name} is not understood: ${String(failure)}`)
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
  context.on(
    'response',
    (response) =>
      void readSecrets(response).then((found) => {
        for (const [name, secret] of found) remember(kept, name, Buffer.from(secret))
      }),
  )

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
      const asked = request.timing().startTime
      return sealed.reduce((last, { at, shares }) => (at < asked ? shares : last), 0)
    },
    expectErrors: (...patterns) => void expected.push(...patterns),
  }
}

const isSent = (url: string) => /^(?:http|ws)s?:/.test(url)

/** Nothing was printed, no outside address was asked, nothing was refused. */
export const expectQuiet = (seen: Watch): void => {
  expect(seen.errors).toEqual([])
  expect(seen.foreign).toEqual([])
  expect(seen.blockedPopups).toEqual([])
}

/** No secret in any address, referrer, server log or console. */
export const expectNoSecrets = async (seen: Watch, known: readonly Needle[] = []): Promise<void> => {
  const secrets = [...seen.kept, ...seen.own, ...known]
  expect(secrets.length).toBeGreaterThan(0)
  const heap = (texts: readonly string[]) => Buffer.from(texts.join('\n'))
  const addresses = await seen.addresses()
  const decoded = addresses.map((address) => decodeURIComponent(address.replaceAll('+', ' ')))
  expect(foundIn(heap([...addresses, ...decoded]), secrets)).toEqual([])
  expect(foundIn(heap(seen.printed), secrets)).toEqual([])
  expect(foundIn(heap([serverLog()]), secrets)).toEqual([])
}

/** What stays in the browser is in nothing that it sent, in any encoding. */
export const expectNothingOwnSent = (seen: Watch, known: readonly Needle[] = []): void => {
  const sent = seen.requests.flatMap((request) => [
    Buffer.from(`${request.url().split('#')[0] ?? ''}\n${JSON.stringify(request.headers())}\n`),
    request.postDataBuffer() ?? Buffer.alloc(0),
  ])
  expect(foundIn(Buffer.concat(sent), [...seen.own, ...known])).toEqual([])
}

/** Of what the page's storage is given: tokens, which a server has to see, and what stays in the browser. */
const secretsIn = (key: string, text: string): Secrets => {
  const isToken = key === 'ticket' || key.endsWith('sessionCookie') || key.endsWith('tandem/session')
  if (isToken) return { kept: [text], own: [] }
  if (key.endsWith('loginEncryptionKeyPair')) {
    return { kept: [], own: [(JSON.parse(text) as { readonly privateKey: string }).privateKey] }
  }
  const isPortalSession = key.endsWith('tandem/opening') || key.endsWith('tandem/returned')
  return { kept: [], own: isPortalSession ? [text.split('.')[1] ?? ''] : [] }
}

/** Digits are looked for as the bytes that they spell, and so in every spelling. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text, /^(?:[0-9a-f]{2})+$/.test(text) ? 'hex' : 'utf8')

type Secrets = { readonly kept: readonly string[]; readonly own: readonly string[] }

/** What was sealed or made by a passkey: of a record of shares only what is secret in it is looked for. */
const partsOf = (name: string, bytes: Buffer): readonly (readonly [string, Uint8Array])[] => {
  const record = name === 'sealed' ? recordIn(bytes.toString()) : undefined
  if (record === undefined) return bytes.length <= 64 ? [[name, bytes]] : []
  const { shares = {}, pendingRecoveries = {} } = record
  return [
    ...Object.values(shares).map(
      ({ shareText }) => ['share', Result.getOrThrow(ShareText.open(Redacted.make(shareText))).share.secret] as const,
    ),
    ...Object.values(pendingRecoveries).map(
      ({ secretKey }) => ['recovery key', Buffer.from(secretKey, 'hex')] as const,
    ),
  ]
}

type Record = {
  readonly shares?: Readonly<{ [walletId: string]: { readonly shareText: string } }>
  readonly pendingRecoveries?: Readonly<{ [userId: string]: { readonly secretKey: string } }>
}

/** One key in 256 begins with a brace as well, and is no JSON. */
const recordIn = (text: string): Record | undefined => {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record
  } catch {
    return undefined
  }
}

const readSecrets = async (response: Response): Promise<readonly (readonly [string, string])[]> => {
  if (!response.url().startsWith(stack().api)) return []
  const token = response.headers()['x-capsule-sid']
  const found: [string, string][] = token === undefined ? [] : [['session token', token]]
  if (/\/openings/.test(response.url())) {
    const body = await response.text().catch(() => '')
    for (const [, name = '', secret = ''] of body.matchAll(/"(openingSecret|ticket|pepper)":"([0-9a-f]+)"/g)) {
      found.push([name, secret])
    }
  }
  return found
}
