import { base58 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Address from '../model/Address.ts'
import { chainOf } from '../model/NamedChain.ts'
import { PayloadRefused } from '../mpc/SigningPayload.ts'
import * as SolanaTransaction from '../mpc/SolanaTransaction.ts'
import { passOn } from './passOn.ts'
import { asSending, type Signing } from './sign.ts'
import { signSolanaTransaction } from './signSolanaTransaction.ts'
import { selectWallet } from './wallets.ts'

/** `transaction`: as the network has it, without the wallet's signature. `chainId`: CAIP-2. */
export type SolanaSending = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs a Solana transaction, puts the signature into its place, and has the service send it. */
export const sendSolanaTransaction = Effect.fn('sending.sendSolanaTransaction')(function* (
  { walletId, timeoutMs }: Signing,
  { transaction, chainId }: SolanaSending,
) {
  const wallet = yield* selectWallet(walletId, ['SOLANA'])
  const read = SolanaTransaction.readTransaction(transaction)
  const own = read?.signers.findIndex((key) => Address.solana(key) === wallet.address) ?? -1
  // Another signer's signature that is missing is found before ours is made: nothing could be sent.
  const isWhole = read?.signatures.every((signature, index) => index === own || signature.some((byte) => byte !== 0))
  if (read === undefined || own < 0 || isWhole !== true || chainOf(chainId)?.type !== 'SOLANA') {
    return yield* new PayloadRefused({ reason: 'no such transaction' })
  }
  const signed = yield* signSolanaTransaction({ walletId: wallet.id, timeoutMs }, read.message, asSending)
  const signatures = read.signatures.with(own, signed.signature)
  const sent = yield* passOn({
    wallet,
    chainId,
    protocolId: signed.protocolId,
    transaction: SolanaTransaction.writeTransaction({ signatures, message: read.message }),
    transactionHash: base58.encode(signatures[0] ?? signed.signature),
  })
  return { ...signed, ...sent }
})
