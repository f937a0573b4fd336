/**
 * Signing, from an app's message or transaction to the verified signature of the co-signer's run
 * (domain/client/README.md#signing).
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Cause from 'effect/Cause'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import type * as Result from 'effect/Result'
import * as Schedule from 'effect/Schedule'
import type { Scheme, SigningPayload } from '../mpc/Protocol.ts'
import { messagePayload, type PayloadRefused } from '../mpc/SigningPayload.ts'
import type { SigningRequest } from '../mpc/SigningRequest.ts'
import { isRefusal, isSilence, isUnclear } from '../model/ApiError.ts'
import * as EventNames from '../model/Events.ts'
import { retries, retryTimeoutMs } from '../model/Limits.ts'
import { OperationTimedOut } from '../model/Timeout.ts'
import { timeoutOf, TransactionReviewError, TransactionReviewUsed } from '../model/TransactionReview.ts'
import { typeOf, type Wallet } from '../model/Wallet.ts'
import { SigningFailed, TransactionSigningFailed } from '../model/WalletKeyFailures.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { heldShare, isLost, signLock } from './heldShare.ts'
import { mending, otherRequests, reviewing } from './lateCode.ts'
import { renewCapsule } from './renewCapsule.ts'
import type { ReviewRequest } from './review.ts'
import { runFailures, SignatureHeld, type RequestFailure } from './runProtocol.ts'
import { SessionState } from './SessionState.ts'
import { signOnce } from './signOnce.ts'
import { currentSession } from './touch.ts'
import { selectWallet } from './selectWallet.ts'

/** What the caller of a signature may say beside what is signed. */
export type Signing = {
  /** Without it, the first usable one of the current wallets. */
  readonly walletId?: string | undefined
  /** How long a review may take if a policy asks for one, in milliseconds: within 1 s and 10 min, by default 30 s. */
  readonly timeoutMs?: number | undefined
}

/**
 * Signs a message as its chain has it: EIP-191 for EVM, ADR-036 for Cosmos, the bytes themselves for Solana.
 */
export const signMessage = Effect.fn('signing.signMessage')(function* (
  { walletId, timeoutMs }: Signing,
  message: Uint8Array,
) {
  const wallet = yield* selectWallet(walletId)
  return yield* announced(asMessage(timeoutMs), wallet, yield* askedOf(wallet, message))
})

/** A request, and how its payload is computed. */
export type Asked = {
  readonly request: SigningRequest
  readonly payload: (scheme: Scheme) => Result.Result<SigningPayload, PayloadRefused>
}

const askedOf = (wallet: Wallet, message: Uint8Array) => {
  const text = bytesToHex(message)
  switch (typeOf(wallet)) {
    case 'EVM':
      return Effect.succeed<Asked>({
        request: { kind: 'eip191', message: text },
        payload: (scheme) => messagePayload(text, scheme),
      })
    case 'SOLANA':
      return otherRequests((of) => Effect.succeed(of.asked({ kind: 'solanaMessage', message: text })))
    case 'COSMOS':
      return otherRequests((of) => Effect.succeed(of.ofCosmosMessage(wallet.address ?? '', message)))
  }
}

/** How a signature is told to the app and shown on the review page. */
export type Announcement = ReviewRequest & {
  readonly event: typeof EventNames.signMessage | typeof EventNames.signTransaction
  readonly Failed: typeof SigningFailed | typeof TransactionSigningFailed
}

export const asMessage = (timeoutMs: number | undefined): Announcement => ({
  event: EventNames.signMessage,
  Failed: SigningFailed,
  kind: 'SIGN_MESSAGE_REVIEW',
  timeoutMs: timeoutOf(timeoutMs),
})

export const asTransaction = (timeoutMs: number | undefined): Announcement => ({
  event: EventNames.signTransaction,
  Failed: TransactionSigningFailed,
  kind: 'SIGN_TRANSACTION_REVIEW',
  timeoutMs: timeoutOf(timeoutMs),
})

