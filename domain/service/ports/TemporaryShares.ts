import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** A user's share on its way from the portal's page to the host that proved its key. */
export type TemporaryShareRow = {
  readonly sessionLookupId: string
  readonly walletId: string
  readonly userId: string
  readonly openingId: string
  readonly encryptedShare: string
  readonly encryptedKey: string | null
  readonly expiresAt: number
}

export class TemporaryShares extends Context.Service<
  TemporaryShares,
  {
    /** One of each wallet for each lookup id: a later one replaces it. */
    readonly put: (share: TemporaryShareRow) => Effect.Effect<void>
    readonly ofLookupId: (sessionLookupId: string, now: number) => Effect.Effect<readonly TemporaryShareRow[]>
    readonly remove: (sessionLookupId: string) => Effect.Effect<void>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/TemporaryShares') {}
