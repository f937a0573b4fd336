import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type * as Redacted from 'effect/Redacted'
import type { Link } from '../../crypto/CosignerLink.ts'

/** The user's share of one wallet. `shareText` is the scalar record as text (`domain/mpc/ShareText.ts`). */
export type StoredShare = {
  readonly walletId: string
  readonly userId: string
  readonly address: string
  readonly shareText: Redacted.Redacted
  /**
   * The provider's share, sealed by the provider: opaque here. A provider that lost its share gets it back from this.
   */
  readonly capsule?: Uint8Array
  /** When the provider last said that the capsule is under its active key, in ms since 1970. */
  readonly capsuleAt?: number
}

/** The OT state of this device for one wallet, `otId` of 32 bytes. It never leaves the device. */
export type OtState = { readonly otId: Uint8Array; readonly record: Uint8Array }

/** A key of the co-signer that this device accepted in the place of another (domain/client/README.md#the-co-signers-key). */
export type AcceptedKey = Pick<Link, 'name' | 'oldKey' | 'newKey' | 'from'> & {
  /** In milliseconds since 1970, by this device's clock. */
  readonly at: number
}

/** A new share that both sides hold and that is not confirmed yet, with the bytes that confirm it. */
export type UnconfirmedShare = {
  readonly walletId: string
  readonly userId: string
  /** Derived on this device: the only address that a confirmation may name. */
  readonly address: string
  readonly shareText: Redacted.Redacted
  readonly ot?: OtState
  /** A whole frame with its signature (`domain/mpc/Frame.ts`). */
  readonly confirmFrame: Uint8Array
}

/** The recovery key pair, from sign-up until its secret was shown to the user. */
export type PendingRecovery = {
  readonly userId: string
  /** hex(32) */
  readonly secretKey: Redacted.Redacted
  /** hex(64) */
  readonly publicKey: string
  /** The root key's signature over the public key, hex(64), once the portal gave it. */
  readonly signature?: string
  /**
   * Wallets that were backed up before the service knew this key, and have no backup for it unless one followed. A record
   * of an earlier version does not say so: any may be one.
   */
  readonly lackingBackup?: readonly string[]
  /** Set in a recovery, before its finish. */
  readonly finishing?: Finishing
}

/**
 * What the new secret of a recovery contains besides its key, and whether the service answered that the recovery is
 * finished.
 */
export type Finishing = {
  /** The recovery's session, which has a device key. Unknown in records of an earlier version. */
  readonly sessionId?: string | undefined
  /** All wallets that the recovery brings back. */
  readonly walletIds: readonly string[]
  /** Those that it leaves behind, with the proof for it, as the service takes it: both hex(64). None otherwise. */
  readonly leftBehind?:
    | { readonly walletIds: readonly string[]; readonly recoveryPublicKey: string; readonly signature: string }
    | undefined
  /** hex(32) */
  readonly rootPublicKey: string
  readonly isFinished: boolean
}

/**
 * Where the user's shares are stored on this device (domain/client/README.md#storage). A write is on the disk when it
 * succeeds.
 */
export class ShareStore extends Context.Service<
  ShareStore,
  {
    /**
     * A share of another sharing than the stored one deletes the capsule and this device's OT state of the stored one.
     */
    readonly put: (share: StoredShare) => Effect.Effect<void>
    readonly find: (walletId: string) => Effect.Effect<Option.Option<StoredShare>>
    readonly list: Effect.Effect<readonly StoredShare[]>

    readonly stage: (candidate: UnconfirmedShare) => Effect.Effect<void>
    readonly candidates: Effect.Effect<readonly UnconfirmedShare[]>
    /**
     * The candidate becomes the share, its OT state this device's, and its backups are marked as not stored yet. The
     * capsule is missing if the confirmation's answer was lost. Refused if the candidate is gone, because the storage
     * was cleared while it was being confirmed.
     */
    readonly promote: (walletId: string, capsule?: Uint8Array) => Effect.Effect<void, KeyShareNotLoaded>
    readonly drop: (walletId: string) => Effect.Effect<void>
    /** Keeps `capsule` in the place of `before`, if that is still the share's. `at`: see `capsuleAt`. */
    readonly replaceCapsule: (
      walletId: string,
      change: { readonly before: Uint8Array; readonly capsule: Uint8Array; readonly at: number | undefined },
    ) => Effect.Effect<void>

    /** OT state for a stored share. If there is no share, because its user logged out meanwhile, nothing is stored. */
    readonly putOt: (walletId: string, ot: OtState) => Effect.Effect<void>
    readonly findOt: (walletId: string) => Effect.Effect<Option.Option<OtState>>
    /** After a failed check: the record is erased, and none is made again until the next login. */
    readonly lock: (walletId: string) => Effect.Effect<void>
    readonly isLocked: (walletId: string) => Effect.Effect<boolean>
    /** Called by a login through the portal. */
    readonly unlockAll: Effect.Effect<void>

    /** One for each user, so that a sign-up after another user's session ended does not delete that user's key. */
    readonly pendingRecovery: {
      readonly list: Effect.Effect<readonly PendingRecovery[]>
      readonly get: (userId: string) => Effect.Effect<Option.Option<PendingRecovery>>
      readonly set: (recovery: PendingRecovery) => Effect.Effect<void>
      readonly remove: (userId: string) => Effect.Effect<void>
    }

    /** Wallets whose backups are not stored yet. */
    readonly backupPending: Effect.Effect<readonly string[]>
    readonly backedUp: (walletId: string) => Effect.Effect<void>
    /** The service has none of their backups. Wallets without a share here are left out. */
    readonly backupMissing: (walletIds: readonly string[]) => Effect.Effect<void>

    /** Oldest first. */
    readonly cosignerKeys: Effect.Effect<readonly AcceptedKey[]>
    /**
     * The first key that is accepted in the place of another stays: false if one of these would be a second, and none is
     * stored. `erasesOt`: in the same step the OT state of every wallet is erased.
     */
    readonly acceptCosignerKeys: (
      keys: readonly AcceptedKey[],
      options: { readonly erasesOt: boolean },
    ) => Effect.Effect<boolean>

    /**
     * Deletes what is this user's; without an id, no user's. What is another user's stays: only in a session of theirs
     * can the service be asked whether it has backups of it. The accepted keys of the co-signer stay with any share.
     */
    readonly forgetUser: (options: {
      readonly keepPregen: boolean
      readonly userId: string | undefined
    }) => Effect.Effect<void>
    readonly forgetAll: Effect.Effect<void>
  }
>()('tandem/client/ShareStore') {}

/** The wallet is the user's, but its share is not on this device, or no longer: a browser may clear its storage. */
export class KeyShareNotLoaded extends Data.TaggedError('KeyShareNotLoaded')<{ readonly walletId: string }> {
  override readonly message = `the key share of wallet with id ${this.walletId} is not on this device, log in again`
}
