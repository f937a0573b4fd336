/**
 * The page on which a user decides about what a policy holds (domain/client/README.md#reviews). Only what the page shows
 * is accepted: the content hash names it. With a step-up the person proves their credential again, and the root key that
 * it opens signs the decision.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Redacted from 'effect/Redacted'
import type { Success } from '../../../generated/handlers.ts'
import { fromHex } from '../../crypto/Hex.ts'
import * as RootKey from '../../crypto/RootKey.ts'
import { isRefusal, type ApiError } from '../../model/ApiError.ts'
import { retryTimeoutMs } from '../../model/Limits.ts'
import { Api } from '../ports/Api.ts'
import { Navigation } from '../ports/Navigation.ts'
import { report } from '../ports/Progress.ts'
import { insistently } from '../runProtocol.ts'
import { openWithPasskey } from './loginWithPasskey.ts'
import { openWithPassword } from './loginWithPassword.ts'
import { tell, type PortalSession } from './portalSession.ts'
import type { Unwrapped } from './unwrapKeys.ts'

type Pending = Success<'getPendingTransaction'>

/** What the page shows, as the co-signer decoded it. */
export type Content = NonNullable<Pending['payload']>

export type Review = {
  readonly pendingTransactionId: string
  readonly content: Content
  /** hex(32) */
  readonly contentHash: string
  /** The origin of the session that asked; the page may have been opened by another one of the user's. */
  readonly origin: string | undefined
  /** When it can no longer be accepted, in milliseconds of this page's clock. */
  readonly endsAt: number
  readonly by: NonNullable<Pending['by']>
  readonly stepUp: boolean
}

/**
 * How a review ended. `used`: it was accepted before, perhaps in another window. `over`: the service does not say what
 * became of it, so that it may have been signed.
 */
export type ReviewEnd = 'accepted' | 'denied' | 'used' | 'over'

/** The review of this page, or its end if it was decided before. */
export const loadReview = Effect.fn('reviews.loadReview')(function* (portalSession: PortalSession) {
  const pending = yield* look(portalSession)
  if (pending === undefined) return 'over' satisfies ReviewEnd
  if (pending.status !== 'PENDING') return 'used' satisfies ReviewEnd
  const { id, origin, payload, contentHash, expiresAt, by = 'user', stepUp = false } = pending
  const isWhole = id === portalSession.record && fromHex(contentHash ?? '', 32) !== undefined
  if (!isWhole || payload === undefined || contentHash === undefined || expiresAt === undefined) {
    return yield* new ReviewNotShown()
  }
  return {
    pendingTransactionId: id,
    content: payload,
    contentHash,
    origin,
    endsAt: expiresAt - portalSession.clockOffset,
    by,
    stepUp,
  } satisfies Review
})

/** Accepts what is shown, where no step-up is asked for. */
export const acceptReview = Effect.fn('reviews.acceptReview')(function* (portalSession: PortalSession, review: Review) {
  return yield* accept(portalSession, review, undefined)
})

export const acceptWithPassword = Effect.fn('reviews.acceptWithPassword')(function* (
  portalSession: PortalSession,
  review: Review,
  password: Redacted.Redacted,
) {
  return yield* accept(portalSession, review, yield* openWithPassword(portalSession, password))
})

export const acceptWithPasskey = Effect.fn('reviews.acceptWithPasskey')(function* (
  portalSession: PortalSession,
  review: Review,
) {
  return yield* accept(portalSession, review, yield* openWithPasskey(portalSession))
})

/** Ends the review, so that nothing is signed. */
export const denyReview = Effect.fn('reviews.denyReview')(function* (
  portalSession: PortalSession,
  { pendingTransactionId }: Review,
) {
  yield* report({ step: 'committing' })
  const path = { userId: portalSession.userId ?? '', pendingTransactionId }
  const denied = insistently((yield* Api).call('denyPendingTransaction', { path })).pipe(
    Effect.as<ReviewEnd>('denied'),
    Effect.catchIf(isGone, () => Effect.succeed<ReviewEnd>('over')),
    Effect.catchIf(isConflict, () => endAfter(portalSession)),
  )
  return yield* Effect.tap(denied, (end) => leave(portalSession, end))
})

