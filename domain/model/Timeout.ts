/** An operation that did not end in its time (spec §8 and §9, retries). */
import * as Data from 'effect/Data'

export class OperationTimedOut extends Data.TaggedError('OperationTimedOut')<{ readonly ms: number }> {
  override readonly message = `Operation timed out after ${this.ms}ms`
}
