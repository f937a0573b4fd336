/**
 * The end of a recovery (domain/service/README.md#recovery): the new shares, root key, credential and recovery key replace
 * the old ones in one transaction, for all wallets but those that the recovery secret leaves behind.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import { fromHex } from '../crypto/Hex.ts'
import * as RecoverySecret from '../crypto/RecoverySecret.ts'
import { NoSignedInUser } from '../model/Session.ts'
import { WalletDoesNotExist } from '../model/WalletSelection.ts'
import { Caller } from './Caller.ts'
import { lockWallets } from './endedRecoveries.ts'
import { tellCallersPartner } from './events.ts'
import { RequestStillRunning } from './idempotency.ts'
import { StepUpRequired } from './keyShares.ts'
import { Audit } from './ports/Audit.ts'
import { EncryptedWalletPrivateKeys } from './ports/EncryptedWalletPrivateKeys.ts'
import { Failpoints } from './ports/Failpoints.ts'
import { KeyShares } from './ports/KeyShares.ts'
import { PortalSessions } from './ports/PortalSessions.ts'
import { OtRecords } from './ports/OtRecords.ts'
import { Passkeys } from './ports/Passkeys.ts'
import { Passwords } from './ports/Passwords.ts'
import { PinnedRoots } from './ports/PinnedRoots.ts'
import { ProviderShares } from './ports/ProviderShares.ts'
import { Recoveries } from './ports/Recoveries.ts'
import { RecoveryPublicKeys } from './ports/RecoveryPublicKeys.ts'
import { Refreshes, type Prepared } from './ports/Refreshes.ts'
import { Sessions } from './ports/Sessions.ts'
import { ShareKeys } from './ports/ShareKeys.ts'
import { Transaction } from './ports/Transaction.ts'
import { Users } from './ports/Users.ts'
import { Wallets } from './ports/Wallets.ts'
import { Watermarks } from './ports/Watermarks.ts'
import { endOthers } from './protocol/ending.ts'
import { epochWatermark, lockedWatermark, lockedWatermarks } from './protocol/watermarks.ts'
import { discard, requireRecoveryBackups } from './protocol/refresh.ts'
import { BackupsMissing, KeyShareOutOfDate } from './protocol/refusals.ts'
import { isReady, type RecoveryRecord, type RecoveryCredential } from './Recovery.ts'
import { isRecoveryKey } from './recoveryPublicKeys.ts'
import type { SessionRecord } from './Session.ts'
import { endWork } from './sessions.ts'
import type { UserRecord } from './User.ts'
import { sendNotice } from './userMessages.ts'
import { withPartnerName } from './recoveries.ts'
import * as users from './users.ts'
import { hasKey, type ActiveWallet } from './Wallet.ts'

/**
 * This wallet has its new shares. The last one commits the recovery: in one transaction shares, root key, credential
 * and recovery key replace the old ones, and every session of the user ends.
 */
export const finishRecovery = Effect.fn('recoveries.finishRecovery')(function* (userId: string, walletId: string) {
  const { recovery } = yield* Caller
  if (recovery?.userId === userId && !recovery.walletIds.includes(walletId)) {
    return yield* new WalletDoesNotExist({ walletId })
  }
  yield* end(userId, { walletId })
})

/**
 * Commits the recovery without the wallets that stay behind: they are locked, and no root key but the old one certifies
 * a device for them. That takes a recovery secret of the user: who can open one wallet, like the partner that made it,
 * must not end the others by the mailbox. With none left behind it commits as the last `finishRecovery` does, also
 * where there are no wallets.
 */
export const completeRecovery = Effect.fn('recoveries.completeRecovery')((userId: string, leaving: Leaving) =>
  end(userId, { leaving }),
)

/** `recoveryPublicKey`: hex(64), of before the recovery; `signature`: hex(64), by it. Needed with wallets left behind. */
type Leaving = {
  readonly leftBehind: readonly string[]
  readonly recoveryPublicKey?: string | undefined
  readonly signature?: string | undefined
}

type End = { readonly walletId: string } | { readonly leaving: Leaving }

const end = Effect.fnUntraced(function* (userId: string, asked: End) {
  const { session, recovery } = yield* Caller
  if (recovery?.userId !== userId) return yield* new NoSignedInUser()
  if (recovery.state === 'FINISHED') return yield* endOldSharings(recovery)
  if (session === undefined) return yield* new NoSignedInUser()
  const failpoints = yield* Failpoints
  yield* failpoints.reach('recovery.finish.before')
  const ended = yield* (yield* Transaction)
    .atomically(Effect.tap(finish(session, userId, asked), () => failpoints.reach('recovery.finish.within')))
    .pipe(Effect.retry({ while: ({ _tag }) => _tag === 'RequestStillRunning', times: 3 }))
  yield* failpoints.reach('recovery.finish.after')
  if (ended === undefined) return
  // Pages of sessions that are no user's yet have verified a credential that is revoked now. Not in the transaction, because a
  // commit locks its page before the user.
  yield* (yield* PortalSessions).closeOfUser(userId)
  yield* endOldSharings(ended)
})

