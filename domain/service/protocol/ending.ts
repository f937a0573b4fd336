import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import { OtRecords } from '../ports/OtRecords.ts'
import { Refreshes } from '../ports/Refreshes.ts'
import { Runs } from '../ports/Runs.ts'
import { Wallets } from '../ports/Wallets.ts'
import type { Run } from '../Run.ts'
import { runStatusOf, transitions, type Event, type Move } from './transitions.ts'

/**
 * The only way in which a run ends without a result. The caller has locked its wallet. Erases the run's seed and
 * states, releases the lease or refresh attempt that it holds, and deletes the OT record of an open evaluation where
 * the table says so. Returns the table's move; unless that is `end`, nothing has changed.
 */
export const end = Effect.fn('protocol.end')(function* (run: Run, event: Event, reason: string) {
  const runs = yield* Runs
  const move: Move = transitions[event][runStatusOf(run, yield* runs.rounds(run))]
  if (move.kind !== 'end') return move
  const { walletId, protocolId } = run
  yield* runs.end(run, { state: move.to, reason })
  if (move.spends) yield* (yield* OtRecords).remove(walletId, run.otId)
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
