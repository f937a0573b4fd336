import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { asked } from './otherRequests.ts'
import { announced, asTransaction, type Signing } from './sign.ts'
import { selectWallet } from './selectWallet.ts'

/** Signs the message of a Solana transaction; the caller puts the signature into its place and sends it. */
export const signSolanaTransaction = Effect.fn('signing.signSolanaTransaction')(function* (
  { walletId, timeoutMs }: Signing,
  message: Uint8Array,
  as: typeof asTransaction = asTransaction,
) {
  const wallet = yield* selectWallet(walletId, ['SOLANA'])
  return yield* announced(as(timeoutMs), wallet, asked({ kind: 'solanaTransaction', message: bytesToHex(message) }))
})
