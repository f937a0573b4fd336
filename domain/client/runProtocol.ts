import { hexToBytes } from '@noble/hashes/utils.js'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import { thumbprint } from '../crypto/DeviceHeader.ts'
import * as Frame from '../mpc/Frame.ts'
import type { Progress } from '../mpc/ClientRun.ts'
import type { UserShare } from '../mpc/ShareText.ts'
import { ApiError, isSilence, isUnclear } from '../model/ApiError.ts'
import { retries } from '../model/Limits.ts'
import { openAnswer, type PinnedCosigner } from './cosignerKeys.ts'
import { Cosigner } from './ports/Cosigner.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Mpc, type Run } from './ports/Mpc.ts'
import { report, type Step } from './ports/Progress.ts'
import { Random } from './ports/Random.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { currentSession } from './touch.ts'

export type ProtocolRun = Run & {
  readonly operation: 'KEYGEN' | 'ATTACH' | 'SIGN' | 'REFRESH'
  readonly cosigner: PinnedCosigner
  /** What goes around the protocol's first message in the frame's body. */
  readonly firstBody: (message: Uint8Array) => Uint8Array
  /** The progress step of a request, the first being 1. */
  readonly progress: (round: number, of: number) => Step
  /** Where a transaction is sent at the end of the last request: called before that request, and with each failure of it. */
  readonly onLastRequest?: ((failure?: RequestFailure) => void) | undefined
  /** What the protocol reads of the answer to a step, if the answer contains more. */
  readonly protocolPart?: (step: number, answer: Uint8Array) => Uint8Array
}

/** How a request of a run fails; an ABORT, BAN or HELD counts as a failure here. */
export type RequestFailure = ApiError | ProtocolAborted | KeyShareLocked | SignatureHeld

/**
 * How a run ended: `answer` is the last answer's body, `confirmFrame` makes the frame of the confirming call after it.
 */
export type EndedRun = {
  readonly progress: Extract<Progress, { kind: 'confirm' | 'done' }>
  readonly answer: Uint8Array
  readonly confirmFrame: (request: Uint8Array) => Effect.Effect<Uint8Array>
}

/**
 * Runs a protocol against the co-signer, frame by frame (`domain/mpc/Frame.ts`). An answer counts only under the pinned
 * key. A failed check ends the run for good; if it locks the wallet (domain/mpc/README.md#aborts-and-bans), this
 * device's OT record is erased before anything is reported.
 */
export const runProtocol = Effect.fn('protocol.run')(function* (run: ProtocolRun) {
  const keys = yield* DeviceKeys
  const { sessionId } = yield* currentSession
  const { context } = run
  const requests = requestsOf[run.operation][context.scheme]
  const frame = (operation: Frame.Operation, step: number, body: Uint8Array) =>
    Effect.provideService(makeFrame(run.cosigner, { operation, step, body, sessionId, ...context }), DeviceKeys, keys)

  // Only what is computed with: a worker cannot be handed a function.
  const { share, ot } = run
  const begun = yield* (yield* Mpc).begin({
    context,
    ...(share === undefined ? {} : { share }),
    ...(ot === undefined ? {} : { ot }),
  })
  if ('kind' in begun) return yield* new ProtocolAborted({ by: 'client', reason: begun.reason })

  let request = begun.request
  for (let step = 1; ; step++) {
    yield* report(run.progress(step, requests))
    const body = step === 1 ? run.firstBody(request) : request
    const sent = yield* frame(run.operation, step, body)
    const sentAt = yield* Clock.currentTimeMillis
    const exchanged = Effect.gen(function* () {
      const { status, body } = yield* exchange(run.cosigner, context.walletId, sent)
      return status === 'HELD' ? yield* heldSince(sentAt, body) : body
    })
    const onLast = step === requests ? run.onLastRequest : undefined
    onLast?.()
    const answer = yield* onLast === undefined ? insistently(exchanged) : untilClear(exchanged, onLast)
    const response = run.protocolPart?.(step, answer) ?? answer
    if (run.operation === 'SIGN' && step === requests) yield* report({ step: 'verifying' })
    const progress = yield* lockingOnFailure(context.walletId, begun.receive(step, response))
    switch (progress.kind) {
      case 'request':
        request = progress.request
        break
      case 'confirm':
      case 'done':
        return {
          progress,
          answer,
          confirmFrame: (confirmation) => frame('CONFIRM', step + 1, confirmation),
        } satisfies EndedRun
      case 'abort':
        return yield* new ProtocolAborted({ by: 'client', reason: progress.reason })
    }
  }
})

