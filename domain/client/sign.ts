import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import * as ShareText from '../mpc/ShareText.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { isSilence } from '../model/ApiError.ts'
import { retries, retryTimeoutMs } from '../model/Limits.ts'
import { OperationTimedOut } from '../model/Timeout.ts'
import { KeyShareNotLoaded } from './KeyShareNotLoaded.ts'
import { Locks } from './ports/Locks.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { isLost, reattach, reattachIfBehind } from './reattach.ts'
import { reconcile, refresh, signLock } from './refreshKeys.ts'
import { isRefusal, signOnce } from './signOnce.ts'
import { selectWallet } from './wallets.ts'

/**
 * Signs with the share on this device (domain/client/README.md#signing). Into silence the same bytes go again first, so
 * that the co-signer does not repeat finished work; lasting silence is met by a new run with fresh nonces, twice at
 * most and 10 s each. A failed check, a refusal or an abort is never tried again. A device signs one thing at a time
 * with a wallet. A locked wallet is refreshed first; after a failed check the co-signer allows that only to a session
 * with a fresh login. A provider that has lost its share gets it back from this device first
 * (adapters/service/vault/README.md#what-a-loss-costs).
 */
export const sign = Effect.fn('signing.sign')(function* (walletId: string, request: SigningRequest.SigningRequest) {
  const once = signHeld(walletId, request)
  const mended = once.pipe(
    // After a refresh whose confirmation got no answer: its share is staged here and may be the active one.
    Effect.catchIf(isOutOfDate, () =>
      reconcile(walletId).pipe(Effect.andThen(reattachIfBehind(walletId)), Effect.andThen(once)),
    ),
    Effect.catchIf(isLost, (refusal) => Effect.andThen(reattach(walletId, refusal), once)),
    Effect.catchIf(isLocked, () =>
      reattachIfBehind(walletId).pipe(Effect.andThen(renewed(walletId)), Effect.andThen(once)),
    ),
  )
  return yield* (yield* Locks).alone(signLock(walletId), mended)
})

/** New shares for the wallet of this id, or for the first usable one. */
export const refreshKeys = Effect.fn('signing.refreshKeys')(function* (walletId?: string) {
  const { id } = yield* selectWallet(walletId)
  yield* (yield* Locks).alone(signLock(id), renewed(id))
})

/** A refresh, of a share that the provider may have to get back first. */
const renewed = (walletId: string) =>
  refresh(walletId).pipe(
    Effect.catchIf(isLost, (refusal) => Effect.andThen(reattach(walletId, refusal), refresh(walletId))),
  )

const isOutOfDate = (error: unknown): boolean => isRefusal(error, 'KeyShareOutOfDate')
const isLocked = (error: unknown): boolean => isRefusal(error, 'KeyShareLocked')

const signHeld = Effect.fn('signing.signHeld')(function* (walletId: string, request: SigningRequest.SigningRequest) {
  const held = yield* (yield* ShareStore).find(walletId)
  if (Option.isNone(held)) return yield* new KeyShareNotLoaded({ walletId })
  const user = yield* Effect.fromResult(ShareText.open(held.value.shareText))
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, user.share.scheme))

  return yield* signOnce(user, request, payload).pipe(
    Effect.retry({ times: busyTries, schedule: Schedule.spaced(busyPauseMs), while: isBusy }),
    Effect.timeoutOrElse({
      duration: retryTimeoutMs,
      orElse: () => Effect.fail(new OperationTimedOut({ ms: retryTimeoutMs })),
    }),
    Effect.tapError((error) => Effect.logWarning('a try to sign failed', error._tag)),
    Effect.retry({ times: retries, while: (error) => isSilence(error) || error._tag === 'OperationTimedOut' }),
  )
})

/** Another device of the user is signing with the wallet: nothing was computed yet, and it is soon over. */
const isBusy = (error: unknown): boolean => isRefusal(error, 'AnotherRunInProgress')
const busyTries = 20
const busyPauseMs = 250
