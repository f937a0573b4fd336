/** An operation did not end in its time. */
import * as Data from 'effect/Data'

export class OperationTimedOut extends Data.TaggedError('OperationTimedOut')<{ readonly ms: number }> {
  override readonly message = `Operation timed out after ${this.ms}ms`
}
