/**
 * Refresh on the co-signer's side, in two phases (domain/service/protocol/README.md#refresh-and-epochs): the new
 * sharing is prepared beside the active one and replaces it in one transaction at the client's CONFIRM, once every
 * credential and recovery key has a backup of it. The rows of the old sharing stay until the client's ACK.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { Encryptor } from '../../model/KeyShare.ts'
import { NoSignedInUser } from '../../model/Session.ts'
import * as MpcFrame from '../../mpc/Frame.ts'
import { protocolOf } from '../../mpc/protocols.ts'
import { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import { isByNow, isInTime } from '../clocks.ts'
import { NotFound } from '../NotFound.ts'
import { CosignerEngine, type Asker } from '../ports/CosignerEngine.ts'
import { Failpoints } from '../ports/Failpoints.ts'
import { DatabaseGeneration } from '../ports/DatabaseGeneration.ts'
import { KeyShares } from '../ports/KeyShares.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Passkeys } from '../ports/Passkeys.ts'
import { Passwords } from '../ports/Passwords.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { RateLimits } from '../ports/RateLimits.ts'
import { Recoveries } from '../ports/Recoveries.ts'
import { RecoveryPublicKeys } from '../ports/RecoveryPublicKeys.ts'
import { Refreshes, type Prepared } from '../ports/Refreshes.ts'
import { Runs, type SeenToClaim } from '../ports/Runs.ts'
import { parts, ShareKeys } from '../ports/ShareKeys.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { Rates, userAt } from '../rates.ts'
import { isReady, type RecoveryRecord } from '../Recovery.ts'
import { isDone, isFreshLogin, refreshLimits, type RefreshRecord } from '../Refresh.ts'
import { isLive, type RunRecord } from '../Run.ts'
import type { SessionRecord } from '../Session.ts'
import { hasKey, type WalletRecord } from '../Wallet.ts'
import { endOthers, requireOnlyRun } from './ending.ts'
import { lockedAtWatermark, epochWatermark } from './watermarks.ts'
import type { Beginning, Done, Plan, Request } from './Plan.ts'
import { BackupsMissing, KeyShareLocked, KeyShareOutOfDate } from './refusals.ts'
import { countedSince, requireFewFailures } from './setups.ts'
import { isForgotten, isLockedByFailedCheck, isLocked, putOtRecord, sealedShareOf } from './walletStatus.ts'

/** The plan of REFRESH and of its CONFIRM, in a recovery too. */
export const refresh = (request: Request, operation: 'refresh' | 'confirm'): Plan => {
  const { frame, wallet, recovery } = request
  const rootPublicKey = recovery?.credential.rootPublicKey ?? wallet.rootPublicKey ?? ''
  return {
    kind: 'refresh',
    operation,
    message: frame.body,
    firstRequest: frame.step === 1 ? { otId: '', rootPublicKey, payloadClass: null, digest: null } : undefined,
    newRoot: recovery !== undefined,
    payload: undefined,
    admit: (locked) => admit(request, locked),
    begin: (locked, seen) => begin(request, locked, seen),
    materials: (run, seen) => Effect.map(sealedShareOf(run, seen), (sealedShare) => ({ sealedShare, sealedOt: null })),
    expiresAt: (run) => run.expiresAt,
    finish: (locked, run, done, now) =>
      recovery === undefined ? finish(request, locked, run, done, now) : prepare(recovery, locked, run, done, now),
  }
}

/** The frame must be of the active sharing; a locked wallet takes a fresh login or a recovery. */
const admit = Effect.fnUntraced(function* ({ frame, session, recovery }: Request, wallet: WalletRecord) {
  const isCurrent = wallet.epoch === frame.epoch && wallet.shareId === bytesToHex(frame.shareId)
  if (wallet.state === 'CREATED' || !isCurrent) return yield* new KeyShareOutOfDate()
  if (recovery === undefined) yield* requireFreshIfLocked(session, wallet)
})

/**
 * A wallet that a failed check locked is refreshed only after a recent login through the portal, later than the ban.
 */
export const requireFreshIfLocked = Effect.fn('protocol.requireFreshIfLocked')(function* (
  session: SessionRecord,
  wallet: WalletRecord,
) {
  if (!(yield* isLockedByFailedCheck(wallet))) return
  const now = yield* Clock.currentTimeMillis
  const markedAt = yield* (yield* Watermarks).read(lockedAtWatermark(wallet.id))
  // A full disk may have kept the mark out. Nothing else changes the row of a locked wallet.
  const lockedAt = [markedAt, wallet.state === 'BURNED' ? wallet.updatedAt : 0]
  // A mark never sinks: by a time of a clock that was ahead, the owner would be kept out until then.
  const isAfterLock = lockedAt.every((at) => at < (session.authenticatedAt ?? 0) || !isByNow(at, now))
  if (!isAfterLock || !isFreshLogin(session, now)) return yield* new KeyShareLocked()
})

