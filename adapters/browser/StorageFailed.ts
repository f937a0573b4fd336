import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'

/**
 * The disk is full, the browser's storage or the app's own does not open, or a later version wrote the record. The change
 * was not made, and nothing that depends on it has happened.
 */
export class StorageFailed extends Data.TaggedError('StorageFailed')<{ readonly cause: unknown }> {
  override readonly message = 'key shares cannot be stored here'
}

/** A read or a write. Its failure is a defect of the flow that asked for it. */
export const stored = <A>(work: () => Promise<A>): Effect.Effect<A> =>
  Effect.orDie(Effect.tryPromise({ try: work, catch: (cause) => new StorageFailed({ cause }) }))
