import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import { TransactionSigningFailed } from '../model/Account.ts'
import * as Events from '../model/Events.ts'
import { Events as HostEvents } from './ports/Events.ts'
import { sign } from './sign.ts'
import { selectWallet } from './wallets.ts'

/** An EVM transaction, serialised and not signed yet. `chainId` is decimal and must be the transaction's own. */
export type UnsignedTransaction = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs an EVM transaction; the caller assembles and sends it. */
export const signTransaction = Effect.fn('signing.signTransaction')(function* (
  walletId: string | undefined,
  unsigned: UnsignedTransaction,
) {
  return yield* signEvmTransaction(walletId, unsigned, false)
})

/** Signs an EVM transaction and has the co-signer's side send it: the hash is in the answer. */
export const sendTransaction = Effect.fn('signing.sendTransaction')(function* (
  walletId: string | undefined,
  unsigned: UnsignedTransaction,
) {
  const { transactionHash, ...signed } = yield* signEvmTransaction(walletId, unsigned, true)
  if (transactionHash === undefined) return yield* new TransactionNotSent()
  return { ...signed, transactionHash }
})

const signEvmTransaction = Effect.fn('signing.signEvmTransaction')(function* (
  walletId: string | undefined,
  { transaction, chainId }: UnsignedTransaction,
  send: boolean,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const events = yield* HostEvents
  const failed = (cause: unknown) =>
    Effect.fail(new TransactionSigningFailed({ userId: wallet.userId ?? '', walletId: wallet.id, cause }))
  const signed = yield* sign(wallet.id, {
    kind: 'transaction',
    transaction: bytesToHex(transaction),
    chainId,
    send,
  }).pipe(
    Effect.catchTags({ ProtocolAborted: failed, WorkerFailed: failed, OperationTimedOut: failed }),
    Effect.tapError((error) => events.emit(Events.signTransaction, { data: { walletId: wallet.id }, error })),
  )
  yield* events.emit(Events.signTransaction, { data: { walletId: wallet.id } })
  return { wallet, ...signed }
})

/** The transaction is signed, but the answer has no hash: the app has to look for it before it sends it again. */
export class TransactionNotSent extends Data.TaggedError('TransactionNotSent') {
  override readonly message = 'the transaction was signed, but its hash was not told'
}
