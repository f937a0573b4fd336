/** Signatures of what Ethereum has beside messages. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Sign from '../../../domain/client/signEthereum.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import { PayloadRefused } from '../../../domain/mpc/SigningPayload.ts'
import type { Flows } from '../flows.ts'
import type { SentTransaction, TransactionInput, TransactionSignature } from '../verbs.ts'

export const flows = {
  signTypedData: (input) => Effect.map(Sign.signTypedData(input, input.typedData), toEthereumSignature),
  signAuthorization: ({ address, chainId, nonce, ...signing }) =>
    Effect.map(
      Sign.signAuthorization(signing, { address, chainId: String(chainId), nonce: String(nonce) }),
      (signed) => ({ address, chainId, nonce, ...toScalars(signed) }),
    ),
  signTransaction: (input) =>
    Effect.flatMap(unsigned(input), (transaction) =>
      Effect.map(Sign.signTransaction(input, transaction), toTransactionSignature),
    ),
  sendTransaction: (input) =>
    Effect.flatMap(unsigned(input), (transaction) =>
      Effect.map(Sign.sendTransaction(input, transaction), toSentTransaction),
    ),
} satisfies Partial<Flows>

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

/** The transaction's bytes, and its chain id as decimal text. */
const unsigned = ({ transaction, chainId }: TransactionInput) => {
  const bytes = typeof transaction === 'string' ? fromHex(transaction.replace(/^0x/, '').toLowerCase()) : transaction
  return bytes === undefined
    ? Effect.fail(new PayloadRefused({ reason: 'malformed' }))
    : Effect.succeed<Sign.UnsignedTransaction>({ transaction: bytes, chainId: String(chainId) })
}

const toEthereumSignature = ({ signature }: Signed) =>
  Signature.toEthereumHex(Result.getOrThrow(Signature.fromBytes(signature)))

const toScalars = ({ signature }: Signed) => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  return { r: toHex(r), s: toHex(s), yParity: v }
}

const toTransactionSignature = (signed: Signed): TransactionSignature => ({
  walletId: signed.wallet.id,
  address: signed.wallet.address ?? '',
  ...toScalars(signed),
})

const toSentTransaction = (sent: Signed & { readonly transactionHash: Uint8Array }): SentTransaction => ({
  ...toTransactionSignature(sent),
  transactionHash: toHex(sent.transactionHash),
})

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
