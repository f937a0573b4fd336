/** Transactions of Ethereum as apps give them, and its signatures in the forms that apps get. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import type { UnsignedTransaction } from '../../../domain/client/signEthereum.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import { PayloadRefused } from '../../../domain/mpc/SigningPayload.ts'
import type { SentTransaction, TransactionInput, TransactionSignature } from '../verbs.ts'
import type { Signed } from './messageForm.ts'

/** The transaction's bytes, and its chain id as decimal text. */
export const unsignedOf = ({
  transaction,
  chainId,
}: TransactionInput): Result.Result<UnsignedTransaction, PayloadRefused> => {
  const bytes = typeof transaction === 'string' ? fromHex(transaction.replace(/^0x/, '').toLowerCase()) : transaction
  return bytes === undefined
    ? Result.fail(new PayloadRefused({ reason: 'malformed' }))
    : Result.succeed({ transaction: bytes, chainId: String(chainId) })
}

export const toEthereumSignature = ({ signature }: Signed): `0x${string}` =>
  Signature.toEthereumHex(Result.getOrThrow(Signature.fromBytes(signature)))

export const toScalars = ({ signature }: Signed) => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  return { r: toHex(r), s: toHex(s), yParity: v }
}

export const toTransactionSignature = (signed: Signed): TransactionSignature => ({
  walletId: signed.wallet.id,
  address: signed.wallet.address ?? '',
  ...toScalars(signed),
})

export const toSentTransaction = (sent: Signed & { readonly transactionHash: Uint8Array }): SentTransaction => ({
  ...toTransactionSignature(sent),
  transactionHash: toHex(sent.transactionHash),
})

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
