import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type { Export } from '../Export.ts'

/** Exports of private keys, each with the one recipient of its page. */
export class Exports extends Context.Service<
  Exports,
  {
    /** Once for each portal session. */
    readonly create: (begun: Omit<Export, 'releasedAt'>) => Effect.Effect<void>
    readonly find: (walletId: string, openingId: string) => Effect.Effect<Option.Option<Export>>
    /** The times after `time` at which the provider's half of the wallet was first released to a page. */
    readonly releasedAfter: (walletId: string, time: number) => Effect.Effect<readonly number[]>
    /** Keeps the first time; repeating it changes nothing. */
    readonly release: (walletId: string, openingId: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/Exports') {}