/** Runs within one transaction. Answers the recovery if this call finished it. */
const finish = Effect.fnUntraced(function* (session: SessionRecord, userId: string, asked: End) {
  const recoveries = yield* Recoveries
  const now = yield* Clock.currentTimeMillis
  const { idsOfUser, lock } = yield* Sessions
  const locked = yield* idsOfUser(userId)
  for (const id of locked) yield* lock(id)
  const user = Option.getOrUndefined(yield* (yield* Users).lock(userId))
  // Sessions are locked before their user. If another one came meanwhile, the flow begins anew.
  const sessionIds = yield* idsOfUser(userId)
  if (sessionIds.some((id) => !locked.includes(id))) return yield* new RequestStillRunning({ retryAfterMs: 1_000 })
  const recovery = Option.getOrUndefined(yield* recoveries.find(session.id))
  const isOwn = recovery?.userId === userId && (isReady(recovery, now) || recovery.state === 'FINISHED')
  if (user === undefined || !isOwn) return yield* new NoSignedInUser()
  if (recovery.state === 'FINISHED') return undefined
  const wallets = yield* (yield* Wallets).ofUserEverywhere(userId)
  yield* lockWallets([...wallets.map(({ id }) => id), ...recovery.walletIds])
  const { credential } = recovery
  if (credential === null) return yield* new KeyShareOutOfDate()
  const finishedIds = yield* 'walletId' in asked
    ? withFinished(recovery, asked.walletId)
    : recoveredIds(user, recovery, credential, asked.leaving)
  yield* recoveries.setFinishedIds(session.id, finishedIds)
  if ('walletId' in asked && !recovery.walletIds.every((id) => finishedIds.includes(id))) return undefined

  const keyed = (yield* (yield* Wallets).ofUserEverywhere(userId)).filter(hasKey)
  // A wallet that was made meanwhile would keep its old shares.
  if (keyed.some(({ id }) => !recovery.walletIds.includes(id))) return yield* new KeyShareOutOfDate()
  const ended = { ...recovery, finishedIds }
  const left = keyed.filter(({ id }) => !finishedIds.includes(id))
  for (const wallet of keyed) {
    if (left.includes(wallet)) yield* leaveBehind(wallet, now)
    else yield* switchShares(wallet, yield* preparedOf(recovery, wallet), credential, now)
  }
  yield* switchCredentials(user, recovery, credential, now)
  yield* endEverything(session, ended, sessionIds, now)
  yield* sendNotice(user.identity, {
    subject: 'Your account is recovered',
    text:
      `Your account was recovered with its recovery secret ${users.originPhrase(session)}. Your old passwords and passkeys, ` +
      'your old recovery secret and every device that was logged in are worth nothing now. Log in with your new ' +
      `password or passkey.\n${yield* leftBehindPhrase(left)}`,
  })
  return ended
})

/** The wallets whose end was asked for, with this one, which has its new shares. */
const withFinished = Effect.fnUntraced(function* (recovery: RecoveryRecord, walletId: string) {
  yield* preparedOf(recovery, yield* walletOf(walletId))
  return [...new Set([...recovery.finishedIds, walletId])]
})

/** The wallets that are recovered: all but those that the recovery secret leaves behind. */
const recoveredIds = Effect.fnUntraced(function* (
  user: UserRecord,
  recovery: RecoveryRecord,
  { rootPublicKey }: RecoveryCredential,
  { leftBehind, recoveryPublicKey = '', signature = '' }: Leaving,
) {
  const { userId, sessionId, walletIds } = recovery
  const unknown = leftBehind.find((id) => !walletIds.includes(id))
  if (unknown !== undefined) return yield* new WalletDoesNotExist({ walletId: unknown })
  const keys = yield* RecoveryPublicKeys
  // Backups of later wallets go to the new secret, so there has to be one even where no wallet asks for it.
  if ((yield* keys.ofRecovery(userId, sessionId)).length === 0) return yield* new BackupsMissing()
  if (leftBehind.length === 0) return walletIds
  const key = (yield* keys.ofUser(userId)).find(({ publicKey }) => publicKey === recoveryPublicKey)
  const bytes = fromHex(signature, 64)
  // An unsigned key may be any app's own.
  if (key === undefined || key.signature === null || bytes === undefined) return yield* new StepUpRequired()
  const unopened = yield* Effect.forEach(leftBehind, triedOn)
  const left = { userId, sessionId, rootPublicKey: hexToBytes(rootPublicKey), wallets: unopened }
  const isProven =
    isRecoveryKey(userId, user.rootPublicKey, key.publicKey, key.signature) &&
    RecoverySecret.isSignedLeftBehind(hexToBytes(key.publicKey), left, bytes)
  return isProven ? walletIds.filter((id) => !leftBehind.includes(id)) : yield* new StepUpRequired()
})

