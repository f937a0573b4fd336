/**
 * The bound on setups (key generation, device enrolment, refresh) that failed. The database has the runs; how many of a day have
 * come as far as the step that tells whether a guess was right is also a mark outside, so that an older database forgets none.
 */
import * as Effect from 'effect/Effect'
import { TooManyAttempts } from '../ports/RateLimits.ts'
import { Runs } from '../ports/Runs.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { isFreshLogin } from '../Refresh.ts'
import { runLimits, type RunRecord } from '../Run.ts'
import type { SessionRecord } from '../Session.ts'
import { setupsMark, setupsMarkOfDay } from './watermarks.ts'

/** The wallet has failed setups left for today, or a session that logged in just now has some of its own. */
export const requireFewFailures = Effect.fn('protocol.requireFewFailures')(function* (
  walletId: string,
  session: SessionRecord,
  now: number,
) {
  const { failedSetups } = yield* Runs
  const since = now - runLimits.failedSetupsWithin
  const forgotten = yield* forgottenSetups(walletId, now)
  if (forgotten + (yield* failedSetups(walletId, since)) < runLimits.failedSetups) return
  const own = isFreshLogin(session, now) ? forgotten + (yield* failedSetups(walletId, since, session.id)) : undefined
  if (own !== undefined && own < runLimits.failedSetupsAfterLogin) return
  return yield* new TooManyAttempts({ retryAfterMs: runLimits.failedSetupsWithin })
})

/** A setup claims the step that tells. Under its wallet's lock, before anything is computed. */
export const countSetup = Effect.fn('protocol.countSetup')(function* ({ walletId, createdAt }: RunRecord) {
  const { read, raise } = yield* Watermarks
  const day = dayOf(createdAt)
  const isLater = (yield* read(setupsMark(walletId, day))) >= (day + 1) * setupsOfDay
  const mark = isLater ? setupsMarkOfDay(walletId, day) : setupsMark(walletId, day)
  yield* raise(mark, Math.max(day * setupsOfDay, yield* read(mark)) + 1)
})

/** From this time on all runs have to be kept: the marks count by days. */
export const countedSince = (now: number): number => dayOf(now - runLimits.failedSetupsWithin) * dayMs

/** Setups that the marks count and the database does not know: how they ended is lost, so each counts as failed. */
const forgottenSetups = Effect.fnUntraced(function* (walletId: string, now: number) {
  const { read } = yield* Watermarks
  const { setupsThatTold } = yield* Runs
  let forgotten = 0
  // The clock of another replica may be in tomorrow already.
  for (let day = dayOf(now - runLimits.failedSetupsWithin); day <= dayOf(now) + 1; day++) {
    const values = [yield* read(setupsMark(walletId, day)), yield* read(setupsMarkOfDay(walletId, day))]
    const ofDay = values.map((value) => value - day * setupsOfDay).filter((count) => count > 0 && count < setupsOfDay)
    if (ofDay.length === 0) continue
    const counted = ofDay.reduce((sum, count) => sum + count)
    const known = yield* setupsThatTold(walletId, { from: day * dayMs, until: (day + 1) * dayMs })
    forgotten += Math.max(0, counted - known)
  }
  return forgotten
})

const dayMs = 24 * 60 * 60_000

const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** More than there can be of a wallet in a day. A mark is its day times this, and the count: it only rises. */
const setupsOfDay = 1_000_000
