import * as Context from 'effect/Context'
import * as Data from 'effect/Data'
import type * as Effect from 'effect/Effect'
import type * as MpcFrame from '../../mpc/Frame.ts'
import type { Context as RunContext } from '../../mpc/Protocol.ts'
import type { Scheme } from '../../mpc/Scheme.ts'
import type { Answerer, OpenerAnswer } from '../Export.ts'
import type { ProviderShare } from './ProviderShares.ts'

/** One step of a run. All secrets are sealed: only the worker opens them. */
export type Job = {
  readonly context: RunContext
  /** 1 for the first request of the run. */
  readonly step: number
  /** That of the run, whose key opens and seals. */
  readonly generation: string
  /** SHA-256 of each request so far, 32 bytes each; the last is that of `request`, the message of this step. */
  readonly requestHashes: readonly Uint8Array[]
  readonly request: Uint8Array
  readonly sealedSeed: Uint8Array
  readonly sealedState: Uint8Array | null
  readonly sealedShare: Uint8Array | null
  readonly sealedOt: Uint8Array | null
  /** The opened share pins another root key than the context has: the refresh of a recovery changes it to that one. */
  readonly newRoot: boolean
}

/** What a finished run leaves behind, its secrets sealed for the rows that they go to. */
export type Made = {
  readonly share?: {
    /** 32 bytes. */
    readonly shareId: Uint8Array
    /** 33 bytes for DKLS, 32 for ED25519. */
    readonly publicKey: Uint8Array
    readonly sealed: Uint8Array
    readonly capsule: Uint8Array
  }
  /** `otId` of 32 bytes. */
  readonly ot?: { readonly otId: Uint8Array; readonly sealed: Uint8Array }
  /** DKLS: r ‖ s ‖ v, 65 bytes, v 0 or 1; ED25519: R ‖ s, 64 bytes. Verified under the wallet's key. */
  readonly signature?: Uint8Array
}

export type StepOutcome =
  | { readonly kind: 'answer'; readonly response: Uint8Array; readonly sealedState: Uint8Array }
  | { readonly kind: 'done'; readonly response: Uint8Array; readonly made: Made }
  | { readonly kind: 'abort'; readonly reason: string }
  | { readonly kind: 'ban'; readonly reason: string }
  /** The provider's share could not be opened, and nothing was computed. */
  | { readonly kind: 'unopened' }
  /** The same of the seed, the state or the OT record: another process may have computed the step, with whatever verdict. */
  | { readonly kind: 'lapsed'; readonly reason: string }

/** Nothing was computed: `mayCompute` refused it, or a check of the same wallet failed while the step waited. */
export type Dropped = { readonly kind: 'dropped' }

/** The provider's half of a key, for a page of the user. The worker itself checks who asks, and for which page. */
export type ShareExport = {
  readonly walletId: string
  readonly epoch: number
  /** 32 bytes. */
  readonly shareId: Uint8Array
  readonly sealedShare: Uint8Array
  readonly answerer: Answerer
  readonly answer: OpenerAnswer
  readonly now: number
}

/**
 * A provider's share in its capsule, to be sealed for its row, or anew as a capsule. The worker checks that it is of
 * this wallet and sharing, and of this key unless the database has forgotten it.
 */
export type Reattachment = {
  readonly scheme: Scheme
  readonly walletId: string
  readonly epoch: number
  /** 32 bytes. */
  readonly shareId: Uint8Array
  readonly of: OfKey | undefined
  readonly capsule: Uint8Array
}

type OfKey = {
  /** 33 bytes for DKLS, 32 for ED25519. */
  readonly publicKey: Uint8Array
  /** 32 bytes, or empty. */
  readonly rootPublicKey: Uint8Array
}

/** A share sealed for its row, and the key that it is of. */
export type Reattached = OfKey & { readonly sealed: Uint8Array }

/** At one partner a user's orders have few places in the queue, so that they take none of other users'. */
export type Asker = { readonly userId: string; readonly partnerId: string }

/** The co-signer's worker threads. Only they hold its frame key, open shares and seeds, and do arithmetic. */
export class CosignerEngine extends Context.Service<
  CosignerEngine,
  {
    /**
     * What clients pin; `publicKey` has 65 bytes. The first start of a co-signer makes it: until then a process without
     * that role answers `CosignerBusy`.
     */
    readonly identity: Effect.Effect<{ readonly name: string; readonly publicKey: Uint8Array }, CosignerBusy>
    /**
     * One step of a wallet at a time; the same step asked twice is computed once. `mayCompute` runs directly before the
     * arithmetic, because the step may have waited: anything but `true` drops it.
     */
    readonly step: (job: Job, mayCompute: Effect.Effect<boolean>) => Effect.Effect<StepOutcome | Dropped, CosignerBusy>
    /**
     * Fails if there is no room for a step of this wallet. Asked before a round is claimed: a round that is claimed and
     * not computed blocks its wallet until its run is out of time.
     */
    readonly requireRoom: (of: Asker & { readonly walletId: string }) => Effect.Effect<void, CosignerBusy>
    /** The signed answer to `request`, the bytes of a frame. */
    readonly sign: (request: Uint8Array, answer: MpcFrame.FrameAnswer) => Effect.Effect<Uint8Array, CosignerBusy>
    /** The share, sealed to the page's own key as text (domain/crypto/Export.ts); `undefined` if a check of the worker failed. */
    readonly exportShare: (asked: ShareExport) => Effect.Effect<string | undefined, CosignerBusy>
    /** `undefined` if the capsule does not open or is of something else. */
    readonly reattach: (asked: Reattachment, asker: Asker) => Effect.Effect<Reattached | undefined, CosignerBusy>
    /**
     * The capsule under the ring's active key: the same bytes if it is already. `undefined` as for `reattach`.
     */
    readonly reissue: (asked: Reattachment, asker: Asker) => Effect.Effect<Uint8Array | undefined, CosignerBusy>
    /** Whether the share in this row opens. */
    readonly opens: (share: ProviderShare, asker: Asker) => Effect.Effect<boolean, CosignerBusy>
  }
>()('tandem/service/CosignerEngine') {}

/**
 * Too many jobs wait, of all users, of this user at the partner or of this wallet, or the thread ended. A claimed request may be sent
 * again.
 */
export class CosignerBusy extends Data.TaggedError('CosignerBusy')<{ readonly retryAfterMs: number }> {
  override readonly message = 'co-signer is busy'
}
