import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** One idempotency key of one caller for one operation. */
export type ReplayId = {
  readonly scope: string
  readonly operation: string
  readonly key: string
}

/** The state of a key: which attempt runs, for which request, and the answer once there is one. */
export type Replay = {
  readonly attempt: string
  readonly requestHash: string
  readonly sealedAnswer: Uint8Array | null
}

/** Answers that are given again to a repeated request (domain/service/README.md#idempotency). */
export class Replays extends Context.Service<
  Replays,
  {
    /** Writes the attempt if there is no live one. Answers the live one. */
    readonly begin: (
      id: ReplayId,
      attempt: Omit<Replay, 'sealedAnswer'>,
      now: number,
      expiresAt: number,
    ) => Effect.Effect<Replay>
    /** Only if this attempt is still the live one. */
    readonly finish: (id: ReplayId, attempt: string, sealedAnswer: Uint8Array, expiresAt: number) => Effect.Effect<void>
    readonly abandon: (id: ReplayId, attempt: string) => Effect.Effect<void>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Replays') {}
