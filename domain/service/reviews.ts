/**
 * The decisions about what a policy holds (domain/service/README.md#reviews): the user's in the portal, on a page for
 * this review alone, and the partner's by its approver's key. A session sees what became of it and decides nothing.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import * as RootKey from '../crypto/RootKey.ts'
import { ApiKeyRequired } from '../model/Partner.ts'
import { Caller } from './Caller.ts'
import { approverThumb, decisionOf } from './decisionToken.ts'
import { tell, tellCallersPartner } from './events.ts'
import { StepUpRequired } from './keyShares.ts'
import { NotFound } from './NotFound.ts'
import * as Pending from './PendingTransaction.ts'
import { currentPolicy } from './policies.ts'
import type { PortalToken } from './PortalSession.ts'
import { pageAtWork, portalOf } from './portalSessions.ts'
import { Audit } from './ports/Audit.ts'
import { topicOf } from './ports/Notifications.ts'
import { Partners } from './ports/Partners.ts'
import { PendingTransactions } from './ports/PendingTransactions.ts'
import { Signatures } from './ports/Signatures.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { prove, proven } from './provenPending.ts'
import { sessionOf } from './sessions.ts'
import { waitFor } from './waiting.ts'

/**
 * For the user's own session, and for the page of this review. `NotFound` once it is denied, or over without a
 * signature.
 */
export const getPendingTransaction = Effect.fn('reviews.getPendingTransaction')(function* (userId: string, id: string) {
  const { portal } = yield* Caller
  const partnerId = yield* readersPartner(userId, id)
  const pending = yield* readable(id, (found) => found.userId === userId && found.partnerId === partnerId)
  return portal === undefined ? pending : { ...pending, stepUp: isStepUp(pending, portal) }
})

/** The same for the server of the partner, whose approver may have to decide. */
export const getPendingTransactionToDecide = Effect.fn('reviews.getPendingTransactionToDecide')(function* (id: string) {
  const { partner, secretKey } = yield* Caller
  if (partner === undefined || !secretKey) return yield* new ApiKeyRequired()
  return yield* readable(id, ({ partnerId }) => partnerId === partner.id)
})

const readable = (id: string, isTheirs: (pending: Pending.PendingTransaction) => boolean) => {
  const look = Effect.gen(function* () {
    const pending = Option.getOrUndefined(yield* proven(id))
    const now = yield* Clock.currentTimeMillis
    return pending !== undefined && isTheirs(pending) && Pending.isReadable(pending, now)
      ? yield* asItCounts(pending)
      : yield* new NotFound()
  })
  return waitFor(look, {
    topic: topicOf.pendingTransaction(id),
    hasNews: ({ state }) => state !== 'PENDING',
    changesAt: ({ expiresAt }) => expiresAt,
  })
}

/** As the policy of now has it, whose approver may be another than the one who has accepted for the partner. */
const asItCounts = Effect.fnUntraced(function* (pending: Pending.PendingTransaction) {
  if (!pending.partnerAccepted) return pending
  return Pending.withoutReplaced(pending, approverThumb(yield* currentApprover(pending.partnerId)))
})

const currentApprover = (partnerId: string) =>
  Effect.map(currentPolicy(partnerId), (current) => (current.kind === 'policy' ? current.policy.approver : undefined))

export type Acceptance = {
  /** hex(32), as the page showed it. */
  readonly contentHash?: string | undefined
  /** hex(64): where the review asks for a step-up, `RootKey.signDecision`. */
  readonly rootSignature?: string | undefined
}

/** The user accepts what the page showed. The same acceptance again has no effect. */
export const acceptPendingTransaction = Effect.fn('reviews.acceptPendingTransaction')(function* (
  userId: string,
  id: string,
  { contentHash, rootSignature }: Acceptance,
) {
  const page = yield* reviewPage(userId, id)
  yield* decide(id, { userId }, 'user', (pending) =>
    Effect.gen(function* () {
      if (pending.by === 'partner') return yield* new NotReviewer()
      if (contentHash !== pending.contentHash) return yield* new ContentDiffers()
      if (pending.userAccepted) return undefined
      if (pending.state !== 'PENDING') return yield* new ReviewDecided()
      if (isStepUp(pending, page)) yield* requireRootSignature(pending, page.openingId, rootSignature)
      return Pending.accepted(yield* asItCounts(pending), 'user', yield* Clock.currentTimeMillis)
    }),
  )
})

/** The user denies it on the page: then it is gone for its clients. */
export const denyPendingTransaction = Effect.fn('reviews.denyPendingTransaction')(function* (
  userId: string,
  id: string,
) {
  yield* reviewPage(userId, id)
  yield* decide(id, { userId }, 'user', deny)
})

/**
 * The partner decides by a compact JWS of its policy's approver key over `{id, contentHash, decision, exp}`: so its API
 * key alone accepts nothing.
 */
export const decidePendingTransaction = Effect.fn('reviews.decidePendingTransaction')(function* (
  id: string,
  jws: string,
) {
  const { partner, secretKey } = yield* Caller
  if (partner === undefined || !secretKey) return yield* new ApiKeyRequired()
  const approver = yield* currentApprover(partner.id)
  const now = yield* Clock.currentTimeMillis
  const decided = yield* decisionOf(jws, approver)
  if (decided?.id !== id || decided.exp * 1000 <= now) return yield* new DecisionRefused()
  yield* decide(id, { partnerId: partner.id }, 'partner', (pending) =>
    Effect.gen(function* () {
      if (pending.by === 'user') return yield* new NotReviewer()
      if (decided.contentHash !== pending.contentHash) return yield* new ContentDiffers()
      if (decided.decision === 'deny') return yield* deny(pending)
      const thumb = approverThumb(approver)
      if (pending.partnerAccepted && pending.approver === thumb) return undefined
      if (pending.state !== 'PENDING') return yield* new ReviewDecided()
      return Pending.accepted({ ...pending, approver: thumb }, 'partner', now)
    }),
  )
})

