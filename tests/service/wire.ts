/** The wire itself: requests as curl would send them, and answers as they come. */
import { p256 } from '@noble/curves/nist.js'
import { base64urlnopad } from '@scure/base'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Redacted from 'effect/Redacted'
import * as Result from 'effect/Result'
import * as DeviceKey from '../../domain/crypto/DeviceKey.ts'
import * as Header from '../../domain/model/Header.ts'
import * as StorageKeys from '../../domain/model/StorageKeys.ts'
import * as Frame from '../../domain/mpc/Frame.ts'
import * as ShareText from '../../domain/mpc/ShareText.ts'
import { makeDevice, type Device as ProtocolDevice, type Exchanged, type WalletKey } from '../kit/device.ts'
import type { TestService } from '../kit/service.ts'
import { shop, type BrowserStorage, type Device } from './people.ts'

export type Client = {
  readonly base: string
  readonly apiKey?: string | undefined
  readonly token?: string | undefined
  readonly origin?: string | undefined
  /** Signs every request; calls that need no device signature ignore it. */
  readonly device?: SigningKey | undefined
}

export type SigningKey = {
  readonly sessionId: string
  readonly secretKey: Uint8Array
  /** The service's clock minus this one's. */
  readonly clockOffset?: number
}

export type Answer = {
  readonly status: number
  readonly code: string | null
  readonly type: string | null
  readonly token: string | null
  readonly retryAfter: string | null
  readonly text: string
  readonly bytes: Uint8Array
}

/** `body`: bytes and text as they are, anything else as JSON. */
export const ask = async (
  client: Client,
  method: string,
  target: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const bytes = bytesOf(body)
  const given = {
    [Header.apiKey]: client.apiKey,
    [Header.session]: client.token,
    origin: client.origin,
    [Header.device]: client.device && deviceHeader(client.device, { method, target, body: bytes }),
    'content-type': body === undefined ? undefined : 'application/json',
  }
  const sent = Object.entries(given).filter((header): header is [string, string] => header[1] !== undefined)
  const response = await fetch(client.base + target, {
    method,
    headers: { ...Object.fromEntries(sent), ...headers },
    ...(body === undefined ? {} : { body: Uint8Array.from(bytes) }),
  })
  const answered = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    code: response.headers.get(Header.errorCode),
    type: response.headers.get('content-type'),
    token: response.headers.get(Header.session),
    retryAfter: response.headers.get('retry-after'),
    text: new TextDecoder().decode(answered),
    bytes: answered,
  }
}

