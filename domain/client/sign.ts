/**
 * Signing, from an app's message or transaction to the verified signature of the co-signer's run
 * (domain/client/README.md#signing).
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Schedule from 'effect/Schedule'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import * as TypedData from '../mpc/TypedData.ts'
import { SigningFailed, TransactionSigningFailed } from '../model/Account.ts'
import { isEvm } from '../model/EvmAddress.ts'
import { isRefusal, isSilence } from '../model/ApiError.ts'
import * as CosmosMessage from '../model/CosmosMessage.ts'
import * as EventNames from '../model/Events.ts'
import { retries, retryTimeoutMs } from '../model/Limits.ts'
import { OperationTimedOut } from '../model/Timeout.ts'
import { timeoutOf, TransactionReviewError, TransactionReviewUsed } from '../model/TransactionReview.ts'
import { typeOf, type Wallet } from '../model/Wallet.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { heldShare, isLost, signLock } from './heldShare.ts'
import { mending, reviewing } from './lateCode.ts'
import { renewCapsule } from './renewCapsule.ts'
import type { ReviewRequest } from './review.ts'
import { runFailures, SignatureHeld } from './runProtocol.ts'
import { signOnce } from './signOnce.ts'
import { currentSession } from './touch.ts'
import { selectWallet } from './wallets.ts'

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
  return yield* announced(asMessage(timeoutMs), wallet, requestOf(wallet, message))
})

const requestOf = (wallet: Wallet, message: Uint8Array): SigningRequest.SigningRequest => {
  switch (typeOf(wallet)) {
    case 'EVM':
      return { kind: 'eip191', message: bytesToHex(message) }
    case 'SOLANA':
      return { kind: 'solanaMessage', message: bytesToHex(message) }
    case 'COSMOS':
      return { kind: 'cosmosAmino', signDoc: bytesToHex(CosmosMessage.signDoc(wallet.address ?? '', message)) }
  }
}

/** Signs typed data of EIP-712, as the tools of Ethereum have it. */
export const signTypedData = Effect.fn('signing.signTypedData')(function* (
  { walletId, timeoutMs }: Signing,
  typedData: unknown,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const read = TypedData.read(typedData)
  if (read === undefined) return yield* new SigningRequest.PayloadRefused({ reason: 'malformed' })
  const request = { kind: 'eip712', typedData: read.text } as const
  return yield* announced(asMessage(timeoutMs), wallet, request)
})

/** An account's word that the code at an address may act for it (EIP-7702). Numbers are decimal text. */
export type Authorization = { readonly address: string; readonly chainId: string; readonly nonce: string }

/** Signs an authorization, which takes effect when a transaction brings it to its chain. */
export const signAuthorization = Effect.fn('signing.signAuthorization')(function* (
  { walletId, timeoutMs }: Signing,
  { address, chainId, nonce }: Authorization,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  if (!isEvm(address)) return yield* new SigningRequest.PayloadRefused({ reason: 'malformed' })
  const asked = { kind: 'authorization', address: address.slice(2).toLowerCase(), chainId, nonce }
  const request = yield* Effect.fromResult(SigningRequest.read(asked))
  return yield* announced(asMessage(timeoutMs), wallet, request)
})

/** An EVM transaction, serialised and not signed yet. `chainId` is decimal and must be the transaction's own. */
export type UnsignedTransaction = { readonly transaction: Uint8Array; readonly chainId: string }

/** Signs an EVM transaction; the caller assembles and sends it. */
export const signTransaction = Effect.fn('signing.signTransaction')(function* (
  signing: Signing,
  unsigned: UnsignedTransaction,
) {
  return yield* signEvmTransaction(signing, unsigned, false)
})

/**
 * Signs an EVM transaction and has the co-signer's side send it: the hash is in the answer. It waits for no review: if
 * one is needed it fails with `TransactionReviewError`, and is called again once the review is accepted.
 */
export const sendTransaction = Effect.fn('signing.sendTransaction')(function* (
  signing: Signing,
  unsigned: UnsignedTransaction,
) {
  const { transactionHash, ...signed } = yield* signEvmTransaction(signing, unsigned, true)
  if (transactionHash === undefined) return yield* new TransactionNotSent()
  return { ...signed, transactionHash }
})

const signEvmTransaction = Effect.fn('signing.signEvmTransaction')(function* (
  { walletId, timeoutMs }: Signing,
  { transaction, chainId }: UnsignedTransaction,
  send: boolean,
) {
  const wallet = yield* selectWallet(walletId, ['EVM'])
  const asked = { kind: 'transaction', transaction: bytesToHex(transaction), chainId, send }
  const request = yield* Effect.fromResult(SigningRequest.read(asked))
  return yield* announced(send ? asSending(timeoutMs) : asTransaction(timeoutMs), wallet, request)
})

