import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The platform's CSPRNG. */
export class Random extends Context.Service<
  Random,
  {
    /** `length` bytes. */
    readonly bytes: (length: number) => Effect.Effect<Uint8Array>
    /** A version 4 UUID in lower case. */
    readonly uuid: Effect.Effect<string>
    /** The same source as a plain function, for the protocols' steps. */
    readonly source: (length: number) => Uint8Array
  }
>()('tandem/client/Random') {}
