/**
 * The co-signer's one operation: a frame in, a signed answer out. The order matters: authenticate the sender, check the
 * wallet, claim the round, and only then compute, outside any transaction; then read everything again, and send only
 * what is stored (domain/service/protocol/README.md#claims).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { NotDelegated } from '../model/Delegation.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { WalletDoesNotExist } from '../model/WalletSelection.ts'
import * as MpcFrame from '../mpc/Frame.ts'
import { protocolOf } from '../mpc/protocols.ts'
import { Caller } from './Caller.ts'
import type { PendingTransaction } from './PendingTransaction.ts'
import { BroadcastRefused, Chain } from './ports/Chain.ts'
import { Claims } from './ports/Claims.ts'
import { CosignerBusy, CosignerEngine } from './ports/CosignerEngine.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { Intents } from './ports/Intents.ts'
import { topicOf } from './ports/Notifications.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Runs } from './ports/Runs.ts'
import { Signatures } from './ports/Signatures.ts'
import { Transaction } from './ports/Transaction.ts'
import { Wallets } from './ports/Wallets.ts'
import { Watermarks } from './ports/Watermarks.ts'
import { requireCertificate } from './protocol/certificate.ts'
import { end } from './protocol/ending.ts'
import { enrolDevice } from './protocol/enrolDevice.ts'
import { hasForgotten } from './protocol/forgottenRounds.ts'
import { confirmKeygen, isLeftUnconfirmed, keygen } from './protocol/keygen.ts'
import type { Plan, PlanNeeds, Request } from './protocol/Plan.ts'
import { reattach } from './protocol/reattach.ts'
import { reissue } from './protocol/reissue.ts'
import { acknowledge, neverBegun, reconcile, refresh } from './protocol/refresh.ts'
import {
  DeniedByPolicy,
  DeviceNotCertified,
  FrameRefused,
  InvalidFrame,
  KeyShareOutOfDate,
  OperationNotOffered,
  ProviderShareLost,
  RunLost,
  SigningNotAsked,
  StepOutOfOrder,
} from './protocol/refusals.ts'
import { aborted, claim, commit, mayCompute, ok } from './protocol/round.ts'
import { assembled, sign } from './protocol/sign.ts'
import { signerOf } from './protocol/signerOf.ts'
import { isForgotten } from './protocol/walletStatus.ts'
import { epochWatermark } from './protocol/watermarks.ts'
import type { RecoveryRecord } from './Recovery.ts'
import type { RunRecord, Sending } from './Run.ts'
import { askWithin } from './waiting.ts'
import { Rates, userAt } from './rates.ts'

/**
 * `bytes`: a frame as received (openapi/README.md#frames). Returns the bytes of the signed answer: OK, ABORT or BAN.
 * Fails with a typed refusal, which adapters/service/http/errors.ts maps to a status.
 */
export const exchangeFrame = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const signed = MpcFrame.decode(bytes)
  if (signed === undefined) return yield* new InvalidFrame()
  if (yield* isLeftUnconfirmed(signed)) return yield* (yield* CosignerEngine).sign(bytes, aborted)
  const request = yield* authenticate(signed)
  if (isBeyondDelegation(request)) return yield* new NotDelegated()
  const stored = yield* storedAnswer(request)
  if (stored !== undefined) return yield* (yield* CosignerEngine).sign(bytes, stored)
  // Before the payload, which may name the address of a wallet whose key an older database has forgotten.
  if (request.wallet.state === 'CREATED' && !isOfKeygen(request)) return yield* new KeyShareOutOfDate()
  const { plan, lastStep } = yield* planOf(request)
  yield* requireCertificate(request, rootOf(request, plan))
  yield* requireRate(request, plan)
  const answer = yield* answerTo(request, plan, lastStep).pipe(
    Effect.tapError(() =>
      plan.kind === 'refresh' && plan.firstRequest !== undefined ? neverBegun(request) : Effect.void,
    ),
  )
  return yield* (yield* CosignerEngine).sign(bytes, answer)
})

/**
 * The co-signer's own check of session, device key, signature and wallet, before anything else: a frame that fails here
 * never reaches code that can end a run or lock a wallet. The certificate comes later, when the plan is known.
 */
