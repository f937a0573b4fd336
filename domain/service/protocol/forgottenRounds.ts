/**
 * Rounds that were held outside the database and that the database lacks: it is older than they are, and has forgotten what
 * became of them. That may be a failed check whose co-signer died before its ban, so the OT records of the wallet are
 * deleted, and each device enrols anew (domain/service/protocol/README.md#claims). An erased record would tell of a lock
 * that there is not.
 */
import * as Effect from 'effect/Effect'
import { Claims, type ClaimedRound } from '../ports/Claims.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Runs } from '../ports/Runs.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { endedByRestart, type RunRecord } from '../Run.ts'
import { end } from './ending.ts'

/** Whether the database lacks another round of the wallet. Then the run ends. */
export const hasForgotten = Effect.fnUntraced(function* (run: RunRecord) {
  const forgotten = yield* forgottenOf(yield* (yield* Claims).unsettled(run))
  if (forgotten.length === 0) return false
  yield* enrolAnew(run.walletId, end(run, 'lapsed', endedByRestart))
  yield* settleAll(forgotten)
  return true
})

/** For upkeep: nothing tells of a round any more once its claim is deleted. `now`: milliseconds since 1970. */
export const sweepClaims = Effect.fn('protocol.sweepClaims')(function* (now: number) {
  const claims = yield* Claims
  const over = yield* claims.over(now)
  for (let from = 0; from < over.length; from += batch) {
    const forgotten = yield* forgottenOf(over.slice(from, from + batch))
    for (const walletId of new Set(forgotten.map((round) => round.walletId))) yield* enrolAnew(walletId, Effect.void)
    yield* settleAll(forgotten)
  }
  yield* claims.sweep(now)
})

/** Rounds in one statement. */
const batch = 500

const forgottenOf = Effect.fnUntraced(function* (held: readonly ClaimedRound[]) {
  return held.length === 0 ? [] : yield* (yield* Runs).forgotten(held)
})

const enrolAnew = Effect.fnUntraced(function* <A, R>(walletId: string, also: Effect.Effect<A, never, R>) {
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* (yield* Wallets).lock(walletId)
      yield* (yield* OtRecords).removeAll(walletId)
      yield* also
    }),
  )
})

const settleAll = Effect.fnUntraced(function* (rounds: readonly ClaimedRound[]) {
  const claims = yield* Claims
  for (const round of rounds) yield* claims.settle(round)
})
