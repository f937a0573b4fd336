import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** The root key that the user's wallets are pinned to, one for all of them, hex(32). The co-signer's own record. */
export class PinnedRoots extends Context.Service<
  PinnedRoots,
  {
    readonly find: (userId: string) => Effect.Effect<Option.Option<string>>
    /** Pins it if nothing is pinned yet. Answers whether it is the pinned one now. */
    readonly pin: (userId: string, rootPublicKey: string, now: number) => Effect.Effect<boolean>
    /** Pins another one, at the end of a recovery. */
    readonly replace: (userId: string, rootPublicKey: string, now: number) => Effect.Effect<void>
  }
>()('tandem/service/PinnedRoots') {}
