/**
 * A partner's decision about a review: a compact JWS (RFC 7515) with the algorithm of the policy's approver key, ES256
 * (RFC 7518) or EdDSA (RFC 8037). The header chooses neither key nor algorithm.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { ascii, base64urlnopad, utf8 } from '@scure/base'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { Signatures } from '../crypto/Signatures.ts'
import type { Policy } from './policy/Policy.ts'

const Decision = Schema.Struct({
  /** Of the pending transaction. */
  id: Schema.String,
  /** hex(32) */
  contentHash: Schema.String,
  decision: Schema.Literals(['accept', 'deny']),
  /** Seconds since 1970. */
  exp: Schema.Finite,
})

const algorithms = { EC: 'ES256', OKP: 'EdDSA' } as const

/** What the token says, if the approver signed it; its time is not checked. */
export const decisionOf = (
  jws: string,
  approver: Policy['approver'],
  signatures: Signatures,
): typeof Decision.Type | undefined => {
  if (approver === undefined) return undefined
  const [header = '', payload = '', signature = '', ...more] = jws.split('.')
  if (more.length > 0) return undefined
  const [fields, said] = [jsonOf(header), jsonOf(payload)]
  const isOfKey = isObject(fields) && fields['alg'] === algorithms[approver.kty] && fields['crit'] === undefined
  const bytes = bytesOf(signature)
  if (!isOfKey || bytes === undefined) return undefined
  const message = ascii.decode(`${header}.${payload}`)
  return isSigned(approver, message, bytes, signatures)
    ? Option.getOrUndefined(Schema.decodeUnknownOption(Decision)(said))
    : undefined
}

const isSigned = (
  approver: NonNullable<Policy['approver']>,
  message: Uint8Array,
  signature: Uint8Array,
  { p256, ed25519 }: Signatures,
): boolean => {
  const x = bytesOf(approver.x)
  if (x === undefined) return false
  if (approver.kty === 'OKP') return ed25519(x, message, signature)
  const y = bytesOf(approver.y)
  return y !== undefined && p256(concatBytes(Uint8Array.of(4), x, y), message, signature)
}

/** Without padding, and with no bits beside the bytes: of two texts one is the token. */
const bytesOf = (text: string): Uint8Array | undefined => {
  try {
    return base64urlnopad.decode(text)
  } catch {
    return undefined
  }
}

const jsonOf = (part: string): unknown => {
  const bytes = bytesOf(part)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(utf8.encode(bytes))
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
