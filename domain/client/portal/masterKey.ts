import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import * as PasswordKeys from '../../crypto/PasswordKeys.ts'
import { PasswordHash } from '../ports/PasswordHash.ts'
import { report } from '../ports/Progress.ts'
import { commonPasswords } from './commonPasswords.ts'

/**
 * Argon2id over the password: 32 bytes, from which all its keys are derived. Parameters below the floor or above the
 * ceiling are refused, because they come from the service.
 */
export const masterKey = Effect.fn('passwords.masterKey')(function* (input: {
  readonly password: Redacted.Redacted
  readonly passwordId: string
  readonly salt: Uint8Array
  readonly kdf: PasswordKeys.Kdf
}) {
  const { kdf } = input
  if (!PasswordKeys.isAcceptableKdf(kdf)) return yield* new KdfRefused()
  const password = yield* Effect.fromResult(PasswordKeys.passwordBytes(Redacted.value(input.password), commonPasswords))
  yield* report({ step: 'stretching' })
  return yield* (yield* PasswordHash).argon2id({
    password,
    salt: PasswordKeys.argonSalt(input.salt, input.passwordId),
    memoryKiB: kdf.memoryKiB,
    iterations: kdf.iterations,
    parallelism: kdf.parallelism,
    length: PasswordKeys.masterKeyLength,
  })
})

/** The parameters of the hash are outside what the page accepts: nothing was computed. */
export class KdfRefused extends Data.TaggedError('KdfRefused') {
  override readonly message = 'key derivation parameters refused'
}
