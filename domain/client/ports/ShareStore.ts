import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { KeyShareNotLoaded } from '../KeyShareNotLoaded.ts'

/** The user's share of one wallet. `shareText` is the scalar record as text (`domain/mpc/ShareText.ts`). */
export type StoredShare = {
  readonly walletId: string
  readonly userId: string
  readonly address: string
  readonly shareText: string
  /** The provider's share, sealed by the provider: opaque here, and enough for it to come back from (design 8.19). */
  readonly capsule?: Uint8Array
}

/** The OT state of this device for one wallet. It never leaves the device (mpc-review 5). */
export type OtState = { readonly otId: Uint8Array; readonly record: Uint8Array }

/** A new share that both sides hold but nobody has confirmed yet, with the very bytes that confirm it (flows 5.4). */
export type Candidate = {
  readonly walletId: string
  readonly userId: string
  /** Derived on this device: the only address that a confirmation may name. */
  readonly address: string
  readonly shareText: string
  readonly ot?: OtState
  readonly confirmFrame: Uint8Array
}

/** The recovery key pair from sign-up until its secret was handed to the user (flows 1.2, 5.11). */
export type PendingRecovery = {
  readonly userId: string
  /** hex(32) */
  readonly secretKey: string
  /** hex(64) */
  readonly publicKey: string
  /** The root key's signature over the public key, hex(64), once the portal gave it. */
  readonly signature?: string
  /** In a recovery, from before its finish on (flows 10.7). */
  readonly finishing?: Finishing
}

/** What the new secret of a recovery says besides its key, and whether the service answered that it is finished. */
export type Finishing = {
  /** The recovery's session, which has a device key; unknown of what an earlier version left. */
  readonly sessionId: string | undefined
  /** All wallets of the recovery. */
  readonly walletIds: readonly string[]
  /** hex(32) */
  readonly rootPublicKey: string
  readonly isFinished: boolean
}

/** Where the user's shares rest on this device. What a verb wrote is on the disk when it succeeds (design 8.18). */
export class ShareStore extends Context.Service<
  ShareStore,
  {
    /** One of another sharing than before takes the capsule and this device's OT state of that sharing away. */
    readonly put: (share: StoredShare) => Effect.Effect<void>
    readonly find: (walletId: string) => Effect.Effect<Option.Option<StoredShare>>
    readonly list: Effect.Effect<readonly StoredShare[]>

    readonly stage: (candidate: Candidate) => Effect.Effect<void>
    readonly candidates: Effect.Effect<readonly Candidate[]>
    /**
     * The candidate becomes the share, its OT state this device's, and its backups are marked as not stored yet. The
     * capsule is missing where the confirmation's answer was lost. Refused where the candidate is gone, because the
     * storage was cleared while it was being confirmed.
     */
    readonly promote: (walletId: string, capsule?: Uint8Array) => Effect.Effect<void, KeyShareNotLoaded>
    readonly drop: (walletId: string) => Effect.Effect<void>

    /** Of the share that is held; where none is, because its user logged out meanwhile, nothing is kept. */
    readonly putOt: (walletId: string, ot: OtState) => Effect.Effect<void>
    readonly findOt: (walletId: string) => Effect.Effect<Option.Option<OtState>>
    /** After a failed check: the record is erased, and none is made again until the next login (mpc-review 5). */
    readonly ban: (walletId: string) => Effect.Effect<void>
    readonly isBanned: (walletId: string) => Effect.Effect<boolean>
    /** A login through the portal. */
    readonly liftBans: Effect.Effect<void>

    /** One for each user: whoever signs up where another one's session is over takes nothing away from that one. */
    readonly pendingRecovery: {
      readonly list: Effect.Effect<readonly PendingRecovery[]>
      readonly get: (userId: string) => Effect.Effect<Option.Option<PendingRecovery>>
      readonly set: (recovery: PendingRecovery) => Effect.Effect<void>
      readonly remove: (userId: string) => Effect.Effect<void>
    }

    /** Wallets whose backups are not stored yet (flows 5.6). */
    readonly backupPending: Effect.Effect<readonly string[]>
    readonly backedUp: (walletId: string) => Effect.Effect<void>

    /** With the user's id, recovery keys of others stay: nothing brings them back, as a login does shares. */
    readonly forgetUser: (options: {
      readonly keepPregen: boolean
      readonly userId?: string | undefined
    }) => Effect.Effect<void>
  }
>()('tandem/client/ShareStore') {}
