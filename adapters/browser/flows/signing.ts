/** Signatures of messages, and of what Ethereum has. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import * as Effect from 'effect/Effect'
import * as Result from 'effect/Result'
import * as Sign from '../../../domain/client/sign.ts'
import { fromHex } from '../../../domain/crypto/Hex.ts'
import * as Signature from '../../../domain/model/Signature.ts'
import type { Wallet } from '../../../domain/model/Wallet.ts'
import { PayloadRefused } from '../../../domain/mpc/SigningRequest.ts'
import type { Flows } from '../flows.ts'
import type {
  MessageSignature,
  SentTransaction,
  SignMessageInput,
  TransactionInput,
  TransactionSignature,
} from '../verbs.ts'

export const flows = {
  signMessage: (input) => Effect.map(Sign.signMessage(input, messageOf(input)), toMessageSignature),
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

/** The bytes to sign; text becomes UTF-8. */
const messageOf = ({ message }: SignMessageInput): Uint8Array =>
  typeof message === 'string' ? utf8ToBytes(message) : message

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

const toMessageSignature = ({ wallet, signature }: Signed): MessageSignature => {
  const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
  if (wallet.scheme === 'ED25519') return { ...common, signature: base64.encode(signature) }
  const parts = Result.getOrThrow(Signature.fromBytes(signature))
  return {
    ...common,
    signature: Signature.toHex(parts),
    ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
  }
}

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
