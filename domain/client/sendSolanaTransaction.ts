import * as Effect from 'effect/Effect'
import { PayloadRefused } from '../mpc/SigningPayload.ts'
import { passOn } from './passOn.ts'
import { asSending, type Signing } from './sign.ts'
import { signSolanaTransaction } from './signSolanaTransaction.ts'
import { unsignedSolana } from './unsignedSolana.ts'
import { selectWallet } from './selectWallet.ts'

/** `transaction`: as the network has it, without the wallet's signature. `chainId`: CAIP-2. */
export type SolanaSending = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs a Solana transaction, puts the signature into its place, and has the service send it. */
export const sendSolanaTransaction = Effect.fn('sending.sendSolanaTransaction')(function* (
  { walletId, timeoutMs }: Signing,
  { transaction, chainId }: SolanaSending,
) {
  const wallet = yield* selectWallet(walletId, ['SOLANA'])
  const unsigned = unsignedSolana(wallet.address, transaction, chainId)
  if (unsigned === undefined) return yield* new PayloadRefused({ reason: 'no such transaction' })
  const signed = yield* signSolanaTransaction({ walletId: wallet.id, timeoutMs }, unsigned.message, asSending)
  const whole = unsigned.withSignature(signed.signature)
  const sent = yield* passOn({ wallet, chainId, protocolId: signed.protocolId, ...whole })
  return { ...signed, ...sent }
})