/**
 * What a secret would be tried on now. One that was tried before the wallet got other shares, or its first backup to a
 * key, signed for something else: it may open what stands, and the wallet would be lost.
 */
const triedOn = Effect.fnUntraced(function* (walletId: string) {
  const { shareId } = yield* walletOf(walletId)
  const backups = (yield* (yield* KeyShares).ofWallet(walletId, shareId)).filter(
    ({ encryptor }) => encryptor === 'RECOVERY',
  )
  return { walletId, shareId: hexToBytes(shareId), recoveryPublicKeyIds: backups.map(({ keyRef }) => keyRef) }
})

/**
 * The wallet keeps its shares, its backups and its old root key, under which the service certifies no device any more.
 * It is locked as well, for a wallet without a root key.
 */
const leaveBehind = Effect.fnUntraced(function* ({ id, epoch, shareId }: ActiveWallet, now: number) {
  const refreshes = yield* Refreshes
  for (const prepared of yield* refreshes.prepared(id)) yield* discard(prepared, now)
  const live = Option.getOrUndefined(yield* refreshes.live(id))
  if (live !== undefined) yield* refreshes.abort(live, now)
  yield* (yield* KeyShares).stageOnly(id, epoch, [shareId])
  yield* (yield* Wallets).setLocked(id, epoch, now)
})

const leftBehindPhrase = Effect.fnUntraced(function* (left: readonly ActiveWallet[]) {
  if (left.length === 0) return ''
  const lines = yield* Effect.forEach(left, (wallet) =>
    Effect.map(withPartnerName(wallet), ({ partnerName }) => `${wallet.address} (${partnerName})\n`),
  )
  return `\nThe recovery secret did not open these wallets. They were left behind and are locked:\n${lines.join('')}`
})

const walletOf = Effect.fnUntraced(function* (walletId: string) {
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).find(walletId))
  return wallet !== undefined && hasKey(wallet) ? wallet : yield* new WalletDoesNotExist({ walletId })
})

/**
 * The recovery's prepared sharing of the wallet, made from the current one, with its provider share and backups stored, and with
 * its share key: an older folder that came up since lacks it, and may have that of the current sharing, which would end.
 */
const preparedOf = Effect.fnUntraced(function* (recovery: RecoveryRecord, wallet: ActiveWallet) {
  const prepared = (yield* (yield* Refreshes).prepared(wallet.id)).find(
    ({ sessionId, baseShareId }) => sessionId === recovery.sessionId && baseShareId === wallet.shareId,
  )
  if (prepared === undefined) return yield* new KeyShareOutOfDate()
  const provided = Option.getOrUndefined(yield* (yield* ProviderShares).find(wallet.id, prepared.shareId))
  const sealedIn = yield* (yield* ShareKeys).epochOf(wallet.id, prepared.shareId)
  if (provided?.epoch !== wallet.epoch + 1 || sealedIn !== provided.epoch) return yield* new KeyShareOutOfDate()
  yield* requireRecoveryBackups(recovery, wallet.id, prepared.shareId)
  return prepared
})

const switchShares = Effect.fnUntraced(function* (
  wallet: ActiveWallet,
  prepared: Prepared,
  { rootPublicKey }: RecoveryCredential,
  now: number,
) {
  const { shareId } = prepared
  const refreshes = yield* Refreshes
  const next = { epoch: wallet.epoch + 1, shareId, rootPublicKey }
  if (!(yield* (yield* Wallets).advance(wallet.id, wallet.shareId, next, now))) return yield* new KeyShareOutOfDate()
  if (!(yield* refreshes.conclude(prepared, now))) return yield* new KeyShareOutOfDate()
  for (const other of yield* refreshes.prepared(wallet.id)) yield* discard(other, now)
  const live = Option.getOrUndefined(yield* refreshes.live(wallet.id))
  if (live !== undefined) yield* refreshes.abort(live, now)
  yield* (yield* ProviderShares).removeOthers(wallet.id, [shareId])
  yield* (yield* OtRecords).removeOthers(wallet.id, shareId)
  yield* (yield* KeyShares).stageOnly(wallet.id, wallet.epoch, [shareId])
  yield* (yield* KeyShares).removeOthers(wallet.id, { epoch: next.epoch, shareId })
})