const authenticate = Effect.fnUntraced(function* (signed: MpcFrame.SignedFrame) {
  const { frame, unsigned } = signed
  const { session, recovery: begun } = yield* Caller
  if (session === undefined || session.userId === null || session.id !== frame.sessionId) {
    return yield* new NoSignedInUser()
  }
  const recovery = session.state === 'AUTHENTICATED' ? undefined : yield* recovering(begun, frame)
  const devicePublicKey = yield* signerOf(signed, session)
  if (devicePublicKey === undefined) return yield* new FrameRefused()
  const found = Option.getOrUndefined(yield* (yield* Wallets).findWithRun(frame))
  const wallet = found?.wallet
  const isAbout = recovery?.walletIds.includes(frame.walletId) ?? wallet?.partnerId === session.partnerId
  if (wallet?.userId !== session.userId || !isAbout) return yield* new WalletDoesNotExist({ walletId: frame.walletId })
  const request: Request = {
    frame,
    session,
    recovery,
    userId: session.userId,
    devicePublicKey,
    wallet,
    run: found?.run,
    hash: bytesToHex((yield* Signatures).sha256(unsigned)),
    header: {
      scheme: frame.scheme,
      sessionId: frame.sessionId,
      deviceKeyThumb: bytesToHex(frame.deviceKeyThumb),
      epoch: frame.epoch,
      shareId: bytesToHex(frame.shareId),
      attempt: bytesToHex(frame.attempt),
    },
  }
  return request
})

/** A CONFIRM whose run is not known may be of one. */
const isOfKeygen = ({ frame: { operation }, run }: Request): boolean =>
  operation === 'CONFIRM' ? (run?.kind ?? 'keygen') === 'keygen' : operation === 'KEYGEN'

/**
 * A delegated session signs, and enrols its device for that. It makes, refreshes and brings back no share. One that reads alone
 * sends no frame (openapi/paths/protocol.yaml).
 */
const isBeyondDelegation = ({ frame: { operation }, session: { delegation }, run }: Request): boolean => {
  if (delegation === null) return false
  return operation === 'CONFIRM' ? run?.kind !== 'attach' : operation !== 'SIGN' && operation !== 'ATTACH'
}

/** A recovery may send only the frames of a refresh. The root key of its credential certifies its device. */
const recovering = Effect.fnUntraced(function* (recovery: RecoveryRecord | undefined, { operation }: MpcFrame.Frame) {
  const isOfRefresh = operation === 'REFRESH' || operation === 'CONFIRM'
  if (recovery?.state !== 'READY' || !isOfRefresh) return yield* new NoSignedInUser()
  const { credential } = recovery
  return credential === null ? yield* new DeviceNotCertified() : { ...recovery, credential }
})

/** ACK, RECONCILE, REATTACH and REISSUE belong to no run: they are answered from the wallet's stored state. */
const storedAnswer = Effect.fnUntraced(function* (request: Request) {
  const { frame, wallet } = request
  const { operation } = frame
  if (!isOfNoRun(operation)) return undefined
  if (frame.scheme !== wallet.scheme) return yield* new OperationNotOffered()
  if (frame.step !== 1) return yield* new StepOutOfOrder()
  // Of a forgotten wallet the capsule alone has the root key: REATTACH checks the certificate, RECONCILE tells of no key.
  const isUnknown = (operation === 'REATTACH' || operation === 'RECONCILE') && (yield* isForgotten(wallet))
  if (!isUnknown) yield* requireCertificate(request, wallet.rootPublicKey ?? '')
  switch (operation) {
    case 'ACK':
      return ok(yield* acknowledge(request))
    case 'RECONCILE':
      return ok(yield* reconcile(request))
    case 'REATTACH':
      return ok(yield* reattach(request))
    case 'REISSUE':
      return ok(yield* reissue(request))
  }
})

const ofNoRun = ['ACK', 'RECONCILE', 'REATTACH', 'REISSUE'] as const
const isOfNoRun = (operation: MpcFrame.Operation): operation is (typeof ofNoRun)[number] =>
  (ofNoRun as readonly MpcFrame.Operation[]).includes(operation)

/** The plan of the operation and step. CONFIRM belongs to the run that its protocol id names. */
const planOf = Effect.fnUntraced(function* (request: Request) {
  const { frame, wallet, run, recovery } = request
  if (frame.scheme !== wallet.scheme) return yield* new OperationNotOffered()
  const stepsOf = (kind: Plan['kind']) => protocolOf(frame.scheme, kind)?.server.length ?? 0
  const [keygenSteps, enrolSteps, signSteps] = [stepsOf('keygen'), stepsOf('attach'), stepsOf('sign')]
  const refreshSteps = stepsOf('refresh')
  switch (frame.operation) {
    case 'KEYGEN':
      if (frame.step < 1 || frame.step >= keygenSteps) return yield* new StepOutOfOrder()
      return { plan: yield* keygen(request, keygenSteps - 1), lastStep: keygenSteps }
    case 'ATTACH':
      if (enrolSteps === 0) return yield* new OperationNotOffered()
      if (frame.step < 1 || frame.step >= enrolSteps) return yield* new StepOutOfOrder()
      return { plan: enrolDevice(request, 'attach'), lastStep: enrolSteps }
    case 'SIGN':
      if (frame.step < 1 || frame.step > signSteps) return yield* new StepOutOfOrder()
      return { plan: yield* sign(request), lastStep: signSteps }
    case 'REFRESH':
      if (frame.step < 1 || frame.step >= refreshSteps) return yield* new StepOutOfOrder()
      return { plan: refresh(request, 'refresh'), lastStep: refreshSteps }
    case 'CONFIRM': {
      const kind = run?.kind ?? 'keygen'
      const lastStep = stepsOf(kind)
      const isOther = recovery !== undefined && kind !== 'refresh'
      if (frame.step !== lastStep || kind === 'sign' || isOther) return yield* new StepOutOfOrder()
      switch (kind) {
        case 'keygen':
          return { plan: confirmKeygen(request, keygenSteps - 1), lastStep }
        case 'attach':
          return { plan: enrolDevice(request, 'confirm'), lastStep }
        case 'refresh':
          return { plan: refresh(request, 'confirm'), lastStep }
      }
    }
    default:
      return yield* new OperationNotOffered()
  }
})

