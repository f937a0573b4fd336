/**
 * REATTACH: the device returns the provider's share in the capsule that it keeps for the provider. It is for a service
 * that lost its share keys, or whose database is older than the device's share. It restores the sharing of the frame,
 * only forward: none older than the database's, and none below the mark outside. Of a wallet whose key the database has
 * forgotten, the capsule names the key and the root key that has to have certified the device. The wallet signs nothing
 * before a refresh, because the co-signer's ring alone opens a capsule (domain/service/protocol/README.md#share-keys).
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
import { Sessions } from '../ports/Sessions.ts'
import { Transaction } from '../ports/Transaction.ts'
import { Wallets } from '../ports/Wallets.ts'
import { Watermarks } from '../ports/Watermarks.ts'
import { hasKey, type WalletRecord } from '../Wallet.ts'
import { requireCertificate } from './certificate.ts'
import { endOthers } from './ending.ts'
import { activate } from './keygen.ts'
import { CapsuleRefused, KeyShareOutOfDate, RootKeyDiffers } from './refusals.ts'
import { isForgotten } from './walletStatus.ts'
import { epochWatermark, reattachedWatermark } from './watermarks.ts'
import type { Request } from './Plan.ts'
import { Rates, userAt } from '../rates.ts'

/** The body of the frame is the capsule. Returns an empty body. */
export const reattach = Effect.fn('protocol.reattach')(function* (request: Request) {
  const { frame, session, userId, wallet } = request
  const { walletId, epoch } = frame
  const shareId = bytesToHex(frame.shareId)
  yield* (yield* RateLimits).take('protocol.reattach', userAt(session.partnerId, userId), (yield* Rates).R4)
  const known = yield* requireForward(wallet, epoch, shareId)
  const returned = {
    scheme: frame.scheme,
    walletId,
    epoch,
    shareId: frame.shareId,
    of: hasKey(known)
      ? { publicKey: hexToBytes(known.publicKey), rootPublicKey: hexToBytes(known.rootPublicKey ?? '') }
      : undefined,
    capsule: frame.body,
  }
  const asker = { userId, partnerId: session.partnerId }
  const reattached = yield* (yield* CosignerEngine).reattach(returned, asker)
  if (reattached === undefined) return yield* new CapsuleRefused()
  const key = { publicKey: bytesToHex(reattached.publicKey), rootPublicKey: bytesToHex(reattached.rootPublicKey) }
  if (!hasKey(known)) yield* requireCertificate(request, key.rootPublicKey)
  const watermarks = yield* Watermarks
  yield* watermarks.raise(reattachedWatermark(walletId), epoch)
  yield* (yield* Transaction).atomically(
    Effect.gen(function* () {
      const [sessions, wallets] = [yield* Sessions, yield* Wallets]
      // Sessions are locked before wallets, as at logout.
      if (!hasKey(known)) yield* sessions.lock(session.id)
      const locked = Option.getOrUndefined(yield* wallets.lock(walletId))
      if (locked?.userId !== userId) return yield* new WalletDoesNotExist({ walletId })
      const current = yield* requireForward(locked, epoch, shareId)
      const now = yield* Clock.currentTimeMillis
      if (hasKey(current)) {
        const isSame = current.publicKey === key.publicKey && (current.rootPublicKey ?? '') === key.rootPublicKey
        if (!isSame) return yield* new KeyShareOutOfDate()
        if (current.shareId !== shareId) yield* wallets.advance(walletId, current.shareId, { epoch, shareId }, now)
      } else {
        const address = yield* activate(current, { ...key, userId, epoch, shareId }, now)
        if (address === undefined) return yield* new RootKeyDiffers()
        yield* sessions.addWallet(session.id, current.type, walletId)
      }
      const [shares, refreshes] = [yield* ProviderShares, yield* Refreshes]
      yield* shares.remove(walletId, shareId)
      yield* shares.put({ walletId, epoch, shareId, sealed: reattached.sealed, capsule: frame.body }, now)
      // The share keys of the OT records may be lost too, so every device enrols anew.
      yield* (yield* OtRecords).removeAll(walletId)
      yield* endOthers({ walletId }, 'shares new', 'the provider’s share came back')
      const live = Option.getOrUndefined(yield* refreshes.live(walletId))
      if (live !== undefined) yield* refreshes.abort(live, now)
      yield* (yield* Audit).record({
        event: 'wallet.reattached',
        partnerId: current.partnerId,
        userId,
        sessionId: session.id,
        subject: walletId,
        detail: { severity: 'HIGH', epoch, from: current.epoch },
      })
    }),
  )
  yield* watermarks.raise(epochWatermark(walletId), epoch)
  return new Uint8Array(0)
})

/** The sharing is the active one or a later one, and not below the epoch mark. */
const requireForward = Effect.fnUntraced(function* (wallet: WalletRecord, epoch: number, shareId: string) {
  if (!hasKey(wallet) && !(yield* isForgotten(wallet))) return yield* new KeyShareOutOfDate()
  const isForward = epoch > wallet.epoch || (epoch === wallet.epoch && shareId === wallet.shareId)
  const highest = yield* (yield* Watermarks).read(epochWatermark(wallet.id))
  return isForward && epoch >= highest ? wallet : yield* new KeyShareOutOfDate()
})
