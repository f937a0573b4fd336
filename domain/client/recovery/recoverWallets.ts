/**
 * New shares for every opened wallet of the user under their new root key, backed up to the new credential and the new
 * recovery key; then all of them replace the old ones at once, and wallets that were not opened are left behind. Until
 * the last wallet is finished the old shares are active, and from then on they are useless to the holder of an old
 * device.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Redacted from 'effect/Redacted'
import * as Ref from 'effect/Ref'
import * as RecoverySecret from '../../crypto/RecoverySecret.ts'
import { listRecoveryKeys } from '../backUp.ts'
import { deviceRoot, signedRecovery } from '../certifiedKeys.ts'
import { OpenerNotProven } from '../OpenerNotProven.ts'
import { isRefusal } from '../../model/ApiError.ts'
import { Api } from '../ports/Api.ts'
import { Locks } from '../ports/Locks.ts'
import { report } from '../ports/Progress.ts'
import { ShareStore, type Finishing } from '../ports/ShareStore.ts'
import { signLock } from '../heldShare.ts'
import { confirmBackedUp, prepareAttempt } from '../refreshKeys.ts'
import { insistently } from '../runProtocol.ts'
import { currentSession } from '../touch.ts'
import { openAgain, type OpenedBackups, type OpenedWallet } from './openBackups.ts'
import type { RecoverableWallet } from './startRecovery.ts'
import {
  keepUnacknowledged,
  secretOf,
  unacknowledgedRecovery,
  unacknowledgedSecret,
  type UnacknowledgedRecovery,
} from './unacknowledgedSecret.ts'

/** Ids of the wallets whose new shares are prepared already: another try goes on with the others. */
export type Prepared = Ref.Ref<ReadonlySet<string>>

/**
 * Answers the new recovery secret, which is shown once, and what was recovered. What would stay behind is tried once
 * more directly before the secret signs for it: it opens now if a device of the user has stored a backup meanwhile, and
 * is recovered then. A failure names the wallet at which it came.
 */
export const recoverWallets = Effect.fn('recovery.recoverWallets')(function* (
  backups: OpenedBackups,
  prepared: Prepared,
) {
  const { userId } = backups
  const { sessionId } = yield* currentSession
  const root = yield* deviceRoot(sessionId)
  const pending = Option.getOrUndefined(yield* signedRecovery(userId))
  if (Option.isNone(root) || pending === undefined) return yield* new OpenerNotProven()
  const rootPublicKey = hexToBytes(root.value)
  const again = backups.secret === undefined ? undefined : yield* repeatedFinish(sessionId)
  if (again !== undefined) return { secret: secretOf(again), ...recoveredIn(again, backups) }

  const prepare = (opened: OpenedWallet) => prepareOnce(opened, rootPublicKey, prepared)

  // A wallet's backups hand it in otherwise.
  if (backups.wallets.length === 0) yield* listRecoveryKeys(userId)
  yield* Effect.forEach(backups.wallets, prepare)
  const finish = Effect.gen(function* () {
    const opened = yield* openAgain(backups)
    yield* Effect.forEach(opened.wallets, prepare)
    const walletIds = opened.wallets.map(({ wallet }) => wallet.walletId)
    const leftBehind = leavingOf(opened, sessionId, rootPublicKey)
    const finishing = { sessionId, walletIds, ...leftBehind, rootPublicKey: root.value, isFinished: false }
    const left: UnacknowledgedRecovery = { ...pending, finishing }
    yield* finishWallets(left)
    return { secret: secretOf(left), ...recoveredIn(left, opened) }
  })
  return yield* Effect.retry(finish, { times: looksAgain, while: isOutdated })
})

/**
 * The finish whose answer was lost: it may have ended the session, which then lists nothing. Answers nothing if there
 * was none, or if what stays behind has changed since.
 */
const repeatedFinish = Effect.fn('recovery.repeatFinish')(function* (sessionId: string) {
  const left = Option.getOrUndefined(yield* unacknowledgedRecovery)
  if (left?.finishing.sessionId !== sessionId) return undefined
  return yield* finishWallets(left).pipe(
    Effect.as(left),
    Effect.catchIf(isOutdated, () => Effect.succeed(undefined)),
  )
})

/** Which wallets it brought back, and which stay behind. */
const recoveredIn = ({ finishing }: UnacknowledgedRecovery, { wallets, leftBehind }: OpenedBackups) => {
  const isBack = ({ wallet }: { readonly wallet: RecoverableWallet }) => finishing.walletIds.includes(wallet.walletId)
  return {
    wallets: [...wallets, ...leftBehind.filter(isBack)].map(({ wallet }) => wallet),
    leftBehind: leftBehind.filter((one) => !isBack(one)),
  }
}