/** A transaction that is sent with its signature. */
export const asSending = (timeoutMs: number | undefined): Announcement => ({ ...asTransaction(timeoutMs), sends: true })

/** The wallet with what it signed. The app's listeners hear how it ended; a run that failed is the account's error. */
export const announced = Effect.fnUntraced(function* (
  { event, Failed, ...review }: Announcement,
  wallet: Wallet,
  asked: Asked,
) {
  const data = { walletId: wallet.id }
  const { emit } = yield* Events
  const failed = (cause: unknown) => new Failed({ userId: wallet.userId ?? '', walletId: wallet.id, cause })
  const signed = yield* sign(wallet.id, asked, review).pipe(
    Effect.catchTags(runFailures(failed)),
    Effect.tapError((error) => emit(event, { data, error })),
  )
  yield* emit(event, { data })
  // The signature does not wait for it, and the next one tries again.
  yield* Effect.forkDetach(Effect.ignore(renewCapsule(wallet.id)))
  return { wallet, ...signed }
})

/**
 * Signs with the share on this device (domain/client/README.md#signing). Into silence the same bytes go again first, so
 * that the co-signer does not repeat finished work; lasting silence is met by a new run with fresh nonces, twice at
 * most and 10 s each. A failed check, a refusal or an abort is never tried again. A device signs one thing at a time
 * with a wallet. A locked wallet is refreshed first; after a failed check the co-signer allows that only to a session
 * with a fresh login. A provider that has lost its share gets it back from this device first
 * (adapters/service/vault/README.md#what-a-loss-costs). A delegated session may do none of that. What a policy holds is
 * signed once its review is accepted (domain/client/README.md#reviews).
 */
export const sign = Effect.fn('signing.sign')(function* (walletId: string, asked: Asked, review: ReviewRequest) {
  const once = signWithShare(walletId, asked, review.timeoutMs)
  const onceAfter = <E, R>(mended: Effect.Effect<unknown, E, R>) => Effect.andThen(mended, once)
  const { delegation } = yield* currentSession
  if (delegation?.scope === 'READ') yield* mending((of) => of.requireOwnSession)
  const mended = delegation
    ? once
    : once.pipe(
        // After a refresh whose confirmation got no answer: its share is staged here and may be the active one.
        Effect.catchIf(isOutOfDate, () => onceAfter(mending((of) => of.catchUp(walletId)))),
        Effect.catchIf(isLost, (refusal) => onceAfter(mending((of) => of.reattach(walletId, refusal)))),
        Effect.catchIf(isLocked, () => onceAfter(mending((of) => of.unlock(walletId)))),
      )
  const alone = Effect.tapError(
    (yield* Locks).alone(signLock(walletId), mended),
    Effect.fnUntraced(function* (error) {
      if (!isOutOfDate(error) && !isLocked(error) && error._tag !== 'KeyShareLocked') return
      // A login brings it anew (domain/client/README.md#session-status).
      yield* (yield* SessionState).set({ ...(yield* currentSession), refused: walletId })
    }),
  )
  return yield* Effect.catchTag(alone, 'SignatureHeld', (held) => reviewed(held, review, alone))
})

/**
 * Waits for the review without the wallet's lock, so that other signatures go on, and then signs in a new run. What is
 * held once more under another id was accepted, and its acceptance is used up or no longer counts, as under another policy: it
 * is not put before the person again.
 */
const reviewed = <A, E, R>(held: SignatureHeld, review: ReviewRequest, again: Effect.Effect<A, E | SignatureHeld, R>) =>
  Effect.gen(function* () {
    const { pendingTransactionId } = held
    if (review.sends === true) {
      const { url: transactionReviewUrl } = yield* reviewing((of) =>
        of.reviewAddress(pendingTransactionId, review.timeoutMs),
      )
      return yield* new TransactionReviewError({ transactionReviewUrl })
    }
    yield* reviewing((of) => of.awaitReview(held, review))
    return yield* Effect.catchIf(again, isHeld, () => new TransactionReviewUsed())
  })

