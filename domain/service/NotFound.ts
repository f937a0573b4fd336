import * as Data from 'effect/Data'

/** It does not exist, or it is another's: nobody learns which, the bytes are the same (flows, notation). */
export class NotFound extends Data.TaggedError('NotFound') {
  override readonly message = 'not found'
}
