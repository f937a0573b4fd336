/**
 * A round of a run: claimed for one request before anything secret is touched, looked at again directly before the
 * arithmetic, and committed after it, before its answer leaves (domain/service/protocol/README.md#claims). Claim and
 * commit are one transaction each under the wallet's lock, so requests of one wallet are decided one after the other.
 */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { NoSignedInUser } from '../../model/Session.ts'
import { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import type { FrameAnswer } from '../../mpc/Frame.ts'
import { protocolVersion, type Context, type SigningPayload } from '../../mpc/Protocol.ts'
import type { PendingTransaction } from '../PendingTransaction.ts'
import { policyVersion } from '../policies.ts'
import { CosignerEngine, type Job, type StepOutcome } from '../ports/CosignerEngine.ts'
import { DatabaseGeneration } from '../ports/DatabaseGeneration.ts'
import { Failpoints } from '../ports/Failpoints.ts'
import { Runs, type Seen, type SeenToClaim } from '../ports/Runs.ts'
import { SecureRandom } from '../ports/SecureRandom.ts'
import { Sessions } from '../ports/Sessions.ts'
import { Signatures } from '../ports/Signatures.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Vault } from '../ports/Vault.ts'
import { Wallets } from '../ports/Wallets.ts'
import {
  endedByPolicy,
  endedByRestart,
  failedCheck,
  hasFailed,
  isLive,
  isOf,
  runLimits,
  tellingStep,
  type Round,
  type RunRecord,
} from '../Run.ts'
import { startsThings } from '../Session.ts'
import { UserFrozen } from '../User.ts'
import type { WalletRecord } from '../Wallet.ts'
import { keptAnswer, keptAnswerAssociatedData, seedAssociatedData } from './associatedData.ts'
import { audit, end, lockWallet } from './ending.ts'
import type { Beginning, Done, Plan, Request } from './Plan.ts'
import { AnotherRunInProgress, KeyShareOutOfDate, StepOutOfOrder, WalletBeingCreated } from './refusals.ts'
import { countSetup } from './setups.ts'
import { isUnfinished, requestEvent, runStatusOf, transitions, type Event } from './transitions.ts'
import { isForgotten } from './walletStatus.ts'

export type Claimed =
  /** The round is to be computed, for the first time or again. */
  | { readonly kind: 'compute'; readonly run: RunRecord; readonly job: Job }
  /** This very request finished the run. */
  | { readonly kind: 'finished'; readonly run: RunRecord; readonly body: Uint8Array }
  /** The run has ended, by this request or before. */
  | { readonly kind: 'dead'; readonly reason: string }
  /** The run has ended because its process or database generation is gone; the client can begin a new one. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'wait' }
  /** A policy stops it, and nothing was made. */
  | { readonly kind: 'held'; readonly pending: PendingTransaction }
  | { readonly kind: 'denied' }

/** Decides what is done with the request. `lastStep`: the protocol's number of requests, CONFIRM included. */
export const claim = Effect.fnUntraced(function* (request: Request, plan: Plan, lastStep: number) {
  return yield* (yield* Transaction).atomically(claimUnderLock(request, plan, lastStep))
})

const claimUnderLock = Effect.fnUntraced(function* (request: Request, plan: Plan, lastStep: number) {
  const { frame } = request
  const runs = yield* Runs
  const id = { walletId: frame.walletId, protocolId: frame.protocolId }
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(frame.walletId))
  if (wallet?.userId !== request.userId) return yield* new WalletDoesNotExist({ walletId: frame.walletId })
  const seen = yield* runs.seeToClaim({ ...id, ...namesOf(request, plan) })
  const { run, rounds } = seen
  if (run !== undefined && (run.kind !== plan.kind || !isOf(run, request.header))) {
    // Another tab of the lease holder's session has begun under the same protocol id.
    const isOtherTab = plan.kind === 'keygen' && run.kind === 'keygen' && wallet.state === 'CREATED' && frame.step === 1
    return isOtherTab ? yield* new WalletBeingCreated() : yield* new StepOutOfOrder()
  }
  const event = requestEvent(rounds, { step: frame.step, requestHash: request.hash, lastStep })
  // Before `admit`: this very run may have changed the wallet.
  if (run !== undefined && run.finalBody !== null && transitions[event][run.state].kind === 'stored') {
    const finished: Claimed = { kind: 'finished', run, body: yield* openFinalBody(run, run.finalBody) }
    return finished
  }
  // Before `admit`, too: a device gives its half of a key up for nothing less than an answer under the co-signer's key.
  const isNeverConfirmed = plan.kind === 'keygen' && plan.operation === 'confirm' && run !== undefined && hasFailed(run)
  if (isNeverConfirmed && !(yield* isForgotten(wallet))) return dead('the run is over')
  yield* admit(plan, wallet, seen)
  if (run === undefined) return yield* begin(request, plan, wallet, seen)
  return yield* goOn(request, plan, wallet, { ...seen, run }, event)
})

