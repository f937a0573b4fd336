/**
 * What the partner's policy says about a payload: let through, denied, or held until it is accepted
 * (domain/service/README.md#policies). The caller has locked the wallet, so that a wallet's signatures are counted one
 * after the other.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import type { Scheme } from '../../mpc/Protocol.ts'
import * as RefreshCheck from '../../mpc/RefreshCheck.ts'
import * as SigningRequest from '../../mpc/SigningRequest.ts'
import { Caller } from '../Caller.ts'
import { approverThumb } from '../decisionToken.ts'
import { tellCallersPartner } from '../events.ts'
import { allowsUnprovenClients } from '../Partner.ts'
import {
  contentHashOf,
  covers,
  isLive,
  isOfApprover,
  reviewLimits,
  type PendingTransaction,
  type Review,
} from '../PendingTransaction.ts'
import { currentPolicy } from '../policies.ts'
import { contentOf } from '../policy/content.ts'
import type { Asked } from '../policy/facts/Facts.ts'
import { factsOf } from '../policy/facts.ts'
import { isSame } from '../policy/fields.ts'
import { judge, limitsOf, recipientsOf, spendOf, type LimitQuery } from '../policy/judge.ts'
import { Audit } from '../ports/Audit.ts'
import { Deployment } from '../ports/Deployment.ts'
import { PendingTransactions } from '../ports/PendingTransactions.ts'
import { Policies } from '../ports/Policies.ts'
import { TooManyAttempts } from '../ports/RateLimits.ts'
import { SecureRandom } from '../ports/SecureRandom.ts'
import { Spends, type Spend } from '../ports/Spends.ts'
import { isProven, prove, proven } from '../provenPending.ts'
import type { SessionRecord } from '../Session.ts'
import type { WalletRecord } from '../Wallet.ts'
import { ReviewNotSupported } from './refusals.ts'

export type Judged = {
  readonly wallet: WalletRecord
  readonly session: SessionRecord
  readonly userId: string
  readonly protocolId: string
  readonly scheme: Scheme
  /** What is signed, as the co-signer decoded it. */
  readonly request: SigningRequest.SigningRequest
  readonly payloadClass: string
  /** hex(32): the claim of what is signed. */
  readonly digest: string
  /** How long the client waits for a review, in milliseconds. */
  readonly timeoutMs: number
  /** Whether the client can wait for a review. */
  readonly canReview: boolean
}

export type Verdict =
  | { readonly kind: 'allow'; readonly allowed: Allowed | undefined }
  | { readonly kind: 'deny' }
  | { readonly kind: 'hold'; readonly pending: PendingTransaction }

/** By what a signature is let through. */
export type Allowed = {
  readonly policyVersion: number
  readonly spend: Pick<Spend, 'amounts' | 'recipients'>
  /** The review that it uses up. */
  readonly pending: PendingTransaction | undefined
}

/**
 * Audits a denial, and makes the pending transaction of a review that has none yet. What is let through is counted and
 * its review used by `use`. A partner without a policy has no limits and no reviews: `allowed` is undefined.
 */
export const judged = Effect.fn('protocol.judged')(function* (asked: Judged) {
  const { wallet } = asked
  const current = yield* currentPolicy(wallet.partnerId)
  if (current.kind === 'none') return { kind: 'allow', allowed: undefined } satisfies Verdict
  if (current.kind === 'unusable') return yield* denied(asked, { because: current.reason, rules: [] })
  const { policy, version } = current
  if (isRefreshCheck(asked)) return checking(version)
  const about = yield* aboutOf(asked)
  const facts = factsOf(about)
  const spent = yield* spentOf(asked, limitsOf(policy, facts))
  const { effect, rules, because, review } = judge(policy, facts, (query) => spent.get(keyOf(query)) ?? 0n)
  if (effect === 'deny') return yield* denied(asked, { because, rules, version })
  const spend = { amounts: spendOf(facts), recipients: recipientsOf(facts) }
  if (review === undefined) {
    return { kind: 'allow', allowed: { policyVersion: version, spend, pending: undefined } } satisfies Verdict
  }
  const now = yield* Clock.currentTimeMillis
  const contentHash = contentHashHex(asked)
  const live = (yield* (yield* PendingTransactions).live(wallet.id, now)).filter((pending) => isLive(pending, now))
  const known = yield* pendingOf(live, { asked, review, contentHash, approver: approverThumb(policy.approver) })
  if (known?.state === 'ACCEPTED') {
    return { kind: 'allow', allowed: { policyVersion: version, spend, pending: known } } satisfies Verdict
  }
  if (!asked.canReview) return yield* new ReviewNotSupported()
  if (known !== undefined) return { kind: 'hold', pending: known } satisfies Verdict
  const paid = yield* (yield* Spends).paid(wallet.id, spend.recipients)
  const content = contentOf(facts, (address) => isSame(address, about.wallet.address) || paid.has(address))
  return {
    kind: 'hold',
    pending: yield* begin(asked, { review, contentHash, live, now, rules, content: JSON.stringify(content) }),
  } satisfies Verdict
})

