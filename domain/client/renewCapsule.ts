import * as Clock from 'effect/Clock'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import { equal } from '../crypto/Equal.ts'
import * as ShareTextForm from '../mpc/ShareTextForm.ts'
import { capsuleLifeMs } from '../model/Limits.ts'
import { exchangeStatus, noRun } from './heldShare.ts'
import { ShareStore } from './ports/ShareStore.ts'

/**
 * Once a week exchanges the capsule for one under the active key of the co-signer's ring, so that the operator can
 * retire an older key (adapters/service/vault/README.md#rotation). What comes back is kept and sent once more: a key
 * counts as not needed only when the device has stored what replaces its capsule.
 */
export const renewCapsule = Effect.fn('signing.renewCapsule')(function* (walletId: string) {
  const store = yield* ShareStore
  const held = Option.getOrUndefined(yield* store.find(walletId))
  const now = yield* Clock.currentTimeMillis
  if (held?.capsule === undefined || now - (held.capsuleAt ?? 0) < capsuleLifeMs) return
  const user = yield* Effect.fromResult(ShareTextForm.read(held.shareText))
  let before = held.capsule
  for (let tries = 0; tries < 2; tries++) {
    const capsule = yield* exchangeStatus(user, 'REISSUE', noRun, before)
    const isConfirmed = equal(capsule, before)
    yield* store.replaceCapsule(walletId, { before, capsule, at: isConfirmed ? now : undefined })
    if (isConfirmed) return
    before = capsule
  }
})