/**
 * The root key that certifies the device: the recovery's, else the wallet's, else that of the run that makes the
 * wallet.
 */
const rootOf = ({ wallet, run, recovery }: Request, plan: Plan): string => {
  if (recovery !== undefined) return recovery.credential.rootPublicKey
  if (wallet.rootPublicKey !== null) return wallet.rootPublicKey
  if (plan.kind !== 'keygen') return ''
  return (plan.firstRequest ?? run)?.rootPublicKey ?? ''
}

/** A repeated request takes nothing from the bucket. A recovery has one of its own, so that a mailbox empties no other. */
const requireRate = Effect.fnUntraced(function* (request: Request, { kind, firstRequest }: Plan) {
  const { userId, session, run, recovery } = request
  if (firstRequest === undefined || run !== undefined) return
  const { R4, R4_SIGN } = yield* Rates
  const [bucket, key] =
    recovery === undefined ? [`protocol.${kind}`, userAt(session.partnerId, userId)] : ['protocol.recovery', userId]
  yield* (yield* RateLimits).take(bucket, key, kind === 'sign' ? R4_SIGN : R4)
})

const answerTo = Effect.fnUntraced(function* (request: Request, plan: Plan, lastStep: number) {
  const until = (yield* Clock.currentTimeMillis) + intentWaitMs
  for (let drops = 0; ;) {
    const done = yield* Effect.uninterruptible(attempt(request, plan, lastStep))
    if (done.kind === 'answer') return done.answer
    if (done.kind === 'dropped') {
      // The claim refuses with the reason, unless the change was reverted.
      if (++drops >= dropsAtMost) return yield* new CosignerBusy({ retryAfterMs: busyMs })
      continue
    }
    if ((yield* Clock.currentTimeMillis) >= until) return yield* giveUp(request)
    yield* untilAsked(request, until)
  }
})

/** After this many drops the client is told to retry later. */
const dropsAtMost = 3
const busyMs = 1_000

/** How long a first frame with a bare digest waits for the call that says what is signed. */
const intentWaitMs = 10_000

const untilAsked = Effect.fnUntraced(function* ({ frame: { walletId, protocolId } }: Request, until: number) {
  yield* askWithin(until - (yield* Clock.currentTimeMillis), (yield* Intents).find(walletId, protocolId), {
    topic: topicOf.intent(walletId, protocolId),
    hasNews: Option.isSome,
  })
})

const giveUp = Effect.fnUntraced(function* ({ frame }: Request) {
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(frame.walletId)
      const run = Option.getOrUndefined(yield* (yield* Runs).find(frame))
      if (run !== undefined) yield* end(run, 'given up', 'signing was not asked for')
    }),
  )
  return yield* new SigningNotAsked()
})

type Attempted =
  | { readonly kind: 'answer'; readonly answer: MpcFrame.FrameAnswer }
  /** The call that says what is signed has not come yet. */
  | { readonly kind: 'wait' }
  /** Something changed between the claim and the arithmetic: the claim is repeated. */
  | { readonly kind: 'dropped' }

/**
 * Claim, evaluate, commit. It is uninterruptible: a failed check has to be written even if the client disconnects
 * (domain/service/protocol/README.md#claims).
 */
