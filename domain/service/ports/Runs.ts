import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Round, RunRecord, RunState } from '../Run.ts'
import type { WalletRecord } from '../Wallet.ts'
import type { ClaimedRound } from './Claims.ts'
import type { GenerationRow } from './DatabaseGeneration.ts'
import type { Intent } from './Intents.ts'
import type { OtRecordRow } from './OtRecords.ts'
import type { ProviderShare } from './ProviderShares.ts'

export type RunId = Pick<RunRecord, 'walletId' | 'protocolId'>
export type Claim = Pick<Round, 'step' | 'requestHash' | 'messageHash'>

/** What a round is decided by, all as of one moment. */
export type Seen = {
  /** Undefined if it has not begun. */
  readonly run: RunRecord | undefined
  /** In the order of their steps. */
  readonly rounds: readonly Round[]
  readonly generation: GenerationRow | undefined
  /** An operator has frozen the wallet's user. */
  readonly isUserFrozen: boolean
}

export type SeenToClaim = Seen & {
  /** All of the wallet in WAITING, RUNNING or CONSUMED. */
  readonly unfinished: readonly RunRecord[]
  readonly intent: Intent | undefined
  readonly share: ProviderShare | undefined
  readonly ot: OtRecordRow | undefined
}

/** How a run ends. Its seed and states are erased, so that nothing can compute it again. */
export type End = {
  readonly state: Extract<RunState, 'ABORTED' | 'SUPERSEDED' | 'BANNED'>
  readonly reason: string
}

/**
 * Runs and their rounds. The caller has locked the wallet (Wallets.lock), so that claims, answers and ends of one
 * wallet's runs come one after another.
 */
export class Runs extends Context.Service<
  Runs,
  {
    readonly find: (id: RunId) => Effect.Effect<Option.Option<RunRecord>>
    /** With its wallet; `None` if there is no such wallet. */
    readonly see: (id: RunId) => Effect.Effect<Option.Option<Seen & { readonly wallet: WalletRecord }>>
    /** With what the claim of a round needs. `shareId` and `otId`: of the run, or of the frame that begins it. */
    readonly seeToClaim: (of: RunId & Pick<RunRecord, 'shareId' | 'otId'>) => Effect.Effect<SeenToClaim>
    readonly rounds: (id: RunId) => Effect.Effect<readonly Round[]>
    /** Those of the rounds, held outside the database, that the database does not have, or has for another request. */
    readonly forgotten: (held: readonly ClaimedRound[]) => Effect.Effect<readonly ClaimedRound[]>
    /** In WAITING, RUNNING or CONSUMED. */
    readonly unfinished: (walletId: string) => Effect.Effect<readonly RunRecord[]>
    readonly unfinishedOfSession: (sessionId: string) => Effect.Effect<readonly RunId[]>
    /** Unfinished, and over at that time. */
    readonly expired: (now: number) => Effect.Effect<readonly RunId[]>
    readonly begin: (run: RunRecord) => Effect.Effect<void>
    /** Claims a round: it may be computed for this request from now on. */
    readonly claim: (id: RunId, claim: Claim) => Effect.Effect<void>
    /** Stores the hash of a round's answer, and the state. Of a round that has one nothing changes. */
    readonly answer: (
      id: RunId,
      answer: { readonly step: number; readonly responseHash: string; readonly sealedState: Uint8Array | null },
    ) => Effect.Effect<void>
    /** WAITING -> RUNNING, with its seed, what it sends, what let it through, and its new end. */
    readonly start: (run: RunRecord) => Effect.Effect<void>
    readonly move: (id: RunId, state: Extract<RunState, 'CONSUMED'>) => Effect.Effect<void>
    readonly extend: (id: RunId, expiresAt: number) => Effect.Effect<void>
    /**
     * DONE: the hash of the last round's answer is stored, the seed and the states of all rounds are erased, the body stays.
     */
    readonly finish: (id: RunId, responseHash: string, finalBody: Uint8Array) => Effect.Effect<void>
    readonly end: (id: RunId, end: End) => Effect.Effect<void>
    /** Deletes the rounds of a run. */
    readonly unclaim: (id: RunId) => Effect.Effect<void>
    /** The unfinished runs of the wallet store no OT record when they are confirmed. */
    readonly voidTransfers: (walletId: string) => Effect.Effect<void>
    /** Other runs of the wallet that are DONE and send the same unsigned transaction. */
    readonly sendingTheSame: (run: RunRecord) => Effect.Effect<readonly RunRecord[]>
    readonly markBroadcast: (id: RunId, now: number) => Effect.Effect<void>
    /**
     * Setups (key generations, device enrolments and refreshes) of the wallet that began since then and were ended by a
     * failed check at the telling step or later, or are unfinished or were left after the answer that tells. With a
     * session's id, only those of that session.
     */
    readonly failedSetups: (walletId: string, since: number, sessionId?: string) => Effect.Effect<number>
    /** Setups of the wallet that began in that time and claimed the telling step, however they ended. */
    readonly setupsThatTold: (
      walletId: string,
      began: { readonly from: number; readonly until: number },
    ) => Effect.Effect<number>
    /**
     * Deletes ended runs of the wallet that are of an earlier epoch and began before that time. Nothing else of those
     * epochs is left, so their tombstones are not needed.
     */
    readonly forgetEpochsBefore: (walletId: string, epoch: number, time: number) => Effect.Effect<void>
  }
>()('tandem/service/Runs') {}
