import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** The request that a round of a run is computed for. */
export type HeldClaim = {
  readonly walletId: string
  readonly protocolId: string
  readonly step: number
  /** hex(32) over the frame without its signature. */
  readonly requestHash: string
  /** hex(32), SHA-256 of the run's sealed seed: a run that begins anew under an old protocol id has another. */
  readonly seedHash: string
  /** Milliseconds since 1970: when the run is over, and with it the claim. */
  readonly expiresAt: number
}

/**
 * Claims of rounds, kept outside the database, so that an older database cannot take them back: two requests for the
 * same round of the same run are never both computed, whatever the database says.
 */
export class Claims extends Context.Service<
  Claims,
  {
    /**
     * Durable when it is done. `true` where the first claim of this wallet, protocol id and step has the same request and
     * seed; `false` where it has others, and then nothing may be computed.
     */
    readonly hold: (claim: HeldClaim) => Effect.Effect<boolean>
  }
>()('tandem/service/Claims') {}