const attempt = Effect.fnUntraced(function* (request: Request, plan: Plan, lastStep: number) {
  const failpoints = yield* Failpoints
  yield* failpoints.reach(`${plan.operation}.claim.before`)
  const claimed = yield* claim(request, plan, lastStep)
  yield* failpoints.reach(`${plan.operation}.claim.after`)
  if (claimed.kind === 'wait') return waiting
  if (claimed.kind === 'dead') return answered(aborted)
  if (claimed.kind === 'lost') return yield* new RunLost()
  if (claimed.kind === 'denied') return yield* new DeniedByPolicy()
  if (claimed.kind === 'held') return answered(held(claimed.pending))
  if (claimed.kind === 'finished') {
    return answered(ok(yield* afterwards(claimed.run, claimed.body)))
  }
  if (!(yield* isHeld(request, plan, claimed.run))) return answered(yield* forked(claimed.run))
  if (plan.operation !== 'confirm' && (yield* hasForgotten(claimed.run))) return yield* new RunLost()
  const context = yield* Effect.context<PlanNeeds>()
  const check = Effect.provideContext(mayCompute(request, plan, claimed.run), context)
  const outcome = yield* (yield* CosignerEngine).step(claimed.job, check)
  if (outcome.kind === 'dropped') return outcome
  yield* failpoints.reach(`${plan.operation}.compute.after`)
  const answer = yield* commit(request, plan, claimed.run, outcome)
  const { walletId, protocolId } = claimed.run
  yield* (yield* Claims).settle({ walletId, protocolId, step: request.frame.step })
  yield* failpoints.reach(`${plan.operation}.commit.after`)
  if (outcome.kind === 'unopened') return yield* new ProviderShareLost()
  const isDone = outcome.kind === 'done' && answer.status === 'OK'
  return answered(isDone ? ok(yield* afterwards(claimed.run, answer.body)) : answer)
})

/** Whether no other request claimed the round before, including claims that the database has forgotten. */
const isHeld = Effect.fnUntraced(function* ({ frame, hash }: Request, plan: Plan, run: RunRecord) {
  if (plan.operation === 'confirm') return true
  if (run.sealedSeed === null) return false
  const { walletId, protocolId, expiresAt } = run
  const seedHash = bytesToHex(sha256(run.sealedSeed))
  return yield* (yield* Claims).hold({ walletId, protocolId, step: frame.step, requestHash: hash, seedHash, expiresAt })
})

const forked = Effect.fnUntraced(function* (claimed: RunRecord) {
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(claimed.walletId)
      yield* end(claimed, 'lapsed', 'the round was computed for another request')
      return aborted
    }),
  )
})

/**
 * Effects of a finished run outside the database, and the body to answer. All are idempotent: a mark only rises, a
 * transaction has its hash.
 */
const afterwards = Effect.fnUntraced(function* (run: RunRecord, body: Uint8Array) {
  if (run.kind === 'keygen') yield* (yield* Watermarks).raise(epochWatermark(run.walletId), run.epoch)
  if (run.sending === null || run.sending.broadcastAt !== null) return body
  const failpoints = yield* Failpoints
  yield* failpoints.reach('sign.broadcast.before')
  const broadcast = yield* Effect.result(send(run.sending, body))
  if (Result.isFailure(broadcast)) {
    const refusal = broadcast.failure
    const sent = refusal instanceof BroadcastRefused ? yield* sentBefore(run) : undefined
    return sent === undefined ? yield* refusal : concatBytes(body.subarray(0, MpcFrame.dklsSignatureLength), sent)
  }
  yield* (yield* Runs).markBroadcast(run, yield* Clock.currentTimeMillis)
  yield* failpoints.reach('sign.broadcast.after')
  return body
})

/** The hash, 32 bytes. A transaction that was signed can be assembled. */
const send = Effect.fnUntraced(function* (sending: Sending, body: Uint8Array) {
  const signed = yield* assembled(sending, body.subarray(0, MpcFrame.dklsSignatureLength))
  if (signed === undefined) return undefined
  return hexToBytes((yield* (yield* Chain).broadcast(signed, sending.chainId)).slice(2))
})

/**
 * The hash of the transaction where an earlier run has sent it, and the client has not heard so. A signature of another
 * run makes another hash for the same nonce, which the node refuses: that refusal would read as if nothing was sent. The
 * earlier bytes are sent again, because a node that has them answers their hash.
 */
const sentBefore = Effect.fnUntraced(function* (run: RunRecord) {
  for (const { sending, finalBody } of yield* (yield* Runs).sendingTheSame(run)) {
    if (sending === null || finalBody === null) continue
    const sent = yield* Effect.catchTag(send(sending, finalBody), 'BroadcastRefused', () => Effect.undefined)
    if (sent !== undefined) return sent
  }
  return undefined
})

const answered = (answer: MpcFrame.FrameAnswer): Attempted => ({ kind: 'answer', answer })

const held = ({ id, contentHash }: PendingTransaction): MpcFrame.FrameAnswer => ({
  status: 'HELD',
  body: MpcFrame.encodeHeld({ pendingTransactionId: id, contentHash: hexToBytes(contentHash) }),
})

const waiting: Attempted = { kind: 'wait' }
