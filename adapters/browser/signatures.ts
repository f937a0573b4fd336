/** Inputs and results of signing, in an app's forms. */
import { base64 } from '@scure/base'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as Result from 'effect/Result'
import * as Signature from '../../domain/model/Signature.ts'
import type { Wallet } from '../../domain/model/Wallet.ts'

/** Without `walletId` it is the first usable one of the current wallets. */
export type SignMessageInput = {
  readonly walletId?: string
  /** Text is signed as UTF-8. */
  readonly message: string | Uint8Array
}

/** A signature over a message. Wallets of EVM and Cosmos have r, s and v; Solana's is 64 bytes in base64. */
export type MessageSignature = {
  readonly walletId: string
  readonly address: string
  /** EVM and Cosmos: r 64, s 64 and v 2 hexadecimal digits, v being 00 or 01. Solana: base64. */
  readonly signature: string
  /** EVM: the same with 0x and v as 1b or 1c, as Ethereum's tools expect it. */
  readonly ethereumSignature?: `0x${string}`
  readonly bytes: Uint8Array
}

export type TransactionInput = {
  readonly walletId?: string
  /** Serialised and not signed: bytes, or hexadecimal digits with or without 0x. */
  readonly transaction: string | Uint8Array
  /** Decimal, and the same as in the transaction. */
  readonly chainId: string | number | bigint
}

/** Scalars are 32 bytes in hexadecimal digits with 0x; `yParity` is v as 0 or 1. */
export type TransactionSignature = {
  readonly walletId: string
  readonly address: string
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly yParity: 0 | 1
}

export type SentTransaction = TransactionSignature & { readonly transactionHash: `0x${string}` }

/** The bytes to sign; text becomes UTF-8. */
export const messageOf = ({ message }: SignMessageInput): Uint8Array =>
  typeof message === 'string' ? utf8ToBytes(message) : message

/** A signature with the wallet that made it. */
type Signed = { readonly wallet: Wallet; readonly signature: Uint8Array }

export const toMessageSignature = ({ wallet, signature }: Signed): MessageSignature => {
  const common = { walletId: wallet.id, address: wallet.address ?? '', bytes: signature }
  if (wallet.scheme === 'ED25519') return { ...common, signature: base64.encode(signature) }
  const parts = Result.getOrThrow(Signature.fromBytes(signature))
  return {
    ...common,
    signature: Signature.toHex(parts),
    ...(wallet.type === 'COSMOS' ? {} : { ethereumSignature: Signature.toEthereumHex(parts) }),
  }
}

/** The transaction's bytes, and its chain id as decimal text. Throws for digits that are not hexadecimal. */
export const unsigned = ({ transaction, chainId }: TransactionInput) => ({
  transaction: typeof transaction === 'string' ? hexToBytes(transaction.replace(/^0x/, '')) : transaction,
  chainId: String(chainId),
})

export const toTransactionSignature = ({ wallet, signature }: Signed): TransactionSignature => {
  const { r, s, v } = Result.getOrThrow(Signature.fromBytes(signature))
  return { walletId: wallet.id, address: wallet.address ?? '', r: toHex(r), s: toHex(s), yParity: v }
}

export const toSentTransaction = (sent: Signed & { readonly transactionHash: Uint8Array }): SentTransaction => ({
  ...toTransactionSignature(sent),
  transactionHash: toHex(sent.transactionHash),
})

const toHex = (bytes: Uint8Array): `0x${string}` => `0x${bytesToHex(bytes)}`
