import * as Data from 'effect/Data'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as EventNames from '../model/Events.ts'
import { keygenLock } from './createWallet.ts'
import { forgetSession } from './forgetSession.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { ShareStore, type StoredShare } from './ports/ShareStore.ts'
import { isRefreshed } from './heldShare.ts'
import { mending } from './lateCode.ts'
import { rememberedUserId } from './rememberedUserId.ts'
import { SessionState } from './SessionState.ts'
import { isSigned } from './certifiedKeys.ts'
import { tellTabs } from './tabNews.ts'
import { listWallets } from './wallets.ts'

export type Logout = {
  /** Pregenerated wallets are kept by default. */
  readonly clearPregenWallets?: boolean | undefined
  /**
   * Logs out even if this device has the only copy of a share, or of the recovery secret. A key that another tab is
   * making may be lost with it.
   */
  readonly evenWithoutBackup?: boolean | undefined
}

/**
 * Clears storage and state, ends the session, and tells the app and the other tabs (domain/client/README.md#logout). It
 * waits for a key that any tab is making to be confirmed and backed up: deleting its candidate could delete the only
 * copy of a confirmed share.
 */
export const logout = Effect.fn('sessions.logout')(function* (options: Logout = {}) {
  const known = Option.getOrUndefined(yield* (yield* SessionState).get)
  const userId = known?.userId ?? (yield* rememberedUserId)
  yield* userId === undefined ? leave(userId, options) : afterKeygen(userId, options)
  yield* tellTabs({ type: 'signed-out' })
  return yield* (yield* Events).emit(EventNames.logout, { data: null })
})

/** Longer than keys and their backups take. A hanging tab does not prevent the logout for ever. */
const keygenWithin = '20 seconds'

/** A person who is offline leaves all the same. */
const lookWithin = '5 seconds'

/** Longer than `onlyCopies` takes by itself: its code is loaded late, and may not come. */
const onlyCopiesWithin = '30 seconds'

const afterKeygen = Effect.fnUntraced(function* (userId: string, options: Logout) {
  const begun = yield* Deferred.make<void>()
  const alone = (yield* Locks).alone(
    keygenLock(userId),
    Effect.andThen(Deferred.succeed(begun, undefined), leave(userId, options)),
  )
  const tooLong = Effect.gen(function* () {
    yield* Effect.sleep(keygenWithin)
    if (yield* Deferred.isDone(begun)) return yield* Effect.never
    return yield* options.evenWithoutBackup === true ? leave(userId, options) : new WalletBeingMade()
  })
  yield* Effect.raceFirst(alone, tooLong)
})

/** Deletes what is this user's. What other users left in this browser stays (domain/client/README.md#logout). */
const leave = Effect.fnUntraced(function* (userId: string | undefined, options: Logout) {
  const shares = yield* ShareStore
  const isCareful = options.evenWithoutBackup !== true
  const isTheirs = (of: Pick<StoredShare, 'userId'>) => of.userId === userId
  const held = Effect.map(shares.list, (all) => all.filter(isTheirs))
  // An older database may have lost the backups of a share since they were stored.
  if (isCareful && (yield* held).length > 0) yield* Effect.ignore(Effect.timeout(listWallets(), lookWithin))
  const isFirst = ({ shareText }: Pick<StoredShare, 'shareText'>) => !isRefreshed(shareText)
  const unstored = yield* shares.backupPending
  const idsOf = (some: readonly Pick<StoredShare, 'walletId'>[]) => some.map(({ walletId }) => walletId)
  const made = idsOf((yield* shares.candidates).filter((one) => isTheirs(one) && isFirst(one)))
  const pending = idsOf((yield* held).filter((share) => isFirst(share) && unstored.includes(share.walletId)))
  // The service is asked what it has lost since: of a refreshed share, which was backed up before it was confirmed, so that
  // its mark says nothing, and of one whose capsule brings the provider's half back.
  const mayLack = (share: StoredShare) => !isFirst(share) || share.capsule !== undefined
  const asked = idsOf((yield* held).filter(mayLack)).filter((walletId) => !pending.includes(walletId))
  const only = mending((of) => of.onlyCopies(asked)).pipe(Effect.timeout(onlyCopiesWithin), Effect.option)
  const known = isCareful && asked.length > 0 ? Option.getOrUndefined(yield* only) : undefined
  const walletIds = [...new Set([...made, ...pending, ...(known ?? [])])]
  if (isCareful && walletIds.length > 0) return yield* new BackupNotStored({ walletIds })

  const isUnacknowledged = (yield* shares.pendingRecovery.list).some((key) => isTheirs(key) && isSigned(key))
  if (isCareful && isUnacknowledged) return yield* new RecoverySecretNotShown()

  yield* shares.forgetUser({ keepPregen: options.clearPregenWallets !== true, userId })
  yield* forgetSession()
})

/** Another tab is making a key and was not done in time. */
export class WalletBeingMade extends Data.TaggedError('WalletBeingMade') {
  override readonly message = 'a wallet is being made, log out when it is there'
}

/** The only copy of a share would be deleted. `evenWithoutBackup` deletes it all the same. */
export class BackupNotStored extends Data.TaggedError('BackupNotStored')<{ readonly walletIds: readonly string[] }> {
  override readonly message = 'a wallet has no backup yet, logging out would delete its only key share'
}

/** The recovery secret, whose key opens all backups, was not shown yet. `evenWithoutBackup` deletes it all the same. */
export class RecoverySecretNotShown extends Data.TaggedError('RecoverySecretNotShown') {
  override readonly message = 'the recovery secret was not shown yet, logging out would delete it'
}
