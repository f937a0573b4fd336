/**
 * What an operation adds to the steps that all runs have: the claim before the arithmetic and the commit after it
 * (domain/service/protocol/README.md#plans).
 */
import type * as Effect from 'effect/Effect'
import type { NoSignedInUser } from '../../model/Session.ts'
import type { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import type * as MpcFrame from '../../mpc/Frame.ts'
import type { Kind, SigningPayload } from '../../mpc/Protocol.ts'
import type { Caller } from '../Caller.ts'
import type { PendingTransaction } from '../PendingTransaction.ts'
import type { Audit } from '../ports/Audit.ts'
import type { Chain } from '../ports/Chain.ts'
import type { StepOutcome } from '../ports/CosignerEngine.ts'
import type { Deployment } from '../ports/Deployment.ts'
import type { DatabaseGeneration } from '../ports/DatabaseGeneration.ts'
import type { Intents } from '../ports/Intents.ts'
import type { KeyShares } from '../ports/KeyShares.ts'
import type { OtRecords } from '../ports/OtRecords.ts'
import type { Outbox } from '../ports/Outbox.ts'
import type { Passkeys } from '../ports/Passkeys.ts'
import type { Passwords } from '../ports/Passwords.ts'
import type { Partners } from '../ports/Partners.ts'
import type { PendingTransactions } from '../ports/PendingTransactions.ts'
import type { PinnedRoots } from '../ports/PinnedRoots.ts'
import type { Policies } from '../ports/Policies.ts'
import type { ProviderShares } from '../ports/ProviderShares.ts'
import type { TooManyAttempts } from '../ports/RateLimits.ts'
import type { Recoveries } from '../ports/Recoveries.ts'
import type { RecoveryPublicKeys } from '../ports/RecoveryPublicKeys.ts'
import type { Refreshes } from '../ports/Refreshes.ts'
import type { Runs, SeenToClaim } from '../ports/Runs.ts'
import type { SecureRandom } from '../ports/SecureRandom.ts'
import type { Sessions } from '../ports/Sessions.ts'
import type { Spends } from '../ports/Spends.ts'
import type { Vault } from '../ports/Vault.ts'
import type { Wallets, WalletWithRun } from '../ports/Wallets.ts'
import type { Watermarks } from '../ports/Watermarks.ts'
import type { NotFound } from '../NotFound.ts'
import type { RecoveryRecord } from '../Recovery.ts'
import type { RunRecord, RunHeader } from '../Run.ts'
import type { SessionRecord } from '../Session.ts'
import type { WalletRecord } from '../Wallet.ts'
import type { Allowed } from './judging.ts'
import type {
  AnotherRunInProgress,
  BackupsMissing,
  BlindSigningRefused,
  DeviceNotAttached,
  KeyShareLocked,
  KeyShareOutOfDate,
  ReviewNotSupported,
  RootKeyDiffers,
  StepOutOfOrder,
  WalletBeingCreated,
  WalletExists,
} from './refusals.ts'

/** A frame whose sender is authenticated. */
export type Request = {
  readonly frame: MpcFrame.Frame
  readonly session: SessionRecord
  /** Present if the frame belongs to a recovery's refresh. */
  readonly recovery: Recovering | undefined
  readonly userId: string
  /** 65 bytes. */
  readonly devicePublicKey: Uint8Array
  /** Read without a lock. Decide nothing by it that can have changed since. */
  readonly wallet: WalletRecord
  /** Read with the wallet: of the run that the frame names what never changes; `undefined` if it has not begun. */
  readonly run: WalletWithRun['run']
  /** hex(32) over all of the frame but its signature: the same request signed anew is the same request. */
  readonly hash: string
  readonly header: RunHeader
}

/** A recovery with a credential, whose root key certifies the device. */
export type Recovering = RecoveryRecord & { readonly credential: NonNullable<RecoveryRecord['credential']> }

/** Fields of request 1 that the run's row keeps. */
export type FirstRequest = Pick<RunRecord, 'otId' | 'rootPublicKey' | 'payloadClass' | 'digest'>

export type Done = Extract<StepOutcome, { kind: 'done' }>

/** Sealed inputs of a step beside the run's own seed and state. */
export type Materials = {
  readonly sealedShare: Uint8Array | null
  readonly sealedOt: Uint8Array | null
}

export type Beginning =
  | { readonly kind: 'go'; readonly sending: RunRecord['sending']; readonly allowed?: Allowed | undefined }
  /** A policy holds it: the answer names what has to be accepted, and there is no run. */
  | { readonly kind: 'hold'; readonly pending: PendingTransaction }
  /** A policy denies it. */
  | { readonly kind: 'deny' }
  /** The call that says what is signed has not come yet. */
  | { readonly kind: 'wait' }
  /** The run ends with its first request. */
  | { readonly kind: 'refuse'; readonly reason: string }

/** The effects run under the wallet's lock; `admit` also without it, directly before the arithmetic. */
export type Plan = {
  readonly kind: Kind
  /** Names the operation in failpoints. */
  readonly operation: 'keygen' | 'attach' | 'refresh' | 'sign' | 'confirm'
  /** The protocol's message in the frame. */
  readonly message: Uint8Array
  /** Present with request 1 only. */
  readonly firstRequest: FirstRequest | undefined
  /** In a recovery the new shares pin another root key than the old ones. */
  readonly newRoot: boolean
  /** Present with request 1 of a signature; later steps take the digest from the run. */
  readonly payload: SigningPayload | undefined
  /**
   * Whether the wallet's state allows the frame: before the run is read, before the arithmetic, and before the answer.
   */
  readonly admit: (wallet: WalletRecord) => Effect.Effect<void, PlanRefusal, PlanNeeds>
  /**
   * Whether a run may begin. Ends the runs that it supersedes. `isWaiting`: its row is there, and waits for the call
   * that says what is signed.
   */
  readonly begin: (
    wallet: WalletRecord,
    seen: SeenToClaim,
    isWaiting: boolean,
  ) => Effect.Effect<Beginning, PlanRefusal, PlanNeeds>
  readonly materials: (run: RunRecord, seen: SeenToClaim) => Effect.Effect<Materials, PlanRefusal, PlanNeeds>
  /** How long the run waits for its next request. */
  readonly expiresAt: (run: RunRecord, now: number) => number
  /** Stores what the last step made and returns the answer's body; `undefined` ends the run with ABORT. */
  readonly finish: (
    wallet: WalletRecord,
    run: RunRecord,
    done: Done,
    now: number,
  ) => Effect.Effect<Uint8Array | undefined, PlanRefusal, PlanNeeds>
}

export type PlanRefusal =
  | AnotherRunInProgress
  | BackupsMissing
  | BlindSigningRefused
  | DeviceNotAttached
  | KeyShareLocked
  | KeyShareOutOfDate
  | NoSignedInUser
  | NotFound
  | ReviewNotSupported
  | RootKeyDiffers
  | StepOutOfOrder
  | TooManyAttempts
  | WalletBeingCreated
  | WalletDoesNotExist
  | WalletExists

export type PlanNeeds =
  | Audit
  | Caller
  | Chain
  | Deployment
  | DatabaseGeneration
  | Intents
  | KeyShares
  | OtRecords
  | Outbox
  | Passkeys
  | Partners
  | Passwords
  | PendingTransactions
  | PinnedRoots
  | Policies
  | ProviderShares
  | Recoveries
  | RecoveryPublicKeys
  | Refreshes
  | Runs
  | SecureRandom
  | Sessions
  | Spends
  | Vault
  | Wallets
  | Watermarks
