/**
 * Refresh on the co-signer's side (flows 9; design 8.19, 8.20): the new sharing is prepared beside the active one, and
 * takes its place in one transaction with the client's CONFIRM, when a backup of it is there for everybody who had one.
 * The old sharing is retained until the client says that the new one signs.
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
import { NotFound } from '../NotFound.ts'
import { Failpoints } from '../ports/Failpoints.ts'
import { Incarnation } from '../ports/Incarnation.ts'
import { KeyShares } from '../ports/KeyShares.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { Passkeys } from '../ports/Passkeys.ts'
import { Passwords } from '../ports/Passwords.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { Recoveries } from '../ports/Recoveries.ts'
import { RecoveryPublicKeys } from '../ports/RecoveryPublicKeys.ts'
import { Refreshes, type Prepared } from '../ports/Refreshes.ts'
import { Runs } from '../ports/Runs.ts'
import { parts, ShareKeys } from '../ports/ShareKeys.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { isReady, type Recovery } from '../Recovery.ts'
import { isDone, isFreshLogin, limits, type Refresh } from '../Refresh.ts'
import { databaseLifeOf, isLive, limits as runLimits, type Run } from '../Run.ts'
import type { Session } from '../Session.ts'
import { hasKey, type Wallet } from '../Wallet.ts'
import { requireOnlyRun } from './concurrency.ts'
import { endOthers } from './ending.ts'
import { requireFewFailures } from './keygen.ts'
import { burnedAtMark, epochMark } from './marks.ts'
import type { Beginning, Done, Plan } from './Plan.ts'
import { BackupsMissing, KeyShareLocked, KeyShareOutOfDate } from './refusals.ts'
import type { Request } from './Request.ts'
import { isBurned, isLocked, sealedShareOf } from './standing.ts'

export const refresh = (request: Request, noun: 'refresh' | 'confirm'): Plan => {
  const { frame, wallet, recovery } = request
  const rootPublicKey = recovery?.credential.rootPublicKey ?? wallet.rootPublicKey ?? ''
  return {
    kind: 'refresh',
    noun,
    message: frame.body,
    opening: frame.step === 1 ? { otId: '', rootPublicKey, payloadClass: null, digest: null } : undefined,
    newRoot: recovery !== undefined,
    payload: undefined,
    admit: (locked) => admit(request, locked),
    begin: (locked) => begin(request, locked),
    materials: (run) => Effect.map(sealedShareOf(run), (sealedShare) => ({ sealedShare, sealedOt: null })),
    expiresAt: (run) => run.expiresAt,
    finish: (locked, run, done, now) =>
      recovery === undefined
        ? finish(request, locked, run, done, now)
        : prepare(recovery, locked, run, done, now),
  }
}

/** The frame is of the sharing that stands; out of a lock leads a fresh login (design 8.17) or a recovery. */
const admit = Effect.fnUntraced(function* ({ frame, session, recovery }: Request, wallet: Wallet) {
  const isCurrent = wallet.epoch === frame.epoch && wallet.shareId === bytesToHex(frame.shareId)
  if (wallet.state === 'CREATED' || !isCurrent) return yield* new KeyShareOutOfDate()
  if (recovery === undefined) yield* requireFreshIfLocked(session, wallet)
})

/** Out of a burn leads a login through the portal that came after it, and just now. */
export const requireFreshIfLocked = Effect.fn('protocol.requireFreshIfLocked')(function* (
  session: Session,
  wallet: Wallet,
) {
  if (!(yield* isBurned(wallet))) return
  const burnedAt = yield* (yield* Watermarks).read(burnedAtMark(wallet.id))
  const isAfterBan = (session.authenticatedAt ?? 0) > burnedAt
  if (!isAfterBan || !isFreshLogin(session, yield* Clock.currentTimeMillis)) return yield* new KeyShareLocked()
})

const begin = Effect.fnUntraced(function* ({ frame, header, session }: Request, wallet: Wallet) {
  const attempt = Option.getOrUndefined(yield* (yield* Refreshes).find(frame))
  if (attempt?.state !== 'LIVE' || attempt.sessionId !== frame.sessionId) return yield* new NotFound()
  if (attempt.baseShareId !== wallet.shareId) return yield* new KeyShareOutOfDate()
  yield* requireFewFailures(wallet.id, session, yield* Clock.currentTimeMillis)
  yield* requireOnlyRun(wallet.id, { kind: 'refresh', deviceKeyThumb: header.deviceKeyThumb, digest: null })
  const beginning: Beginning = { kind: 'go', sending: null }
  return beginning
})

/** An attempt whose first request is refused holds up nobody, least of all its own device after the login that it needs. */
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

/** The commit: one sharing takes the place of the other, with everything that belongs to it, or nothing (flows 9.5). */
const finish = Effect.fnUntraced(function* (
  { session, userId }: Request,
  wallet: Wallet,
  run: Run,
  { made }: Done,
  now: number,
) {
  const { share, ot } = made
  if (share === undefined || !hasKey(wallet) || bytesToHex(share.publicKey) !== wallet.publicKey) return undefined
  const { walletId, deviceKeyThumb } = run
  const [shareId, epoch] = [bytesToHex(share.shareId), run.epoch + 1]
  // A client without a certificate stages nothing: the old sharing stays until its backups arrive (design 8.19).
  if (session.deviceCertificate !== null) yield* requireBackups(userId, walletId, shareId)
  if (!(yield* (yield* Wallets).advance(walletId, run.shareId, { epoch, shareId }, now))) return undefined
  if (!(yield* (yield* Refreshes).commit(run, shareId, now))) return undefined
  const { sealed, capsule } = share
  yield* (yield* ProviderShares).put({ walletId, epoch, shareId, sealed }, now)
  if (ot !== undefined) {
    const of = { walletId, otId: bytesToHex(ot.otId), deviceKeyThumb, databaseLife: databaseLifeOf(run) }
    const record = { ...of, epoch, shareId, sealed: ot.sealed }
    yield* (yield* OtRecords).put(record, now)
  }
  yield* endOthers(run, 'shares new', 'the key shares are new')
  return MpcFrame.encodeConfirmed({ address: wallet.address, capsule })
})

