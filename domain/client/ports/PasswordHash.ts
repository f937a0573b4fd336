import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** `password` is UTF-8; `length` counts the bytes of the hash. */
export type Argon2idInput = {
  readonly password: Uint8Array
  readonly salt: Uint8Array
  readonly memoryKiB: number
  readonly iterations: number
  readonly parallelism: number
  readonly length: number
}

/** Argon2id, version 1.3 (RFC 9106). */
export class PasswordHash extends Context.Service<
  PasswordHash,
  {
    readonly argon2id: (input: Argon2idInput) => Effect.Effect<Uint8Array>
  }
>()('tandem/client/PasswordHash') {}