/** An operator's freeze of the user stops every kind of run, in its next round and before its answer, too. */
const admit = Effect.fnUntraced(function* (plan: Plan, wallet: WalletRecord, { isUserFrozen }: Seen) {
  if (isUserFrozen) return yield* new UserFrozen()
  yield* plan.admit(wallet)
})

/** The share and the OT record of the run: of a run that has begun what it was begun with. */
const namesOf = ({ header, run }: Request, { firstRequest }: Plan) => ({
  shareId: header.shareId,
  otId: run?.otId ?? firstRequest?.otId ?? '',
})

const begin = Effect.fnUntraced(function* (request: Request, plan: Plan, wallet: WalletRecord, seen: SeenToClaim) {
  const { frame, session, userId, header } = request
  // For the client of an unknown run ABORT is right: it begins a new one.
  if (frame.step !== 1 || plan.firstRequest === undefined) return dead('no such run')
  if (!startsThings(session)) return yield* new NoSignedInUser()
  // Before anything is counted for it: what was counted earlier is of another run.
  const now = yield* Clock.currentTimeMillis
  const beginning = yield* plan.begin(wallet, seen, false)
  if (beginning.kind === 'hold' || beginning.kind === 'deny') return stopped(beginning)
  const move = transitions[eventOfBeginning[beginning.kind]].NONE
  if (move.kind === 'begin')
    yield* (yield* CosignerEngine).requireRoom({ walletId: wallet.id, userId, partnerId: wallet.partnerId })
  const run: RunRecord = {
    ...header,
    ...plan.firstRequest,
    walletId: wallet.id,
    protocolId: frame.protocolId,
    kind: plan.kind,
    userId,
    partnerId: wallet.partnerId,
    sending: beginning.kind === 'go' ? beginning.sending : null,
    state: move.kind === 'begin' ? 'RUNNING' : 'WAITING',
    generation: yield* (yield* DatabaseGeneration).currentBy(seen.generation),
    protocolVersion,
    ...letThroughBy(beginning),
    sealedSeed: null,
    finalBody: null,
    reason: null,
    areTransfersVoid: false,
    createdAt: now,
    expiresAt: now + (move.kind === 'wait' ? runLimits.waitingLife : runLimits.life),
  }
  const runs = yield* Runs
  const started = move.kind === 'begin' ? { ...run, sealedSeed: yield* freshSeed(run) } : run
  yield* runs.begin(started)
  const round = { step: 1, requestHash: request.hash, messageHash: yield* hashOf(plan.message) }
  yield* runs.claim(run, round)
  if (move.kind === 'wait') return waiting
  if (beginning.kind === 'refuse') return yield* kill(run, eventOfBeginning.refuse, beginning.reason)
  // A run that was ended for this one may have had its OT record, which is deleted then.
  const current = seen.unfinished.length === 0 ? seen : yield* runs.seeToClaim(run)
  return yield* compute(plan, started, { ...current, rounds: [{ ...round, ...unanswered }] }, 1)
})

const unanswered = { responseHash: null, sealedState: null }

