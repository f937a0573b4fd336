/**
 * A partner's decision about a review: a compact JWS (RFC 7515) with the algorithm of the policy's approver key, ES256
 * (RFC 7518) or EdDSA (RFC 8037). The header chooses neither key nor algorithm.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schema from 'effect/Schema'
import type { Policy } from './policy/Policy.ts'
import { Jwts } from './ports/Jwts.ts'

const Decision = Schema.Struct({
  /** Of the pending transaction. */
  id: Schema.String,
  /** hex(32) */
  contentHash: Schema.String,
  decision: Schema.Literals(['accept', 'deny']),
  /** Seconds since 1970. */
  exp: Schema.Finite,
})

/** What the token says, if the approver signed it; its time is not checked. */
export const decisionOf = Effect.fnUntraced(function* (jws: string, approver: Policy['approver']) {
  if (approver === undefined) return undefined
  const said = yield* (yield* Jwts).read(jws, approver)
  return Option.getOrUndefined(Option.flatMap(said, Schema.decodeUnknownOption(Decision)))
})

/** The thumbprint of the approver's key (RFC 7638): hex(32), or null without one. */
export const approverThumb = (approver: Policy['approver']): string | null => {
  if (approver === undefined) return null
  const { crv, kty, x } = approver
  const members = approver.kty === 'EC' ? { crv, kty, x, y: approver.y } : { crv, kty, x }
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(members))))
}