/** Tells partners what has expired, and deletes what was over an hour ago. The composition schedules it. */
export const sweep = Effect.fn('reviews.sweep')(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transaction).atomically(tellExpired(now - Pending.reviewLimits.settled))
  yield* (yield* PendingTransactions).sweep(now - Pending.reviewLimits.kept)
})

const tellExpired = Effect.fnUntraced(function* (before: number) {
  for (const { id, userId, walletId, partnerId } of yield* (yield* PendingTransactions).takeExpired(before)) {
    const partner = Option.getOrUndefined(yield* (yield* Partners).find(partnerId))
    yield* tell(partner, 'transaction.expired', { userId, walletId, transactionId: id })
  }
})

const readersPartner = Effect.fnUntraced(function* (userId: string, id: string) {
  const { portal } = yield* Caller
  if (portal === undefined) return (yield* sessionOf(userId)).partnerId
  const { partnerId, userId: own } = yield* portalOf(['review'], id)
  return own === userId ? partnerId : yield* new NotFound()
})

const reviewPage = Effect.fnUntraced(function* (userId: string, id: string) {
  yield* portalOf(['review'], id)
  return yield* pageAtWork(userId, ['review'])
})

/**
 * Whether the user's root key has to sign an acceptance on this page: where the policy asks for it, and on every page
 * whose opener signed no ticket with its device key. A token by the redirect or by asking takes no more than the review's
 * link and the publishable key, so a person need not be there.
 */
const isStepUp = ({ by, stepUp }: Pending.Review, { variant }: PortalToken): boolean =>
  stepUp || (by !== 'partner' && variant !== 'opener')

type Decided = Omit<Pending.PendingTransaction, 'proof'> | undefined

/** Decisions about one wallet come one after the other, and after what its runs do with them. */
const decide = Effect.fnUntraced(function* <E, R>(
  id: string,
  whose: Partial<Pick<Pending.PendingTransaction, 'userId' | 'partnerId'>>,
  who: 'user' | 'partner',
  decision: (pending: Pending.PendingTransaction) => Effect.Effect<Decided, E, R>,
) {
  const pendings = yield* PendingTransactions
  const known = Option.getOrUndefined(yield* pendings.find(id))
  if (known === undefined) return yield* new NotFound()
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(known.walletId)
      const pending = Option.getOrUndefined(yield* proven(id))
      const isTheirs =
        pending !== undefined &&
        (whose.userId ?? pending.userId) === pending.userId &&
        (whose.partnerId ?? pending.partnerId) === pending.partnerId
      const now = yield* Clock.currentTimeMillis
      if (!isTheirs || !Pending.isReadable(pending, now)) return yield* new NotFound()
      const decided = yield* decision(pending)
      if (decided === undefined) return
      if (!(yield* pendings.replace(pending, yield* prove(decided)))) return yield* new ReviewDecided()
      yield* (yield* Audit).record({
        event: decided.state === 'DENIED' ? 'review.denied' : 'review.accepted',
        partnerId: pending.partnerId,
        userId: pending.userId,
        sessionId: pending.sessionId,
        subject: id,
        detail: { by: who, contentHash: pending.contentHash, state: decided.state },
      })
      const { userId, walletId } = pending
      if (decided.state === 'ACCEPTED')
        yield* tellCallersPartner('transaction.accepted', { userId, walletId, transactionId: id })
      if (decided.state === 'DENIED')
        yield* tellCallersPartner('transaction.denied', { userId, walletId, transactionId: id })
    }),
  )
})

const deny = (pending: Pending.PendingTransaction): Effect.Effect<Decided, ReviewDecided> =>
  pending.state === 'PENDING' ? Effect.succeed({ ...pending, state: 'DENIED' }) : Effect.fail(new ReviewDecided())

/**
 * The user's root key signed that they accept this on this visit to the page: the key to which the wallet is pinned, or
 * that of their credential for a wallet of a public client, which is pinned to none.
 */
const requireRootSignature = Effect.fnUntraced(function* (
  { id, walletId, userId, contentHash }: Pending.PendingTransaction,
  openingId: string,
  rootSignature: string | undefined,
) {
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).find(walletId))
  const user = Option.getOrUndefined(yield* (yield* Users).find(userId))
  const root = fromHex(wallet?.rootPublicKey ?? user?.rootPublicKey ?? '', 32)
  const signature = fromHex(rootSignature ?? '', 64)
  if (root === undefined || signature === undefined) return yield* new StepUpRequired()
  const decision = { pendingTransactionId: id, contentHash: hexToBytes(contentHash), openingId }
  const { ed25519 } = yield* Signatures
  if (!RootKey.isSignedDecision(root, decision, signature, ed25519)) return yield* new StepUpRequired()
})

/** It was accepted or used before. */
export class ReviewDecided extends Data.TaggedError('ReviewDecided') {
  override readonly message = 'review was decided already'
}

/** The decision is about another content than what is held. */
export class ContentDiffers extends Data.TaggedError('ContentDiffers') {
  override readonly message = 'content differs from what is held'
}

/** The policy leaves this review to the other of user and partner. */
export class NotReviewer extends Data.TaggedError('NotReviewer') {
  override readonly message = 'this review is decided by another'
}

/** The decision is not signed by the approver of the partner's policy, is about another review, or its time is over. */
export class DecisionRefused extends Data.TaggedError('DecisionRefused') {
  override readonly message = 'decision refused'
}
