/**
 * The co-signer's frame key: P-256, pinned in the share text at key generation. It signs every answer, so that a proxy
 * between co-signer and client cannot make the client abort a run or lock its OT records. Signatures are deterministic
 * (RFC 6979): a repeated request gets the same bytes. domain/crypto/README.md#co-signers-answers
 */
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as DeviceKey from './DeviceKey.ts'
import { hash, u32 } from './Transcript.ts'

/** Bytes. */
export const secretKeyLength = 32

/** 65 bytes: the uncompressed point of a 32-byte secret key. */
export const publicKeyOf = (secretKey: Uint8Array): Uint8Array => p256.getPublicKey(secretKey, false)

/** One answer of the co-signer. Its signature also covers the request. */
export type SignedAnswer = {
  readonly protocolId: string
  /** 1 for the first request of a run. */
  readonly step: number
  /** The whole request frame. */
  readonly request: Uint8Array
  /** The status byte of the answer frame. */
  readonly status: number
  /** The body of the answer frame. */
  readonly body: Uint8Array
}

/** 64 bytes, r ‖ s with low s. */
export const sign = (secretKey: Uint8Array, answer: SignedAnswer): Uint8Array =>
  p256.sign(answerMessage(answer), secretKey, { prehash: true, lowS: true, format: 'compact' })

/** Whether the signature of 64 bytes is by the key of 65 bytes. */
export const verify = (publicKey: Uint8Array, answer: SignedAnswer, signature: Uint8Array): boolean =>
  DeviceKey.verify(publicKey, answerMessage(answer), signature)

const answerMessage = (answer: SignedAnswer): Uint8Array =>
  hash('tandem/answer/v1', [
    answer.protocolId,
    u32(answer.step),
    sha256(answer.request),
    u32(answer.status),
    sha256(answer.body),
  ])
