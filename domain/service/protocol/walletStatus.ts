/** Whether the wallet may be used, and whether the device's share fits the provider's, before any arithmetic. */
import { bytesToHex } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import type { Frame } from '../../mpc/Frame.ts'
import { generationParts } from '../generationParts.ts'
import type { Made } from '../ports/CosignerEngine.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import type { ProviderShare } from '../ports/ProviderShares.ts'
import type { SeenToClaim } from '../ports/Runs.ts'
import type { Sharing } from '../ports/ShareKeys.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import type { RunRecord } from '../Run.ts'
import { hasKey, type WalletRecord } from '../Wallet.ts'
import { lockedWatermark, epochWatermark, reattachedWatermark } from './watermarks.ts'
import { DeviceNotAttached, KeyShareLocked, KeyShareOutOfDate } from './refusals.ts'

/** The wallet is active in the frame's epoch and sharing, and no mark outside the database locks it. */
export const requireActive = Effect.fnUntraced(function* (
  wallet: WalletRecord,
  frame: Pick<Frame, 'epoch' | 'shareId'>,
) {
  if (wallet.state === 'CREATED') return yield* new KeyShareOutOfDate()
  yield* requireNotLocked(wallet.id, wallet.epoch)
  if (wallet.state === 'BURNED' || (yield* isReattached(wallet))) return yield* new KeyShareLocked()
  const isCurrent = wallet.epoch === frame.epoch && wallet.shareId === bytesToHex(frame.shareId)
  if (!isCurrent) return yield* new KeyShareOutOfDate()
})

/** No mark locks the wallet in this epoch (domain/service/protocol/README.md#bans). */
export const requireNotLocked = Effect.fnUntraced(function* (walletId: string, epoch: number) {
  if (yield* isLockedByWatermark(walletId, epoch)) return yield* new KeyShareLocked()
})

/**
 * An older database has forgotten the wallet's key: its row has none, and a mark says that one was confirmed. A device may have
 * the other half, so no other key is made for it, and no half of it is said to be worthless.
 */
export const isForgotten = (wallet: WalletRecord) =>
  hasKey(wallet) ? Effect.succeed(false) : isLockedByWatermark(wallet.id, wallet.epoch)

/** The wallet signs nothing before a refresh. */
export const isLocked = Effect.fn('protocol.isLocked')(function* (wallet: WalletRecord) {
  return (yield* isLockedByFailedCheck(wallet)) || (yield* isReattached(wallet))
})

/** The wallet signs nothing before a refresh, and the refresh takes a fresh login. */
export const isLockedByFailedCheck = Effect.fn('protocol.isLockedByFailedCheck')(function* (wallet: WalletRecord) {
  return wallet.state === 'BURNED' || (yield* isLockedByWatermark(wallet.id, wallet.epoch))
})

const isReattached = Effect.fnUntraced(function* ({ id, epoch }: WalletRecord) {
  return epoch > 0 && (yield* (yield* Watermarks).read(reattachedWatermark(id))) >= epoch
})

const isLockedByWatermark = Effect.fnUntraced(function* (walletId: string, epoch: number) {
  const watermarks = yield* Watermarks
  const highest = yield* watermarks.read(epochWatermark(walletId))
  const lockedEpoch = yield* watermarks.read(lockedWatermark(walletId))
  return highest > epoch || lockedEpoch >= Math.max(epoch, 1)
})

/** The provider's share of the run's epoch, sealed. */
export const sealedShareOf = ({ epoch }: RunRecord, { share }: Materials) => sealedIn(share, epoch)

type Materials = Pick<SeenToClaim, 'share' | 'ot'>

const sealedIn = (share: ProviderShare | undefined, epoch: number) =>
  share?.epoch === epoch ? Effect.succeed(share.sealed) : Effect.fail(new KeyShareOutOfDate())

/** Stores the co-signer's side of the oblivious transfers that a setup made with its device for this sharing, if they serve. */
export const putOtRecord = Effect.fnUntraced(function* (
  run: RunRecord,
  { otId, sealed }: NonNullable<Made['ot']>,
  { epoch, shareId }: Pick<Sharing, 'epoch' | 'shareId'>,
  now: number,
) {
  const { walletId, deviceKeyThumb, generation, areTransfersVoid } = run
  if (areTransfersVoid) return
  const madeIn = { deviceKeyThumb, databaseLife: generationParts(generation).database }
  yield* (yield* OtRecords).put({ walletId, otId: bytesToHex(otId), ...madeIn, epoch, shareId, sealed }, now)
})

/**
 * The provider's share of the run's epoch and the OT record that the run names, sealed. The record must be of the run's
 * device, sharing and database generation. An erased record means that the wallet is locked.
 */
export const sealedShareAndOtOf = Effect.fnUntraced(function* (run: RunRecord, { share, ot: record }: Materials) {
  const { otId, deviceKeyThumb, epoch, shareId } = run
  const sealedShare = yield* sealedIn(share, epoch)
  const isOwn =
    record?.otId === otId &&
    record.deviceKeyThumb === deviceKeyThumb &&
    record.databaseLife === generationParts(run.generation).database &&
    record.epoch === epoch &&
    record.shareId === shareId
  if (!isOwn) return yield* new DeviceNotAttached()
  return { sealedShare, sealedOt: record.sealed ?? (yield* new KeyShareLocked()) }
})
