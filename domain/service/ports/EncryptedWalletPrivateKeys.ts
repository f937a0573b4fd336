import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A credential's RSA private key, wrapped under what only its owner has (facts 3.2). */
export type EncryptedWalletPrivateKey = {
  readonly id: string
  readonly userId: string
  readonly encryptedPrivateKey: string
  readonly encryptionKeyHash: string
  readonly biometricPublicKey: string | null
  readonly passwordId: string | null
  readonly createdAt: number
}

export class EncryptedWalletPrivateKeys extends Context.Service<
  EncryptedWalletPrivateKeys,
  {
    /** The same blob again is the same record; it is answered with. */
    readonly add: (key: EncryptedWalletPrivateKey) => Effect.Effect<EncryptedWalletPrivateKey>
    readonly ofUser: (userId: string) => Effect.Effect<readonly EncryptedWalletPrivateKey[]>
    /** The newest one of a passkey, by its `sigDerivedPublicKey`. */
    readonly find: (owner: {
      readonly userId: string
      readonly biometricPublicKey: string
    }) => Effect.Effect<Option.Option<EncryptedWalletPrivateKey>>
    /** All but those of this passkey are erased; without one, all of them. */
    readonly removeOthers: (userId: string, biometricPublicKey: string | undefined) => Effect.Effect<void>
  }
>()('tandem/service/EncryptedWalletPrivateKeys') {}
