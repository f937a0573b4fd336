import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'
import type * as Redacted from 'effect/Redacted'

/** What REFRESH answers the public client: the attempt and the new share as text (`domain/mpc/ShareText.ts`). */
export type RefreshAnswer = { readonly protocolId: string; readonly shareText: Redacted.Redacted }

/**
 * The answer of each wallet's last REFRESH, until the client uses its share. No backup has that share before the client
 * makes one, so a write is on the disk when it succeeds.
 */
export class RefreshAnswers extends Context.Service<
  RefreshAnswers,
  {
    readonly keep: (walletId: string, answer: RefreshAnswer) => Effect.Effect<void>
    readonly find: (walletId: string) => Effect.Effect<Option.Option<RefreshAnswer>>
    readonly drop: (walletId: string) => Effect.Effect<void>
  }
>()('tandem/client/RefreshAnswers') {}