const bytesOf = (body: unknown): Uint8Array => {
  if (body === undefined) return new Uint8Array(0)
  if (body instanceof Uint8Array) return body
  return utf8ToBytes(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Status, tag and sentence of a refusal; its body is one sentence as plain text (openapi/README.md#errors). */
export const refusal = ({ status, code, type, text }: Answer): string =>
  type === 'text/plain; charset=utf-8'
    ? `${status} ${code ?? 'without a tag'}: ${text}`
    : `${status} as ${String(type)}: ${text}`

/** The body of a success. */
export const success = (answer: Answer): Record<string, unknown> => {
  if (answer.status !== 200) throw new Error(refusal(answer))
  return JSON.parse(answer.text) as Record<string, unknown>
}

/** The device header (openapi/README.md#device-signatures) under a key that the test holds. */
export const deviceHeader = (
  { sessionId, secretKey, clockOffset = 0 }: SigningKey,
  request: { readonly method: string; readonly target: string; readonly body: Uint8Array },
): string => {
  const ms = Date.now() + clockOffset
  const signature = sign(secretKey, DeviceKey.requestMessage({ ...request, ms, sessionId }))
  const keyThumb = DeviceKey.thumbprint(p256.getPublicKey(secretKey, false))
  return DeviceKey.formatHeader({ keyThumb, ms, signature })
}

export const sign = (secretKey: Uint8Array, message: Uint8Array): Uint8Array =>
  p256.sign(message, secretKey, { prehash: true, lowS: false, format: 'compact' })

/** All data of a device, as a copy of its storage holds it. */
export type Held = {
  readonly userId: string
  readonly partnerId: string
  readonly sessionId: string
  readonly lookupId: string
  readonly token: string
  readonly secretKey: Uint8Array
  /** Signs for the device. */
  readonly client: Client
  /** The same without the device's key. */
  readonly tokenAlone: Client
  /** Runs protocols under the device's own key. */
  readonly protocol: ProtocolDevice
  readonly keyOf: (walletId: string) => WalletKey
  readonly cosigner: { readonly name: string; readonly publicKey: Uint8Array }
}

export const heldBy = async (
  service: Pick<TestService, 'addresses' | 'partner'>,
  device: Device,
  apiKey = service.partner.apiKey,
): Promise<Held> => {
  const { storage } = device
  const token = storage.local.get(StorageKeys.sessionCookie)
  if (token === undefined) throw new Error('the device has no session')
  const tokenAlone: Client = { base: service.addresses.api, apiKey, origin: shop, token }
  const touched = success(await ask(tokenAlone, 'POST', '/touch?regenerate=false'))
  const [sessionId, userId, partnerId] = [text(touched.sessionId), text(touched.userId), text(touched.partnerId)]
  const secretKey = deviceKeyIn(storage, sessionId)
  const clockOffset = Number(touched.serverTime) - Date.now()
  const texts = shareTextsIn(storage)
  const [anyShare] = Object.values(texts)
  const user = anyShare === undefined ? undefined : Result.getOrThrow(ShareText.open(Redacted.make(anyShare)))
  const cosigner = { name: user?.cosignerName ?? '', publicKey: user?.cosignerKey ?? new Uint8Array(0) }
  return {
    userId,
    partnerId,
    sessionId,
    lookupId: text(touched.sessionLookupId),
    token,
    secretKey,
    tokenAlone,
    client: { ...tokenAlone, device: { sessionId, secretKey, clockOffset } },
    protocol: makeDevice({ userId, partnerId, sessionId, secretKey, cosigner, exchange: exchangeAt(service, token) }),
    keyOf: (walletId) => walletKeyIn(storage, walletId),
    cosigner,
  }
}

/** One frame over HTTP. */
const exchangeAt =
  (service: Pick<TestService, 'addresses'>, token: string | undefined) =>
  async (frame: Uint8Array): Promise<Exchanged> => {
    const answer = await postFrame(service, token, frame)
    return answer.status === 200
      ? { kind: 'answered', bytes: answer.bytes }
      : { kind: 'refused', tag: answer.code ?? '', message: refusal(answer) }
  }

export const postFrame = (
  service: Pick<TestService, 'addresses'>,
  token: string | undefined,
  frame: Uint8Array,
): Promise<Answer> =>
  ask({ base: service.addresses.cosigner, token, origin: shop }, 'POST', '/protocol', frame, {
    'content-type': 'application/octet-stream',
  })

const deviceKeyPrefix = '@CAPSULE/tandem/keys/'

/** The text form of a device key, which the SDK stores where there is no IndexedDB. */
const deviceKeyIn = ({ local }: Pick<BrowserStorage, 'local'>, sessionId: string): Uint8Array => {
  const stored = JSON.parse(local.get(deviceKeyPrefix + sessionId) ?? '{}') as { privateKey?: { d?: string } }
  return base64urlnopad.decode(stored.privateKey?.d ?? '')
}

/** Version 1 of the share store's text form. */
type Stored = {
  readonly shares: Readonly<Record<string, { readonly shareText: string }>>
  readonly ot: Readonly<Record<string, { readonly otId: string; readonly record: string }>>
}

const storedIn = ({ local }: Pick<BrowserStorage, 'local'>): Stored =>
  JSON.parse(local.get(StorageKeys.keyShares) ?? '{"shares":{},"ot":{}}') as Stored

/** By wallet id. */
export const shareTextsIn = (storage: Pick<BrowserStorage, 'local'>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(storedIn(storage).shares).map(([walletId, { shareText }]) => [walletId, shareText]))

const walletKeyIn = (storage: Pick<BrowserStorage, 'local'>, walletId: string): WalletKey => {
  const { share } = Result.getOrThrow(ShareText.open(Redacted.make(shareTextsIn(storage)[walletId] ?? '')))
  const ot = storedIn(storage).ot[walletId]
  const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
  return {
    walletId,
    share,
    ot: ot === undefined ? undefined : bytes(ot.record),
    otId: ot === undefined ? new Uint8Array(0) : bytes(ot.otId),
  }
}

const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error(`a text was expected, not ${typeof value}`)
  return value
}

/** An answer's frame up to the co-signer's signature, which differs each time; hex. */
export const unsignedAnswer = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, -Frame.signatureLength))