const begin = Effect.fnUntraced(function* (
  { frame, header, session }: Request,
  wallet: WalletRecord,
  seen: SeenToClaim,
) {
  const attempt = Option.getOrUndefined(yield* (yield* Refreshes).find(frame))
  if (attempt?.state !== 'LIVE' || attempt.sessionId !== frame.sessionId) return yield* new NotFound()
  if (attempt.baseShareId !== wallet.shareId) return yield* new KeyShareOutOfDate()
  yield* requireFewFailures(wallet.id, session, yield* Clock.currentTimeMillis)
  yield* requireOnlyRun(seen, { kind: 'refresh', deviceKeyThumb: header.deviceKeyThumb, digest: null })
  const beginning: Beginning = { kind: 'go', sending: null }
  return beginning
})

/**
 * Aborts an attempt whose first request was refused, so that it does not delay the next one, after a login for example.
 */
export const neverBegun = Effect.fn('protocol.neverBegun')(function* ({ frame, userId }: Request) {
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      yield* lockOwned(frame.walletId, userId)
      const refreshes = yield* Refreshes
      const attempt = Option.getOrUndefined(yield* refreshes.find(frame))
      const isBegun = Option.isSome(yield* (yield* Runs).find(frame))
      if (isBegun || attempt?.sessionId !== frame.sessionId) return
      yield* refreshes.abort(attempt, yield* Clock.currentTimeMillis)
    }),
  )
})

/** The commit: the new sharing replaces the old one with everything that belongs to it, in one transaction. */
const finish = Effect.fnUntraced(function* (
  { session, userId }: Request,
  wallet: WalletRecord,
  run: RunRecord,
  { made }: Done,
  now: number,
) {
  const { share, ot } = made
  if (share === undefined || !hasKey(wallet) || bytesToHex(share.publicKey) !== wallet.publicKey) return undefined
  const { walletId } = run
  const [shareId, epoch] = [bytesToHex(share.shareId), run.epoch + 1]
  // A client without a certificate stages no backups: those of the old sharing stay until its ACK.
  if (session.deviceCertificate !== null) yield* requireBackups(userId, walletId, shareId)
  if (!(yield* (yield* Wallets).advance(walletId, run.shareId, { epoch, shareId }, now))) return undefined
  // The wallet has moved already: only an undone transaction takes that back.
  if (!(yield* (yield* Refreshes).commit(run, shareId, now)))
    return yield* Effect.die(new Error('the refresh of a live run is over'))
  const { sealed, capsule } = share
  yield* (yield* ProviderShares).put({ walletId, epoch, shareId, sealed, capsule }, now)
  if (ot !== undefined) yield* putOtRecord(run, ot, { epoch, shareId }, now)
  yield* endOthers(run, 'shares new', 'the key shares are new')
  return MpcFrame.encodeConfirmed({ address: wallet.address, capsule })
})

/**
 * In a recovery the new sharing is only prepared: it takes effect together with those of the user's other wallets
 * (domain/service/README.md#recovery). The recovery's page keeps no OT record, so none is stored here.
 */
const prepare = Effect.fnUntraced(function* (
  { sessionId }: RecoveryRecord,
  wallet: WalletRecord,
  run: RunRecord,
  { made: { share } }: Done,
  now: number,
) {
  const recovery = Option.getOrUndefined(yield* (yield* Recoveries).find(sessionId))
  const isOwn = recovery?.credential?.rootPublicKey === run.rootPublicKey && isReady(recovery, now)
  if (!isOwn) return yield* new NoSignedInUser()
  if (share === undefined || !hasKey(wallet) || bytesToHex(share.publicKey) !== wallet.publicKey) return undefined
  const [shareId, epoch] = [bytesToHex(share.shareId), run.epoch + 1]
  yield* requireRecoveryBackups(recovery, wallet.id, shareId)
  if (!(yield* (yield* Refreshes).prepare(run, shareId, now))) return undefined
  const { sealed, capsule } = share
  yield* (yield* ProviderShares).put({ walletId: wallet.id, epoch, shareId, sealed, capsule }, now)
  return MpcFrame.encodeConfirmed({ address: wallet.address, capsule })
})

/**
 * Removes a prepared sharing that never takes effect. The caller has locked its wallet. Its share key is destroyed with
 * the wallet's next acknowledgement: destroyed here, it would be missing if this transaction rolled back.
 */
