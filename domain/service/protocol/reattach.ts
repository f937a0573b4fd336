/**
 * REATTACH: the device gives the provider's share back, in the capsule that it keeps for the provider. It is for a service
 * that has lost its share keys, or whose database is older than the device's share. What it brings back is the sharing of
 * the frame, and only forward: no older one than the database has, and none below the mark outside. The wallet signs
 * nothing before a refresh, because this sharing has rested where the key-encryption key alone opens it.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { WalletDoesNotExist } from '../../model/WalletSelection.ts'
import { Audit } from '../ports/Audit.ts'
import { CosignerEngine } from '../ports/CosignerEngine.ts'
import { OtRecords } from '../ports/OtRecords.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { RateLimits } from '../ports/RateLimits.ts'
import { Refreshes } from '../ports/Refreshes.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { hasKey, type Wallet } from '../Wallet.ts'
import { endOthers } from './ending.ts'
import { epochMark, reattachedMark } from './marks.ts'
import { CapsuleRefused, KeyShareOutOfDate } from './refusals.ts'
import type { Request } from './Request.ts'

/** Of one user. */
const rate = { burst: 30, perMs: 2_000 }

export const reattach = Effect.fn('protocol.reattach')(function* ({ frame, session, userId, wallet }: Request) {
  const { walletId, epoch } = frame
  const shareId = bytesToHex(frame.shareId)
  yield* (yield* RateLimits).take('protocol.reattach', userId, rate)
  const { publicKey, rootPublicKey } = yield* requireForward(wallet, epoch, shareId)
  const sealed = yield* (yield* CosignerEngine).reattach({
    scheme: frame.scheme,
    walletId,
    epoch,
    shareId: frame.shareId,
    publicKey: hexToBytes(publicKey),
    rootPublicKey: hexToBytes(rootPublicKey ?? ''),
    capsule: frame.body,
  })
  if (sealed === undefined) return yield* new CapsuleRefused()
  const marks = yield* Watermarks
  yield* marks.raise(reattachedMark(walletId), epoch)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const locked = Option.getOrUndefined(yield* wallets.lock(walletId))
      if (locked?.userId !== userId) return yield* new WalletDoesNotExist({ walletId })
      const standing = yield* requireForward(locked, epoch, shareId)
      const isSame = standing.publicKey === publicKey && standing.rootPublicKey === rootPublicKey
      if (!isSame) return yield* new KeyShareOutOfDate()
      const now = yield* Clock.currentTimeMillis
      if (standing.shareId !== shareId) yield* wallets.advance(walletId, standing.shareId, { epoch, shareId }, now)
      const [shares, refreshes] = [yield* ProviderShares, yield* Refreshes]
      yield* shares.remove(walletId, shareId)
      yield* shares.put({ walletId, epoch, shareId, sealed }, now)
      // Their share keys are gone as well, and whatever has not been answered never is.
      yield* (yield* OtRecords).removeAll(walletId)
      yield* endOthers({ walletId }, 'shares new', 'the provider’s share came back')
      const live = Option.getOrUndefined(yield* refreshes.live(walletId))
      if (live !== undefined) yield* refreshes.abort(live, now)
      yield* (yield* Audit).record({
        event: 'wallet.reattached',
        partnerId: standing.partnerId,
        userId,
        sessionId: session.id,
        subject: walletId,
        detail: { severity: 'HIGH', epoch, from: standing.epoch },
      })
    }),
  )
  yield* marks.raise(epochMark(walletId), epoch)
  return new Uint8Array(0)
})

/** The sharing is the one that stands, or a later one; and none is known to be later than it. */
const requireForward = Effect.fnUntraced(function* (wallet: Wallet, epoch: number, shareId: string) {
  if (!hasKey(wallet)) return yield* new KeyShareOutOfDate()
  const isForward = epoch > wallet.epoch || (epoch === wallet.epoch && shareId === wallet.shareId)
  const highest = yield* (yield* Watermarks).read(epochMark(wallet.id))
  return isForward && epoch >= highest ? wallet : yield* new KeyShareOutOfDate()
})
