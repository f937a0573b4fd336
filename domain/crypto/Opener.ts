/**
 * The messages between portal and host by postMessage, and the result that the portal seals for the host. Reading is
 * strict: a message with an unknown field, type or version, or a field of another form, is dropped. No message changes
 * state by itself. domain/crypto/README.md#portal-opening
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Result from 'effect/Result'
import { fromHex } from './Hex.ts'
import { hash } from './Transcript.ts'
import * as Wrap from './Wrap.ts'

/** The portal's pages that have a portal session. */
const pages = [
  'login-password',
  'login-passkey',
  'create-password',
  'create-passkey',
  'review',
  'on-ramp',
  'step-up',
  'export',
] as const
export type Page = (typeof pages)[number]

const results = ['created', 'login', 'accepted', 'denied', 'cancelled', 'stepped-up'] as const
export type DoneResult = (typeof results)[number]

/** The label of the RSA-OAEP-SHA-256 encryption in `Hello.sealed`. */
export const nonceLabel: Uint8Array = utf8ToBytes('tandem/opener/v1')

/** Portal to host, the handshake's first message. `sealed`: 32 random bytes under the session's login key. */
export type Handshake = {
  readonly v: 1
  readonly type: 'tandem.hello'
  readonly openingId: string
  readonly sessionId: string
  readonly page: Page
  readonly record?: string
  readonly nonce: string
  readonly sealed?: string
}

/** Host to portal. `deviceSignature` is over `DeviceKey.openerMessage`. */
export type HandshakeAnswer = {
  readonly v: 1
  readonly type: 'tandem.answer'
  readonly openingId: string
  readonly ticket: string
  readonly unsealed?: string
  readonly hostSecret: string
  readonly recoveryPublicKey?: string
  readonly deviceSignature: string
}

/** Portal to host. */
export type Done = {
  readonly v: 1
  readonly type: 'tandem.done'
  readonly openingId: string
  readonly result: DoneResult
  readonly sealedResult?: string
}

/** Host to portal: the host gives up, and the page closes. */
export type Close = {
  readonly v: 1
  readonly type: 'tandem.bye'
  readonly openingId: string
}

export const readHandshake = (data: unknown): Handshake | undefined =>
  isOf<Handshake>(data, {
    v: isOne,
    type: isText('tandem.hello'),
    openingId: isUuid,
    sessionId: isUuid,
    page: isOneOf(pages),
    record: optional(isUuid),
    nonce: isHex(32),
    sealed: optional(isHex(256)),
  })
    ? data
    : undefined

export const readAnswer = (data: unknown): HandshakeAnswer | undefined =>
  isOf<HandshakeAnswer>(data, {
    v: isOne,
    type: isText('tandem.answer'),
    openingId: isUuid,
    ticket: isHex(32),
    unsealed: optional(isHex(32)),
    hostSecret: isHex(32),
    recoveryPublicKey: optional(isHex(64)),
    deviceSignature: isHex(64),
  })
    ? data
    : undefined

export const readDone = (data: unknown): Done | undefined =>
  isOf<Done>(data, {
    v: isOne,
    type: isText('tandem.done'),
    openingId: isUuid,
    result: isOneOf(results),
    sealedResult: optional(isString),
  })
    ? data
    : undefined

export const readClose = (data: unknown): Close | undefined =>
  isOf<Close>(data, { v: isOne, type: isText('tandem.bye'), openingId: isUuid }) ? data : undefined

/** What the host trusts about keys: the page seals it under a secret that the service never sees. */
export type PortalSessionResult = {
  readonly userId: string
  readonly credentialId: string
  readonly rootPublicKey: string
  readonly deviceCertificate: string
  readonly recoverySignature?: string
  readonly wallets: readonly ResultWallet[]
  readonly missing: readonly string[]
}

