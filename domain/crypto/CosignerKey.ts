/**
 * The co-signer's frame key (mpc-review 8): P-256, pinned in the share record at keygen. It signs every answer, so that
 * nobody between the co-signer and the client can make the client abort or burn its OT state. Signatures are
 * deterministic (RFC 6979): a repeated request is answered with the same bytes.
 */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as DeviceKey from './DeviceKey.ts'
import { hash, u32 } from './Transcript.ts'

export const secretKeyLength = 32

/** The 65-byte uncompressed point. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => p256.getPublicKey(secretKey, false)

/** One answer of the co-signer, bound to the request that it answers. */
export type Answer = {
  readonly protocolId: string
  readonly step: number
  /** The whole request frame. */
  readonly request: Uint8Array
  /** The status byte of the answer frame. */
  readonly status: number
  readonly body: Uint8Array
}

export const sign = (secretKey: Uint8Array, answer: Answer): Uint8Array =>
  p256.sign(answerMessage(answer), secretKey, { prehash: true, lowS: true, format: 'compact' })

export const verify = (publicKey: Uint8Array, answer: Answer, signature: Uint8Array): boolean =>
  DeviceKey.verify(publicKey, answerMessage(answer), signature)

const answerMessage = (answer: Answer): Uint8Array =>
  hash('tandem/answer/v1', [
    answer.protocolId,
    u32(answer.step),
    sha256(answer.request),
    u32(answer.status),
    sha256(answer.body),
  ])
