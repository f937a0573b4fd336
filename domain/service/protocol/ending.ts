/** How a run ends without a result, and which runs exclude each other (domain/service/protocol/README.md#supersession). */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import type { FrameAnswer } from '../../mpc/Frame.ts'
import { Audit } from '../ports/Audit.ts'
import { DatabaseGeneration } from '../ports/DatabaseGeneration.ts'
import { Intents } from '../ports/Intents.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Refreshes } from '../ports/Refreshes.ts'
import { Runs, type RunId, type SeenToClaim } from '../ports/Runs.ts'
import { Spends } from '../ports/Spends.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { endedByRestart, failedCheck, isOutOfTime, type RunRecord } from '../Run.ts'
import { AnotherRunInProgress, KeyShareLocked, KeyShareOutOfDate } from './refusals.ts'
import { runStatusOf, transitions, type Event, type Move } from './transitions.ts'
import { lockedWatermarks } from './watermarks.ts'

/**
 * The only way in which a run ends without a result. The caller has locked its wallet. Erases the run's seed and
 * states, releases the lease or refresh attempt that it holds, and deletes the OT record of an open evaluation where
 * the table says so. What a policy counted is taken back if its answer cannot have left. Returns the table's move;
 * unless that is `end`, nothing has changed.
 */
export const end = Effect.fnUntraced(function* (run: RunRecord, event: Event, reason: string) {
  const runs = yield* Runs
  const move: Move = transitions[event][runStatusOf(run, yield* runs.rounds(run))]
  if (move.kind !== 'end') return move
  const { walletId, protocolId } = run
  yield* runs.end(run, { state: move.to, reason })
  // It has computed nothing here: a younger database may have, and the row would hide that (`forgottenRounds.ts`).
  if (run.state === 'WAITING') yield* runs.unclaim(run)
  if (move.spends) yield* (yield* OtRecords).remove(walletId, run.otId)
  // A run of another database generation may have answered in the copy that is lost.
  const isUnanswered = !move.spends && run.policyVersion !== null
  if (isUnanswered && (yield* (yield* DatabaseGeneration).isCurrent(run.generation))) {
    yield* (yield* Spends).takeBack(run)
  }
  if (run.kind === 'keygen') yield* (yield* Wallets).release(walletId, protocolId)
  if (run.kind === 'refresh') yield* (yield* Refreshes).abort(run, yield* Clock.currentTimeMillis)
  return move
})

/** Ends every other unfinished run of the wallet. */
export const endOthers = Effect.fn('protocol.endOthers')(function* (
  { walletId, protocolId }: { readonly walletId: string; readonly protocolId?: string },
  event: Event,
  reason: string,
) {
  for (const run of yield* (yield* Runs).unfinished(walletId)) {
    if (run.protocolId !== protocolId) yield* end(run, event, reason)
  }
})

/**
 * A wallet has one run at a time over all replicas, and a refresh beside it, so that no two guesses are checked at once.
 * A new run supersedes an older one of the same kind, device and digest, unless that one's evaluation is open; any
 * other older run refuses it. A refresh does not block signatures or device enrolments: the old shares sign until the
 * new ones are committed, and the commit ends what is under way. Runs that cannot go on are ended here, so that the OT
 * record of their open evaluation is deleted before the next one begins
 * (domain/service/protocol/README.md#supersession).
 */
export const requireOnlyRun = Effect.fnUntraced(function* (
  seen: Pick<SeenToClaim, 'unfinished' | 'generation'>,
  beginning: Pick<RunRecord, 'kind' | 'deviceKeyThumb' | 'digest'>,
) {
  const { isCurrent } = yield* DatabaseGeneration
  const now = yield* Clock.currentTimeMillis
  for (const run of seen.unfinished) {
    const isOver = isOutOfTime(run, now)
    if (isOver || !(yield* isCurrent(run.generation, seen.generation))) {
      // A setup of an earlier process may lack its CONFIRM alone, and may still get it.
      if (isOver || run.kind === 'sign') yield* end(run, 'lapsed', isOver ? 'out of time' : endedByRestart)
      continue
    }
    const isSame =
      run.kind === beginning.kind && run.deviceKeyThumb === beginning.deviceKeyThumb && run.digest === beginning.digest
    if (!isSame && areApart(run.kind, beginning.kind)) continue
    const move = yield* end(run, isSame ? 'superseded' : 'another begins', 'a new run for the same')
    if (move.kind === 'in progress') return yield* new AnotherRunInProgress()
  }
})

