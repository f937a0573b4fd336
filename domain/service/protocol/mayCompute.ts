import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { Runs } from '../ports/Runs.ts'
import { Wallets } from '../ports/Wallets.ts'
import { isLive, type Run } from '../Run.ts'
import { mayGoOn } from './claim.ts'
import type { Plan } from './Plan.ts'
import type { Request } from './Request.ts'

/**
 * Whether a claimed round may still be computed, read directly before the arithmetic: while the step waited, its wallet
 * may have been locked, its run ended, or its shares replaced. A repeated `claim` gives the reason of a refusal.
 */
export const mayCompute = Effect.fn('protocol.mayCompute')(function* (
  { frame, hash }: Request,
  plan: Plan,
  claimed: Run,
) {
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).find(claimed.walletId))
  if (wallet === undefined || !(yield* Effect.isSuccess(plan.admit(wallet)))) return false
  const runs = yield* Runs
  const run = Option.getOrUndefined(yield* runs.find(claimed))
  const now = yield* Clock.currentTimeMillis
  if (run === undefined || !isLive(run, yield* mayGoOn(plan, run), now)) return false
  const rounds = yield* runs.rounds(run)
  return rounds.some(({ step, requestHash }) => step === frame.step && requestHash === hash)
})
