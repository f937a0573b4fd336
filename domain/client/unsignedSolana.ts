import { base58 } from '@scure/base'
import * as Address from '../model/Address.ts'
import { chainOf } from '../model/NamedChain.ts'
import * as SolanaTransaction from '../mpc/SolanaTransaction.ts'

/**
 * What the wallet with this address has to sign before a Solana transaction can be sent to a chain (CAIP-2), and the
 * transaction with that signature in its place, with its hash; `undefined` for what could not be sent. Another signer's
 * signature that is missing is found before ours is made.
 */
export const unsignedSolana = (address: string | null | undefined, transaction: Uint8Array, chainId: string) => {
  const read = SolanaTransaction.readTransaction(transaction)
  const own = read?.signers.findIndex((key) => Address.solana(key) === address) ?? -1
  const isWhole = read?.signatures.every((signature, index) => index === own || signature.some((byte) => byte !== 0))
  if (read === undefined || own < 0 || isWhole !== true || chainOf(chainId)?.type !== 'SOLANA') return undefined
  const { message } = read
  return {
    message,
    withSignature: (signature: Uint8Array) => {
      const signatures = read.signatures.with(own, signature)
      return {
        transaction: SolanaTransaction.writeTransaction({ signatures, message }),
        transactionHash: base58.encode(signatures[0] ?? signature),
      }
    },
  }
}
