import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A credential's RSA private key, wrapped under what only its owner has. */
export type EncryptedWalletPrivateKey = {
  readonly id: string
  readonly userId: string
  readonly encryptedPrivateKey: string
  readonly encryptionKeyHash: string
  /** A passkey's `sigDerivedPublicKey`. */
  readonly biometricPublicKey: string | null
  /** The record that it belongs to, and is deleted with: exactly one of the two. */
  readonly passkeyId: string | null
  readonly passwordId: string | null
  readonly createdAt: number
}

export class EncryptedWalletPrivateKeys extends Context.Service<
  EncryptedWalletPrivateKeys,
  {
    /** Replaces the key that its record had before, under the same id. Answers the stored one. */
    readonly put: (key: EncryptedWalletPrivateKey) => Effect.Effect<EncryptedWalletPrivateKey>
    readonly ofUser: (userId: string) => Effect.Effect<readonly EncryptedWalletPrivateKey[]>
    readonly ofPasskey: (passkeyId: string) => Effect.Effect<Option.Option<EncryptedWalletPrivateKey>>
    /** Deletes all but that of this record. */
    readonly removeOthers: (userId: string, recordId: string) => Effect.Effect<void>
  }
>()('tandem/service/EncryptedWalletPrivateKeys') {}
