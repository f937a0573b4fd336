import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A credential's RSA private key, wrapped under what only its owner has (facts 3.2). */
export type EncryptedWalletPrivateKey = {
  readonly id: string
  readonly userId: string
  readonly encryptedPrivateKey: string
  readonly encryptionKeyHash: string
  /** A passkey's `sigDerivedPublicKey`. */
  readonly biometricPublicKey: string | null
  /** The record that it belongs to and is deleted with: one of the two. */
  readonly passkeyId: string | null
  readonly passwordId: string | null
  readonly createdAt: number
}

export class EncryptedWalletPrivateKeys extends Context.Service<
  EncryptedWalletPrivateKeys,
  {
    /** In the place of what its record had before, under the id of before; that is answered with. */
    readonly put: (key: EncryptedWalletPrivateKey) => Effect.Effect<EncryptedWalletPrivateKey>
    readonly ofUser: (userId: string) => Effect.Effect<readonly EncryptedWalletPrivateKey[]>
    readonly ofPasskey: (passkeyId: string) => Effect.Effect<Option.Option<EncryptedWalletPrivateKey>>
    /** All but that of this record are erased. */
    readonly removeOthers: (userId: string, recordId: string) => Effect.Effect<void>
  }
>()('tandem/service/EncryptedWalletPrivateKeys') {}
