import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The only source of randomness, ids included. */
export class SecureRandom extends Context.Service<
  SecureRandom,
  {
    /** `length` bytes. */
    readonly bytes: (length: number) => Effect.Effect<Uint8Array>
    /** Version 4, lower case. */
    readonly uuid: Effect.Effect<string>
    /** 256 bits as 43 characters of base64url. */
    readonly token: Effect.Effect<string>
    /** A number of that many decimal digits, all equally likely. */
    readonly digits: (length: number) => Effect.Effect<string>
  }
>()('tandem/service/SecureRandom') {}
