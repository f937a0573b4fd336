import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type * as Redacted from 'effect/Redacted'
import type { HybridEncryption } from '../../crypto/Hybrid.ts'

/** Both halves as the hex of the UTF-8 of a PKCS#1 PEM. */
export type RsaPair = { readonly publicKey: string; readonly privateKey: Redacted.Redacted }

/** RSA-2048, exponent 65537. Keys are the hex of a PKCS#1 PEM. */
export class Rsa extends Context.Service<
  Rsa,
  {
    readonly generate: Effect.Effect<RsaPair>
    /**
     * The hybrid envelope in which share texts travel (`domain/crypto/Hybrid.ts`). `messageKey`: 16 fresh random bytes.
     */
    readonly encrypt: (
      publicKey: string,
      message: { readonly plaintext: Redacted.Redacted; readonly messageKey: Uint8Array },
    ) => Effect.Effect<HybridEncryption, RsaRefusal>
    readonly decrypt: (
      privateKey: Redacted.Redacted,
      encryption: HybridEncryption,
    ) => Effect.Effect<Redacted.Redacted, RsaRefusal>
    /** OAEP with SHA-256 and a label, for the secret of the handshake: a message of at most 190 bytes in a block of 256. */
    readonly seal: (publicKey: string, message: Uint8Array, label: Uint8Array) => Effect.Effect<Uint8Array, RsaRefusal>
    readonly open: (
      privateKey: Redacted.Redacted,
      sealed: Uint8Array,
      label: Uint8Array,
    ) => Effect.Effect<Uint8Array, RsaRefusal>
  }
>()('tandem/client/Rsa') {}

/** The key is none, or the ciphertext is not for it. It does not say which. */
export class RsaRefusal extends Data.TaggedError('RsaRefusal') {}

/**
 * The RSA pair of a passkey whose device has no PRF: the seed is the only output of the generator from which the primes
 * are searched. Which primes are found first depends on where they are searched, so nothing may rely on finding a pair
 * again: its private key is wrapped like any other.
 */
export class SeededRsa extends Context.Service<
  SeededRsa,
  {
    /** `seed` is text: base64url of the user handle. */
    readonly generate: (seed: string) => Effect.Effect<RsaPair>
  }
>()('tandem/client/SeededRsa') {}