export const discard = Effect.fn('protocol.discard')(function* (prepared: Prepared, now: number) {
  const { walletId, shareId } = prepared
  yield* (yield* Refreshes).abort(prepared, now)
  yield* (yield* ProviderShares).remove(walletId, shareId)
  yield* (yield* KeyShares).remove(walletId, shareId)
})

/** Only the new credential and the new recovery keys remain after a recovery, so each of them needs a backup. */
export const requireRecoveryBackups = Effect.fn('protocol.requireRecoveryBackups')(function* (
  { userId, sessionId, credential }: RecoveryRecord,
  walletId: string,
  shareId: string,
) {
  const keys = yield* (yield* RecoveryPublicKeys).ofRecovery(userId, sessionId)
  if (credential === null || keys.length === 0) return yield* new BackupsMissing()
  const passkey =
    credential.kind === 'BIOMETRICS' ? Option.getOrUndefined(yield* (yield* Passkeys).find(credential.id)) : undefined
  const keyRef = credential.kind === 'PASSWORD' ? credential.id : passkey?.completion?.sigDerivedPublicKey
  if (keyRef === undefined) return yield* new BackupsMissing()
  const recoveryKeys = keys.map(({ id }) => ['RECOVERY', id] as const)
  yield* requireBackupsTo([[credential.kind, keyRef], ...recoveryKeys], walletId, shareId)
})

/** Every credential and every signed recovery key needs a backup of the new share. */
const requireBackups = Effect.fnUntraced(function* (userId: string, walletId: string, shareId: string) {
  const passwords = (yield* (yield* Passwords).ofUser(userId)).map(({ id }) => ['PASSWORD', id] as const)
  const passkeys = (yield* (yield* Passkeys).ofUser(userId)).flatMap(({ status, completion }) =>
    status === 'COMPLETE' && completion !== null ? [['BIOMETRICS', completion.sigDerivedPublicKey] as const] : [],
  )
  const recovery = (yield* (yield* RecoveryPublicKeys).ofUser(userId)).flatMap(({ id, signature }) =>
    signature === null ? [] : [['RECOVERY', id] as const],
  )
  yield* requireBackupsTo([...passwords, ...passkeys, ...recovery], walletId, shareId)
})

const requireBackupsTo = Effect.fnUntraced(function* (
  recipients: readonly (readonly [Encryptor, string])[],
  walletId: string,
  shareId: string,
) {
  const staged = yield* (yield* KeyShares).ofWallet(walletId, shareId)
  const isStaged = ([encryptor, keyRef]: readonly [Encryptor, string]) =>
    staged.some((backup) => backup.encryptor === encryptor && backup.keyRef === keyRef)
  if (!recipients.every(isStaged)) return yield* new BackupsMissing()
})

/**
 * ACK: the new shares have signed. Deletes the old sharing for good: the epoch mark outside refuses an older database
 * that has it, and no copy opens it because its share key is destroyed. Idempotent.
 */
export const acknowledge = Effect.fn('protocol.acknowledge')(function* ({ frame, session, userId }: Request) {
  yield* requireStatusRate(userId, session)
  const failpoints = yield* Failpoints
  const shareId = bytesToHex(frame.shareId)
  yield* failpoints.reach('ack.before')
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallet = yield* lockOwned(frame.walletId, userId)
      if (wallet.shareId !== shareId || wallet.epoch !== frame.epoch) return yield* new KeyShareOutOfDate()
      const refreshes = yield* Refreshes
      const prepared = (yield* refreshes.prepared(wallet.id)).filter(({ baseShareId }) => baseShareId === shareId)
      yield* (yield* ProviderShares).removeOthers(wallet.id, [shareId, ...prepared.map((one) => one.shareId)])
      yield* (yield* OtRecords).removeOthers(wallet.id, shareId)
      yield* (yield* KeyShares).removeOthers(wallet.id, { epoch: wallet.epoch, shareId })
      const now = yield* Clock.currentTimeMillis
      yield* refreshes.acknowledge(wallet.id, shareId, now)
      yield* (yield* Runs).forgetEpochsBefore(wallet.id, wallet.epoch, countedSince(now))
      yield* failpoints.reach('ack.within')
    }),
  )
  yield* failpoints.reach('ack.commit.after')
  yield* (yield* Watermarks).raise(epochWatermark(frame.walletId), frame.epoch)
  yield* failpoints.reach('ack.mark.after')
  yield* (yield* ShareKeys).destroyOthers({ walletId: frame.walletId, epoch: frame.epoch, shareId })
  yield* failpoints.reach('ack.after')
  return new Uint8Array(0)
})

