/**
 * The messages between portal and host by postMessage, and the result that the portal seals for the host. Reading is
 * strict: a message with an unknown field, type or version, or a field of another form, is dropped. No message changes
 * state by itself. domain/crypto/README.md#portal-handshake
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Result from 'effect/Result'
import * as v from 'valibot'
import * as Json from '../model/Json.ts'
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

/** The label of the RSA-OAEP-SHA-256 encryption in `Handshake.sealed`, UTF-8. */
export const nonceLabel: Uint8Array = utf8ToBytes('tandem/opener/v1')

/**
 * Portal to host, the handshake's first message. `nonce`: hex(32). `sealed`: 32 random bytes under the session's login
 * key, hex(256).
 */
export type Handshake = {
  readonly v: 1
  readonly type: 'tandem.hello'
  readonly openingId: string
  readonly sessionId: string
  readonly page: Page
  readonly record?: string | undefined
  readonly nonce: string
  readonly sealed?: string | undefined
}

/**
 * Host to portal. `deviceSignature`, hex(64), is over `DeviceKey.openerMessage`. `ticket`, `unsealed` and `hostSecret`
 * are hex(32), `recoveryPublicKey` is hex(64).
 */
export type HandshakeAnswer = {
  readonly v: 1
  readonly type: 'tandem.answer'
  readonly openingId: string
  readonly ticket: string
  readonly unsealed?: string | undefined
  readonly hostSecret: string
  readonly recoveryPublicKey?: string | undefined
  readonly deviceSignature: string
}

/** Portal to host. */
export type Done = {
  readonly v: 1
  readonly type: 'tandem.done'
  readonly openingId: string
  readonly result: DoneResult
  readonly sealedResult?: string | undefined
}

/** Host to portal: the host gives up, and the page closes. */
export type Close = {
  readonly v: 1
  readonly type: 'tandem.bye'
  readonly openingId: string
}

export const readHandshake = (data: unknown): Handshake | undefined => Json.check(handshake, data)

export const readAnswer = (data: unknown): HandshakeAnswer | undefined => Json.check(answer, data)

export const readDone = (data: unknown): Done | undefined => Json.check(done, data)

export const readClose = (data: unknown): Close | undefined => Json.check(close, data)

/**
 * What the host trusts about keys: the page seals it under a secret that the service never sees. All bytes are hex:
 * `rootPublicKey` of 32, `recoverySignature` of 64, `deviceCertificate` of what `RootKey.certifyDevice` gives.
 */
export type PortalSessionResult = {
  readonly userId: string
  readonly credentialId: string
  readonly rootPublicKey: string
  readonly deviceCertificate: string
  readonly recoverySignature?: string | undefined
  readonly wallets: readonly ResultWallet[]
  readonly missing: readonly string[]
}

/** `publicKey` is hex of 33 bytes for DKLS, of 32 for ED25519; `shareId` and `shareHash` are hex(32). */
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

/** `secret` as for `sealResult`; throws a RangeError for one that has not 32 bytes. */
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
    return Json.parse(result, utf8.encode(bytes))
  } catch {
    // Not UTF-8.
    return undefined
  }
}

const uuid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))

/** Lower-case hex of so many bytes. */
const hex = (length?: number) =>
  v.pipe(
    v.string(),
    v.check((text) => fromHex(text, length) !== undefined),
  )

const handshake: Json.Schema<Handshake> = v.strictObject({
  v: v.literal(1),
  type: v.literal('tandem.hello'),
  openingId: uuid,
  sessionId: uuid,
  page: v.picklist(pages),
  record: v.optional(uuid),
  nonce: hex(32),
  sealed: v.optional(hex(256)),
})

const answer: Json.Schema<HandshakeAnswer> = v.strictObject({
  v: v.literal(1),
  type: v.literal('tandem.answer'),
  openingId: uuid,
  ticket: hex(32),
  unsealed: v.optional(hex(32)),
  hostSecret: hex(32),
  recoveryPublicKey: v.optional(hex(64)),
  deviceSignature: hex(64),
})

const done: Json.Schema<Done> = v.strictObject({
  v: v.literal(1),
  type: v.literal('tandem.done'),
  openingId: uuid,
  result: v.picklist(results),
  sealedResult: v.optional(v.string()),
})

const close: Json.Schema<Close> = v.strictObject({ v: v.literal(1), type: v.literal('tandem.bye'), openingId: uuid })

const resultWallet: Json.Schema<ResultWallet> = v.strictObject({
  walletId: uuid,
  address: v.string(),
  publicKey: hex(),
  epoch: v.pipe(v.number(), v.safeInteger()),
  shareId: hex(32),
  shareHash: hex(32),
})

const result: Json.Schema<PortalSessionResult> = v.strictObject({
  userId: uuid,
  credentialId: uuid,
  rootPublicKey: hex(32),
  deviceCertificate: hex(),
  recoverySignature: v.optional(hex(64)),
  wallets: v.array(resultWallet),
  missing: v.array(uuid),
})
