import * as Data from 'effect/Data'
import * as Deferred from 'effect/Deferred'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as EventNames from '../model/Events.ts'
import { keygenLock } from './createWallet.ts'
import { forgetSession } from './forgetSession.ts'
import { Events } from './ports/Events.ts'
import { Locks } from './ports/Locks.ts'
import { ShareStore, type PendingRecovery } from './ports/ShareStore.ts'
import { isRefreshed } from './refreshKeys.ts'
import { rememberedUserId } from './rememberedUser.ts'
import { SessionState } from './SessionState.ts'
import { isSigned } from './signedRecovery.ts'
import { tellTabs } from './tabNews.ts'

export type Logout = {
  /** Pregenerated wallets are kept unless asked for (spec §4, logout). */
  readonly clearPregenWallets?: boolean | undefined
  /**
   * Leaves although this device's copy is the only one: of a share that has no backup yet, or of the recovery secret. A
   * key that another tab is making then may be lost with it.
   */
  readonly evenWithoutBackup?: boolean | undefined
}

/**
 * Clears storage and state, ends the session, and tells the app and the other tabs (flows 12). A key that is being made
 * in any tab is there and backed up first: whoever took its candidate away could take the only copy of a share that is
 * confirmed.
 */
export const logout = Effect.fn('sessions.logout')(function* (options: Logout = {}) {
  const known = Option.getOrUndefined(yield* (yield* SessionState).get)
  const userId = known?.userId ?? (yield* rememberedUserId)
  yield* userId === undefined ? leave(userId, options) : afterKeygen(userId, options)
  yield* tellTabs({ type: 'signed-out' })
  return yield* (yield* Events).emit(EventNames.logout, { data: null })
})

/** Longer than keys and their backups take; a tab that hangs keeps nobody signed in who means it. */
const keygenWithin = '20 seconds'

const afterKeygen = Effect.fn('sessions.leaveAfterKeygen')(function* (userId: string, options: Logout) {
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

/** Where nobody knows who leaves, everybody does. */
const leave = Effect.fn('sessions.leave')(function* (userId: string | undefined, options: Logout) {
  const shares = yield* ShareStore
  // What a refresh makes is backed up before it counts (flows 9.4): no device has its only copy.
  const isOnlyCopy = ({ shareText }: { readonly shareText: string }) => !isRefreshed(shareText)
  const backedUp = (yield* shares.list).filter((share) => !isOnlyCopy(share)).map(({ walletId }) => walletId)
  const made = (yield* shares.candidates).filter(isOnlyCopy).map(({ walletId }) => walletId)
  const pending = (yield* shares.backupPending).filter((walletId) => !backedUp.includes(walletId))
  const walletIds = [...new Set([...made, ...pending])]
  if (walletIds.length > 0 && options.evenWithoutBackup !== true) return yield* new BackupNotStored({ walletIds })

  const isTheirs = (key: PendingRecovery) => userId === undefined || key.userId === userId
  const recoveries = (yield* shares.pendingRecovery.list).filter(isTheirs)
  const isUntold = recoveries.some(isSigned)
  if (isUntold && options.evenWithoutBackup !== true) return yield* new RecoverySecretNotShown()

  yield* shares.forgetUser({ keepPregen: options.clearPregenWallets !== true, userId })
  yield* forgetSession()
})

/** Another tab is making a key and has not been done with it in time. */
export class WalletBeingMade extends Data.TaggedError('WalletBeingMade') {
  override readonly message = 'a wallet is being made, log out when it is there'
}

/** The only copy of a share would be deleted; whoever means it says so. */
export class BackupNotStored extends Data.TaggedError('BackupNotStored')<{ readonly walletIds: readonly string[] }> {
  override readonly message = 'a wallet has no backup yet, logging out would delete its only key share'
}

/** Nobody has seen the recovery secret yet, for whose key all backups are made; whoever does without it says so. */
export class RecoverySecretNotShown extends Data.TaggedError('RecoverySecretNotShown') {
  override readonly message = 'the recovery secret was not shown yet, logging out would delete it'
}