/**
 * In a recovery the new sharing is only prepared: it takes effect with those of all other wallets (flows 10.6, 10.7). No
 * device keeps what it made there, so no OT record is kept here.
 */
const prepare = Effect.fnUntraced(function* (
  { sessionId }: Recovery,
  wallet: Wallet,
  run: Run,
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
  yield* (yield* ProviderShares).put({ walletId: wallet.id, epoch, shareId, sealed }, now)
  return MpcFrame.encodeConfirmed({ address: wallet.address, capsule })
})

/**
 * A sharing that was prepared and never takes effect. Its wallet is locked. Its share key goes with the wallet's next
 * acknowledgement: it must not go before this transaction is committed, and until then opens no more than what stands.
 */
export const discard = Effect.fn('protocol.discard')(function* (prepared: Prepared, now: number) {
  const { walletId, shareId } = prepared
  yield* (yield* Refreshes).abort(prepared, now)
  yield* (yield* ProviderShares).remove(walletId, shareId)
  yield* (yield* KeyShares).remove(walletId, shareId)
})

/** The new credential and a new recovery key can open the share: nothing else will be there (flows 10.6). */
export const requireRecoveryBackups = Effect.fn('protocol.requireRecoveryBackups')(function* (
  { userId, sessionId, credential }: Recovery,
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

/** Whoever could open the old share can open the new one (flows 9.4): every credential and every recovery key. */
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
 * ACK: the new shares signed. What was retained is gone for good: no older database brings it back, because of the mark
 * outside, and no copy of one opens it, because its share key is destroyed. Again: nothing changes.
 */
export const acknowledge = Effect.fn('protocol.acknowledge')(function* ({ frame, userId }: Request) {
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
      yield* (yield* Runs).forgetEpochsBefore(wallet.id, wallet.epoch, now - runLimits.failedSetupsWithin)
      yield* failpoints.reach('ack.within')
    }),
  )
  yield* failpoints.reach('ack.commit.after')
  yield* (yield* Watermarks).raise(epochMark(frame.walletId), frame.epoch)
  yield* failpoints.reach('ack.mark.after')
  yield* (yield* ShareKeys).destroyOthers({ walletId: frame.walletId, epoch: frame.epoch, shareId })
  yield* failpoints.reach('ack.after')
  return new Uint8Array(0)
})

/**
 * Destroys the share keys that an acknowledgement would have destroyed, had its process not died after it raised the mark.
 * The marks alone decide: by its rows an older database would destroy what its devices sign with.
 */
export const destroyOldShareKeys = Effect.fn('protocol.destroyOldShareKeys')(function* () {
  const [keys, marks] = [yield* ShareKeys, yield* Watermarks]
  for (let part = 0; part < parts; part++) {
    for (const walletId of yield* keys.walletsIn(part)) {
      yield* keys.destroyBefore(walletId, yield* marks.read(epochMark(walletId)))
    }
    yield* Effect.yieldNow
  }
})

/**
 * RECONCILE: which sharing stands, and what became of the attempt that the frame's protocol id names. An attempt whose
 * run is over is told to be ABORTED, and is from then on.
 */
export const reconcile = Effect.fn('protocol.reconcile')(function* ({ frame, userId }: Request) {
  return yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallet = yield* lockOwned(frame.walletId, userId)
      if (!hasKey(wallet)) return yield* new KeyShareOutOfDate()
      const refreshes = yield* Refreshes
      const now = yield* Clock.currentTimeMillis
      const found = Option.getOrUndefined(yield* refreshes.find(frame))
      const isOver = found?.state === 'LIVE' && !(yield* isGoingOn(found, now))
      if (isOver) yield* refreshes.abort(found, now)
      return MpcFrame.encodeStanding({
        epoch: wallet.epoch,
        shareId: hexToBytes(wallet.shareId),
        state: (yield* isLocked(wallet)) ? 'LOCKED' : 'ACTIVE',
        attempt: isOver ? 'ABORTED' : standingOf(found),
      })
    }),
  )
})

/** A prepared one is still on its way. */
const standingOf = (attempt: Refresh | undefined): MpcFrame.StandingBody['attempt'] =>
  attempt?.state === 'PREPARED' ? 'LIVE' : (attempt?.state ?? 'NONE')

/** Whether the attempt may still commit. One that has not begun its run yet may, for as long as its lease. */
export const isGoingOn = Effect.fn('protocol.isGoingOn')(function* (attempt: Refresh, now: number) {
  if (isDone(attempt) || attempt.state === 'ABORTED') return false
  const runs = yield* Runs
  const run = Option.getOrUndefined(yield* runs.find(attempt))
  if (run === undefined) return now < attempt.createdAt + limits.lease
  // A run that lacks its confirming call alone goes on over restarts.
  const answered = (yield* runs.rounds(attempt)).filter(({ responseHash }) => responseHash !== null)
  const isPrepared = answered.length + 1 === protocolOf(run.scheme, run.kind)?.server.length
  return isLive(run, isPrepared || (yield* (yield* Incarnation).isCurrent(run.incarnation)), now)
})

const lockOwned = Effect.fnUntraced(function* (walletId: string, userId: string) {
  const wallet = Option.getOrUndefined(yield* (yield* Wallets).lock(walletId))
  return wallet?.userId === userId ? wallet : yield* new WalletDoesNotExist({ walletId })
})
