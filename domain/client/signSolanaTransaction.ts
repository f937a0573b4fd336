import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { TransactionSigningFailed } from '../model/Account.ts'
import * as EventNames from '../model/Events.ts'
import { announced } from './sign.ts'
import { selectWallet } from './wallets.ts'

/** Signs the message of a Solana transaction; the caller puts the signature into its place and sends it. */
export const signSolanaTransaction = Effect.fn('signing.signSolanaTransaction')(function* (
  walletId: string | undefined,
  message: Uint8Array,
) {
  const wallet = yield* selectWallet(walletId, ['SOLANA'])
  const request = { kind: 'solanaTransaction', message: bytesToHex(message) } as const
  return yield* announced(EventNames.signTransaction, wallet, request, TransactionSigningFailed)
})