/** Counts what is let through, and gives the review to the run. Answers false if another run has used it. */
export const use = Effect.fn('protocol.useAllowed')(function* (
  { wallet, userId, digest, protocolId }: Pick<Judged, 'wallet' | 'userId' | 'digest' | 'protocolId'>,
  { spend: counted, pending }: Allowed,
) {
  const spend: Spend = {
    walletId: wallet.id,
    digest,
    userId,
    partnerId: wallet.partnerId,
    protocolId,
    ...counted,
    at: yield* Clock.currentTimeMillis,
  }
  yield* (yield* Spends).add(spend)
  if (pending === undefined) return true
  return yield* (yield* PendingTransactions).replace(pending, yield* prove({ ...pending, protocolId }))
})

/** The review becomes DONE with the signature of its run. Answers false if it is not this run's to use. */
export const complete = Effect.fn('protocol.completeReview')(function* (id: string, protocolId: string, now: number) {
  const pendings = yield* PendingTransactions
  const pending = Option.getOrUndefined(yield* proven(id))
  if (pending?.state !== 'ACCEPTED' || pending.protocolId !== protocolId) return false
  return yield* pendings.replace(pending, yield* prove({ ...pending, state: 'DONE', doneAt: now }))
})

/** Whether it is what a device signs to check the wallet's own new shares. */
const isRefreshCheck = ({ wallet, scheme, payloadClass, digest }: Judged): boolean => {
  const { id, shareId, address } = wallet
  if (shareId === null || address === null) return false
  const check = SigningRequest.payloadDigest(RefreshCheck.request({ scheme, walletId: id, shareId, address }), scheme)
  if (Result.isFailure(check) || check.success.class !== payloadClass) return false
  return bytesToHex(SigningRequest.digestClaim(check.success, scheme)) === digest
}

const checking = (policyVersion: number): Verdict => ({
  kind: 'allow',
  allowed: { policyVersion, spend: { amounts: [{ asset: 'count', amount: 1n }], recipients: [] }, pending: undefined },
})

const aboutOf = Effect.fnUntraced(function* ({ wallet, session, request, scheme }: Judged) {
  const now = yield* Clock.currentTimeMillis
  const { partner } = yield* Caller
  const { environment } = yield* Deployment
  const asked: Asked = {
    request,
    scheme,
    wallet: { type: wallet.type, address: wallet.address ?? '', ageMs: now - wallet.createdAt },
    deviceAgeMs: session.devicePublicKey === null ? null : now - (session.authenticatedAt ?? session.createdAt),
    origin: session.origin,
    optedIn: partner !== undefined && allowsUnprovenClients(partner, environment),
  }
  return asked
})

