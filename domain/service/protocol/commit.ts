/**
 * What follows the work (mpc-review 2, T2 and T2'): the wallet and the run are read again, the answer is stored or
 * compared with the stored one, and only then it may leave. A ban is written whatever else happened meanwhile.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import type { Answer } from '../../mpc/Frame.ts'
import { Audit } from '../ports/Audit.ts'
import type { Outcome } from '../ports/CosignerEngine.ts'
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
import { burnedAtMark, burnedMark } from './marks.ts'
import type { Plan } from './Plan.ts'
import { KeyShareLocked } from './refusals.ts'
import { standingOf, transitions } from './transitions.ts'

export const aborted: Answer = { status: 'ABORT', body: new Uint8Array(0) }

export const ok = (body: Uint8Array): Answer => ({ status: 'OK', body })

export const commit = Effect.fn('protocol.commit')(function* (
  plan: Plan,
  run: Run,
  step: number,
  outcome: Outcome,
) {
  if (outcome.kind === 'ban') return yield* burn(run, outcome.reason)
  return yield* (yield* Transaction).atomically(underLock(plan, run, step, outcome))
})

const underLock = Effect.fnUntraced(function* (
  plan: Plan,
  claimed: Run,
  step: number,
  outcome: Exclude<Outcome, { kind: 'ban' }>,
) {
  const runs = yield* Runs
  const now = yield* Clock.currentTimeMillis
  // Sessions are locked before wallets, here as at logout.
  if (outcome.kind === 'done' && plan.kind === 'keygen') yield* (yield* Sessions).lock(claimed.sessionId)
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(claimed.walletId))
  const run = Option.getOrUndefined(yield* runs.find(claimed))
  if (wallet === undefined || run === undefined) return aborted
  if (outcome.kind === 'done' && run.finalBody !== null) {
    // The same request finished it meanwhile: the same answer, or none.
    return (yield* runs.answer(run, answerOf(step, outcome))) ? ok(yield* openFinalBody(run, run.finalBody)) : aborted
  }
  yield* plan.admit(wallet)
  const standing = standingOf(run, yield* runs.rounds(run))
  const move = transitions[eventOf[outcome.kind]][standing]
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
  yield* (yield* Failpoints).reach(`${plan.noun}.commit.within`)
  return ok(body)
})

const eventOf = { answer: 'answered', done: 'finished', abort: 'aborted', unopened: 'aborted' } as const

const answerOf = (step: number, outcome: Extract<Outcome, { kind: 'answer' | 'done' }>) => ({
  step,
  responseHash: bytesToHex(sha256(outcome.response)),
  sealedState: outcome.kind === 'answer' ? outcome.sealedState : null,
})

/**
 * A failed check of the oblivious transfers burns those of all devices and every run of the wallet, at once and for
 * good. The mark outside the database comes first: an older database cannot take it back.
 *
 * Writing the mark and the ban takes longer than recording an answer, and nothing hides that, because there is no second
 * verdict to hide. A verdict about a device's transfers comes from an evaluation, and a wallet has one at a time: it is
 * claimed under the wallet's lock, and until its answer or this ban is recorded, `transitions` lets no other one be claimed
 * for these transfers on any replica. Its client is told this verdict anyway. Requests that come meanwhile are refused
 * before their bytes are looked at, those that waited are dropped, and after the ban all of them meet a burned wallet.
 */
const burn = Effect.fn('protocol.burn')(function* (run: Run, reason: string) {
  const { walletId, epoch } = run
  const now = yield* Clock.currentTimeMillis
  const { raise } = yield* Watermarks
  const marked = yield* Effect.exit(
    Effect.andThen(raise(burnedMark(walletId), epoch), raise(burnedAtMark(walletId), now)),
  )
  const wasActive = yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const wallet = Option.getOrUndefined(yield* wallets.lock(walletId))
      yield* wallets.burn(walletId, epoch, now)
      yield* (yield* OtRecords).burnAll(walletId, now)
      yield* endOthers({ walletId }, 'banned', failedCheck + reason)
      yield* audit(run, 'wallet.burned', reason)
      return wallet?.state === 'ACTIVE'
    }),
  )
  // A mark that could not be written keeps no ban from the database.
  if (Exit.isFailure(marked)) return yield* Effect.failCause(marked.cause)
  // The same bytes were computed twice, and the ban is recorded already: the answer is that of a wallet that was burned before.
  if (!wasActive) return yield* new KeyShareLocked()
  const banned: Answer = { status: 'BAN', body: new Uint8Array(0) }
  return banned
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
