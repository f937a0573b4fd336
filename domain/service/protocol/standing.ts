/** Whether a wallet's half here and the device's half belong together, before any arithmetic (flows 7, 8.1). */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { Frame } from '../../mpc/Frame.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { databaseLifeOf, type Run } from '../Run.ts'
import type { Wallet } from '../Wallet.ts'
import { burnedMark, epochMark, reattachedMark } from './marks.ts'
import { DeviceNotAttached, KeyShareLocked, KeyShareOutOfDate } from './refusals.ts'

/**
 * The wallet is active, in the frame's epoch and sharing, and no mark says that this database is older than it looks.
 */
export const requireActive = Effect.fn('protocol.requireActive')(function* (
  wallet: Wallet,
  frame: Pick<Frame, 'epoch' | 'shareId'>,
) {
  if (wallet.state === 'CREATED') return yield* new KeyShareOutOfDate()
  yield* requireUnburned(wallet.id, wallet.epoch)
  if (wallet.state === 'BURNED' || (yield* isReattached(wallet))) return yield* new KeyShareLocked()
  const isCurrent = wallet.epoch === frame.epoch && wallet.shareId === bytesToHex(frame.shareId)
  if (!isCurrent) return yield* new KeyShareOutOfDate()
})

/** No mark is above this epoch, and it is not burned. */
export const requireUnburned = Effect.fn('protocol.requireUnburned')(function* (walletId: string, epoch: number) {
  if (yield* isMarked(walletId, epoch)) return yield* new KeyShareLocked()
})

/** Nothing signs before a refresh. */
export const isLocked = Effect.fn('protocol.isLocked')(function* (wallet: Wallet) {
  return (yield* isBurned(wallet)) || (yield* isReattached(wallet))
})

/** Nothing signs before a refresh, and that takes a fresh login. */
export const isBurned = Effect.fn('protocol.isBurned')(function* (wallet: Wallet) {
  return wallet.state === 'BURNED' || (yield* isMarked(wallet.id, wallet.epoch))
})

const isReattached = Effect.fnUntraced(function* ({ id, epoch }: Wallet) {
  return epoch > 0 && (yield* (yield* Watermarks).read(reattachedMark(id))) >= epoch
})

const isMarked = Effect.fnUntraced(function* (walletId: string, epoch: number) {
  const marks = yield* Watermarks
  const highest = yield* marks.read(epochMark(walletId))
  const burned = yield* marks.read(burnedMark(walletId))
  return highest > epoch || burned >= Math.max(epoch, 1)
})

/** The provider's share of the run's epoch, sealed. */
export const sealedShareOf = Effect.fnUntraced(function* ({ walletId, epoch, shareId }: Run) {
  const share = Option.getOrUndefined(yield* (yield* ProviderShares).find(walletId, shareId))
  return share?.epoch === epoch ? share.sealed : yield* new KeyShareOutOfDate()
})

/**
 * The OT record that the run names, sealed: its device made it, with the run's sharing, in this life of the database. A burned one
 * locks the wallet.
 */
export const sealedOtOf = Effect.fnUntraced(function* (run: Run) {
  const { walletId, otId, deviceKeyThumb, epoch, shareId } = run
  const record = Option.getOrUndefined(yield* (yield* OtRecords).find(walletId, otId))
  const isOwn =
    record?.deviceKeyThumb === deviceKeyThumb &&
    record.databaseLife === databaseLifeOf(run) &&
    record.epoch === epoch &&
    record.shareId === shareId
  if (!isOwn) return yield* new DeviceNotAttached()
  return record.sealed ?? (yield* new KeyShareLocked())
})