const goOn = Effect.fnUntraced(function* (
  request: Request,
  plan: Plan,
  wallet: WalletRecord,
  seen: SeenToClaim & { readonly run: RunRecord },
  event: Event,
) {
  const { frame, hash } = request
  const { run, rounds } = seen
  if (run.reason === endedByRestart || run.reason === endedByPolicy) return lost
  const status = runStatusOf(run, rounds)
  if (isUnfinished(status)) {
    const now = yield* Clock.currentTimeMillis
    const isCurrent = yield* mayGoOn(plan, run, seen)
    if (!isCurrent) {
      yield* kill(run, 'lapsed', endedByRestart)
      return lost
    }
    if (!isLive(run, isCurrent, now)) return yield* kill(run, 'lapsed', 'out of time')
    if (run.protocolVersion !== protocolVersion) return yield* kill(run, 'lapsed', 'begun by another version')
  }
  switch (transitions[event][status].kind) {
    case 'out of order':
      return yield* new StepOutOfOrder()
    case 'in progress':
      return yield* new AnotherRunInProgress()
    case 'end':
      return yield* kill(run, event, 'another request for a round')
    case 'resume':
      return yield* resume(plan, wallet, seen)
    case 'compute':
      return yield* compute(plan, run, seen, frame.step)
    case 'claim': {
      // Nothing of the signature has left yet, so what another policy lets through is decided by a new run.
      if (plan.kind === 'sign' && (yield* policyVersion(run.partnerId)) !== (run.policyVersion ?? 0)) {
        yield* kill(run, 'lapsed', endedByPolicy)
        return lost
      }
      yield* (yield* CosignerEngine).requireRoom(run)
      const runs = yield* Runs
      const round = { step: frame.step, requestHash: hash, messageHash: yield* hashOf(plan.message) }
      yield* runs.claim(run, round)
      // Before the answer is computed, so that nothing ends the run while its evaluation is open.
      if (plan.kind === 'sign') yield* runs.move(run, 'CONSUMED')
      else if (frame.step === tellingStep) yield* countSetup(run)
      return yield* compute(plan, run, { ...seen, rounds: [...rounds, { ...round, ...unanswered }] }, frame.step)
    }
    default:
      return dead('the run is over')
  }
})

/**
 * A run ends with its database generation and process, so that a restored copy never computes a round again. CONFIRM is
 * the exception: its answer depends on no secret that a request could guess at, and a prepared key may be confirmed for
 * a day.
 */
const mayGoOn = Effect.fnUntraced(function* (plan: Plan, run: RunRecord, seen: Pick<Seen, 'generation'>) {
  return plan.operation === 'confirm' || (yield* (yield* DatabaseGeneration).isCurrent(run.generation, seen.generation))
})

/** Starts a waiting run once its call has come. */
const resume = Effect.fnUntraced(function* (
  plan: Plan,
  wallet: WalletRecord,
  seen: SeenToClaim & { readonly run: RunRecord },
) {
  const { run } = seen
  const beginning = yield* plan.begin(wallet, seen, true)
  const event = eventOfBeginning[beginning.kind]
  if (beginning.kind === 'hold' || beginning.kind === 'deny') {
    yield* end(run, event, beginning.kind === 'hold' ? 'held for review' : 'denied by policy')
    return stopped(beginning)
  }
  if (beginning.kind === 'refuse') return yield* kill(run, event, beginning.reason)
  if (beginning.kind === 'wait' || transitions[event].WAITING.kind !== 'start') return waiting
  yield* (yield* CosignerEngine).requireRoom(run)
  const expiresAt = (yield* Clock.currentTimeMillis) + runLimits.life
  const { sending } = beginning
  const started: RunRecord = {
    ...run,
    ...letThroughBy(beginning),
    state: 'RUNNING',
    sending,
    expiresAt,
    sealedSeed: yield* freshSeed(run),
  }
  yield* (yield* Runs).start(started)
  return yield* compute(plan, started, seen, 1)
})

const compute = Effect.fnUntraced(function* (plan: Plan, run: RunRecord, seen: SeenToClaim, step: number) {
  const { sealedSeed } = run
  if (sealedSeed === null) return yield* kill(run, 'lapsed', 'no seed')
  const { sealedShare, sealedOt } = yield* plan.materials(run, seen)
  const upTo = seen.rounds.filter((round) => round.step <= step)
  const job: Job = {
    context: contextOf(run, plan.payload),
    step,
    generation: run.generation,
    requestHashes: upTo.map(({ messageHash }) => hexToBytes(messageHash)),
    request: plan.message,
    sealedSeed,
    sealedState: upTo.find((round) => round.step === step - 1)?.sealedState ?? null,
    sealedShare,
    sealedOt,
    newRoot: plan.newRoot,
  }
  const claimed: Claimed = { kind: 'compute', run, job }
  return claimed
})

/** Ends the run; its row stays as a tombstone. */
const kill = Effect.fnUntraced(function* (run: RunRecord, event: Event, reason: string) {
  yield* end(run, event, reason)
  return dead(reason)
})

/** The event that the result of `Plan.begin` stands for. */
const eventOfBeginning = {
  go: 'request 1, allowed',
  wait: 'request 1, call missing',
  refuse: 'request 1, call differs',
  hold: 'request 1, not let through',
  deny: 'request 1, not let through',
} as const

