import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { PasswordHash } from '../../domain/client/ports/PasswordHash.ts'

/** The module is loaded when the first password is hashed: only the portal needs it. */
export const PasswordHashWasm = Layer.succeed(PasswordHash, {
  argon2id: (input) =>
    Effect.promise(async () => {
      const { argon2id } = await import('hash-wasm')
      return argon2id({
        password: input.password,
        salt: input.salt,
        memorySize: input.memoryKiB,
        iterations: input.iterations,
        parallelism: input.parallelism,
        hashLength: input.length,
        outputType: 'binary',
      })
    }),
})
