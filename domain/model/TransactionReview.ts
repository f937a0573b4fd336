/** A signature that the service holds until its user has reviewed it. */
import * as Data from 'effect/Data'
import type { Signature } from './Signature.ts'

export type PendingTransaction = { readonly id: string }

/** Signing result: a signature, or the id of the transaction that is held for review. */
export type SigningResult =
  | { readonly kind: 'signed'; readonly signature: Signature }
  | { readonly kind: 'held'; readonly pendingTransactionId: string }

/** The outcome of a review, polled every 2 s. A pending transaction that no longer exists was denied. */
export const outcome = (review: {
  readonly pendingExists: boolean
  readonly waitedMs: number
  readonly timeoutMs: number
}): 'denied' | 'timed-out' | 'waiting' => {
  if (!review.pendingExists) return 'denied'
  return review.waitedMs >= review.timeoutMs ? 'timed-out' : 'waiting'
}

/** Sending needs a review first; the error has the address of the review page. */
export class TransactionReviewError extends Data.TaggedError('TransactionReviewError')<{
  readonly transactionReviewUrl: string
}> {
  override readonly message = 'transaction review error'
}

export class TransactionReviewDenied extends Data.TaggedError('TransactionReviewDenied') {
  override readonly message = 'transaction review has been denied by the user'
}

export class TransactionReviewTimeout extends Data.TaggedError('TransactionReviewTimeout')<{
  readonly transactionReviewUrl: string
  readonly pendingTransactionId: string
}> {
  override readonly message = 'transaction review has timed out'
}
