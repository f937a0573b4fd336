/** A file of its own: the co-signer's threads, which throw it, load no Effect. */
import * as Effect from 'effect/Effect'
import { KeyFileRefused } from './KeyFileRefused.ts'

/** Fails with the `KeyFileRefused` that is thrown; anything else that is thrown is a defect. */
export const takingKeys = <A>(use: () => A): Effect.Effect<A, KeyFileRefused> =>
  Effect.catch(Effect.try({ try: use, catch: (cause) => cause }), (cause) =>
    cause instanceof KeyFileRefused ? Effect.fail(cause) : Effect.die(cause),
  )
