import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

export type Mark = readonly [name: string, value: number]

/**
 * Marks that only rise, kept outside the database so that an older database cannot take them back
 * (domain/service/protocol/README.md#bans): for each wallet the highest epoch, the epoch in which its OT records were
 * locked and when, and the epoch whose share came back from a capsule; for each partner the version of its policy.
 */
export class Watermarks extends Context.Service<
  Watermarks,
  {
    /** Durable when it is done. A value below the current one changes nothing. */
    readonly raise: (name: string, value: number) => Effect.Effect<void>
    /** The same for marks that mean something together alone, by one write. */
    readonly raiseAll: (watermarks: readonly Mark[]) => Effect.Effect<void>
    /** 0 where nothing was raised. */
    readonly read: (name: string) => Effect.Effect<number>
  }
>()('tandem/service/Watermarks') {}
