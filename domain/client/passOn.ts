/** Transactions of Solana and Cosmos that are signed, on their way to the chain (domain/client/README.md#sending). */
import { base64 } from '@scure/base'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import { connectionError, isRefusal, isUnclear, type ApiError } from '../model/ApiError.ts'
import { retries } from '../model/Limits.ts'
import type { Wallet } from '../model/Wallet.ts'
import { Api } from './ports/Api.ts'
import { report } from './ports/Progress.ts'

export type SignedTransaction = {
  readonly wallet: Wallet
  /** CAIP-2. */
  readonly chainId: string
  /** Of the run that signed it. */
  readonly protocolId: string
  /** With all its signatures, as the chain's network has it. */
  readonly transaction: Uint8Array
  /** Cosmos: the direct document that was signed. */
  readonly signDoc?: Uint8Array
  /** By which the chain names it. */
  readonly transactionHash: string
}

/**
 * Has the service send the transaction. The same bytes are the same transaction, which a chain executes once, so after
 * silence and where the chain's node does not answer they are sent again, twice at most.
 */
export const passOn = Effect.fn('sending.passOn')(function* (signed: SignedTransaction) {
  const { wallet, chainId, protocolId, transaction, signDoc, transactionHash } = signed
  const path = { userId: wallet.userId ?? '', walletId: wallet.id }
  const api = yield* Api
  yield* report({ step: 'sending' })
  const body = {
    transaction: base64.encode(transaction),
    chainId,
    protocolId,
    ...(signDoc === undefined ? {} : { cosmosSignDoc: base64.encode(signDoc) }),
  }
  let wasUnclear = false
  // Any other refusal than the node's own is of the repetition alone.
  const isSendingUnclear = (error: ApiError) =>
    isUnclear(error) || (wasUnclear && !isRefusal(error, 'BroadcastRefused'))
  const { txHash } = yield* api.call('sendTransaction', { path, body }).pipe(
    Effect.timeoutOrElse({ duration: answerWithinMs, orElse: () => Effect.fail(connectionError()) }),
    Effect.tapError((error) => Effect.logWarning('a try to send failed', error.message)),
    // The node may have the transaction.
    Effect.tapError((error) => Effect.sync(() => (wasUnclear ||= isUnclear(error)))),
    Effect.retry({ times: retries, schedule: Schedule.spaced(pauseMs), while: isUnclear }),
    Effect.catchIf(isSendingUnclear, (cause) =>
      Effect.fail(new SendingUnclear({ transaction, transactionHash, cause })),
    ),
  )
  if (txHash !== transactionHash) return yield* new SendingUnclear({ transaction, transactionHash })
  return { transaction, transactionHash }
})

/** Longer than the service waits for a node, which it may ask twice. */
const answerWithinMs = 12_000
const pauseMs = 1_000

/**
 * The transaction is signed, and may have been sent. The app looks for `transactionHash`, or sends `transaction` by a
 * node of its own: the chain executes it once.
 */
export class SendingUnclear extends Data.TaggedError('SendingUnclear')<{
  readonly transaction: Uint8Array
  readonly transactionHash: string
  readonly cause?: unknown
}> {
  override readonly message = 'the transaction was signed, but it is not known whether it was sent'
}
