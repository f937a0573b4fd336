/**
 * Refreshes as the wire asks for them (domain/service/README.md#refreshes). The frames in between are handled by
 * `protocol/refresh.ts`.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { NoValidWallet, WalletDoesNotExist } from '../model/WalletSelection.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { topicOf } from './ports/Notifications.ts'
import { RateLimits } from './ports/RateLimits.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { Refreshes } from './ports/Refreshes.ts'
import { Runs } from './ports/Runs.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Transaction } from './ports/Transaction.ts'
import { Wallets } from './ports/Wallets.ts'
import { end } from './protocol/ending.ts'
import { discard, isGoingOn, requireFreshIfLocked } from './protocol/refresh.ts'
import { AnotherRunInProgress } from './protocol/refusals.ts'
import { isDone, refreshLimits, type RefreshRecord } from './Refresh.ts'
import { recoveringSessionOf } from './sessions.ts'
import { waitFor } from './waiting.ts'
import { hasKey } from './Wallet.ts'
import { requireOwnedOrRecovered } from './wallets.ts'
import { Rates, userAt } from './rates.ts'

/**
 * A new attempt. It ends the session's own earlier one, another device's once its lease is over, and in a signed-in
 * session that of a recovery, which has shown no more than the mailbox yet.
 */
export const refreshKeys = Effect.fn('refreshes.refreshKeys')(function* (userId: string, walletId: string) {
  const caller = yield* recoveringSessionOf(userId)
  const { session, recovery } = caller
  yield* requireOwnedOrRecovered(caller, userId, walletId)
  const [bucket, key] =
    recovery === undefined
      ? (['refreshes', userAt(session.partnerId, userId)] as const)
      : (['refreshes of recoveries', userId] as const)
  yield* (yield* RateLimits).take(bucket, key, (yield* Rates).R4)
  const protocolId = yield* (yield* SecureRandom).uuid
  const failpoints = yield* Failpoints
  yield* failpoints.reach('refresh.begin.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(walletId))
      if (wallet?.userId !== userId) return yield* new WalletDoesNotExist({ walletId })
      if (!hasKey(wallet)) return yield* new NoValidWallet()
      if (recovery === undefined) yield* requireFreshIfLocked(session, wallet)
      const refreshes = yield* Refreshes
      const now = yield* Clock.currentTimeMillis
      const live = Option.getOrUndefined(yield* refreshes.live(walletId))
      if (live !== undefined) {
        const isAnothers = live.sessionId !== session.id && now < live.createdAt + refreshLimits.lease
        const isHeld = isAnothers && !(yield* isOfRecovery(live))
        if (isHeld && (yield* isGoingOn(live, now))) return yield* new AnotherRunInProgress()
        const run = Option.getOrUndefined(yield* (yield* Runs).find(live))
        if (run !== undefined) yield* end(run, 'superseded', 'a new attempt')
        yield* refreshes.abort(live, now)
      }
      for (const prepared of yield* refreshes.prepared(walletId)) {
        if (prepared.sessionId === session.id) yield* discard(prepared, now)
      }
      const baseShareId = wallet.shareId
      yield* refreshes.begin({
        walletId,
        protocolId,
        sessionId: session.id,
        baseShareId,
        shareId: null,
        state: 'LIVE',
        createdAt: now,
      })
      yield* failpoints.reach('refresh.begin.within')
    }),
  )
  yield* failpoints.reach('refresh.begin.after')
  return { protocolId }
})

/** Of another session's attempt: a user has one READY recovery at most, so this one is a signed-in session's to end. */
const isOfRecovery = Effect.fnUntraced(function* ({ sessionId }: RefreshRecord) {
  return Option.exists(yield* (yield* Recoveries).find(sessionId), ({ state }) => state === 'READY')
})

/**
 * Whether the attempt, or the wallet's latest, is committed; in a recovery, prepared. With `Prefer: wait`, answers as
 * soon as it is.
 */
export const getRefreshDone = Effect.fn('refreshes.getRefreshDone')(function* (
  userId: string,
  walletId: string,
  protocolId: string | undefined,
) {
  const caller = yield* recoveringSessionOf(userId)
  yield* requireOwnedOrRecovered(caller, userId, walletId)
  const { session, recovery } = caller
  const isOver = (refresh: RefreshRecord) => isDone(refresh) || (recovery !== undefined && refresh.state === 'PREPARED')
  const refreshes = yield* Refreshes
  const isPrepared = Effect.map(refreshes.prepared(walletId), (made) =>
    made.some(({ sessionId }) => sessionId === session.id),
  )
  const latest = recovery === undefined ? Effect.map(refreshes.latest(walletId), Option.exists(isOver)) : isPrepared
  const ask =
    protocolId === undefined
      ? latest
      : Effect.map(refreshes.find({ walletId, protocolId: protocolId.toLowerCase() }), Option.exists(isOver))
  return { isDone: yield* waitFor(ask, { topic: topicOf.wallet(walletId), hasNews: (done) => done }) }
})
