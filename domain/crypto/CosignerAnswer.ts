/** What the co-signer signs of an answer (domain/crypto/README.md#co-signers-answers). It needs no curve: pages verify by WebCrypto. */
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'
import type { Signatures } from './Signatures.ts'
import { hash, u32 } from './Transcript.ts'

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

/** 32 bytes. */
export const answerMessage = (answer: SignedAnswer, sha256: Signatures['sha256'] = nobleSha256): Uint8Array =>
  hash('tandem/answer/v1', [
    answer.protocolId,
    u32(answer.step),
    sha256(answer.request),
    u32(answer.status),
    sha256(answer.body),
  ])
