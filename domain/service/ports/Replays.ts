import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** One idempotency key of one caller for one operation. */
export type ReplayId = {
  readonly scope: string
  readonly operation: string
  readonly key: string
}

/** What stands under a key: who works on it, for which request, and the answer once there is one. */
export type Replay = {
  readonly attempt: string
  readonly requestHash: string
  readonly sealedAnswer: Uint8Array | null
}

/** Answers that are given again to a repeated request. */
export class Replays extends Context.Service<
  Replays,
  {
    /** Writes the attempt where nothing stands, or nothing that is still alive; answers what stands then. */
    readonly begin: (
      id: ReplayId,
      attempt: Omit<Replay, 'sealedAnswer'>,
      now: number,
      expiresAt: number,
    ) => Effect.Effect<Replay>
    /** Only for the attempt that still stands. */
    readonly finish: (id: ReplayId, attempt: string, sealedAnswer: Uint8Array, expiresAt: number) => Effect.Effect<void>
    readonly abandon: (id: ReplayId, attempt: string) => Effect.Effect<void>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Replays') {}
