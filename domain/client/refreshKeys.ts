/**
 * New shares for a wallet whose key stays (domain/client/README.md#refresh). At every moment one pair of shares signs:
 * the old one until the co-signer answers the confirmation, the new one from then on. The new share is on the disk and
 * backed up for every credential and recovery key before it is confirmed.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import * as Frame from '../mpc/Frame.ts'
import * as RefreshCheck from '../mpc/RefreshCheck.ts'
import * as ShareText from '../mpc/ShareText.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { KeyRefreshFailed } from '../model/WalletKeyFailures.ts'
import { isRefusal, type ApiError } from '../model/ApiError.ts'
import { doneIntervalMs, doneWaitMs, reviewTimeoutMs } from '../model/Limits.ts'
import { requireOwnUser } from '../model/Session.ts'
import { RefreshFailed } from '../model/Wallet.ts'
import { storeBackups } from './backUp.ts'
import { currentKey } from './cosignerKeys.ts'
import { exchangeStatus, heldShare, isLost, isRefreshed, noRun, signLock } from './heldShare.ts'
import { ShareStore, type StoredShare, type UnconfirmedShare } from './ports/ShareStore.ts'
import { pollUntil } from './polling.ts'
import { Api } from './ports/Api.ts'
import { Locks } from './ports/Locks.ts'
import { report } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import {
  beginningAgain,
  exchangeFrame,
  insistently,
  ProtocolAborted,
  runFailures,
  runProtocol,
  runWithShare,
  thisDevice,
} from './runProtocol.ts'
import { signOnce } from './signOnce.ts'
import { currentSession } from './touch.ts'
import { selectWallet } from './selectWallet.ts'

/** Fails with `NotDelegated` in a delegated session. */
export const requireOwnSession = Effect.flatMap(currentSession, (session) => Effect.fromResult(requireOwnUser(session)))

/** New shares for the wallet of this id, or for the first usable one. A run that failed is the account's error. */
export const refreshKeys = Effect.fn('signing.refreshKeys')(function* (walletId?: string) {
  yield* requireOwnSession
  const { id, userId } = yield* selectWallet(walletId)
  const failed = (cause: unknown) => new KeyRefreshFailed({ userId: userId ?? '', walletId: id, cause })
  yield* (yield* Locks).alone(signLock(id), renewed(id)).pipe(Effect.catchTags(runFailures(failed)))
})

/** A refresh, of a share that the provider may have to get back first. Under the wallet's signing lock. */
const renewed = (walletId: string) =>
  refresh(walletId).pipe(
    Effect.catchIf(isLost, (refusal) => Effect.andThen(reattach(walletId, refusal), refresh(walletId))),
  )

/** Under the wallet's signing lock. An attempt that an earlier page load left is finished first. */
export const refresh = Effect.fn('signing.refresh')(function* (walletId: string) {
  yield* reconcile(walletId)
  for (let epochs = 0; epochs < epochsBehind; epochs++) {
    if (yield* renew(walletId)) return
  }
  yield* settle(walletId)
})

/** A restored database is behind the co-signer's own records by the epochs that it lost; each refresh is one epoch. */
const epochsBehind = 16

/** One whole attempt. Answers whether the new shares sign. */
const renew = Effect.fnUntraced(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  const { rootPublicKey } = user.share
  const { candidate, protocolId } = yield* prepareAttempt({ user, address: held.address, rootPublicKey })
  // A user who logged out meanwhile has no share here any more, and gets none.
  yield* Effect.tapError(heldShare(walletId), () => Effect.flatMap(ShareStore, ({ drop }) => drop(walletId)))
  yield* commit(candidate)
  yield* waitForDone(held.userId, walletId, protocolId)
  return yield* settle(walletId).pipe(
    Effect.as(true),
    Effect.catchIf(
      (error) => isRefusal(error, 'KeyShareLocked'),
      () => Effect.succeed(false),
    ),
  )
})

