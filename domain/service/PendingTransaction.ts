/**
 * A payload that a policy holds until it is accepted (domain/service/README.md#reviews). Its proof is a MAC over what
 * decides, so that a writer of the database can accept nothing.
 */
import { hash } from '../crypto/Transcript.ts'
import type { Scheme } from '../mpc/Protocol.ts'
import { isInTime } from './clocks.ts'

/** PENDING and ACCEPTED are over when `expiresAt` has passed; DENIED and DONE are final. */
export type PendingState = 'PENDING' | 'ACCEPTED' | 'DENIED' | 'DONE'

/** Who has to accept. */
export type ReviewBy = 'user' | 'partner' | 'both'

export type PendingTransaction = {
  readonly id: string
  readonly walletId: string
  readonly userId: string
  readonly partnerId: string
  /** The session that asked, and its origin. */
  readonly sessionId: string
  readonly origin: string | null
  /** hex(32), `contentHashOf`. */
  readonly contentHash: string
  /** What the review page shows, as JSON. */
  readonly content: string
  readonly state: PendingState
  readonly by: ReviewBy
  /** The user's root key has to sign that they accept. */
  readonly stepUp: boolean
  readonly userAccepted: boolean
  readonly partnerAccepted: boolean
  /** By which key the partner accepted: hex(32), its thumbprint (RFC 7638). Null without an acceptance, and of an earlier version. */
  readonly approver: string | null
  readonly createdAt: number
  /** Of PENDING: until when it can be accepted. Of ACCEPTED: until when it can be used. */
  readonly expiresAt: number
  /** The run that uses the acceptance, or has used it. */
  readonly protocolId: string | null
  readonly doneAt: number | null
  /** hex(32): the MAC of `provenText`. */
  readonly proof: string
}

/** Who has to accept, and whether the user's root key has to sign it. */
export type Review = Pick<PendingTransaction, 'by' | 'stepUp'>

/** Milliseconds, but for `ofWallet`. */
export const reviewLimits = {
  /** How long a client may let a review take. */
  shortest: 1_000,
  longest: 10 * 60_000,
  /** An acceptance is used within this time, for one signature. */
  accepted: 5 * 60_000,
  /** It counts as expired so long after its end: a decision that began before the end is made by then. */
  settled: 10_000,
  /** The row is kept for this long after `expiresAt`. */
  kept: 60 * 60_000,
  /** How many of a wallet are live at a time. */
  ofWallet: 20,
} as const

/** 32 bytes: what is accepted is this payload, for this wallet's key. `digest`: its claim, 32 bytes. */
export const contentHashOf = (of: {
  readonly walletId: string
  readonly scheme: Scheme
  readonly payloadClass: string
  readonly digest: Uint8Array
}): Uint8Array => hash('tandem/review/v1', [of.walletId, of.scheme, of.payloadClass, of.digest])

/** What the proof covers: all that is decided by, and what the person is shown. */
export const provenText = (pending: Omit<PendingTransaction, 'proof'>): string => {
  const { id, walletId, userId, partnerId, origin, contentHash, content, state, by, stepUp } = pending
  const { userAccepted, partnerAccepted, approver, expiresAt, protocolId, doneAt } = pending
  const about = [id, walletId, userId, partnerId, origin, contentHash, content]
  const decided = [state, by, stepUp, userAccepted, partnerAccepted, expiresAt, protocolId, doneAt]
  // Without the partner's acceptance it is the text of the version before, which may run beside this one.
  return JSON.stringify([...about, ...decided, ...(approver === null ? [] : [approver])])
}

export const isLive = ({ state, expiresAt }: PendingTransaction, now: number): boolean =>
  (state === 'PENDING' || state === 'ACCEPTED') && isInTime(expiresAt, reviewLimits.longest, now)

/**
 * Whether clients still find it: while it is live, and once it was used for as long as the row is kept, so that a client
 * whose answer was lost, or another window's page, does not take it for denied.
 */
export const isReadable = (pending: PendingTransaction, now: number): boolean =>
  pending.state === 'DONE' || isLive(pending, now)

/** Whether those whom a review asks now were all asked for this one. */
export const covers = (pending: Review, review: Review): boolean =>
  (pending.by === review.by || pending.by === 'both') && (pending.stepUp || !review.stepUp)

/** Whether no other key than the approver's accepted for the partner: one that was replaced may have leaked. */
export const isOfApprover = (
  { partnerAccepted, approver }: Pick<PendingTransaction, 'partnerAccepted' | 'approver'>,
  current: string | null,
): boolean => !partnerAccepted || approver === current

/** Without the partner's half of an acceptance where another key than that of the approver of now gave it. What is decided stays. */
export const withoutReplaced = (pending: PendingTransaction, current: string | null): PendingTransaction =>
  pending.state !== 'PENDING' || isOfApprover(pending, current)
    ? pending
    : { ...pending, partnerAccepted: false, approver: null }

/** Who has to accept it; of two, of whom one has accepted alone, the other. */
export const awaitedOf = ({ by, userAccepted, partnerAccepted }: PendingTransaction): ReviewBy => {
  if (by !== 'both' || userAccepted === partnerAccepted) return by
  return userAccepted ? 'partner' : 'user'
}

/** The record after one more acceptance: ACCEPTED once all have accepted who have to. */
export const accepted = (
  pending: PendingTransaction,
  who: 'user' | 'partner',
  now: number,
): Omit<PendingTransaction, 'proof'> => {
  const userAccepted = pending.userAccepted || who === 'user'
  const partnerAccepted = pending.partnerAccepted || who === 'partner'
  const isAccepted = (pending.by === 'partner' || userAccepted) && (pending.by === 'user' || partnerAccepted)
  const decided = { ...pending, userAccepted, partnerAccepted }
  return isAccepted ? { ...decided, state: 'ACCEPTED', expiresAt: now + reviewLimits.accepted } : decided
}