const switchCredentials = Effect.fnUntraced(function* (
  { id: userId }: UserRecord,
  { sessionId }: RecoveryRecord,
  { kind, id, rootPublicKey }: RecoveryCredential,
  now: number,
) {
  const [passwords, passkeys] = [yield* Passwords, yield* Passkeys]
  const isReleased = yield* kind === 'PASSWORD' ? passwords.release(id) : passkeys.release(id)
  if (!isReleased) return yield* new KeyShareOutOfDate()
  yield* passwords.revokeOthers(userId, id)
  yield* passkeys.revokeOthers(userId, id)
  yield* (yield* EncryptedWalletPrivateKeys).removeOthers(userId, id)
  yield* (yield* RecoveryPublicKeys).replace(userId, sessionId)
  yield* (yield* PinnedRoots).replace(userId, rootPublicKey, now)
  yield* (yield* Users).setRecovered(userId, rootPublicKey, now)
})

/** Ends the sessions of the user with everything under way in them, and the other recoveries. */
const endEverything = Effect.fnUntraced(function* (
  session: SessionRecord,
  recovery: RecoveryRecord,
  sessionIds: readonly string[],
  now: number,
) {
  const { userId, sessionId, walletIds, finishedIds } = recovery
  const left = walletIds.filter((id) => !finishedIds.includes(id))
  const [sessions, recoveries] = [yield* Sessions, yield* Recoveries]
  for (const id of new Set([...sessionIds, sessionId])) {
    yield* sessions.close(id, now)
    yield* (yield* PortalSessions).closeOfSession(id)
    yield* endWork(id)
  }
  for (const walletId of walletIds) {
    yield* endOthers({ walletId }, 'shares new', 'the key shares are new')
  }
  for (const other of yield* recoveries.unfinishedOfUser(userId)) {
    yield* recoveries.end(other.sessionId, other.sessionId === sessionId ? 'FINISHED' : 'CANCELLED')
  }
  yield* (yield* Audit).record({
    event: 'recovery.finished',
    partnerId: session.partnerId,
    userId,
    sessionId,
    detail: {
      severity: 'HIGH',
      wallets: finishedIds.length,
      ...(left.length === 0 ? {} : { leftBehind: left.join(' ') }),
    },
  })
  yield* tellCallersPartner('recovery.finished', { userId })
})

/**
 * Does what comes after the commit of a recovery for those whose process may have ended in between: those whose time was not
 * over at `after`. One that fails keeps no other waiting, and fails the whole once all were tried, so that it is tried again.
 * `adapters/service/upkeep.ts` schedules it.
 */
export const sweep = Effect.fn('finishedRecoveries.sweep')(function* (after: number) {
  const finished = yield* (yield* Recoveries).finished(after)
  const ends = yield* Effect.forEach(finished, (recovery) => Effect.exit(endOldSharings(recovery)))
  const failed = ends.find(Exit.isFailure)
  if (failed !== undefined) yield* Effect.failCause(failed.cause)
})

/**
 * Raises the marks and destroys the old share keys, so that no older database brings the old shares back. Repeating it
 * changes nothing, and ends nothing that came later.
 */
const endOldSharings = Effect.fnUntraced(function* ({ sessionId, walletIds, finishedIds }: RecoveryRecord) {
  const [refreshes, wallets] = [yield* Refreshes, yield* Wallets]
  const [watermarks, keys] = [yield* Watermarks, yield* ShareKeys]
  for (const walletId of walletIds) {
    if (finishedIds.includes(walletId)) {
      const shareId = Option.getOrUndefined(yield* refreshes.concluded(walletId, sessionId))?.shareId
      // Not by the wallet's row: a refresh since may not be acknowledged. Once it is, this key is gone with those before it.
      const epoch = shareId === undefined ? undefined : yield* keys.epochOf(walletId, shareId)
      if (shareId === undefined || epoch === undefined) continue
      yield* watermarks.raise(epochWatermark(walletId), epoch)
      yield* keys.destroyOthers({ walletId, epoch, shareId })
      continue
    }
    const wallet = Option.getOrUndefined(yield* wallets.find(walletId))
    if (wallet?.state !== 'BURNED' || (yield* watermarks.read(lockedWatermark(walletId))) >= wallet.epoch) continue
    yield* watermarks.raiseAll(lockedWatermarks(walletId, wallet.epoch, wallet.updatedAt))
  }
})