/**
 * Destroys the share keys that an acknowledgement did not destroy because its process ended after raising the mark. The
 * marks alone decide: the rows of an older database would select the keys that the devices still use.
 */
export const destroyOldShareKeys = Effect.fn('protocol.destroyOldShareKeys')(function* () {
  const [keys, watermarks] = [yield* ShareKeys, yield* Watermarks]
  for (let part = 0; part < parts; part++) {
    for (const walletId of yield* keys.walletsIn(part)) {
      yield* keys.destroyBefore(walletId, yield* watermarks.read(epochWatermark(walletId)))
    }
    yield* Effect.yieldNow
  }
})

/**
 * RECONCILE: the active sharing and the state of the attempt that the frame's protocol id names. An attempt that cannot
 * commit any more becomes ABORTED.
 */
export const reconcile = Effect.fn('protocol.reconcile')(function* ({ frame, session, userId }: Request) {
  yield* requireStatusRate(userId, session)
  // Before the transaction, which must not wait for a thread.
  const isLost = frame.body[0] === 1 && !(yield* opens(frame, { userId, partnerId: session.partnerId }))
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallet = yield* lockOwned(frame.walletId, userId)
      if (yield* isForgotten(wallet)) return MpcFrame.encodeWalletStatus(noSharing)
      if (!hasKey(wallet)) return yield* new KeyShareOutOfDate()
      const refreshes = yield* Refreshes
      const now = yield* Clock.currentTimeMillis
      const found = Option.getOrUndefined(yield* refreshes.find(frame))
      const isOver = found?.state === 'LIVE' && !(yield* isGoingOn(found, now))
      if (isOver) yield* refreshes.abort(found, now)
      const state = (yield* isLocked(wallet)) ? 'LOCKED' : 'ACTIVE'
      return MpcFrame.encodeWalletStatus({
        epoch: wallet.epoch,
        shareId: hexToBytes(wallet.shareId),
        state: isLost && wallet.shareId === bytesToHex(frame.shareId) ? 'LOST' : state,
        attempt: isOver ? 'ABORTED' : attemptStatusOf(found),
      })
    }),
  )
})

/** Of a forgotten wallet: earlier than the share of any device, so that one with the capsule gives the provider's share back. */
const noSharing = { epoch: 0, shareId: new Uint8Array(32), state: 'LOCKED', attempt: 'NONE' } as const

/** Whether the provider's share of the frame's sharing is there and opens. */
const opens = Effect.fnUntraced(function* ({ walletId, shareId }: MpcFrame.Frame, asker: Asker) {
  const share = Option.getOrUndefined(yield* (yield* ProviderShares).find(walletId, bytesToHex(shareId)))
  return share !== undefined && (yield* (yield* CosignerEngine).opens(share, asker))
})

/** Of ACK, RECONCILE and the CONFIRM of an ended session: they begin no run, which would be counted. */
export const requireStatusRate = Effect.fnUntraced(function* (userId: string, { partnerId }: SessionRecord) {
  yield* (yield* RateLimits).take('protocol.status', userAt(partnerId, userId), (yield* Rates).R4_SIGN)
})

/** PREPARED is LIVE on the wire: it has not taken effect. */
const attemptStatusOf = (attempt: RefreshRecord | undefined): MpcFrame.WalletStatus['attempt'] =>
  attempt?.state === 'PREPARED' ? 'LIVE' : (attempt?.state ?? 'NONE')

/** Whether the attempt may still commit. Before its run begins it may for as long as its lease. */
export const isGoingOn = Effect.fn('protocol.isGoingOn')(function* (attempt: RefreshRecord, now: number) {
  if (isDone(attempt) || attempt.state === 'ABORTED') return false
  const runs = yield* Runs
  const run = Option.getOrUndefined(yield* runs.find(attempt))
  if (run === undefined) return isInTime(attempt.createdAt + refreshLimits.lease, refreshLimits.lease, now)
  // A run that lacks its CONFIRM alone survives restarts.
  const answered = (yield* runs.rounds(attempt)).filter(({ responseHash }) => responseHash !== null)
  const isPrepared = answered.length + 1 === protocolOf(run.scheme, run.kind)?.server.length
  return isLive(run, isPrepared || (yield* (yield* DatabaseGeneration).isCurrent(run.generation)), now)
})

const lockOwned = Effect.fnUntraced(function* (walletId: string, userId: string) {
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(walletId))
  return wallet?.userId === userId ? wallet : yield* new WalletDoesNotExist({ walletId })
})