/**
 * What the runs with a share of this device have in common: the sharing, its user, this device and the pinned
 * co-signer, under a new protocol id, without an attempt and without an OT record.
 */
export const runWithShare = Effect.fnUntraced(function* ({
  share,
  userId,
  partnerId,
  cosignerName,
  cosignerKey,
}: UserShare) {
  const { thumb } = yield* thisDevice
  const { scheme, walletId, epoch, shareId, rootPublicKey } = share
  return {
    context: {
      scheme,
      protocolId: yield* (yield* Random).uuid,
      walletId,
      userId,
      partnerId,
      deviceKeyThumb: thumb,
      epoch,
      attempt: noAttempt,
      shareId,
      otId: new Uint8Array(0),
      rootPublicKey,
    },
    share,
    cosigner: { name: cosignerName, publicKey: cosignerKey },
  }
})

/** 16 zero bytes: only keygen and refresh have attempts. */
export const noAttempt = new Uint8Array(16)

/** A frame under the device key of its session. */
export const makeFrame = Effect.fnUntraced(function* (cosigner: PinnedCosigner, frame: Frame.Frame) {
  const unsigned = Frame.encodeUnsigned(frame)
  const signed = Frame.signedMessage(cosigner.name, unsigned)
  const signature = yield* (yield* DeviceKeys).sign(frame.sessionId, signed)
  return Frame.appendSignature(unsigned, signature)
})

/** Requests of each run, without the confirming call. */
const requestsOf = {
  KEYGEN: { DKLS: 3, ED25519: 2 },
  ATTACH: { DKLS: 3, ED25519: 0 },
  SIGN: { DKLS: 2, ED25519: 1 },
  REFRESH: { DKLS: 3, ED25519: 1 },
} as const

/**
 * Erases the OT record in the same uninterruptible step as the verdict, so that no timeout and no cancelled call comes
 * in between: a cheating co-signer that could repeat a failed check would learn the OT secret bit by bit.
 */
const lockingOnFailure = <E, R>(walletId: string, verdict: Effect.Effect<Progress, E, R>) =>
  Effect.gen(function* () {
    const progress = yield* verdict
    if (progress.kind !== 'ban') return progress
    yield* (yield* ShareStore).lock(walletId)
    return yield* new KeyShareLocked({ reason: progress.reason })
  }).pipe(Effect.uninterruptible)

/** Sends a frame that no policy holds, and reads its answer under the pinned key. */
export const exchangeFrame = Effect.fnUntraced(function* (
  cosigner: PinnedCosigner,
  walletId: string,
  frame: Uint8Array,
) {
  const { status, body } = yield* exchange(cosigner, walletId, frame)
  return status === 'OK' ? body : yield* endedBy(status)
})

const exchange = Effect.fnUntraced(function* (cosigner: PinnedCosigner, walletId: string, frame: Uint8Array) {
  const transport = yield* Cosigner
  const bytes = yield* transport.exchange(frame)
  const answer = yield* openAnswer(cosigner, frame, bytes)
  if (answer === undefined) {
    return yield* new ProtocolAborted({ by: 'client', reason: 'the answer is not the co-signer’s' })
  }
  const { status, body } = answer
  switch (status) {
    case 'OK':
    case 'HELD':
      return { status, body }
    case 'BAN':
      return yield* Effect.uninterruptible(
        Effect.andThen((yield* ShareStore).lock(walletId), new KeyShareLocked({ reason: 'the co-signer said so' })),
      )
    case 'ABORT':
      return yield* endedBy(status)
  }
})

