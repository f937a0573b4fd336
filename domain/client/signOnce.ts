import * as Effect from 'effect/Effect'
import * as Frame from '../mpc/Frame.ts'
import type { SigningPayload } from '../mpc/Protocol.ts'
import type * as ShareText from '../mpc/ShareText.ts'
import { digestClaim } from '../mpc/SigningPayload.ts'
import type { SigningRequest } from '../mpc/SigningRequest.ts'
import { isRefusal, type ApiError } from '../model/ApiError.ts'
import { enrolDevice, otState } from './enrolDevice.ts'
import type { OtState } from './ports/ShareStore.ts'
import { beginningAgain, ProtocolAborted, runProtocol, runWithShare, type ProtocolRun } from './runProtocol.ts'

/**
 * The verified signature as the protocol gives it (DKLS: r ‖ s ‖ v, 65 bytes; ED25519: 64 bytes), and the hash of a
 * transaction that was sent (32 bytes).
 */
export type Signed = {
  readonly signature: Uint8Array
  /** Of the run. */
  readonly protocolId: string
  readonly transactionHash?: Uint8Array
}

/**
 * What a run signs. `timeoutMs`: how long a review of it may take, if a policy holds it. `onLastRequest`: of a
 * transaction that is sent with its signature (`runProtocol`).
 */
export type ToSign = {
  readonly request: SigningRequest
  readonly payload: SigningPayload
  readonly timeoutMs: number
  readonly onLastRequest?: ProtocolRun['onLastRequest']
}

/** One run, and another one if a restart of the co-signer ended it or the enrolment before it. */
export const signOnce = (user: ShareText.UserShare, toSign: ToSign) => signAsked(user, toSign, () => Effect.void)

/** What is called under the id of a run before its first frame. */
type Ask<E, R> = (protocolId: string) => Effect.Effect<void, E, R>

/** The same, where a call has to say under the id of each run what is signed. */
export const signAsked = <E, R>(user: ShareText.UserShare, toSign: ToSign, ask: Ask<E, R>) =>
  beginningAgain(enrolledRun(user, toSign, ask))

/** A device whose OT record the co-signer does not know, for example after an answer was lost, enrols again. */
const enrolledRun = <E, R>(user: ShareText.UserShare, toSign: ToSign, ask: Ask<E, R>) =>
  user.share.scheme === 'ED25519'
    ? run(user, toSign, ask, undefined)
    : Effect.flatMap(otState(user), (ot) => run(user, toSign, ask, ot)).pipe(
        Effect.catchIf(isNotEnrolled, () => Effect.flatMap(enrolDevice(user), (ot) => run(user, toSign, ask, ot))),
      )

const isNotEnrolled = (error: unknown): error is ApiError => isRefusal(error, 'DeviceNotAttached')

const run = Effect.fnUntraced(function* <E, R>(
  user: ShareText.UserShare,
  { request, payload, timeoutMs, onLastRequest }: ToSign,
  ask: Ask<E, R>,
  ot: OtState | undefined,
) {
  const { scheme } = user.share
  const { context, ...ofShare } = yield* runWithShare(user)
  yield* ask(context.protocolId)
  const otId = ot?.otId ?? context.otId
  const ended = yield* runProtocol({
    ...ofShare,
    operation: 'SIGN',
    context: { ...context, kind: 'sign', otId, payload },
    ...(ot === undefined ? {} : { ot: ot.record }),
    firstBody: (message) =>
      Frame.encodeSign({
        request,
        digestClaim: digestClaim(payload, scheme),
        timeoutMs,
        otId,
        message,
      }),
    progress: (round, of) => ({ step: 'signing', round, of }),
    onLastRequest,
    ...(scheme === 'DKLS' ? { protocolPart: signaturePart } : {}),
  })
  const { signature } = ended.progress.result
  if (signature === undefined) return yield* new ProtocolAborted({ by: 'client', reason: 'the run gave no signature' })
  const transactionHash = scheme === 'DKLS' ? ended.answer.subarray(Frame.dklsSignatureLength) : noHash
  const { protocolId } = context
  return { signature, protocolId, ...(transactionHash.length === 32 ? { transactionHash } : {}) } satisfies Signed
})

const signaturePart = (step: number, answer: Uint8Array) =>
  step === 2 ? answer.subarray(0, Frame.dklsSignatureLength) : answer
const noHash = new Uint8Array(0)