const letThroughBy = (beginning: Beginning): Pick<RunRecord, 'policyVersion' | 'pendingTransactionId'> => {
  const allowed = beginning.kind === 'go' ? beginning.allowed : undefined
  return { policyVersion: allowed?.policyVersion ?? null, pendingTransactionId: allowed?.pending?.id ?? null }
}

const stopped = (beginning: Extract<Beginning, { kind: 'hold' | 'deny' }>): Claimed =>
  beginning.kind === 'hold' ? { kind: 'held', pending: beginning.pending } : { kind: 'denied' }

const freshSeed = Effect.fnUntraced(function* (run: RunRecord) {
  const seed = yield* (yield* SecureRandom).bytes(32)
  const sealed = yield* (yield* Vault).sealRun(run.generation, seedAssociatedData(run), seed)
  seed.fill(0)
  return sealed
})

/** What the run is bound to, from the service's own records alone (domain/mpc/README.md#context). */
const contextOf = (run: RunRecord, payload: SigningPayload | undefined): Context => {
  const signed = payload ?? payloadOf(run)
  const context: Context = {
    kind: run.kind,
    scheme: run.scheme,
    protocolId: run.protocolId,
    walletId: run.walletId,
    userId: run.userId,
    partnerId: run.partnerId,
    deviceKeyThumb: hexToBytes(run.deviceKeyThumb),
    epoch: run.epoch,
    attempt: hexToBytes(run.attempt),
    shareId: hexToBytes(run.shareId),
    otId: hexToBytes(run.otId),
    rootPublicKey: hexToBytes(run.rootPublicKey),
  }
  return signed === undefined ? context : { ...context, payload: signed }
}

/** With DKLS the digest is the message. No other scheme has later steps of a signature. */
const payloadOf = (run: RunRecord): SigningPayload | undefined =>
  run.digest === null || run.payloadClass === null
    ? undefined
    : { message: hexToBytes(run.digest), class: run.payloadClass }

const hashOf = (message: Uint8Array) => Effect.map(Signatures, ({ sha256 }) => bytesToHex(sha256(message)))

const dead = (reason: string): Claimed => ({ kind: 'dead', reason })

const lost: Claimed = { kind: 'lost' }

const waiting: Claimed = { kind: 'wait' }

/**
 * Whether a claimed round may still be computed, read directly before the arithmetic: while the step waited, its wallet
 * may have been locked, its run ended, or its shares replaced. A repeated `claim` gives the reason of a refusal.
 */
export const mayCompute = Effect.fnUntraced(function* ({ frame, hash }: Request, plan: Plan, claimed: RunRecord) {
  const seen = Option.getOrUndefined(yield* (yield* Runs).see(claimed))
  if (seen === undefined || !(yield* Effect.isSuccess(admit(plan, seen.wallet, seen)))) return false
  const { run, rounds } = seen
  if (run === undefined) return false
  const now = yield* Clock.currentTimeMillis
  if (!isLive(run, yield* mayGoOn(plan, run, seen), now)) return false
  return rounds.some(({ step, requestHash }) => step === frame.step && requestHash === hash)
})

export const aborted: FrameAnswer = { status: 'ABORT', body: new Uint8Array(0) }

export const ok = (body: Uint8Array): FrameAnswer => ({ status: 'OK', body })

/** Writes the outcome of the request's step of the run and returns the answer to send. */
export const commit = Effect.fnUntraced(function* (request: Request, plan: Plan, run: RunRecord, outcome: StepOutcome) {
  if (outcome.kind === 'ban') return yield* lockWallet(run, outcome.reason)
  return yield* (yield* Transaction).atomically(commitUnderLock(request, plan, run, outcome))
})

