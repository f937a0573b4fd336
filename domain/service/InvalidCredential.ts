import * as Data from 'effect/Data'

/** A field is missing, malformed or too weak, or a signature does not verify. Which of them is not said. */
export class InvalidCredential extends Data.TaggedError('InvalidCredential') {
  override readonly message = 'invalid credential'
}
