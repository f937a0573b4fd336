import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** A message that its author encrypted, for whoever was given the id and the key (spec §7; security 1.2 O). */
export type TemporaryTransmission = {
  /** The id itself is kept by nobody but those who were given it. */
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
    /** The message, to one of however many that ask at once. */
    readonly take: (mac: string, now: number) => Effect.Effect<Option.Option<string>>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/TemporaryTransmissions') {}