const commitUnderLock = Effect.fnUntraced(function* (
  { hash, frame: { step } }: Request,
  plan: Plan,
  claimed: RunRecord,
  outcome: Exclude<StepOutcome, { kind: 'ban' }>,
) {
  const runs = yield* Runs
  const now = yield* Clock.currentTimeMillis
  // Sessions are locked before wallets, as at logout, so that the two cannot deadlock.
  if (outcome.kind === 'done' && plan.kind === 'keygen') yield* (yield* Sessions).lock(claimed.sessionId)
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(claimed.walletId))
  // After the lock, so that what the lock waited for is seen.
  const seen = Option.getOrUndefined(yield* runs.see(claimed))
  if (wallet === undefined || seen?.run === undefined) return aborted
  const { run, rounds } = seen
  if (outcome.kind === 'done' && run.finalBody !== null) {
    // The same request finished the run meanwhile: send the same answer, or none.
    return isAnswer(rounds, { step, requestHash: hash, responseHash: yield* hashOf(outcome.response) })
      ? ok(yield* openFinalBody(run, run.finalBody))
      : aborted
  }
  yield* admit(plan, wallet, seen)
  const status = runStatusOf(run, rounds)
  const move = transitions[eventOfOutcome[outcome.kind]][status]
  if (move.kind === 'over' || move.kind === 'nothing') return aborted
  if (!isLive(run, yield* mayGoOn(plan, run, seen), now)) {
    yield* end(run, 'lapsed', 'over before its answer')
    return aborted
  }
  if (outcome.kind === 'unopened') {
    yield* end(run, eventOfOutcome.unopened, 'the provider’s share cannot be opened')
    yield* audit(run, `${plan.kind}.unopened`)
    return aborted
  }
  if (outcome.kind === 'abort' || outcome.kind === 'lapsed') {
    yield* end(run, eventOfOutcome[outcome.kind], failedCheck + outcome.reason)
    yield* audit(run, `${plan.kind}.aborted`, outcome.reason)
    return aborted
  }
  const responseHash = yield* hashOf(outcome.response)
  if (!isAnswer(rounds, { step, requestHash: hash, responseHash })) {
    yield* end(run, 'aborted', 'the answer differs from the one before')
    yield* audit(run, `${plan.kind}.diverged`, `step ${step}`)
    return aborted
  }
  if (outcome.kind === 'answer') {
    yield* runs.answer(run, { step, responseHash, sealedState: outcome.sealedState })
    const expiresAt = plan.expiresAt(run, now)
    if (expiresAt !== run.expiresAt) yield* runs.extend(run, expiresAt)
    return ok(outcome.response)
  }
  const body = yield* plan.finish(wallet, run, outcome, now)
  if (body === undefined) {
    yield* end(run, 'aborted', 'cannot be finished')
    return aborted
  }
  yield* runs.finish(run, responseHash, yield* sealFinalBody(run, outcome.made, body))
  yield* audit(run, `${plan.kind}.done`)
  yield* (yield* Failpoints).reach(`${plan.operation}.commit.within`)
  return ok(body)
})

const eventOfOutcome = {
  answer: 'answered',
  done: 'finished',
  abort: 'aborted',
  unopened: 'lapsed',
  lapsed: 'lapsed',
} as const

/**
 * Whether it is the first answer of the round that its request claimed, or the same as before. One that differs is never
 * sent. A database that was replaced meanwhile may have given the round to another request: CONFIRM has no claim outside.
 */
const isAnswer = (
  rounds: readonly Round[],
  {
    step,
    requestHash,
    responseHash,
  }: { readonly step: number; readonly requestHash: string; readonly responseHash: string },
): boolean => {
  const round = rounds.find((one) => one.step === step && one.requestHash === requestHash)
  return round !== undefined && (round.responseHash ?? responseHash) === responseHash
}

/**
 * The last answer as it is stored for a repeated request: sealed if the run made a share, else as it is. The answer of a
 * key generation or refresh contains the capsule, which opens without a share key. So it is sealed under the share key
 * of its sharing, and no dump contains a capsule that still opens when that key is destroyed:
 *
 *     1 ‖ share id 32 ‖ sealed answer
 */
const sealFinalBody = Effect.fnUntraced(function* (run: RunRecord, { share }: Done['made'], body: Uint8Array) {
  if (share === undefined) return body
  const sealed = yield* (yield* Vault).seal(keptAnswerAssociatedData(run, share.shareId), body)
  return concatBytes(Uint8Array.of(keptAnswer.form), share.shareId, sealed)
})

/** Refused if the sharing has been replaced, because its key is destroyed. */
const openFinalBody = Effect.fnUntraced(function* (run: RunRecord, kept: Uint8Array) {
  // Earlier versions stored answers unsealed; these begin with the length of an address.
  if ((run.kind !== 'keygen' && run.kind !== 'refresh') || kept[0] !== keptAnswer.form) return kept
  const { sealAt } = keptAnswer
  const opened = (yield* Vault).open(keptAnswerAssociatedData(run, kept.subarray(1, sealAt)), kept.subarray(sealAt))
  return yield* Effect.catchTag(opened, 'VaultRefusal', () => Effect.fail(new KeyShareOutOfDate()))
})
