import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** The provider's half of a wallet's key in one epoch, sealed. The capsule of it is kept by the client alone. */
export type ProviderShare = {
  readonly walletId: string
  readonly epoch: number
  /** hex(32) */
  readonly shareId: string
  readonly sealed: Uint8Array
}

export class ProviderShares extends Context.Service<
  ProviderShares,
  {
    /** Of the capsule, only the key that it is sealed under is kept. */
    readonly put: (share: ProviderShare & { readonly capsule: Uint8Array }, now: number) => Effect.Effect<void>
    readonly find: (walletId: string, shareId: string) => Effect.Effect<Option.Option<ProviderShare>>
    /** The device has this capsule now. Of it, only the key that it is sealed under is kept. */
    readonly setCapsule: (walletId: string, shareId: string, capsule: Uint8Array) => Effect.Effect<void>
    /** The client says that its backups are stored. Repeating it changes nothing. */
    readonly markDistributed: (walletId: string, shareId: string, now: number) => Effect.Effect<void>
    /** Deletes those of every other sharing. */
    readonly removeOthers: (walletId: string, shareIds: readonly string[]) => Effect.Effect<void>
    /** Deletes that of a sharing which never took effect. */
    readonly remove: (walletId: string, shareId: string) => Effect.Effect<void>
  }
>()('tandem/service/ProviderShares') {}
