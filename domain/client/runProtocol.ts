import { hexToBytes } from '@noble/hashes/utils.js'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Schedule from 'effect/Schedule'
import * as DeviceKey from '../crypto/DeviceKey.ts'
import * as Frame from '../mpc/Frame.ts'
import type { Progress } from '../mpc/ClientRun.ts'
import { ApiError, isSilence } from '../model/ApiError.ts'
import { retries } from '../model/Limits.ts'
import { Cosigner } from './ports/Cosigner.ts'
import { DeviceKeys } from './ports/DeviceKeys.ts'
import { Mpc, type Run } from './ports/Mpc.ts'
import { report, type Step } from './ports/Progress.ts'
import { ShareStore } from './ports/ShareStore.ts'
import { currentSession } from './touch.ts'

/** The co-signer that a share is pinned to (mpc-review 8): its name, and the 65-byte key that signs its answers. */
export type PinnedCosigner = { readonly name: string; readonly publicKey: Uint8Array }

export type ProtocolRun = Run & {
  readonly operation: 'KEYGEN' | 'ATTACH' | 'SIGN' | 'REFRESH'
  readonly cosigner: PinnedCosigner
  /** What goes around the protocol's first message in the frame's body. */
  readonly firstBody: (message: Uint8Array) => Uint8Array
  /** What is told of a request, the first being 1. */
  readonly progress: (round: number, of: number) => Step
  /** What the protocol reads of the answer to a step, where the answer says more. */
  readonly protocolPart?: (step: number, answer: Uint8Array) => Uint8Array
}

/**
 * How a run ended: `answer` is the last answer's body, `confirmFrame` makes the frame of the confirming call after it.
 */
export type EndedRun = {
  readonly progress: Extract<Progress, { kind: 'confirm' | 'done' }>
  readonly answer: Uint8Array
  readonly confirmFrame: (request: Uint8Array) => Effect.Effect<Uint8Array>
}

/**
 * Runs a protocol against the co-signer, frame by frame (flows 14). An answer counts only under the pinned key; a
 * failed check ends the run for good and, where it is one of the four that burn (mpc-review 9), erases this device's OT
 * record before anything is reported.
 */
export const runProtocol = Effect.fn('protocol.run')(function* (run: ProtocolRun) {
  const keys = yield* DeviceKeys
  const { sessionId } = yield* currentSession
  const { context } = run
  const requests = requestsOf[run.operation][context.scheme]
  const frame = (operation: Frame.Operation, step: number, body: Uint8Array) =>
    Effect.provideService(makeFrame(run.cosigner, { operation, step, body, sessionId, ...context }), DeviceKeys, keys)

  // Nothing but what is computed with: a worker cannot be handed a function.
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
    const answer = yield* insistently(exchangeFrame(run.cosigner, context.walletId, sent))
    const response = run.protocolPart?.(step, answer) ?? answer
    if (run.operation === 'SIGN' && step === requests) yield* report({ step: 'verifying' })
    const progress = yield* burning(context.walletId, begun.receive(step, response))
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

/** A frame under the device key of its session. */
export const makeFrame = Effect.fn('protocol.makeFrame')(function* (
  cosigner: PinnedCosigner,
  frame: Frame.Frame,
) {
  const unsigned = Frame.encodeUnsigned(frame)
  const signed = Frame.signedMessage(cosigner.name, unsigned)
  const signature = yield* (yield* DeviceKeys).sign(frame.sessionId, signed)
  return Frame.attachSignature(unsigned, signature)
})

/** Requests of each run, the confirming call apart (design 4). */
const requestsOf = {
  KEYGEN: { DKLS: 3, ED25519: 2 },
  ATTACH: { DKLS: 3, ED25519: 0 },
  SIGN: { DKLS: 2, ED25519: 1 },
  REFRESH: { DKLS: 3, ED25519: 1 },
} as const

/**
 * What follows from a verdict follows at once: between a failed check and its mark nothing can come, neither a timeout
 * nor a cancelled call, since one free guess after the other gives a cheating co-signer the OT secret (mpc-review 5).
 */
const burning = <E, R>(walletId: string, verdict: Effect.Effect<Progress, E, R>) =>
  Effect.gen(function* () {
    const progress = yield* verdict
    if (progress.kind !== 'ban') return progress
    yield* (yield* ShareStore).ban(walletId)
    return yield* new ProtocolBanned({ reason: progress.reason })
  }).pipe(Effect.uninterruptible)

/** Sends a frame and reads its answer under the pinned key. */
export const exchangeFrame = Effect.fn('protocol.exchangeFrame')(function* (
  cosigner: PinnedCosigner,
  walletId: string,
  frame: Uint8Array,
) {
  const transport = yield* Cosigner
  const bytes = yield* transport.exchange(frame)
  const answer = Frame.openAnswer(cosigner.publicKey, frame, bytes)
  if (answer === undefined) {
    return yield* new ProtocolAborted({ by: 'client', reason: 'the answer is not the co-signer’s' })
  }
  switch (answer.status) {
    case 'OK':
      return answer.body
    case 'BAN':
      return yield* Effect.uninterruptible(
        Effect.andThen((yield* ShareStore).ban(walletId), new ProtocolBanned({ reason: 'the co-signer said so' })),
      )
    case 'ABORT':
    case 'HELD':
      return yield* new ProtocolAborted({ by: 'cosigner', reason: `the co-signer answered ${answer.status}` })
  }
})

/** Sends the same bytes again into silence: the co-signer answers a repeated request by computing it again. */
export const insistently = <A, E extends { readonly _tag: string }, R>(
  exchange: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.retry(exchange, { times: retries, schedule: Schedule.spaced(pauseMs), while: isSilence })

/**
 * Begins again what a restart of the co-signer has ended: each time a run of its own, with fresh nonces. The second time comes 2 s
 * later: by then a co-signer that has just started knows the others, and goes on with their runs.
 */
export const beginningAgain = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(run, { times: retries, schedule: Schedule.exponential(pauseMs, 10), while: isRunLost })

/** The refusal itself, or what it caused. */
const isRunLost = (error: unknown): boolean =>
  error instanceof ApiError ? error.code === 'RunLost' : error instanceof Error && isRunLost(error.cause)

/** Long enough for a connection to come back, short beside the 10 s of a try. */
const pauseMs = 200

/** The thumbprint that names this device in a run, and the session that it belongs to. */
export const thisDevice = Effect.gen(function* () {
  const session = yield* currentSession
  const key = yield* (yield* DeviceKeys).find(session.sessionId)
  if (Option.isNone(key)) return yield* new DeviceKeyMissing()
  return {
    session,
    key: key.value,
    thumb: DeviceKey.thumbprint(hexToBytes(key.value.publicKey)),
  }
})

/**
 * The run ended without a result; a new one may be begun. `by` is the co-signer only where it said so under its key.
 * `reason` is for our own records.
 */
export class ProtocolAborted extends Data.TaggedError('ProtocolAborted')<{
  readonly by: 'client' | 'cosigner'
  readonly reason: string
}> {
  override readonly message = 'the protocol run was aborted'
}

/** A check failed that burns the wallet's OT records: nothing signs until a new login and a refresh (design 8.17). */
export class ProtocolBanned extends Data.TaggedError('ProtocolBanned')<{ readonly reason: string }> {
  override readonly message = 'key share is locked, log in again to refresh it'
}

/** The session has no device key, for example after its storage was evicted. */
export class DeviceKeyMissing extends Data.TaggedError('DeviceKeyMissing') {
  override readonly message = 'this device has no key for its session, log in again'
}
