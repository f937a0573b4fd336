import * as Data from 'effect/Data'

/** A field is missing, malformed or too weak, or a signature does not verify. The answer does not say which. */
export class InvalidCredential extends Data.TaggedError('InvalidCredential') {
  override readonly message = 'invalid credential'
}