/** How a signature is told to the app and shown on the review page. */
export type Announcement = ReviewRequest & {
  readonly event: typeof EventNames.signMessage | typeof EventNames.signTransaction
  readonly Failed: typeof SigningFailed | typeof TransactionSigningFailed
}

const asMessage = (timeoutMs: number | undefined): Announcement => ({
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
  request: SigningRequest.SigningRequest,
) {
  const data = { walletId: wallet.id }
  const { emit } = yield* Events
  const failed = (cause: unknown) => new Failed({ userId: wallet.userId ?? '', walletId: wallet.id, cause })
  const signed = yield* sign(wallet.id, request, review).pipe(
    Effect.catchTags(runFailures(failed)),
    Effect.tapError((error) => emit(event, { data, error })),
  )
  yield* emit(event, { data })
  // The signature does not wait for it, and the next one tries again.
  yield* Effect.forkDetach(Effect.ignore(renewCapsule(wallet.id)))
  return { wallet, ...signed }
})

/** The transaction is signed, but the answer has no hash: the app has to look for it before it sends it again. */
export class TransactionNotSent extends Data.TaggedError('TransactionNotSent') {
  override readonly message = 'the transaction was signed, but its hash was not told'
}

/**
 * Signs with the share on this device (domain/client/README.md#signing). Into silence the same bytes go again first, so
 * that the co-signer does not repeat finished work; lasting silence is met by a new run with fresh nonces, twice at
 * most and 10 s each. A failed check, a refusal or an abort is never tried again. A device signs one thing at a time
 * with a wallet. A locked wallet is refreshed first; after a failed check the co-signer allows that only to a session
 * with a fresh login. A provider that has lost its share gets it back from this device first
 * (adapters/service/vault/README.md#what-a-loss-costs). A delegated session may do none of that. What a policy holds is
 * signed once its review is accepted (domain/client/README.md#reviews).
 */
export const sign = Effect.fn('signing.sign')(function* (
  walletId: string,
  request: SigningRequest.SigningRequest,
  review: ReviewRequest,
) {
  const once = signWithShare(walletId, request, review.timeoutMs)
  const isDelegated = (yield* currentSession).delegation !== undefined
  const mended = isDelegated
    ? once
    : once.pipe(
        // After a refresh whose confirmation got no answer: its share is staged here and may be the active one.
        Effect.catchIf(isOutOfDate, () =>
          mending((of) => Effect.andThen(of.reconcile(walletId), of.reattachIfBehind(walletId))).pipe(
            Effect.andThen(once),
          ),
        ),
        Effect.catchIf(isLost, (refusal) => mending((of) => of.reattach(walletId, refusal)).pipe(Effect.andThen(once))),
        Effect.catchIf(isLocked, () =>
          mending((of) => Effect.andThen(of.reattachIfBehind(walletId), of.renewed(walletId))).pipe(
            Effect.andThen(once),
          ),
        ),
      )
  const alone = (yield* Locks).alone(signLock(walletId), mended)
  return yield* Effect.catchTag(alone, 'SignatureHeld', (held) => reviewed(held, review, alone))
})

/**
 * Waits for the review without the wallet's lock, so that other signatures go on, and then signs in a new run. What is
 * held once more under another id was accepted and used up: it is not put before the person again.
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

const signWithShare = Effect.fn('signing.signWithShare')(function* (
  walletId: string,
  request: SigningRequest.SigningRequest,
  timeoutMs: number,
) {
  const { user } = yield* heldShare(walletId)
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, user.share.scheme))

  return yield* withTries(signOnce(user, { request, payload, timeoutMs }))
})

/** Into silence a new run goes, twice at most and 10 s each. */
export const withTries = <A, E extends { readonly _tag: string }, R>(once: Effect.Effect<A, E, R>) =>
  once.pipe(
    Effect.retry({ times: busyTries, schedule: Schedule.spaced(busyPauseMs), while: isBusy }),
    Effect.timeoutOrElse({
      duration: retryTimeoutMs,
      orElse: () => Effect.fail(new OperationTimedOut({ ms: retryTimeoutMs })),
    }),
    Effect.tapError((error) => (isHeld(error) ? Effect.void : Effect.logWarning('a try to sign failed', error._tag))),
    Effect.retry({ times: retries, while: (error) => isSilence(error) || error._tag === 'OperationTimedOut' }),
  )

/** Another device of the user is signing with the wallet: nothing was computed yet, and it is soon over. */
const isBusy = (error: unknown): boolean => isRefusal(error, 'AnotherRunInProgress')
const busyTries = 20
const busyPauseMs = 250