const accept = Effect.fn('reviews.accept')(function* (
  portalSession: PortalSession,
  { pendingTransactionId, contentHash }: Review,
  unwrapped: Unwrapped | undefined,
) {
  const rootSignature = unwrapped && signed(portalSession, { pendingTransactionId, contentHash }, unwrapped)
  yield* report({ step: 'committing' })
  const path = { userId: portalSession.userId ?? '', pendingTransactionId }
  const body = { contentHash, ...(rootSignature === undefined ? {} : { rootSignature }) }
  const accepted = insistently((yield* Api).call('acceptPendingTransaction', { path, body })).pipe(
    Effect.as<ReviewEnd>('accepted'),
    Effect.catchIf(isGone, () => Effect.succeed<ReviewEnd>('over')),
    Effect.catchIf(isConflict, () => endAfter(portalSession)),
    Effect.catchIf(isUnproven, () => new DecisionNotProven()),
  )
  return yield* Effect.tap(accepted, (end) => leave(portalSession, end))
})

const signed = (
  { openingId }: PortalSession,
  { pendingTransactionId, contentHash }: Pick<Review, 'pendingTransactionId' | 'contentHash'>,
  { root }: Unwrapped,
): string => {
  const seed = Redacted.value(root.seed)
  const decision = { pendingTransactionId, contentHash: fromHex(contentHash, 32) ?? new Uint8Array(0), openingId }
  const signature = RootKey.signDecision(seed, decision)
  seed.fill(0)
  return bytesToHex(signature)
}

/** The review was decided meanwhile, or the answer to this page's own decision was lost. */
const endAfter = Effect.fn('reviews.endAfter')(function* (portalSession: PortalSession) {
  const seen = yield* see(portalSession)
  return seen === 'pending' ? yield* new ReviewChanged() : seen
})

/** What the service says of a review whose time has passed here, or about which a decision got no answer; or nothing. */
export const lookAtReview = Effect.fn('reviews.lookAtReview')(
  (portalSession: PortalSession) => see(portalSession),
  Effect.timeout(retryTimeoutMs),
  Effect.catch(() => Effect.undefined),
)

const see = Effect.fn('reviews.see')(function* (portalSession: PortalSession) {
  const pending = yield* look(portalSession)
  if (pending === undefined) return 'over'
  return pending.status === 'PENDING' ? 'pending' : 'used'
})

/** The pending transaction, or nothing if the service does not have it for this page's user. */
const look = Effect.fn('reviews.look')(function* ({ userId = '', record = '' }: PortalSession) {
  const path = { userId, pendingTransactionId: record }
  return yield* insistently((yield* Api).call('getPendingTransaction', { path })).pipe(
    Effect.map((pending): Pending | undefined => pending),
    Effect.catchIf(isGone, () => Effect.undefined),
  )
})

const isGone = ({ status }: ApiError): boolean => status === 404
const isUnproven = (error: unknown): error is ApiError => isRefusal(error, 'StepUpRequired')
const isConflict = ({ status }: ApiError): boolean => status === 409

/** Tells a proven opener what was decided, as a hint to look at once, and closes the window. */
const leave = Effect.fn('reviews.leave')(function* (portalSession: PortalSession, end: ReviewEnd) {
  yield* report({ step: 'telling' })
  if (portalSession.admission.kind === 'opener') {
    yield* tell(portalSession, end === 'accepted' || end === 'used' ? 'accepted' : 'denied')
  }
  if (end === 'accepted' || end === 'denied') yield* (yield* Navigation).close
})

/** The service's answer lacks what a person needs to decide. */
export class ReviewNotShown extends Data.TaggedError('ReviewNotShown') {
  override readonly message = 'the review cannot be shown'
}

/** The service holds something else than the page shows. */
export class ReviewChanged extends Data.TaggedError('ReviewChanged') {
  override readonly message = 'the review is no longer what was shown'
}

/** The root key that the credential opened is not the one to which the wallet is pinned. */
export class DecisionNotProven extends Data.TaggedError('DecisionNotProven') {
  override readonly message = 'the decision was not proven'
}
