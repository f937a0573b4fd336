/** Signatures of Ethereum beside messages: typed data, authorizations and transactions. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import * as TypedData from '../mpc/TypedData.ts'
import { PayloadRefused } from '../mpc/SigningPayload.ts'
import { isEvm } from '../model/EvmAddress.ts'
import { announced, asMessage, asSending, asTransaction, TransactionNotSent, type Signing } from './sign.ts'
import { asked } from './otherRequests.ts'
import { selectWallet } from './selectWallet.ts'

/** Signs typed data of EIP-712, as the tools of Ethereum have it. */
export const signTypedData = Effect.fn('signing.signTypedData')(function* (
  { walletId, timeoutMs }: Signing,
  typedData: unknown,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const read = TypedData.read(typedData)
  if (read === undefined) return yield* new PayloadRefused({ reason: 'malformed' })
  return yield* announced(asMessage(timeoutMs), wallet, asked({ kind: 'eip712', typedData: read.text }))
})

/** An account's word that the code at an address may act for it (EIP-7702). Numbers are decimal text. */
export type Authorization = { readonly address: string; readonly chainId: string; readonly nonce: string }

/** Signs an authorization, which takes effect when a transaction brings it to its chain. */
export const signAuthorization = Effect.fn('signing.signAuthorization')(function* (
  { walletId, timeoutMs }: Signing,
  { address, chainId, nonce }: Authorization,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  if (!isEvm(address)) return yield* new PayloadRefused({ reason: 'malformed' })
  const fields = { kind: 'authorization', address: address.slice(2).toLowerCase(), chainId, nonce }
  const request = yield* Effect.fromResult(SigningRequest.read(fields))
  return yield* announced(asMessage(timeoutMs), wallet, asked(request))
})

/** An EVM transaction, serialised and not signed yet. `chainId` is decimal and must be the transaction's own. */
export type UnsignedTransaction = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs an EVM transaction; the caller assembles and sends it. */
export const signTransaction = Effect.fn('signing.signTransaction')(function* (
  signing: Signing,
  unsigned: UnsignedTransaction,
) {
  return yield* signEvmTransaction(signing, unsigned, false)
})

/**
 * Signs an EVM transaction and has the co-signer's side send it: the hash is in the answer. Once the last request has
 * left, what is not refused and has no answer that this device could read is `TransactionNotSent`, and no other run
 * begins. It waits for no review: if one is needed it fails with `TransactionReviewError`, and is called again once the
 * review is accepted.
 */
export const sendTransaction = Effect.fn('signing.sendTransaction')(function* (
  signing: Signing,
  unsigned: UnsignedTransaction,
) {
  const { transactionHash, ...signed } = yield* signEvmTransaction(signing, unsigned, true)
  if (transactionHash === undefined) return yield* new TransactionNotSent({})
  return { ...signed, transactionHash }
})

const signEvmTransaction = Effect.fn('signing.signEvmTransaction')(function* (
  { walletId, timeoutMs }: Signing,
  { transaction, chainId }: UnsignedTransaction,
  send: boolean,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const fields = { kind: 'transaction', transaction: bytesToHex(transaction), chainId, send }
  const request = yield* Effect.fromResult(SigningRequest.read(fields))
  return yield* announced(send ? asSending(timeoutMs) : asTransaction(timeoutMs), wallet, asked(request))
})