/** The share to be refreshed, the address of its wallet, and the root key that the new share pins (32 bytes). */
export type Renewed = {
  readonly user: ShareText.UserShare
  readonly address: string
  readonly rootPublicKey: Uint8Array
}

/** A new attempt, and another one if a restart of the co-signer ended its run. */
export const prepareAttempt = (renewed: Renewed) =>
  beginningAgain(
    Effect.gen(function* () {
      const path = { userId: renewed.user.userId, walletId: renewed.user.share.walletId }
      const { protocolId } = yield* (yield* Api).call('refreshKeys', { path, body: {} })
      return { candidate: yield* prepare(renewed, protocolId), protocolId }
    }),
  )

/** Runs the protocol. The new share is on the disk then, beside the one that still signs. */
const prepare = Effect.fnUntraced(function* ({ user, address, rootPublicKey }: Renewed, protocolId: string) {
  const { share, userId } = user
  const { context, ...ofShare } = yield* runWithShare(user)
  const ended = yield* runProtocol({
    ...ofShare,
    operation: 'REFRESH',
    context: {
      ...context,
      kind: 'refresh',
      protocolId,
      attempt: yield* (yield* Random).bytes(16),
      rootPublicKey,
    },
    firstBody: (message) => message,
    progress: (round, of) => ({ step: 'refreshing', round, of }),
  })
  const { result } = ended.progress
  const isOfKey = result.share !== undefined && equal(result.share.publicKey, share.publicKey)
  if (ended.progress.kind !== 'confirm' || result.share === undefined || !isOfKey) {
    return yield* new ProtocolAborted({ by: 'client', reason: 'refresh gave no share of the key' })
  }
  const candidate: UnconfirmedShare = {
    walletId: share.walletId,
    userId,
    address,
    shareText: ShareText.write({ ...user, cosignerKey: yield* currentKey(ofShare.cosigner), share: result.share }),
    ...(result.ot !== undefined && result.otId !== undefined ? { ot: { otId: result.otId, record: result.ot } } : {}),
    confirmFrame: yield* ended.confirmFrame(ended.progress.request),
  }
  yield* report({ step: 'storing' })
  yield* (yield* ShareStore).stage(candidate)
  return candidate
})

/** From now on the candidate signs. */
const commit = Effect.fnUntraced(function* (candidate: UnconfirmedShare) {
  const capsule = yield* confirmBackedUp(candidate)
  yield* (yield* ShareStore).promote(candidate.walletId, capsule)
})

/**
 * Stores the backups and confirms. If a credential was added meanwhile (`BackupsMissing`), both are done once more.
 * Answers the capsule.
 */
export const confirmBackedUp = Effect.fn('signing.confirmBackedUp')(function* (candidate: UnconfirmedShare) {
  const { walletId, userId, shareText } = candidate
  const shares = yield* ShareStore
  const stageAndConfirm = Effect.gen(function* () {
    yield* report({ step: 'backing-up' })
    yield* storeBackups(userId, [shareText])
    yield* report({ step: 'confirming' })
    return yield* confirm(candidate)
  })
  return yield* stageAndConfirm.pipe(
    Effect.retry({ times: 1, while: (error) => isRefusal(error, 'BackupsMissing') }),
    Effect.tapError((error) =>
      // Said under the co-signer's key: this attempt is void, and the old share stays the wallet's.
      error._tag === 'ProtocolAborted' && error.by === 'cosigner' ? shares.drop(walletId) : Effect.void,
    ),
  )
})

/** Sends the bytes that confirm the candidate, which may be repeated: the answer is the same. Answers the capsule. */
export const confirm = Effect.fn('signing.confirmRefresh')(function* (candidate: UnconfirmedShare) {
  const { walletId, shareText, confirmFrame, address } = candidate
  const { cosignerName: name, cosignerKey: publicKey } = yield* Effect.fromResult(ShareText.open(shareText))
  const confirmed = Frame.decodeConfirmed(
    yield* insistently(exchangeFrame({ name, publicKey }, walletId, confirmFrame)),
  )
  if (confirmed?.address !== address) return yield* new ProtocolAborted({ by: 'client', reason: 'another address' })
  return confirmed.capsule
})