const isHeld = (error: unknown): error is SignatureHeld => error instanceof SignatureHeld

const isOutOfDate = (error: unknown): boolean => isRefusal(error, 'KeyShareOutOfDate')
const isLocked = (error: unknown): boolean => isRefusal(error, 'KeyShareLocked')

const signWithShare = Effect.fnUntraced(function* (
  walletId: string,
  { request, payload: payloadOf }: Asked,
  timeoutMs: number,
) {
  const { user } = yield* heldShare(walletId)
  const payload = yield* Effect.fromResult(payloadOf(user.share.scheme))
  const toSign = { request, payload, timeoutMs }
  if (request.kind !== 'transaction' || !request.send) return yield* withTries(signOnce(user, toSign))
  // 'unclear': after an unclear answer. 'earlier': after one to an earlier run than the one that sends now, of whose transaction no
  // refusal says anything. A node refuses the later transaction also because the earlier one has used its nonce.
  let mayBeSent: boolean | 'unclear' | 'earlier' = false
  const sending = signOnce(user, {
    ...toSign,
    onLastRequest: (failure) => {
      if (mayBeSent === 'earlier') return
      if (failure === undefined) mayBeSent = mayBeSent === 'unclear' ? 'earlier' : true
      else if (isUnclear(failure)) mayBeSent = 'unclear'
      else if (isRefusal(failure, 'BroadcastRefused') || (mayBeSent !== 'unclear' && isRefused(failure)))
        mayBeSent = false
    },
  })
  return yield* withTries(sending, () => mayBeSent !== false).pipe(
    // Also a defect, for example of this device's storage: the answer may have been that it was sent.
    Effect.tapCause((cause) =>
      mayBeSent === false || Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : new TransactionNotSent({ cause: Cause.squash(cause) }),
    ),
  )
})

/**
 * By the service, or by the co-signer under its key. After an unclear answer only the node's refusal counts: any other is
 * of the repetition alone, for example where the session has ended since or an older database has come up.
 */
const isRefused = (failure: RequestFailure): boolean => failure._tag !== 'ProtocolAborted' || failure.by === 'cosigner'

/** Into silence a new run goes, twice at most and 10 s each, unless it must not (`isOver`). */
export const withTries = <A, E extends { readonly _tag: string }, R>(
  once: Effect.Effect<A, E, R>,
  isOver: (error: { readonly _tag: string }) => boolean = () => false,
) =>
  once.pipe(
    Effect.retry({ times: busyTries, schedule: Schedule.spaced(busyPauseMs), while: isBusy }),
    Effect.timeoutOrElse({
      duration: retryTimeoutMs,
      orElse: () => Effect.fail(new OperationTimedOut({ ms: retryTimeoutMs })),
    }),
    Effect.tapError((error) => (isHeld(error) ? Effect.void : Effect.logWarning('a try to sign failed', error._tag))),
    Effect.retry({ times: retries, while: (error) => !isOver(error) && (isSilence(error) || isTimeout(error)) }),
  )

const isTimeout = ({ _tag }: { readonly _tag: string }): boolean => _tag === 'OperationTimedOut'

/** Another device of the user is signing with the wallet: nothing was computed yet, and it is soon over. */
const isBusy = (error: unknown): boolean => isRefusal(error, 'AnotherRunInProgress')
const busyTries = 20
const busyPauseMs = 250

/**
 * The co-signer's side has all that it takes to send the transaction, and this device has read no answer with a hash and
 * no refusal. The same call again answers the hash if it was sent.
 */
export class TransactionNotSent extends Data.TaggedError('TransactionNotSent')<{ readonly cause?: unknown }> {
  override readonly message = 'it is not known whether the transaction was sent'
}
