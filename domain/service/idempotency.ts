/**
 * `Idempotency-Key` (domain/service/README.md#idempotency): a repeated request has one effect and the same answer.
 * Successes are kept for a day; a refusal changed nothing and is decided anew. What a crash left unfinished may begin
 * again when its lease is over: the flows themselves tolerate a repetition.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import * as Clock from 'effect/Clock'
import * as Data from 'effect/Data'
import * as Effect from 'effect/Effect'
import * as Option from 'effect/Option'
import * as Result from 'effect/Result'
import { hash } from '../crypto/Transcript.ts'
import { Caller } from './Caller.ts'
import { Notifications, topicOf } from './ports/Notifications.ts'
import { Replays, type ReplayId } from './ports/Replays.ts'
import { SecureRandom } from './ports/SecureRandom.ts'
import { Vault, type AssociatedData } from './ports/Vault.ts'
import { askIfRoom } from './waiting.ts'

export const idempotencyLimits = {
  /** How long an answer is given again. */
  keep: 24 * 60 * 60_000,
  /** How long an attempt without an answer keeps others out. */
  lease: 30_000,
  /** How long a repeated request waits for the first one's answer. */
  patience: 10_000,
} as const

const isDecided = Result.match({
  onFailure: ({ _tag }: IdempotencyKeyReused | RequestStillRunning) => _tag === 'IdempotencyKeyReused',
  onSuccess: () => true,
})

export type Repeatable = {
  readonly operation: string
  readonly key: string
  /** Method, target and body. Another request under the same key is refused. */
  readonly request: readonly (string | Uint8Array)[]
}

/** Runs the flow once for all requests of this caller with this key; the others get its answer. */
export const once = <E, R>({ operation, key, request }: Repeatable, flow: Effect.Effect<string, E, R>) =>
  Effect.gen(function* () {
    const replays = yield* Replays
    const vault = yield* Vault
    const id: ReplayId = { scope: scopeOf(yield* Caller), operation, key }
    const requestHash = bytesToHex(hash('tandem/idempotency/v1', request))
    const attempt = yield* (yield* SecureRandom).uuid
    const begin = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const existing = yield* replays.begin(id, { attempt, requestHash }, now, now + idempotencyLimits.lease)
      if (existing.attempt === attempt) return Option.none<string>()
      if (existing.requestHash !== requestHash) return yield* new IdempotencyKeyReused()
      if (existing.sealedAnswer === null) return yield* new RequestStillRunning({ retryAfterMs: 1_000 })
      return Option.some(utf8.encode(yield* Effect.orDie(vault.open(replayAssociatedData(id), existing.sealedAnswer))))
    })
    const { publish } = yield* Notifications
    const topic = topicOf.replay(replayAssociatedData(id).id)
    const outcome = yield* askIfRoom(idempotencyLimits.patience, Effect.result(begin), { topic, hasNews: isDecided })
    const given = yield* Effect.fromResult(outcome)
    if (Option.isSome(given)) return given.value
    const answer = yield* Effect.onError(flow, () => Effect.andThen(replays.abandon(id, attempt), publish(topic)))
    const sealed = yield* vault.seal(replayAssociatedData(id), utf8.decode(answer))
    yield* replays.finish(id, attempt, sealed, (yield* Clock.currentTimeMillis) + idempotencyLimits.keep)
    yield* publish(topic)
    return answer
  })

/**
 * A key belongs to the session, recovery or portal session, else to the partner. Not to the user: the first request may
 * change who that is.
 */
const scopeOf = ({ partner, session, portal, recovery }: Caller): string =>
  [partner?.id ?? '', session?.id ?? recovery?.sessionId ?? portal?.openingId ?? ''].join('/')

export const replayAssociatedData = ({ scope, operation, key }: ReplayId): AssociatedData => ({
  table: 'replays',
  id: bytesToHex(hash('tandem/replay/v1', [scope, operation, key])),
})

export class IdempotencyKeyReused extends Data.TaggedError('IdempotencyKeyReused') {
  override readonly message = 'idempotency key was used for another request'
}

/** The first request with this key has no answer yet. */
export class RequestStillRunning extends Data.TaggedError('RequestStillRunning')<{ readonly retryAfterMs: number }> {
  override readonly message = 'request is still running'
}
