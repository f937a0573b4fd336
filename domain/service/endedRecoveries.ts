/** Recoveries that end without success: what they made beside the current state is deleted. */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { Refreshes } from './ports/Refreshes.ts'
import { Runs } from './ports/Runs.ts'
import { Wallets } from './ports/Wallets.ts'
import { end } from './protocol/ending.ts'
import { discard } from './protocol/refresh.ts'
import type { RecoveryRecord } from './Recovery.ts'
import type { RefreshRecord } from './Refresh.ts'

/** Ends them, and deletes what they made. The caller has locked their user. */
export const giveUp = Effect.fn('recoveries.giveUp')(function* (
  ended: readonly RecoveryRecord[],
  state: 'CANCELLED' | 'EXPIRED',
) {
  const refreshes = yield* Refreshes
  const now = yield* Clock.currentTimeMillis
  yield* lockWallets(ended.flatMap(({ walletIds }) => walletIds))
  for (const { sessionId, userId, walletIds } of ended) {
    if (!(yield* (yield* Recoveries).end(sessionId, state))) continue
    yield* (yield* Passwords).removeUnfinished(sessionId)
    yield* (yield* Passkeys).removeUnfinished(sessionId)
    yield* (yield* RecoveryPublicKeys).removeOfRecovery(userId, sessionId)
    for (const walletId of walletIds) {
      const live = Option.getOrUndefined(yield* refreshes.live(walletId))
      if (live?.sessionId === sessionId) yield* abandon(live, now)
      for (const prepared of yield* refreshes.prepared(walletId)) {
        if (prepared.sessionId === sessionId) yield* discard(prepared, now)
      }
    }
  }
})

/** Ends the attempt and its run, so that they block no other. */
const abandon = Effect.fnUntraced(function* (live: RefreshRecord, now: number) {
  const run = Option.getOrUndefined(yield* (yield* Runs).find(live))
  if (run !== undefined) yield* end(run, 'superseded', 'the recovery is over')
  yield* (yield* Refreshes).abort(live, now)
})

/** In one order, so that two flows do not wait for each other. */
export const lockWallets = Effect.fn('recoveries.lockWallets')(function* (ids: readonly string[]) {
  const { lock } = yield* Wallets
  for (const id of [...new Set(ids)].toSorted()) yield* lock(id)
})