const areApart = (one: RunRecord['kind'], other: RunRecord['kind']): boolean =>
  (one === 'refresh') !== (other === 'refresh')

/** Ends runs whose time is over, which erases their sealed seeds and states. The composition schedules it. */
export const sweep = Effect.fn('protocol.sweep')(function* () {
  const now = yield* Clock.currentTimeMillis
  yield* endAll(yield* (yield* Runs).expired(now), 'lapsed', 'out of time', (run) => run.expiresAt <= now)
  yield* (yield* Intents).sweep(now)
})

/** Ends the unfinished runs of a session. */
export const endOfSession = Effect.fn('protocol.endOfSession')(function* (sessionId: string) {
  const ids = yield* (yield* Runs).unfinishedOfSession(sessionId)
  yield* endAll(ids, 'session over', 'the session is over', () => true)
})

/** Each run under its wallet's lock, so that none ends in the middle of a claim or commit. */
const endAll = Effect.fnUntraced(function* (
  ids: readonly RunId[],
  event: Event,
  reason: string,
  isDue: (run: RunRecord) => boolean,
) {
  const { atomically } = yield* Transaction
  const runs = yield* Runs
  const wallets = yield* Wallets
  for (const id of ids) {
    const ended = Effect.gen(function* () {
      yield* wallets.lock(id.walletId)
      const run = Option.getOrUndefined(yield* runs.find(id))
      if (run !== undefined && isDue(run)) yield* end(run, event, reason)
    })
    yield* atomically(ended)
  }
})

/**
 * A failed check of the oblivious transfers locks the wallet: it erases the OT records of all devices and ends every
 * run (domain/service/protocol/README.md#bans). The marks outside the database come first, so that an older database
 * cannot undo them. A wallet that has been refreshed meanwhile is not locked, and keeps what is of the new sharing: every Δ of
 * that one was drawn anew.
 *
 * A ban takes longer to write than an answer. That discloses nothing: a wallet has one open evaluation at a time, and
 * its client gets this verdict anyway. Until the answer or the ban is written, `transitions` lets no other evaluation
 * be claimed on any replica. Requests that come meanwhile are refused before they are computed, and waiting ones are
 * dropped.
 */
export const lockWallet = Effect.fn('protocol.lockWallet')(function* (run: RunRecord, reason: string) {
  const { walletId, epoch } = run
  const now = yield* Clock.currentTimeMillis
  const { raiseAll } = yield* Watermarks
  const raised = yield* Effect.exit(raiseAll(lockedWatermarks(walletId, epoch, now)))
  const { wasActive, isLater } = yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const wallet = Option.getOrUndefined(yield* wallets.lock(walletId))
      const isLater = wallet !== undefined && wallet.epoch > epoch
      yield* wallets.setLocked(walletId, epoch, now)
      yield* (yield* OtRecords).eraseUpTo(walletId, epoch, now)
      for (const other of yield* (yield* Runs).unfinished(walletId)) {
        if (other.epoch <= epoch) yield* end(other, 'banned', failedCheck + reason)
      }
      yield* audit(run, isLater ? `${run.kind}.aborted` : 'wallet.burned', reason)
      return { wasActive: wallet?.state === 'ACTIVE', isLater }
    }),
  )
  // The ban is in the database even if its marks could not be written.
  if (Exit.isFailure(raised)) return yield* Effect.failCause(raised.cause)
  // As for an answer that comes after the commit of the refresh.
  if (isLater) return yield* new KeyShareOutOfDate()
  // The same bytes were computed twice and the ban is recorded: the answer is that of a wallet locked before.
  if (!wasActive) return yield* new KeyShareLocked()
  const lockedAnswer: FrameAnswer = { status: 'BAN', body: new Uint8Array(0) }
  return lockedAnswer
})

/** Records what became of a run. */
export const audit = Effect.fnUntraced(function* (run: RunRecord, event: string, reason?: string) {
  yield* (yield* Audit).record({
    event,
    partnerId: run.partnerId,
    userId: run.userId,
    sessionId: run.sessionId,
    subject: run.walletId,
    detail: { protocolId: run.protocolId, ...(reason === undefined ? {} : { reason }) },
  })
})
