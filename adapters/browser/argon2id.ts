import { argon2id as hashWasm } from 'hash-wasm'
import type { Argon2idInput } from '../../domain/client/ports/PasswordHash.ts'

/** Argon2id in WebAssembly, on the thread that calls it. */
export const argon2id = (input: Argon2idInput): Promise<Uint8Array> =>
  hashWasm({
    password: input.password,
    salt: input.salt,
    memorySize: input.memoryKiB,
    iterations: input.iterations,
    parallelism: input.parallelism,
    hashLength: input.length,
    outputType: 'binary',
  })
