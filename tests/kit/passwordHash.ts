/** The real Argon2id, which is slow by design: in one process each password and salt is hashed once. */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { argon2id } from '../../adapters/browser/argon2id.ts'
import { PasswordHash, type Argon2idInput } from '../../domain/client/ports/PasswordHash.ts'

const hashes = new Map<string, Promise<Uint8Array>>()

export const PasswordHashOnce = Layer.succeed(PasswordHash, {
  // A copy, because the caller wipes it.
  argon2id: (input) => Effect.promise(async () => Uint8Array.from(await hashOf(input))),
})

const hashOf = (input: Argon2idInput): Promise<Uint8Array> => {
  const { password, salt, memoryKiB, iterations, parallelism, length } = input
  const [passwordHex, saltHex] = [password, salt].map((bytes) => Buffer.from(bytes).toString('hex'))
  const name = [passwordHex, saltHex, memoryKiB, iterations, parallelism, length].join()
  const known = hashes.get(name) ?? argon2id(input)
  hashes.set(name, known)
  return known
}
