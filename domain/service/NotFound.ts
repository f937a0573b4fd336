import * as Data from 'effect/Data'

/** It does not exist, or belongs to another. The answers are equal, so that a caller cannot learn which. */
export class NotFound extends Data.TaggedError('NotFound') {
  override readonly message = 'not found'
}
