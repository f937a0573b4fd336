/** A signature that the service holds until its user has reviewed it. */
import * as Data from 'effect/Data'
import { reviewTimeoutMs } from './Limits.ts'

const shortestTimeoutMs = 1_000
const longestTimeoutMs = 10 * 60_000

/** How long a signature waits for its review, in whole milliseconds: what the caller asks for, within 1 s and 10 min. */
export const timeoutOf = (ms: number | undefined): number =>
  ms === undefined || Number.isNaN(ms)
    ? reviewTimeoutMs
    : Math.round(Math.min(Math.max(ms, shortestTimeoutMs), longestTimeoutMs))

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

/**
 * The review was accepted, but its acceptance is used up without an answer for this call: another window signed the
 * same content, or the answer was lost. Or it no longer counts, under a policy that was applied since. It is not signed
 * again without another review.
 */
export class TransactionReviewUsed extends Data.TaggedError('TransactionReviewUsed') {
  override readonly message = 'transaction review was already used'
}