export type ResultWallet = {
  readonly walletId: string
  readonly address: string
  readonly publicKey: string
  readonly epoch: number
  readonly shareId: string
  readonly shareHash: string
}

/** `secret` is the host secret, or the code of the redirect variant, 32 bytes; `iv` 12 fresh random bytes. */
export const sealResult = (
  secret: Uint8Array,
  openingId: string,
  result: PortalSessionResult,
  iv: Uint8Array,
): string =>
  Wrap.seal({
    key: resultKey(secret, openingId),
    aad: resultData(openingId),
    plaintext: utf8ToBytes(JSON.stringify(result)),
    iv,
  })

export const openResult = (
  secret: Uint8Array,
  openingId: string,
  text: string,
): Result.Result<PortalSessionResult, Wrap.SealBroken> =>
  Result.flatMap(Wrap.open({ key: resultKey(secret, openingId), aad: resultData(openingId), text }), (bytes) => {
    const result = readResult(bytes)
    return result === undefined ? Result.fail(new Wrap.SealBroken({ envelope: 'v2' })) : Result.succeed(result)
  })

/** The proof with which the host redeems a result that came by redirect, 32 bytes. The service has its `redeemHash`. */
export const redeemProof = (code: Uint8Array): Uint8Array => {
  if (code.length !== secretLength) throw new RangeError('a code has 32 bytes')
  return hkdf(sha256, code, undefined, utf8ToBytes('tandem/redeem/v1'), 32)
}

/** 32 bytes. */
export const redeemHash = (proof: Uint8Array): Uint8Array => hash('tandem/redeem/v1', [proof])

const secretLength = 32

const resultKey = (secret: Uint8Array, openingId: string): Uint8Array => {
  if (secret.length !== secretLength) throw new RangeError('hostSecret and code have 32 bytes')
  return hkdf(sha256, secret, utf8ToBytes(openingId), utf8ToBytes('tandem/result/v1'), 32)
}

const resultData = (openingId: string): Uint8Array => hash('tandem/result/v1', [openingId])

const readResult = (bytes: Uint8Array): PortalSessionResult | undefined => {
  try {
    const value: unknown = JSON.parse(utf8.encode(bytes))
    return isResult(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isResult = (value: unknown): value is PortalSessionResult =>
  isOf<PortalSessionResult>(value, {
    userId: isUuid,
    credentialId: isUuid,
    rootPublicKey: isHex(32),
    deviceCertificate: isHex(),
    recoverySignature: optional(isHex(64)),
    wallets: (list) => Array.isArray(list) && list.every(isResultWallet),
    missing: (list) => Array.isArray(list) && list.every(isUuid),
  })

const isResultWallet = (value: unknown): value is ResultWallet =>
  isOf<ResultWallet>(value, {
    walletId: isUuid,
    address: isString,
    publicKey: isHex(),
    epoch: (epoch) => Number.isSafeInteger(epoch),
    shareId: isHex(32),
    shareHash: isHex(32),
  })

type Check = (value: unknown) => boolean

/** Whether `data` has exactly the checked fields, and each passes its check. */
const isOf = <A extends object>(data: unknown, checks: { readonly [K in keyof Required<A>]: Check }): data is A => {
  if (typeof data !== 'object' || data === null) return false
  const fields = new Map<string, unknown>(Object.entries(data))
  const known = Object.entries<Check>(checks)
  return (
    known.every(([name, check]) => check(fields.get(name))) &&
    [...fields.keys()].every((name) => Object.hasOwn(checks, name))
  )
}

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const isOne: Check = (value) => value === 1
const isString: Check = (value) => typeof value === 'string'
const isText =
  (text: string): Check =>
  (value) =>
    value === text
const isOneOf =
  (list: readonly string[]): Check =>
  (value) =>
    list.some((item) => item === value)
const isHex =
  (length?: number): Check =>
  (value) =>
    typeof value === 'string' && fromHex(value, length) !== undefined
const isUuid: Check = (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
