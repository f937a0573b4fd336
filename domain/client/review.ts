/**
 * A signature that a policy holds until its user, or the app's operator, has reviewed it
 * (domain/client/README.md#reviews).
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Ref from 'effect/Ref'
import type { Success } from '../../generated/handlers.ts'
import { isSilence, type ApiError } from '../model/ApiError.ts'
import { pollIntervalMs } from '../model/Limits.ts'
import type { Kind } from '../model/Popup.ts'
import { requireUser } from '../model/Session.ts'
import { TransactionReviewDenied, TransactionReviewTimeout, TransactionReviewUsed } from '../model/TransactionReview.ts'
import { openPortal } from './openPortal.ts'
import { openWindow } from './openWindow.ts'
import { portalAddress } from './portalAddress.ts'
import { forgetPortalSessionSecret } from './portalSessionSecret.ts'
import { pollUntil } from './polling.ts'
import { Api } from './ports/Api.ts'
import { Progress, report } from './ports/Progress.ts'
import { rememberedIdentity } from './rememberedIdentity.ts'
import { insistently, type SignatureHeld } from './runProtocol.ts'
import { currentSession, serverTime } from './touch.ts'

export type ReviewRequest = {
  /** The popup of the review page. */
  readonly kind: Extract<Kind, 'SIGN_MESSAGE_REVIEW' | 'SIGN_TRANSACTION_REVIEW'>
  /** How long the caller waits, from when the signature was asked for. */
  readonly timeoutMs: number
  /** What is signed is sent at once: the call does not wait, and fails with the page's address. */
  readonly sends?: boolean
}

/** The address of the page, for an error that names it and for a popup; and the origin of that page. */
export const reviewAddress = Effect.fn('reviews.reviewAddress')(function* (
  pendingTransactionId: string,
  timeoutMs: number,
) {
  const session = yield* currentSession
  const userId = yield* Effect.fromResult(requireUser(session))
  const identity = yield* rememberedIdentity
  const email = identity?.kind === 'email' ? identity.email : undefined
  const { sessionId } = session
  return yield* insistently(
    portalAddress({ type: 'review', userId, pendingTransactionId, sessionId, email, timeoutMs }),
  )
})

/**
 * Opens the review page and waits until the held signature may be made. A page that is closed without a decision ends
 * nothing: the person may open it again while the time lasts.
 */
export const awaitReview = Effect.fn('reviews.awaitReview')(function* (
  { pendingTransactionId, heldAt }: SignatureHeld,
  { kind, timeoutMs }: ReviewRequest,
) {
  const session = yield* currentSession
  const userId = yield* Effect.fromResult(requireUser(session))
  const api = yield* Api
  const expiresAt = yield* Ref.make(Infinity)

  const look = Effect.gen(function* () {
    const pending = yield* api.call('getPendingTransaction', { path: { userId, pendingTransactionId } })
    yield* Ref.set(expiresAt, pending.expiresAt ?? Infinity)
    return Option.some<Seen>(pending)
  }).pipe(
    Effect.catch((error) => {
      if (error.status === 404) return Effect.succeedSome<Seen>({ status: 'GONE' })
      if (!isUnanswered(error)) return Effect.fail(error)
      return Effect.as(Effect.logWarning('a review could not be looked at', error), Option.none<Seen>())
    }),
  )
  const [{ url, origin }, seen] = yield* Effect.all([reviewAddress(pendingTransactionId, timeoutMs), look], {
    concurrency: 2,
  })
  const timedOut = new TransactionReviewTimeout({ transactionReviewUrl: url, pendingTransactionId })

  const first = Option.getOrUndefined(seen)
  const by = first?.by ?? 'user'
  const isUndecided = first === undefined || first.status === 'PENDING'
  const popup = isUndecided && by !== 'partner' ? yield* openWindow(kind) : Option.none()
  const page = Option.isNone(popup)
    ? undefined
    : yield* openPortal({
        popup: popup.value,
        url,
        portalOrigin: origin,
        session,
        page: 'review',
        record: pendingTransactionId,
      }).pipe(
        // The listener of this call waits for a decision, and not for a portal session.
        Effect.provideService(Progress, () => {}),
      )
  if (page !== undefined) yield* Effect.addFinalizer(() => forgetPortalSessionSecret)
  const isOpen = page !== undefined
  if (isUndecided) {
    yield* report({ step: 'reviewing', transactionReviewUrl: url, pendingTransactionId, by, isOpen })
  }

  const decided = Effect.map(
    look,
    Option.filter(({ status }) => status !== 'PENDING'),
  )
  const waitMs = heldAt + timeoutMs - (yield* Clock.currentTimeMillis)
  const poll = pollUntil(decided, { every: pollIntervalMs, within: Math.max(waitMs, 0), onTimeout: () => timedOut })
  // A page that says that it is done is a hint to look at once.
  const decision = page === undefined ? poll : Effect.raceFirst(poll, Effect.andThen(page.done, poll))
  const { status } = yield* decision.pipe(
    Effect.catchTag('TransactionReviewTimeout', () => lastLook(decided, timedOut)),
    Effect.onInterrupt(() => page?.giveUp ?? Effect.void),
  )
  if (status === 'DONE') return yield* new TransactionReviewUsed()
  if (status === 'ACCEPTED') return
  const waitedMs = (yield* Clock.currentTimeMillis) - heldAt
  // The service forgets a review at its end as it forgets a denied one.
  const isOver = waitedMs >= timeoutMs || (yield* serverTime) + clockTolerance >= (yield* Ref.get(expiresAt))
  return yield* isOver ? timedOut : new TransactionReviewDenied()
}, Effect.scoped)

type Seen = { readonly status: Success<'getPendingTransaction'>['status'] | 'GONE'; readonly by?: By | undefined }
type By = NonNullable<Success<'getPendingTransaction'>['by']>

/** Milliseconds by which the service's time may be known too early: an answer's way. */
const clockTolerance = 1_000

/** No answer, or one that says nothing about the review: the next look may say it. */
const isUnanswered = (error: ApiError): boolean =>
  isSilence(error) || error.status === 429 || (error.status ?? 0) >= 500

/** A decision between the last poll and the end of the time still counts. */
const lastLook = <E, R, T>(decided: Effect.Effect<Option.Option<Seen>, E, R>, timedOut: T) =>
  decided.pipe(
    Effect.timeoutOption(pollIntervalMs),
    Effect.flatMap((seen) =>
      Option.match(Option.flatten(seen), { onNone: () => Effect.fail(timedOut), onSome: Effect.succeed }),
    ),
  )
