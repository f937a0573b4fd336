/** Messages to the servers of partners, by Node's own client: it connects to the address that was checked. */
import { lookup } from 'node:dns/promises'
import { request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { WebhookNotSent, WebhookSender } from '../../../domain/service/ports/WebhookSender.ts'
import { webhookLimits } from '../../../domain/service/Webhook.ts'
import { isPublicAddress } from './publicAddress.ts'

type Address = { readonly address: string; readonly family: number }

export type WebhookSenderOptions = {
  /** In DEV: http and addresses of this machine and its network. */
  readonly isLenient: boolean
  /** The addresses of a name; otherwise the system's. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>
}

/** So much of an answer is taken from the connection, and thrown away. */
const answerLimit = 64 * 1024

export const WebhookSenderNode = ({ isLenient, resolve = resolveBySystem }: WebhookSenderOptions) => {
  const refusalOf = (text: string) => refusalOfUrl(text, isLenient)

  const addressesOf = async (host: string): Promise<readonly Address[]> => {
    const family = isIP(host)
    const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
    if (addresses.length === 0) throw new Refused('has no address')
    if (!isLenient && !addresses.every(({ address }) => isPublicAddress(address))) throw new Refused(notPublic)
    return addresses
  }

  const send = async (text: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) => {
    const refusal = refusalOf(text)
    if (refusal !== undefined) throw new Refused(refusal)
    const url = new URL(text)
    const addresses = await addressesOf(hostOf(url))
    signal.throwIfAborted()
    // A server that dribbles its answer holds the connection no longer, either.
    const limited = AbortSignal.any([signal, AbortSignal.timeout(webhookLimits.attempt)])
    return statusOf(url, { headers, signal: limited, lookup: toNothingElse(addresses) }, body)
  }

  return Layer.succeed(
    WebhookSender,
    WebhookSender.of({
      refusalOf,
      post: (url, headers, body) =>
        Effect.tryPromise({
          try: (signal) => send(url, headers, body, signal),
          catch: (cause) => new WebhookNotSent({ reason: reasonOf(cause) }),
        }).pipe(
          Effect.timeoutOrElse({
            duration: webhookLimits.attempt,
            orElse: () => Effect.fail(new WebhookNotSent({ reason: 'the server took too long' })),
          }),
        ),
    }),
  )
}

/** Node asks this for the name, and gets what was checked. */
const toNothingElse =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true || first === undefined) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }

const statusOf = (url: URL, options: RequestOptions, body: string): Promise<number> =>
  new Promise((done, refuse) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    // A connection of its own: one that is kept would lead to an address that was checked some time ago.
    const sent = request(url, { ...options, method: 'POST', agent: false }, (answer) => {
      let length = 0
      answer.on('data', ({ length: more }: Buffer) => {
        length += more
        if (length > answerLimit) answer.destroy()
      })
      answer.on('error', () => undefined)
      done(answer.statusCode ?? 0)
    })
    sent.on('error', refuse)
    sent.end(body)
  })

const resolveBySystem = (host: string) => lookup(host, { all: true })

const notPublic = 'is not public'

const refusalOfUrl = (text: string, isLenient: boolean): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || text.length > 2048) return 'cannot be read'
  if (url.protocol !== 'https:' && !(isLenient && url.protocol === 'http:')) return 'is not https'
  if (url.username !== '' || url.password !== '') return 'has a user name or a password'
  if (url.hash !== '') return 'has a fragment'
  const host = hostOf(url)
  if (isLenient) return undefined
  if (isIP(host) === 0) return /^localhost\.?$|\.localhost\.?$/.test(host) ? notPublic : undefined
  return isPublicAddress(host) ? undefined : notPublic
}

/** Without the brackets of an IPv6 address. WHATWG URLs write every form of an IPv4 address with dots. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

class Refused extends Error {}

/** Without anything of the answer: it is the partner's server's. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof Refused) return `the address ${cause.message}`
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer'
  return `the server cannot be reached (${code})`
}
