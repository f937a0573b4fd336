/**
 * Argon2id, which is slow by design: in one process each password and salt is hashed once, and with as little memory as it
 * takes. The long run has the costs that the record names, and so have the tests of the hash itself, smoke and Chromium.
 */
import * as Effect from 'effect/Effect'
import * as Layer from 'effect/Layer'
import { argon2id } from '../../adapters/browser/argon2id.ts'
import { PasswordHash, type Argon2idInput } from '../../domain/client/ports/PasswordHash.ts'
import { isLong } from './long.ts'

const hashes = new Map<string, Promise<Uint8Array>>()

export const PasswordHashOnce = Layer.succeed(PasswordHash, {
  // A copy, because the caller wipes it.
  argon2id: (input) => Effect.promise(async () => Uint8Array.from(await hashOf(input))),
})

const hashOf = (input: Argon2idInput): Promise<Uint8Array> => {
  const { password, salt, memoryKiB, iterations, parallelism, length } = input
  const [passwordHex, saltHex] = [password, salt].map((bytes) => Buffer.from(bytes).toString('hex'))
  const name = [passwordHex, saltHex, memoryKiB, iterations, parallelism, length].join()
  const known = hashes.get(name) ?? argon2id(isLong ? input : { ...input, memoryKiB: 8 * parallelism, iterations: 1 })
  hashes.set(name, known)
  return known
}
