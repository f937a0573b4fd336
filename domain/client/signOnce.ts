import * as Effect from 'effect/Effect'
import * as Frame from '../mpc/Frame.ts'
import type { SigningPayload } from '../mpc/Protocol.ts'
import type * as ShareText from '../mpc/ShareText.ts'
import * as SigningRequest from '../mpc/SigningRequest.ts'
import { isRefusal, type ApiError } from '../model/ApiError.ts'
import { reviewTimeoutMs } from '../model/Limits.ts'
import { enrolDevice, otState } from './enrolDevice.ts'
import type { OtState } from './ports/ShareStore.ts'
import { beginningAgain, ProtocolAborted, runProtocol, runWithShare } from './runProtocol.ts'

/**
 * The verified signature as the protocol gives it (DKLS: r ‖ s ‖ v, 65 bytes; ED25519: 64 bytes), and the hash of a
 * transaction that was sent (32 bytes).
 */
export type Signed = { readonly signature: Uint8Array; readonly transactionHash?: Uint8Array }

/** One run, and another one if a restart of the co-signer ended it or the enrolment before it. */
export const signOnce = (user: ShareText.UserShare, request: SigningRequest.SigningRequest, payload: SigningPayload) =>
  beginningAgain(enrolledRun(user, request, payload))

/** A device whose OT record the co-signer does not know, for example after an answer was lost, enrols again. */
const enrolledRun = (user: ShareText.UserShare, request: SigningRequest.SigningRequest, payload: SigningPayload) =>
  user.share.scheme === 'ED25519'
    ? run(user, request, payload, undefined)
    : Effect.flatMap(otState(user), (ot) => run(user, request, payload, ot)).pipe(
        Effect.catchIf(isNotEnrolled, () => Effect.flatMap(enrolDevice(user), (ot) => run(user, request, payload, ot))),
      )

const isNotEnrolled = (error: unknown): error is ApiError => isRefusal(error, 'DeviceNotAttached')

const run = Effect.fn('signing.run')(function* (
  user: ShareText.UserShare,
  request: SigningRequest.SigningRequest,
  payload: SigningPayload,
  ot: OtState | undefined,
) {
  const { scheme } = user.share
  const { context, ...ofShare } = yield* runWithShare(user)
  const otId = ot?.otId ?? context.otId
  const ended = yield* runProtocol({
    ...ofShare,
    operation: 'SIGN',
    context: { ...context, kind: 'sign', otId, payload },
    ...(ot === undefined ? {} : { ot: ot.record }),
    firstBody: (message) =>
      Frame.encodeSign({
        request,
        digestClaim: SigningRequest.digestClaim(payload, scheme),
        timeoutMs: reviewTimeoutMs,
        otId,
        message,
      }),
    progress: (round, of) => ({ step: 'signing', round, of }),
    ...(scheme === 'DKLS' ? { protocolPart: signaturePart } : {}),
  })
  const { signature } = ended.progress.result
  if (signature === undefined) return yield* new ProtocolAborted({ by: 'client', reason: 'the run gave no signature' })
  const transactionHash = scheme === 'DKLS' ? ended.answer.subarray(signatureLength) : noHash
  return { signature, ...(transactionHash.length === 32 ? { transactionHash } : {}) } satisfies Signed
})

/** r ‖ s ‖ v. After it stands the hash of a transaction that the co-signer's side sent. */
const signatureLength = 65
const signaturePart = (step: number, answer: Uint8Array) => (step === 2 ? answer.subarray(0, signatureLength) : answer)
const noHash = new Uint8Array(0)
