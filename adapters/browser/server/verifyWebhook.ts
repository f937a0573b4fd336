/**
 * Messages of the service to the app's server, signed as Standard Webhooks says
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as v from 'valibot'

/** What a message tells. The package's guide has each type with its data. */
export type WebhookEvent = {
  /** The same for each attempt to deliver the message: handle each once. */
  readonly id: string
  /** For example `wallet.created`. */
  readonly type: string
  /** When it happened. */
  readonly timestamp: Date
  /** Ids and numbers, nothing about a person. */
  readonly data: Readonly<Record<string, string | number>>
}

/** A request as a framework of Node has it. The body has to be as it was received: neither parsed nor written anew. */
export type ReceivedRequest = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string | Uint8Array
}

/**
 * The message, if the endpoint's secret (`whsec_…`) signed it within five minutes. Fails with `WebhookRefused`, which is a 400 of
 * the app's server.
 */
export const verifyWebhook = async (request: Request | ReceivedRequest, secret: string): Promise<WebhookEvent> => {
  const key = await keyOf(secret)
  const { header, body } = await partsOf(request)
  const [id, time, signatures] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  if (id === undefined || time === undefined || signatures === undefined) throw new WebhookRefused('headers')
  const seconds = /^[0-9]{1,12}$/.test(time) ? Number(time) : NaN
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds)) throw new WebhookRefused('time')
  const signed = concatBytes(utf8ToBytes(`${id}.${time}.`), body)
  if (!(await isSigned(key, signatures, signed))) throw new WebhookRefused('signature')
  const event = v.safeParse(eventForm, parsed(body))
  if (!event.success) throw new WebhookRefused('body')
  const { type, timestamp, data } = event.output
  return { id, type, timestamp: new Date(timestamp), data }
}

const toleranceSeconds = 5 * 60

const eventForm = v.object({
  type: v.string(),
  timestamp: v.string(),
  data: v.record(v.string(), v.union([v.string(), v.number()])),
})

const keyOf = (secret: string): Promise<CryptoKey> => {
  const text = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : secret
  const bytes = decoded(text)
  if (bytes === undefined || bytes.length === 0) throw new TypeError('a secret of webhooks is whsec_ and base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** WebCrypto compares in constant time. After a rotation a message has two signatures; one of them suffices. */
const isSigned = async (key: CryptoKey, signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  for (const versioned of signatures.split(' ')) {
    const [version, text = ''] = versioned.split(',')
    const signature = version === 'v1' ? decoded(text) : undefined
    if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
  }
  return false
}

const partsOf = async (request: Request | ReceivedRequest) => {
  if (request instanceof Request) {
    const header = (name: string) => request.headers.get(name) ?? undefined
    return { header, body: new Uint8Array(await request.arrayBuffer()) }
  }
  const { headers, body } = request
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const header = (name: string) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : value?.[0]
  }
  return { header, body: typeof body === 'string' ? utf8ToBytes(body) : body }
}

const decoded = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(base64.decode(text))
  } catch {
    return undefined
  }
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

/** Not a message that the secret signed just now. Its reason is for logs, and not for who sent it. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  readonly code = 'WebhookRefused'
  readonly reason: 'headers' | 'time' | 'signature' | 'body'

  constructor(reason: WebhookRefused['reason']) {
    super('webhook is not valid')
    this.reason = reason
  }
}
