import { bytesToHex } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import { protocolOf } from '../mpc/Scheme.ts'
import { payloadDigest } from '../mpc/SigningRequest.ts'
import { timeoutOf } from '../model/TransactionReview.ts'
import { Api } from './ports/Api.ts'
import { Random } from './ports/Random.ts'
import type { Signing } from './sign.ts'
import { selectWallet } from './selectWallet.ts'

export type PreSigned = {
  /** What the protocol signs. EVM, Cosmos: the digest, 32 bytes; Solana: the message. */
  readonly message: Uint8Array
  /** Cosmos: the document that the digest is the SHA-256 of. */
  readonly cosmosSignDoc?: Uint8Array
  /** Of the run to come; by default a new one. */
  readonly protocolId?: string
}

/**
 * Says what a run will sign by a bare digest, which alone signs nothing (openapi/README.md#public-client). For apps that
 * run the protocol themselves; the SDK's own signatures do not need it.
 */
export const preSignMessage = Effect.fn('signing.preSignMessage')(function* (
  { walletId, timeoutMs }: Signing,
  { message, cosmosSignDoc, protocolId: given }: PreSigned,
) {
  const wallet = yield* selectWallet(walletId)
  const scheme = protocolOf(wallet.scheme)
  yield* Effect.fromResult(payloadDigest({ kind: 'blind', digest: bytesToHex(message) }, scheme))
  const protocolId = given ?? (yield* (yield* Random).uuid)
  const { pendingTransactionId, signature } = yield* (yield* Api).call('signMessage', {
    path: { userId: wallet.userId ?? '', walletId: wallet.id },
    body: {
      walletId: wallet.id,
      message: base64.encode(message),
      scheme: scheme === 'ED25519' ? scheme : null,
      protocolId,
      ...(cosmosSignDoc === undefined ? {} : { cosmosSignDoc: base64.encode(cosmosSignDoc) }),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutOf(timeoutMs) }),
    },
  })
  return {
    walletId: wallet.id,
    protocolId,
    ...(pendingTransactionId === undefined ? {} : { pendingTransactionId }),
    ...(signature === undefined ? {} : { signature }),
  }
})
