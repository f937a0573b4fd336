/** What a kind of run adds to the steps that all of them have: the claim before the work and the commit after it. */
import type * as Effect from 'effect/Effect'
import type { NoSignedInUser } from '../../model/Session.ts'
import type { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import type { Kind, SigningPayload } from '../../mpc/Protocol.ts'
import type { Caller } from '../Caller.ts'
import type { Chain } from '../ports/Chain.ts'
import type { Outcome } from '../ports/CosignerEngine.ts'
import type { Deployment } from '../ports/Deployment.ts'
import type { Incarnation } from '../ports/Incarnation.ts'
import type { Intents } from '../ports/Intents.ts'
import type { KeyShares } from '../ports/KeyShares.ts'
import type { OtRecords } from '../ports/OtRecords.ts'
import type { Passkeys } from '../ports/Passkeys.ts'
import type { Passwords } from '../ports/Passwords.ts'
import type { PinnedRoots } from '../ports/PinnedRoots.ts'
import type { ProviderShares } from '../ports/ProviderShares.ts'
import type { TooManyAttempts } from '../ports/RateLimits.ts'
import type { Recoveries } from '../ports/Recoveries.ts'
import type { RecoveryPublicKeys } from '../ports/RecoveryPublicKeys.ts'
import type { Refreshes } from '../ports/Refreshes.ts'
import type { Runs } from '../ports/Runs.ts'
import type { Sessions } from '../ports/Sessions.ts'
import type { Wallets } from '../ports/Wallets.ts'
import type { Watermarks } from '../ports/Watermarks.ts'
import type { NotFound } from '../NotFound.ts'
import type { Run } from '../Run.ts'
import type { Wallet } from '../Wallet.ts'
import type {
  AnotherRunInProgress,
  BackupsMissing,
  BlindSigningRefused,
  DeviceNotAttached,
  KeyShareLocked,
  KeyShareOutOfDate,
  RootKeyDiffers,
  StepOutOfOrder,
  WalletBeingCreated,
  WalletExists,
} from './refusals.ts'

/** What request 1 said, for the run's row. */
export type Opening = Pick<Run, 'otId' | 'rootPublicKey' | 'payloadClass' | 'digest'>

export type Done = Extract<Outcome, { kind: 'done' }>

/** What a step needs beside the run's own records. */
export type Materials = {
  readonly sealedShare: Uint8Array | null
  readonly sealedOt: Uint8Array | null
}

export type Beginning =
  | { readonly kind: 'go'; readonly sending: Run['sending'] }
  /** The call that says what is signed has not come yet (flows 8, compat). */
  | { readonly kind: 'wait' }
  /** Never: it is dead from its first request on. */
  | { readonly kind: 'refuse'; readonly reason: string }

/** Everything here happens under the wallet's lock. */
export type Plan = {
  readonly kind: Kind
  /** Names the operation in failpoints. */
  readonly noun: 'keygen' | 'attach' | 'refresh' | 'sign' | 'confirm'
  /** The protocol's message in the frame. */
  readonly message: Uint8Array
  /** There with request 1 only. */
  readonly opening: Opening | undefined
  /** The new shares pin another root key than the ones that they are made of: a recovery makes them (flows 10.6). */
  readonly newRoot: boolean
  /** There with request 1 of a signature; later steps take the digest of the run. */
  readonly payload: SigningPayload | undefined
  /** Whether the wallet lets the frame go on: before anything of the run is looked at, and again before the answer. */
  readonly admit: (wallet: Wallet) => Effect.Effect<void, PlanRefusal, PlanNeeds>
  /** Whether a run may begin, and what of others it ends. */
  readonly begin: (wallet: Wallet) => Effect.Effect<Beginning, PlanRefusal, PlanNeeds>
  readonly materials: (run: Run) => Effect.Effect<Materials, PlanRefusal, PlanNeeds>
  /** How long the run waits for its next request. */
  readonly expiresAt: (run: Run, now: number) => number
  /** Makes real what the last step made, and gives the answer's body; `undefined` kills the run. */
  readonly finish: (
    wallet: Wallet,
    run: Run,
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
  | RootKeyDiffers
  | StepOutOfOrder
  | TooManyAttempts
  | WalletBeingCreated
  | WalletDoesNotExist
  | WalletExists

export type PlanNeeds =
  | Caller
  | Chain
  | Deployment
  | Incarnation
  | Intents
  | KeyShares
  | OtRecords
  | Passkeys
  | Passwords
  | PinnedRoots
  | ProviderShares
  | Recoveries
  | RecoveryPublicKeys
  | Refreshes
  | Runs
  | Sessions
  | Wallets
  | Watermarks