/** Makes a signature with the new shares before the co-signer may destroy its old one (ACK). */
export const settle = Effect.fn('signing.settleRefresh')(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  yield* report({ step: 'checking' })
  const { scheme, walletId: id, shareId } = user.share
  const request = RefreshCheck.request({ scheme, walletId: id, shareId: bytesToHex(shareId), address: held.address })
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, scheme))
  yield* signOnce(user, { request, payload, timeoutMs: reviewTimeoutMs })
  yield* exchangeStatus(user, 'ACK', noRun)
  yield* (yield* ShareStore).backedUp(walletId)
})

/**
 * Finds out what became of an attempt that this device left half done. Under the wallet's signing lock. The co-signer
 * says under its key which sharing is active; a candidate is dropped only if it can never become active.
 */
export const reconcile = Effect.fn('signing.reconcile')(function* (walletId: string) {
  const shares = yield* ShareStore
  const candidate = (yield* shares.candidates).find((one) => one.walletId === walletId)
  if (candidate === undefined || !isRefreshed(candidate.shareText)) return
  const frame = Frame.decode(candidate.confirmFrame)?.frame
  const { user } = yield* heldShare(walletId)
  const { share: made } = yield* Effect.fromResult(ShareText.open(candidate.shareText))
  const status = Frame.decodeWalletStatus(yield* exchangeStatus(user, 'RECONCILE', frame?.protocolId ?? noRun))
  if (status === undefined) return yield* new ProtocolAborted({ by: 'client', reason: 'no standing' })
  const isOurs = frame?.sessionId === (yield* thisDevice).session.sessionId
  if (equal(status.shareId, made.shareId)) {
    const capsule = isOurs ? yield* Effect.option(confirm(candidate)) : Option.none()
    yield* shares.promote(walletId, Option.getOrUndefined(capsule))
    if (status.state === 'ACTIVE') yield* settle(walletId)
    return
  }
  if (status.attempt === 'LIVE') {
    if (!isOurs) return yield* new RefreshInProgress()
    yield* commit(candidate)
    return yield* settle(walletId)
  }
  // The attempt is void, or a later one replaced it. A candidate that the database does not know is kept while in
  // doubt.
  const isOver = status.attempt !== 'NONE' || equal(status.shareId, user.share.shareId)
  if (isOver) yield* shares.drop(walletId)
})

/** Asks the service once a second, 15 s at most. */
const waitForDone = Effect.fnUntraced(function* (userId: string, walletId: string, protocolId: string) {
  const ask = Effect.map(
    (yield* Api).call('getRefreshDone', { path: { userId, walletId }, query: { protocolId } }),
    ({ isDone }) => (isDone ? Option.some(isDone) : Option.none<boolean>()),
  )
  yield* pollUntil(ask, {
    every: doneIntervalMs,
    within: doneWaitMs,
    onTimeout: () => new RefreshFailed({ walletId }),
  })
})

/** Another session of this browser has begun a refresh that may still commit. */
export class RefreshInProgress extends Data.TaggedError('RefreshInProgress') {
  override readonly message = 'a refresh of this wallet is under way, try again in two minutes'
}

/**
 * Gives the provider its share back, from the capsule that this device keeps: if the provider cannot open its share any
 * more, or its database is older than this device's share (adapters/service/vault/README.md#what-a-loss-costs). The
 * wallet is refreshed before it signs. Under the wallet's signing lock. A device without a capsule fails with the
 * refusal.
 */
export const reattach = Effect.fn('signing.reattach')(function* (walletId: string, refusal: ApiError) {
  const { held, user } = yield* heldShare(walletId)
  if (held.capsule === undefined) return yield* refusal
  yield* exchangeStatus(user, 'REATTACH', noRun, held.capsule)
})

/**
 * If the co-signer says, under its key, that its epoch is earlier than this device's. A database that is older than the
 * share lacks the backups of the share as well. They are stored before the refresh, because the refresh may take a login,
 * and a login takes a backup.
 */