/** What counts against each limit. Sums of more than one wallet are read under the lock of the partner's policy. */
const spentOf = Effect.fnUntraced(function* ({ wallet, userId, digest }: Judged, queries: readonly LimitQuery[]) {
  const spends = yield* Spends
  const now = yield* Clock.currentTimeMillis
  if (queries.some((query) => query.of !== 'wallet')) yield* (yield* Policies).lock(wallet.partnerId)
  const ids = { wallet: wallet.id, user: userId, partner: wallet.partnerId }
  const sums = new Map<string, bigint>()
  // Rules that limit the same share one sum.
  for (const query of new Map(queries.map((one) => [keyOf(one), one])).values()) {
    const holder = { of: query.of, id: ids[query.of], partnerId: wallet.partnerId }
    const without = { walletId: wallet.id, digest }
    sums.set(keyOf(query), yield* spends.sum({ holder, asset: query.asset, since: now - query.windowMs, without }))
  }
  return sums
})

const keyOf = ({ asset, windowMs, of }: LimitQuery): string => JSON.stringify([asset, windowMs, of])

const denied = Effect.fnUntraced(function* (
  { wallet, session, userId, protocolId, payloadClass }: Judged,
  why: { readonly because: string; readonly rules: readonly string[]; readonly version?: number },
) {
  yield* (yield* Audit).record({
    event: 'signature.denied',
    partnerId: wallet.partnerId,
    userId,
    sessionId: session.id,
    subject: wallet.id,
    detail: { protocolId, payloadClass, because: why.because, rules: why.rules.join(' '), policy: why.version ?? 0 },
  })
  yield* tellCallersPartner('signature.denied', { userId, walletId: wallet.id, protocolId })
  return { kind: 'deny' } satisfies Verdict
})

/** What a review is sought or begun for. `contentHash`: hex(32). */
type Held = { readonly review: Review; readonly contentHash: string }

/**
 * The live one of the same content for which those who have to accept were asked, and which no replaced approver accepted;
 * an accepted one first.
 */
const pendingOf = Effect.fnUntraced(function* (
  live: readonly PendingTransaction[],
  { asked, review, contentHash, approver }: Held & { readonly asked: Judged; readonly approver: string | null },
) {
  const fitting: PendingTransaction[] = []
  for (const pending of live) {
    const isOfIt = pending.contentHash === contentHash && pending.userId === asked.userId && covers(pending, review)
    const isCurrent = isOfApprover(pending, approver)
    if (isOfIt && isCurrent && (yield* isProven(pending))) fitting.push(pending)
  }
  return fitting.find(({ state }) => state === 'ACCEPTED') ?? fitting[0]
})

const begin = Effect.fnUntraced(function* (
  { wallet, session, userId, protocolId, timeoutMs }: Judged,
  {
    review,
    contentHash,
    live,
    now,
    rules,
    content,
  }: Held & {
    readonly live: readonly PendingTransaction[]
    readonly now: number
    readonly rules: readonly string[]
    /** As JSON. */
    readonly content: string
  },
) {
  const { by, stepUp } = review
  if (live.length >= reviewLimits.ofWallet) {
    const free = Math.min(...live.map(({ expiresAt }) => expiresAt))
    return yield* new TooManyAttempts({ retryAfterMs: free - now })
  }
  const patience = Math.min(Math.max(timeoutMs, reviewLimits.shortest), reviewLimits.longest)
  const pending = yield* prove({
    id: yield* (yield* SecureRandom).uuid,
    walletId: wallet.id,
    userId,
    partnerId: wallet.partnerId,
    sessionId: session.id,
    origin: session.origin,
    contentHash,
    content,
    state: 'PENDING',
    by,
    stepUp,
    userAccepted: false,
    partnerAccepted: false,
    approver: null,
    createdAt: now,
    expiresAt: now + patience,
    protocolId: null,
    doneAt: null,
  })
  yield* (yield* PendingTransactions).create(pending)
  yield* (yield* Audit).record({
    event: 'review.asked',
    partnerId: wallet.partnerId,
    userId,
    sessionId: session.id,
    subject: pending.id,
    detail: { walletId: wallet.id, protocolId, contentHash: pending.contentHash, rules: rules.join(' '), by },
  })
  yield* tellCallersPartner('transaction.pending', { userId, walletId: wallet.id, transactionId: pending.id })
  return pending
})

const contentHashHex = ({ wallet, scheme, payloadClass, digest }: Judged): string =>
  bytesToHex(contentHashOf({ walletId: wallet.id, scheme, payloadClass, digest: hexToBytes(digest) }))
