import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import type { UserShare } from '../mpc/ShareText.ts'
import { ShareStore, type OtState } from './ports/ShareStore.ts'
import {
  exchangeFrame,
  insistently,
  ProtocolAborted,
  KeyShareLocked,
  runProtocol,
  runWithShare,
} from './runProtocol.ts'

/** This device's OT state for a DKLS wallet. A device without one enrols (domain/client/README.md#device-enrolment). */
export const otState = Effect.fnUntraced(function* (user: UserShare) {
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
export const enrolDevice = Effect.fnUntraced(function* (user: UserShare) {
  const shares = yield* ShareStore
  const { walletId } = user.share
  const { context, ...ofShare } = yield* runWithShare(user)
  const ended = yield* runProtocol({
    ...ofShare,
    operation: 'ATTACH',
    context: { ...context, kind: 'attach' },
    firstBody: (message) => message,
    progress: (round, of) => ({ step: 'attaching', round, of }),
  })
  const { result } = ended.progress
  if (ended.progress.kind !== 'confirm' || result.ot === undefined || result.otId === undefined) {
    return yield* new ProtocolAborted({ by: 'client', reason: 'attach gave no OT record' })
  }
  const frame = yield* ended.confirmFrame(ended.progress.request)
  yield* insistently(exchangeFrame(ofShare.cosigner, walletId, frame))
  const made: OtState = { otId: result.otId, record: result.ot }
  yield* shares.putOt(walletId, made)
  return made
})