/** A wallet that stays behind changes between look and finish at most now and then. */
const looksAgain = 2

/** What stays behind is no longer what the secret has signed for. */
const isOutdated = (error: unknown): boolean =>
  error instanceof RecoveryStopped && error.at === 'finish' && isRefusal(error.cause, 'StepUpRequired')

/** The secret's word for the wallets that it did not open. */
const leavingOf = (
  { userId, leftBehind, secret }: OpenedBackups,
  sessionId: string,
  rootPublicKey: Uint8Array,
): Pick<Finishing, 'leftBehind'> => {
  if (secret === undefined || leftBehind.length === 0) return {}
  const key = Redacted.value(secret).backupDecryptionKey
  const wallets = leftBehind.map(({ wallet: { walletId, shareId }, recoveryPublicKeyIds }) => ({
    walletId,
    shareId: hexToBytes(shareId),
    recoveryPublicKeyIds,
  }))
  const signature = RecoverySecret.signLeftBehind(key, { userId, sessionId, rootPublicKey, wallets })
  const recoveryPublicKey = bytesToHex(RecoverySecret.publicKeyOf(key))
  const walletIds = wallets.map(({ walletId }) => walletId)
  return { leftBehind: { walletIds, recoveryPublicKey, signature: bytesToHex(signature) } }
}

/**
 * Asks for the finish of each wallet; with the last one all take effect. Where wallets stay behind, or there are none,
 * one request asks for all of it. Repeating it changes nothing.
 */
const finishWallets = Effect.fn('recovery.finishWallets')(function* (left: UnacknowledgedRecovery) {
  const { userId, finishing } = left
  const { walletIds, leftBehind } = finishing
  const [api, shares] = [yield* Api, yield* ShareStore]
  yield* report({ step: 'finishing' })
  // Another tab of this page may have begun a recovery meanwhile and deleted this one's record.
  yield* keepUnacknowledged(left)
  if (leftBehind === undefined && walletIds.length > 0) {
    yield* Effect.forEach(walletIds, (walletId) =>
      insistently(api.call('finishRecovery', { path: { userId, walletId } })).pipe(
        Effect.mapError((cause) => new RecoveryStopped({ walletId, at: 'finish', cause })),
      ),
    )
  } else {
    const { walletIds: left = [], ...proof } = leftBehind ?? {}
    const body = { leftBehind: [...left], ...proof }
    yield* insistently(api.call('completeRecovery', { path: { userId }, body })).pipe(
      Effect.mapError((cause) => new RecoveryStopped({ walletId: undefined, at: 'finish', cause })),
    )
  }
  // Whatever another tab has stored now: the secret of the finished recovery is shown.
  yield* Effect.ignore(keepUnacknowledged({ ...left, finishing: { ...finishing, isFinished: true } }))
  yield* Effect.forEach(walletIds, shares.drop)
})

/**
 * When the page begins: finishes a recovery whose finish was under way when the page went away, as far as its session
 * can. Answers the secret that was not shown yet, if there is one.
 */
export const resumeRecovery = Effect.fn('recovery.resume')(function* () {
  const left = Option.getOrUndefined(yield* unacknowledgedRecovery)
  if (left?.finishing.isFinished === false) yield* Effect.ignore(finishWallets(left))
  return yield* unacknowledgedSecret
})

/** A refresh that the finish commits: the new share is confirmed, and not active yet. */
const prepareOnce = Effect.fn('recovery.prepareWallet')(function* (
  { wallet: { walletId, address }, user }: OpenedWallet,
  rootPublicKey: Uint8Array,
  prepared: Prepared,
) {
  if ((yield* Ref.get(prepared)).has(walletId)) return
  yield* report({ step: 'recovering', walletId })
  const renewing = Effect.flatMap(prepareAttempt({ user, address, rootPublicKey }), ({ candidate }) =>
    confirmBackedUp(candidate),
  )
  yield* (yield* Locks)
    .alone(signLock(walletId), renewing)
    .pipe(Effect.mapError((cause) => new RecoveryStopped({ walletId, at: 'refresh', cause })))
  yield* Ref.update(prepared, (ids) => new Set(ids).add(walletId))
})

/**
 * The recovery stopped at this wallet. Until the finish of the last one the old shares are active. `cause` is what
 * stopped it.
 */
export class RecoveryStopped extends Data.TaggedError('RecoveryStopped')<{
  /** Undefined where all wallets are finished by one request. */
  readonly walletId: string | undefined
  readonly at: 'refresh' | 'finish'
  readonly cause: unknown
}> {
  override readonly message = 'the recovery stopped at a wallet'
}
