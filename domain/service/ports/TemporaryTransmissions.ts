import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A message that its author encrypted, for the holder of the id and the key. */
export type TemporaryTransmission = {
  /** The id itself is not stored. */
  readonly mac: string
  readonly partnerId: string
  readonly message: string
  readonly expiresAt: number
}

export class TemporaryTransmissions extends Context.Service<
  TemporaryTransmissions,
  {
    readonly add: (transmission: TemporaryTransmission) => Effect.Effect<void>
    /** How many of a partner's wait to be fetched. */
    readonly count: (partnerId: string, now: number) => Effect.Effect<number>
    /** The message, to exactly one of concurrent callers. */
    readonly take: (mac: string, now: number) => Effect.Effect<Option.Option<string>>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/TemporaryTransmissions') {}
