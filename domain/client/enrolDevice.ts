import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { UserShare } from '../mpc/ShareText.ts'
import { Random } from './ports/Random.ts'
import { ShareStore, type OtState } from './ports/ShareStore.ts'
import { exchangeFrame, insistently, ProtocolAborted, KeyShareLocked, runProtocol, thisDevice } from './runProtocol.ts'

/** This device's OT state for a DKLS wallet. A device without one enrols (domain/client/README.md#device-enrolment). */
export const otState = Effect.fn('wallets.otState')(function* (user: UserShare) {
  const shares = yield* ShareStore
  const { walletId } = user.share
  if (yield* shares.isLocked(walletId)) return yield* new KeyShareLocked({ reason: 'no login since a failed check' })
  const found = yield* shares.findOt(walletId)
  return Option.isSome(found) ? found.value : yield* enrolDevice(user)
})

/**
 * Three requests and the confirming call, after which this device has base OTs of its own. Keys are unchanged. The
 * record counts once it is confirmed; otherwise it is worth nothing and the device enrols again.
 */
export const enrolDevice = Effect.fn('wallets.enrolDevice')(function* ({
  share,
  userId,
  partnerId,
  cosignerName,
  cosignerKey,
}: UserShare) {
  const shares = yield* ShareStore
  const { thumb } = yield* thisDevice
  const cosigner = { name: cosignerName, publicKey: cosignerKey }
  const ended = yield* runProtocol({
    operation: 'ATTACH',
    context: {
      kind: 'attach',
      scheme: share.scheme,
      protocolId: yield* (yield* Random).uuid,
      walletId: share.walletId,
      userId,
      partnerId,
      deviceKeyThumb: thumb,
      epoch: share.epoch,
      attempt: noAttempt,
      shareId: share.shareId,
      otId: new Uint8Array(0),
      rootPublicKey: share.rootPublicKey,
    },
    share,
    cosigner,
    firstBody: (message) => message,
    progress: (round, of) => ({ step: 'attaching', round, of }),
  })
  const { result } = ended.progress
  if (ended.progress.kind !== 'confirm' || result.ot === undefined || result.otId === undefined) {
    return yield* new ProtocolAborted({ by: 'client', reason: 'attach gave no OT record' })
  }
  const frame = yield* ended.confirmFrame(ended.progress.request)
  yield* insistently(exchangeFrame(cosigner, share.walletId, frame))
  const made: OtState = { otId: result.otId, record: result.ot }
  yield* shares.putOt(share.walletId, made)
  return made
})

/** 16 zero bytes: only keygen and refresh have attempts. */
export const noAttempt = new Uint8Array(16)
