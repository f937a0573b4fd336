import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { SigningKey } from '../SigningKey.ts'

/** The keys that sign JWTs of sessions (domain/service/README.md#session-jwts). */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    /** In the order of their numbers. */
    readonly all: Effect.Effect<readonly SigningKey[]>
    /** Of two with one number, the first stays. */
    readonly add: (key: SigningKey) => Effect.Effect<void>
    readonly remove: (number: number) => Effect.Effect<void>
  }
>()('tandem/service/SigningKeys') {}
