/** A signature that the service holds until its user has reviewed it (spec §4, signing; §8). */
import * as Data from 'effect/Data'
import type { Signature } from './Signature.ts'

export type PendingTransaction = { readonly id: string }

/** Signing result (spec §3): a signature, or the id under which the service holds the transaction for review. */
export type SigningResult =
  | { readonly kind: 'signed'; readonly signature: Signature }
  | { readonly kind: 'held'; readonly pendingTransactionId: string }

/** What became of a review, asked every 2 s: a vanished pending transaction means that it was denied (spec §4). */
export const outcome = (review: {
  readonly pendingExists: boolean
  readonly waitedMs: number
  readonly timeoutMs: number
}): 'denied' | 'timed-out' | 'waiting' => {
  if (!review.pendingExists) return 'denied'
  return review.waitedMs >= review.timeoutMs ? 'timed-out' : 'waiting'
}

/** Sending with a pending review: whoever sends gets the address at which to review. */
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
