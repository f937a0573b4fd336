/**
 * What a protocol signs for a request, and the digest of a message of Ethereum. The other kinds are in SigningRequest.ts, which pages
 * load with the first of them.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Result from 'effect/Result'
import { fromHex } from '../crypto/Hex.ts'
import type { Scheme, SigningPayload } from './Protocol.ts'

/** Of a request `eip191`, whose message is hex. */
export const messagePayload = (text: string, scheme: Scheme): Result.Result<SigningPayload, PayloadRefused> => {
  const message = fromHex(text)
  if (message === undefined) return refused('malformed')
  const prefixed = concatBytes(utf8ToBytes(`\x19Ethereum Signed Message:\n${message.length}`), message)
  return ofDkls(scheme, message.length === 32 ? 'eip191Hash' : 'eip191', keccak_256(prefixed))
}

/** The digest claim of a frame, 32 bytes: the digest itself, with ED25519 the SHA-256 of the message. */
export const digestClaim = (signed: SigningPayload, scheme: Scheme): Uint8Array =>
  scheme === 'DKLS' ? signed.message : sha256(signed.message)

export const refused = (reason: PayloadRefused['reason']) => Result.fail(new PayloadRefused({ reason }))

/** The 32-byte digest that a DKLS wallet signs. */
export const ofDkls = (
  scheme: Scheme,
  ofClass: string,
  digest: Uint8Array,
): Result.Result<SigningPayload, PayloadRefused> =>
  scheme === 'DKLS' ? Result.succeed({ message: digest, class: ofClass }) : refused('another scheme')

/** `reason` is for logs. */
export class PayloadRefused extends Data.TaggedError('PayloadRefused')<{
  readonly reason: 'malformed' | 'another scheme' | 'no such transaction' | 'a transaction as a message'
}> {
  override readonly message = 'payload is not supported'
}