const endedBy = (status: Frame.Status) =>
  new ProtocolAborted({ by: 'cosigner', reason: `the co-signer answered ${status}` })

/** A policy asks for a review of what the frame wants signed. Only SIGN has such an answer; nothing was computed. */
const heldSince = (heldAt: number, body: Uint8Array) => {
  const held = Frame.decodeHeld(body)
  return held === undefined
    ? endedBy('HELD')
    : new SignatureHeld({ pendingTransactionId: held.pendingTransactionId, heldAt })
}

/** Sends the same bytes again into silence: the co-signer answers a repeated request by computing it again. */
export const insistently = <A, E extends { readonly _tag: string }, R>(
  exchange: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.retry(exchange, { times: retries, schedule: Schedule.spaced(pauseMs), while: isSilence })

/**
 * The same for a request at whose end a transaction is sent, also while the chain's node does not answer: another run
 * would sign it once more, and the hash that was sent would not be known.
 */
const untilClear = <A, R>(exchange: Effect.Effect<A, RequestFailure, R>, failed: (failure: RequestFailure) => void) =>
  Effect.retry(exchange, {
    times: clearTries,
    schedule: Schedule.exponential(pauseMs),
    while: (failure) => {
      failed(failure)
      return isUnclear(failure)
    },
  })

const clearTries = 4

/**
 * Begins a new run, with fresh nonces, if a restart of the co-signer ended the last one. The second retry comes after 2
 * s: by then a restarted co-signer knows the others and continues their runs.
 */
export const beginningAgain = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(run, { times: retries, schedule: Schedule.exponential(pauseMs, 10), while: isRunLost })

/** The refusal itself, or an error that it caused. */
const isRunLost = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === 'RunLost' : error instanceof Error && isRunLost(error.cause)

/** Long enough for a connection to come back, and short compared with the 10 s of a try. */
const pauseMs = 200

/** The thumbprint that names this device in a run (32 bytes), its key, and the session that it belongs to. */
export const thisDevice = Effect.gen(function* () {
  const session = yield* currentSession
  const key = yield* (yield* DeviceKeys).find(session.sessionId)
  if (Option.isNone(key)) return yield* new DeviceKeyMissing()
  return {
    session,
    key: key.value,
    thumb: thumbprint(hexToBytes(key.value.publicKey)),
  }
})

/**
 * The run ended without a result; a new one may be begun. `by` is `cosigner` only if it said so under its key. `reason`
 * is for logs only.
 */
export class ProtocolAborted extends Data.TaggedError('ProtocolAborted')<{
  readonly by: 'client' | 'cosigner'
  readonly reason: string
}> {
  override readonly message = 'the protocol run was aborted'
}

/** Handlers for `Effect.catchTags`: an end of a run without a result becomes the account's error, whose cause it is. */
export const runFailures = <E>(failed: (cause: unknown) => E) => ({
  ProtocolAborted: failed,
  WorkerFailed: failed,
  OperationTimedOut: failed,
})

/** A policy holds what is to be signed until it is reviewed. `heldAt`: when it was asked for, on this clock. */
export class SignatureHeld extends Data.TaggedError('SignatureHeld')<{
  readonly pendingTransactionId: string
  readonly heldAt: number
}> {
  override readonly message = 'the signature is held for review'
}

/** A check failed that locks the wallet: it signs again after a new login and a refresh. */
export class KeyShareLocked extends Data.TaggedError('KeyShareLocked')<{ readonly reason: string }> {
  override readonly message = 'key share is locked, log in again to refresh it'
}

/** The session has no device key, for example because the browser cleared its storage. */
export class DeviceKeyMissing extends Data.TaggedError('DeviceKeyMissing') {
  override readonly message = 'this device has no key for its session, log in again'
}
