/**
 * Rounds that were held outside the database and that the database lacks, or has for another request: it is older than
 * they are, and has forgotten what became of them. That may be a failed check whose co-signer died before its ban, so the
 * OT records of the wallet are deleted, and each device enrols anew (domain/service/protocol/README.md#claims). An erased
 * record would tell of a lock that there is not. A setup that is unfinished here may have been confirmed on the younger
 * database, and its transfers checked there, so its CONFIRM stores none.
 */
import * as Arr from 'effect/Array'
import * as Effect from 'effect/Effect'
import { Claims } from '../ports/Claims.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Runs } from '../ports/Runs.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { endedByRestart, type RunRecord } from '../Run.ts'
import { end } from './ending.ts'

/** Whether the database lacks another round of the wallet. Then the run ends. */
export const hasForgotten = Effect.fnUntraced(function* (run: RunRecord) {
  const claims = yield* Claims
  const lookUp = Effect.flatMap(claims.unsettled(run), (yield* Runs).forgotten)
  let forgotten = yield* lookUp
  if (forgotten.length === 0) return false
  const ended = end(run, 'lapsed', endedByRestart)
  yield* (yield* Transaction).atomically(Effect.andThen(enrolAnew(run.walletId), ended))
  // Some at a time are listed, and no later run has to end for the others.
  while (forgotten.length > 0) {
    for (const round of forgotten) yield* claims.settle(round)
    forgotten = yield* lookUp
  }
  return true
})

/** For upkeep: nothing tells of a round any more once its claim is deleted. `now`: milliseconds since 1970. */
export const sweepClaims = Effect.fn('protocol.sweepClaims')(function* (now: number) {
  const claims = yield* Claims
  const runs = yield* Runs
  const { atomically } = yield* Transaction
  for (const held of Arr.chunksOf(yield* claims.over(now), batch)) {
    const forgotten = yield* runs.forgotten(held)
    for (const walletId of new Set(forgotten.map((round) => round.walletId))) yield* atomically(enrolAnew(walletId))
    for (const round of forgotten) yield* claims.settle(round)
  }
  yield* claims.sweep(now)
})

/** Rounds in one statement. */
const batch = 500

const enrolAnew = Effect.fnUntraced(function* (walletId: string) {
  yield* (yield* Wallets).lock(walletId)
  yield* (yield* OtRecords).removeAll(walletId)
  yield* (yield* Runs).voidTransfers(walletId)
})
