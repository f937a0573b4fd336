/**
 * A run of a protocol on the co-signer's side (domain/service/protocol/README.md#runs). The row is the run's claim, its
 * sealed seed and, once it is over, its tombstone for as long as the epoch lives.
 */
import { workerJobExpiryMs } from '../model/Limits.ts'
import type { Kind, Scheme } from '../mpc/Protocol.ts'
import { isInTime } from './clocks.ts'

export type RunState = 'WAITING' | 'RUNNING' | 'CONSUMED' | 'DONE' | 'ABORTED' | 'SUPERSEDED' | 'BANNED'

export type RunRecord = {
  readonly walletId: string
  readonly protocolId: string
  readonly kind: Kind
  readonly scheme: Scheme
  readonly sessionId: string
  readonly userId: string
  readonly partnerId: string
  /** hex(32) */
  readonly deviceKeyThumb: string
  readonly epoch: number
  /** Hex as in the frames' header; empty where there is none. */
  readonly shareId: string
  readonly otId: string
  readonly attempt: string
  readonly rootPublicKey: string
  /** Signing: the class of what is signed, and its claim (`SigningRequest.digestClaim`) as hex(32). */
  readonly payloadClass: string | null
  readonly digest: string | null
  /** A transaction that is sent once it is signed: its bytes without signature, and its chain. */
  readonly sending: Sending | null
  readonly state: RunState
  readonly generation: string
  readonly protocolVersion: number
  /** The policy by which a signature was let through; null where its partner has none. */
  readonly policyVersion: number | null
  /** The accepted review that it uses. */
  readonly pendingTransactionId: string | null
  /** Under the run key; null as soon as nothing can need it again. */
  readonly sealedSeed: Uint8Array | null
  /** The body of the last answer: a repeated last request gets it again. */
  readonly finalBody: Uint8Array | null
  /** For the operator's records. */
  readonly reason: string | null
  /** A setup whose transfers a younger database may have checked already (`forgottenRounds.ts`): they are not stored. */
  readonly areTransfersVoid: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

export type Sending = {
  readonly transaction: Uint8Array
  readonly chainId: string
  readonly broadcastAt: number | null
}

/**
 * One request of a run: claimed before anything is computed, answered after (domain/service/protocol/README.md#claims).
 */
export type Round = {
  readonly step: number
  /** hex(32) over the frame without its signature. */
  readonly requestHash: string
  /** hex(32) over the protocol's message in it. */
  readonly messageHash: string
  readonly responseHash: string | null
  /** What the step left for the next one, under the run key. */
  readonly sealedState: Uint8Array | null
}

/** Times in milliseconds. */
export const runLimits = {
  /** As long as the client's worker waits for it. */
  life: workerJobExpiryMs,
  /** A first frame that waits for the call that says what is signed, and some time to send it again. */
  waitingLife: 15_000,
  /** A key generation whose client has its candidate share: it may be confirmed for a day. */
  preparedLife: 24 * 60 * 60_000,
  /**
   * Failed setups of a wallet in a day (domain/service/protocol/README.md#guesses). Each setup draws its Δ anew and a
   * failed one is discarded as a whole, so n of them only let a cheating client choose among n: at most log2 n bits of
   * the Δ that it keeps.
   */
  failedSetups: 16,
  /**
   * Those of one session within `freshLogin` of its login, beside the wallet's. Without them the holder of a stolen
   * device could use up the wallet's, lock the wallet, and block its owner's refresh for a day. l logins raise the
   * bound to log2(16 + 4 l) bits; each takes the credential, and the credential is enough to sign and to export the
   * key. A recovery has none of its own: it takes a mailed code only.
   */
  failedSetupsAfterLogin: 4,
  failedSetupsWithin: 24 * 60 * 60_000,
} as const

/** States of a run that may still end. */
export const unfinished: readonly RunState[] = ['WAITING', 'RUNNING', 'CONSUMED']

/** Whether the run has ended and gives nothing. */
export const hasFailed = ({ state }: Pick<RunRecord, 'state'>): boolean =>
  state !== 'DONE' && !unfinished.includes(state)

/** The reason of a run that a check of the protocol ended begins with this. */
export const failedCheck = 'failed check: '

/**
 * The step whose answer tells a cheating client of a setup whether its guess was right. A client whose guess was wrong
 * just leaves, so a run that is left after it counts as failed.
 */
export const tellingStep = 2

/** The reason of a signature whose partner's policy has changed since it began. */
export const endedByPolicy = 'the policy has changed'

/** The reason of a run whose process or database is gone. */
export const endedByRestart = 'the co-signer was restarted'

/** `isCurrent`: whether the run's generation may go on (ports/DatabaseGeneration.ts). */
export const isLive = (run: RunRecord, isCurrent: boolean, now: number): boolean =>
  unfinished.includes(run.state) && isCurrent && !isOutOfTime(run, now)

export const isOutOfTime = ({ kind, expiresAt }: Pick<RunRecord, 'kind' | 'expiresAt'>, now: number): boolean =>
  !isInTime(expiresAt, kind === 'keygen' ? runLimits.preparedLife : runLimits.life, now)

/** Whether a frame's header is the one that the run began with. Another role, session or epoch is not of this run. */
export const isOf = (run: RunRecord, header: RunHeader): boolean =>
  run.scheme === header.scheme &&
  run.sessionId === header.sessionId &&
  run.deviceKeyThumb === header.deviceKeyThumb &&
  run.epoch === header.epoch &&
  run.shareId === header.shareId &&
  run.attempt === header.attempt

export type RunHeader = Pick<RunRecord, 'scheme' | 'sessionId' | 'deviceKeyThumb' | 'epoch' | 'shareId' | 'attempt'>
