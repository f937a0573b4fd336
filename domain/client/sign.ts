import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import * as Frame from '../mpc/Frame.ts'
import type { SigningPayload } from '../mpc/Protocol.ts'
import * as ShareText from '../mpc/ShareText.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { ApiError } from '../model/ApiError.ts'
import { retries, retryTimeoutMs, reviewTimeoutMs } from '../model/Limits.ts'
import { OperationTimedOut } from '../model/Timeout.ts'
import { attach, noAttempt, otState } from './attach.ts'
import { Locks } from './ports/Locks.ts'
import { Random } from './ports/Random.ts'
import { ShareStore, type OtState } from './ports/ShareStore.ts'
import { isSilence, ProtocolAborted, runProtocol, thisDevice } from './runProtocol.ts'

/** The signature as the protocol gives it, verified; and for a transaction that was sent its hash (32 bytes). */
export type Signed = { readonly signature: Uint8Array; readonly transactionHash?: Uint8Array }

/**
 * Signs with the share on this device (flows 8). Into silence the same bytes go again first, so that what the co-signer has
 * finished is not done twice; lasting silence is met by a new run with fresh nonces, twice at most and 10 s each (spec §9,
 * retries). A failed check, a refusal or an abort is never tried again (design 8.22). A device signs one thing at a time
 * with a wallet.
 */
export const sign = Effect.fn('signing.sign')(function* (walletId: string, request: SigningRequest.SigningRequest) {
  const held = yield* (yield* ShareStore).find(walletId)
  if (Option.isNone(held)) return yield* new KeyShareNotLoaded({ walletId })
  const user = yield* Effect.fromResult(ShareText.open(held.value.shareText))
  const payload = yield* Effect.fromResult(SigningRequest.payloadDigest(request, user.share.scheme))

  const once = signOnce(user, request, payload).pipe(
    Effect.retry({ times: busyTries, schedule: Schedule.spaced(busyPauseMs), while: isBusy }),
    Effect.timeoutOrElse({
      duration: retryTimeoutMs,
      orElse: () => Effect.fail(new OperationTimedOut({ ms: retryTimeoutMs })),
    }),
    Effect.tapError((error) => Effect.logWarning('a try to sign failed', error._tag)),
    Effect.retry({ times: retries, while: (error) => isSilence(error) || error._tag === 'OperationTimedOut' }),
  )
  return yield* (yield* Locks).alone(`tandem:sign:${walletId}`, once)
})

/** Another device of the user is signing with the wallet: nothing was computed yet, and it is soon over (flows 7). */
const isBusy = (error: unknown): boolean => isRefusal(error, 'AnotherRunInProgress')
const busyTries = 20
const busyPauseMs = 250

/** One run. A device whose OT record the co-signer does not know, for example after an answer was lost, attaches anew. */
const signOnce = (user: ShareText.UserShare, request: SigningRequest.SigningRequest, payload: SigningPayload) =>
  user.share.scheme === 'ED25519'
    ? run(user, request, payload, undefined)
    : Effect.flatMap(otState(user), (ot) => run(user, request, payload, ot)).pipe(
        Effect.catchIf(isNotAttached, () =>
          Effect.flatMap(attach(user), (ot) => run(user, request, payload, ot)),
        ),
      )

const isNotAttached = (error: unknown): error is ApiError => isRefusal(error, 'DeviceNotAttached')

const isRefusal = (error: unknown, code: string): error is ApiError => error instanceof ApiError && error.code === code

const run = Effect.fn('signing.run')(function* (
  { share, userId, partnerId, cosignerName, cosignerKey }: ShareText.UserShare,
  request: SigningRequest.SigningRequest,
  payload: SigningPayload,
  ot: OtState | undefined,
) {
  const { thumb } = yield* thisDevice
  const otId = ot?.otId ?? new Uint8Array(0)
  const ended = yield* runProtocol({
    operation: 'SIGN',
    context: {
      kind: 'sign',
      scheme: share.scheme,
      protocolId: yield* (yield* Random).uuid,
      walletId: share.walletId,
      userId,
      partnerId,
      deviceKeyThumb: thumb,
      epoch: share.epoch,
      attempt: noAttempt,
      shareId: share.shareId,
      otId,
      rootPublicKey: share.rootPublicKey,
      payload,
    },
    share,
    ...(ot === undefined ? {} : { ot: ot.record }),
    cosigner: { name: cosignerName, publicKey: cosignerKey },
    firstBody: (message) =>
      Frame.encodeSign({
        request,
        digestClaim: SigningRequest.digestClaim(payload, share.scheme),
        timeoutMs: reviewTimeoutMs,
        otId,
        message,
      }),
    ...(share.scheme === 'DKLS' ? { protocolPart: signaturePart } : {}),
  })
  const { signature } = ended.progress.result
  if (signature === undefined) return yield* new ProtocolAborted({ by: 'client', reason: 'the run gave no signature' })
  const transactionHash = share.scheme === 'DKLS' ? ended.answer.subarray(signatureLength) : noHash
  return { signature, ...(transactionHash.length === 32 ? { transactionHash } : {}) } satisfies Signed
})

/** r ‖ s ‖ v; the hash of a transaction that the co-signer sent stands behind it. */
const signatureLength = 65
const signaturePart = (step: number, answer: Uint8Array) => (step === 2 ? answer.subarray(0, signatureLength) : answer)
const noHash = new Uint8Array(0)

/** The wallet is the user's, but its share is not on this device. */
export class KeyShareNotLoaded extends Data.TaggedError('KeyShareNotLoaded')<{ readonly walletId: string }> {
  override readonly message = `the key share of wallet with id ${this.walletId} is not on this device, log in again`
}
