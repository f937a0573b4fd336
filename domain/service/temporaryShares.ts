/**
 * Shares on their way through a login, as ciphertext (domain/service/README.md#temporary-shares). The service can open
 * none of them.
 */
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { newDeviceLookupId } from '../model/Session.ts'
import { NoValidWallet } from '../model/WalletSelection.ts'
import { InvalidKeyShare, shareLength } from './keyShares.ts'
import { NotFound } from './NotFound.ts'
import { sessionOfPortal, verifiedPage } from './portalSessions.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { topicOf } from './ports/Notifications.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { TemporaryShares } from './ports/TemporaryShares.ts'
import { Transaction } from './ports/Transaction.ts'
import { newDevice, sessionOf } from './sessions.ts'
import { waitFor } from './waiting.ts'
import { hasKey } from './Wallet.ts'
import { requireOwned } from './wallets.ts'

const temporaryLife = 5 * 60_000

export type TemporaryShare = {
  readonly walletId: string
  readonly encryptedShare: string
  readonly encryptedKey?: string | undefined
  readonly sessionLookupId: string
}

/** The page leaves the shares for the session that it works for, or for a new device of the same user. */
export const createTemporaryShares = Effect.fn('keyShares.createTemporaryShares')(function* (
  userId: string,
  shares: readonly TemporaryShare[],
) {
  const portal = yield* verifiedPage(userId)
  const session = yield* sessionOfPortal(portal)
  const expiresAt = (yield* Clock.currentTimeMillis) + temporaryLife
  const failpoints = yield* Failpoints
  yield* failpoints.reach('temporaryShares.create.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      for (const { walletId, encryptedShare, encryptedKey, sessionLookupId } of shares) {
        if (sessionLookupId !== session.lookupId) yield* requireNewDevice(sessionLookupId, session.partnerId, userId)
        const wallet = yield* requireOwned(userId, session.partnerId, walletId)
        if (!hasKey(wallet)) return yield* new NoValidWallet()
        const length = encryptedShare.length + (encryptedKey?.length ?? 0)
        if (length > shareLength) return yield* new InvalidKeyShare()
        yield* (yield* TemporaryShares).put({
          sessionLookupId,
          walletId,
          userId,
          openingId: portal.openingId,
          encryptedShare,
          encryptedKey: encryptedKey ?? null,
          expiresAt,
        })
      }
    }),
  )
  yield* failpoints.reach('temporaryShares.create.after')
})

/**
 * For the session with that lookup id alone, once the portal session is committed. With `Prefer: wait`, as soon as
 * there are any.
 */
export const listTemporaryShares = Effect.fn('keyShares.listTemporaryShares')(function* (
  userId: string,
  sessionLookupId: string,
) {
  yield* ownLookupId(userId, sessionLookupId)
  const shares = yield* TemporaryShares
  const ask = Effect.gen(function* () {
    const stored = yield* shares.ofLookupId(sessionLookupId, yield* Clock.currentTimeMillis)
    const own = stored.filter((share) => share.userId === userId)
    const committed = yield* Effect.filter([...new Set(own.map(({ openingId }) => openingId))], isCommitted)
    return own.filter(({ openingId }) => committed.includes(openingId))
  })
  return yield* waitFor(ask, { topic: topicOf.user(userId), hasNews: (released) => released.length > 0 })
})

/** The host has stored them, so they are no longer needed. */
export const deleteTemporaryShares = Effect.fn('keyShares.deleteTemporaryShares')(function* (
  userId: string,
  sessionLookupId: string,
) {
  yield* ownLookupId(userId, sessionLookupId)
  const failpoints = yield* Failpoints
  yield* failpoints.reach('temporaryShares.delete.before')
  yield* (yield* TemporaryShares).remove(sessionLookupId)
  yield* failpoints.reach('temporaryShares.delete.after')
})

/** Deletes shares that were not fetched in time. `adapters/service/upkeep.ts` schedules it. */
export const sweep = Effect.fn('keyShares.sweep')(function* () {
  yield* (yield* TemporaryShares).sweep(yield* Clock.currentTimeMillis)
})

const ownLookupId = Effect.fnUntraced(function* (userId: string, sessionLookupId: string) {
  const { lookupId } = yield* sessionOf(userId)
  const isOwn = sessionLookupId === lookupId || sessionLookupId === newDeviceLookupId(lookupId)
  return isOwn ? sessionLookupId : yield* new NotFound()
})

/** Shares for a new device go to a session that is authenticated as the same user, under a lookup id that says so. */
const requireNewDevice = Effect.fnUntraced(function* (sessionLookupId: string, partnerId: string, userId: string) {
  const device = yield* newDevice({ lookupId: sessionLookupId, partnerId, userId })
  if (sessionLookupId !== newDeviceLookupId(device.lookupId)) return yield* new NotFound()
})

const isCommitted = Effect.fnUntraced(function* (openingId: string) {
  return Option.exists(
    yield* (yield* PortalSessions).find(openingId),
    ({ state }) => state === 'COMMITTED' || state === 'REDEEMED',
  )
})
