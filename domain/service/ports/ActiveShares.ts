import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The share of a wallet that stands: a page that decrypts a backup takes no other (flows 6.4, 6.7). */
export type ActiveShare = {
  readonly walletId: string
  readonly epoch: number
  readonly shareId: string
}

/** What a verified login learns of its wallets; only those of the session's partner (flows 6.6). */
export class ActiveShares extends Context.Service<
  ActiveShares,
  { readonly ofUser: (userId: string, partnerId: string) => Effect.Effect<readonly ActiveShare[]> }
>()('tandem/service/ActiveShares') {}
