import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

export type StorageArea = {
  readonly get: (key: string) => Effect.Effect<string | undefined>
  readonly set: (key: string, value: string) => Effect.Effect<void>
  readonly remove: (key: string) => Effect.Effect<void>
}

/** Text by key, in two areas: `local` outlives the tab, `session` ends with it. */
export class Storage extends Context.Service<
  Storage,
  {
    readonly local: StorageArea
    readonly session: StorageArea
  }
>()('tandem/client/Storage') {}