const reattachIfBehind = Effect.fn('signing.reattachIfBehind')(function* (walletId: string) {
  const { held } = yield* heldShare(walletId)
  if (held.capsule !== undefined) yield* giveBack(walletId)
})

/** Of a share that is out of date here or at the provider: what became of a refresh, and an older database. */
export const catchUp = (walletId: string) => Effect.andThen(reconcile(walletId), reattachIfBehind(walletId))

/** Of a wallet that is locked, by a failed check or by an older database. */
export const unlock = (walletId: string) => Effect.andThen(reattachIfBehind(walletId), renewed(walletId))

/** Gives the service what it lacks of this device's share. Under the wallet's signing lock. */
const giveBack = Effect.fnUntraced(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  const lacking = yield* lackedOf(walletId)
  if (lacking === 'share') yield* exchangeStatus(user, 'REATTACH', noRun, held.capsule)
  if (lacking === 'backups' || (lacking === 'share' && !(yield* isBackedUp(held)))) {
    yield* storeBackups(held.userId, [held.shareText])
  }
})

/**
 * Before a logout: of which of these shares the service lacks something that it does not take back. An older database has
 * neither the backups of a later share nor the provider's share of it, and without its share key no provider's share opens:
 * the capsule is on this device alone. A service that does not say what it lacks, because it does not answer or refuses,
 * prevents no logout, nor does a share that the co-signer's mark has left behind. Takes the wallets' signing locks.
 */
export const onlyCopies = (walletIds: readonly string[]) =>
  Effect.filter(walletIds, isOnlyCopy, { concurrency: 'unbounded' })

const isOnlyCopy = Effect.fnUntraced(function* (walletId: string) {
  const lacked = yield* Effect.option(Effect.timeout(lackedOf(walletId), lookWithin))
  if (Option.getOrUndefined(lacked) === undefined) return false
  const given = Effect.catchIf(
    giveBack(walletId),
    (error) => isRefusal(error, 'KeyShareOutOfDate'),
    () => Effect.void,
  )
  const alone = (yield* Locks).alone(signLock(walletId), given)
  return Option.isNone(yield* Effect.option(Effect.timeout(alone, giveBackWithin)))
})

const lookWithin = '5 seconds'

/** Longer than the provider's share and the backups take. */
const giveBackWithin = '20 seconds'

/**
 * What the service lacks of this device's share: the provider's share, which the capsule holds, or the backups. It lacks
 * nothing of a share in whose place it has another one, nor of one that no capsule brings back. The co-signer answers a
 * device that the wallet's root key certified, and takes no share back that names another: a recovery replaced it.
 */
const lackedOf = Effect.fnUntraced(function* (walletId: string) {
  const { held, user } = yield* heldShare(walletId)
  const status = Frame.decodeWalletStatus(yield* exchangeStatus(user, 'RECONCILE', noRun, asksIfLost))
  if (status === undefined || (yield* isOfOtherRoot(user))) return undefined
  const lacksShare = status.state === 'LOST' || status.epoch < user.share.epoch
  if (held.capsule !== undefined && lacksShare) return 'share' as const
  const isActive = equal(status.shareId, user.share.shareId)
  return isActive && !(yield* isBackedUp(held)) ? ('backups' as const) : undefined
})

const asksIfLost = Uint8Array.of(1)

/** Shares of public clients name no root key. */
const isOfOtherRoot = Effect.fnUntraced(function* ({ share: { rootPublicKey } }: ShareText.UserShare) {
  const root = (yield* thisDevice).key.certification?.rootPublicKey
  return root !== undefined && rootPublicKey.length > 0 && root !== bytesToHex(rootPublicKey)
})

/** Whether the service has backups of the active share. */
const isBackedUp = Effect.fnUntraced(function* ({ userId, walletId }: StoredShare) {
  const known = yield* (yield* Api).call('listWalletKeyShares', { path: { userId, walletId }, query: { type: 'USER' } })
  return known.keyShares.length > 0
})
