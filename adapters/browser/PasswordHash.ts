import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'

/** On the caller's own thread. The module is loaded when the first password is hashed. */
export const PasswordHashWasm = Layer.succeed(PasswordHash, {
  argon2id: (input) => Effect.promise(async () => (await import('./argon2id.ts')).argon2id(input)),
})
