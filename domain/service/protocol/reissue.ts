/**
 * REISSUE: the device exchanges the capsule that it keeps for the provider, so that a key of the co-signer's ring is no
 * longer needed once it is replaced (adapters/service/vault/README.md#rotation). The share in it stays the same.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import * as Effect from 'effect/Effect'
import { equal } from '../../crypto/Equal.ts'
import { CosignerEngine } from '../ports/CosignerEngine.ts'
import { ProviderShares } from '../ports/ProviderShares.ts'
import { RateLimits } from '../ports/RateLimits.ts'
import { Rates, userAt } from '../rates.ts'
import { hasKey } from '../Wallet.ts'
import type { Request } from './Plan.ts'
import { CapsuleRefused, KeyShareOutOfDate } from './refusals.ts'
import { requireActive } from './walletStatus.ts'

/**
 * The body of the frame is the capsule, of the active sharing. Returns it under the ring's active key. The device stores
 * that and sends it once more: what it sends under the active key comes back as it is, and only then the key of before
 * counts as not needed by this device.
 */
export const reissue = Effect.fn('protocol.reissue')(function* ({ frame, session, userId, wallet }: Request) {
  const { walletId, epoch, scheme, shareId, body } = frame
  yield* (yield* RateLimits).take('protocol.reissue', userAt(session.partnerId, userId), (yield* Rates).R4)
  yield* requireActive(wallet, frame)
  if (!hasKey(wallet)) return yield* new KeyShareOutOfDate()
  const of = { publicKey: hexToBytes(wallet.publicKey), rootPublicKey: hexToBytes(wallet.rootPublicKey ?? '') }
  const asker = { userId, partnerId: session.partnerId }
  const kept = { scheme, walletId, epoch, shareId, of, capsule: body }
  const capsule = yield* (yield* CosignerEngine).reissue(kept, asker)
  if (capsule === undefined) return yield* new CapsuleRefused()
  if (equal(capsule, body)) yield* (yield* ProviderShares).setCapsule(walletId, bytesToHex(shareId), capsule)
  return capsule
})
