/**
 * The commit after the arithmetic (domain/service/protocol/README.md#claims): reads the wallet and the run again, and
 * stores the answer or compares it with the stored one, before it is sent. A ban is always written.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import type { FrameAnswer } from '../../mpc/Frame.ts'
import { Audit } from '../ports/Audit.ts'
import type { StepOutcome } from '../ports/CosignerEngine.ts'
import { Failpoints } from '../ports/Failpoints.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Runs } from '../ports/Runs.ts'
import { Sessions } from '../ports/Sessions.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { failedCheck, isLive, type Run } from '../Run.ts'
import { mayGoOn } from './claim.ts'
import { end, endOthers } from './ending.ts'
import { openFinalBody, sealFinalBody } from './finalBody.ts'
import { lockedAtWatermark, lockedWatermark } from './watermarks.ts'
import type { Plan } from './Plan.ts'
import { KeyShareLocked } from './refusals.ts'
import { runStatusOf, transitions } from './transitions.ts'

export const aborted: FrameAnswer = { status: 'ABORT', body: new Uint8Array(0) }

export const ok = (body: Uint8Array): FrameAnswer => ({ status: 'OK', body })

/** Writes the outcome of step `step` of the run and returns the answer to send. */
export const commit = Effect.fn('protocol.commit')(function* (
  plan: Plan,
  run: Run,
  step: number,
  outcome: StepOutcome,
) {
  if (outcome.kind === 'ban') return yield* lockWallet(run, outcome.reason)
  return yield* (yield* Transaction).atomically(underLock(plan, run, step, outcome))
})

const underLock = Effect.fnUntraced(function* (
  plan: Plan,
  claimed: Run,
  step: number,
  outcome: Exclude<StepOutcome, { kind: 'ban' }>,
) {
  const runs = yield* Runs
  const now = yield* Clock.currentTimeMillis
  // Sessions are locked before wallets, as at logout, so that the two cannot deadlock.
  if (outcome.kind === 'done' && plan.kind === 'keygen') yield* (yield* Sessions).lock(claimed.sessionId)
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(claimed.walletId))
  const run = Option.getOrUndefined(yield* runs.find(claimed))
  if (wallet === undefined || run === undefined) return aborted
  if (outcome.kind === 'done' && run.finalBody !== null) {
    // The same request finished the run meanwhile: send the same answer, or none.
    return (yield* runs.answer(run, answerOf(step, outcome))) ? ok(yield* openFinalBody(run, run.finalBody)) : aborted
  }
  yield* plan.admit(wallet)
  const status = runStatusOf(run, yield* runs.rounds(run))
  const move = transitions[eventOf[outcome.kind]][status]
  if (move.kind === 'over') return aborted
  if (!isLive(run, yield* mayGoOn(plan, run), now)) {
    yield* end(run, 'lapsed', 'over before its answer')
    return aborted
  }
  if (outcome.kind === 'unopened') {
    yield* end(run, 'aborted', 'the provider’s share cannot be opened')
    yield* audit(run, `${plan.kind}.unopened`)
    return aborted
  }
  if (outcome.kind === 'abort') {
    yield* end(run, 'aborted', failedCheck + outcome.reason)
    yield* audit(run, `${plan.kind}.aborted`, outcome.reason)
    return aborted
  }
  if (!(yield* runs.answer(run, answerOf(step, outcome)))) {
    yield* end(run, 'aborted', 'the answer differs from the one before')
    yield* audit(run, `${plan.kind}.diverged`, `step ${step}`)
    return aborted
  }
  if (outcome.kind === 'answer') {
    yield* runs.extend(run, plan.expiresAt(run, now))
    return ok(outcome.response)
  }
  const body = yield* plan.finish(wallet, run, outcome, now)
  if (body === undefined) {
    yield* end(run, 'aborted', 'cannot be finished')
    return aborted
  }
  yield* runs.finish(run, yield* sealFinalBody(run, outcome.made, body))
  yield* audit(run, `${plan.kind}.done`)
  yield* (yield* Failpoints).reach(`${plan.operation}.commit.within`)
  return ok(body)
})

const eventOf = { answer: 'answered', done: 'finished', abort: 'aborted', unopened: 'aborted' } as const

const answerOf = (step: number, outcome: Extract<StepOutcome, { kind: 'answer' | 'done' }>) => ({
  step,
  responseHash: bytesToHex(sha256(outcome.response)),
  sealedState: outcome.kind === 'answer' ? outcome.sealedState : null,
})

/**
 * A failed check of the oblivious transfers locks the wallet: it erases the OT records of all devices and ends every
 * run (domain/service/protocol/README.md#bans). The marks outside the database come first, so that an older database
 * cannot undo them.
 *
 * A ban takes longer to write than an answer. That discloses nothing: a wallet has one open evaluation at a time, and
 * its client gets this verdict anyway. Until the answer or the ban is written, `transitions` lets no other evaluation
 * be claimed on any replica. Requests that come meanwhile are refused before they are computed, and waiting ones are
 * dropped.
 */
const lockWallet = Effect.fn('protocol.lockWallet')(function* (run: Run, reason: string) {
  const { walletId, epoch } = run
  const now = yield* Clock.currentTimeMillis
  const { raise } = yield* Watermarks
  const raised = yield* Effect.exit(
    Effect.andThen(raise(lockedWatermark(walletId), epoch), raise(lockedAtWatermark(walletId), now)),
  )
  const wasActive = yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const wallet = Option.getOrUndefined(yield* wallets.lock(walletId))
      yield* wallets.setLocked(walletId, epoch, now)
      yield* (yield* OtRecords).eraseAll(walletId, now)
      yield* endOthers({ walletId }, 'banned', failedCheck + reason)
      yield* audit(run, 'wallet.burned', reason)
      return wallet?.state === 'ACTIVE'
    }),
  )
  // The ban is in the database even if its marks could not be written.
  if (Exit.isFailure(raised)) return yield* Effect.failCause(raised.cause)
  // The same bytes were computed twice and the ban is recorded: the answer is that of a wallet locked before.
  if (!wasActive) return yield* new KeyShareLocked()
  const lockedAnswer: FrameAnswer = { status: 'BAN', body: new Uint8Array(0) }
  return lockedAnswer
})

const audit = Effect.fnUntraced(function* (run: Run, event: string, reason?: string) {
  yield* (yield* Audit).record({
    event,
    partnerId: run.partnerId,
    userId: run.userId,
    sessionId: run.sessionId,
    subject: run.walletId,
    detail: { protocolId: run.protocolId, ...(reason === undefined ? {} : { reason }) },
  })
})
