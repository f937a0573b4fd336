import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** A round of a run. */
export type RoundId = { readonly walletId: string; readonly protocolId: string; readonly step: number }

export const keyOfRound = ({ walletId, protocolId, step }: RoundId): string => `${walletId}/${protocolId}/${step}`

export const roundOfKey = (key: string): RoundId => {
  const [walletId = '', protocolId = '', step] = key.split('/')
  return { walletId, protocolId, step: Number(step) }
}

/** The request that a round of a run is computed for. */
export type ClaimedRound = RoundId & {
  /** hex(32) over the frame without its signature. */
  readonly requestHash: string
}

export type HeldClaim = ClaimedRound & {
  /** hex(32), SHA-256 of the run's sealed seed: a run that begins anew under an old protocol id has another. */
  readonly seedHash: string
  /** Milliseconds since 1970: when the run is over, and with it the claim. */
  readonly expiresAt: number
}

/**
 * Claims of rounds, kept outside the database so that an older database cannot take them back: two requests for the
 * same round of the same run are never both computed, whatever the database says
 * (domain/service/protocol/README.md#claims).
 */
export class Claims extends Context.Service<
  Claims,
  {
    /**
     * Durable when it is done. `true` if the first claim of this wallet, protocol id and step has the same request and
     * seed. `false` if it has others: then nothing may be computed.
     */
    readonly hold: (claim: HeldClaim) => Effect.Effect<boolean>
    /**
     * The rounds that were claimed last, by any co-signer. Each was in the database before it was held here, so one
     * that the database does not have, or has for another request, shows an older database.
     */
    readonly latest: Effect.Effect<readonly ClaimedRound[]>
    /** The latest rounds of the wallet's other runs, by any co-signer, without those that this one has settled. */
    readonly unsettled: (run: Pick<RoundId, 'walletId' | 'protocolId'>) => Effect.Effect<readonly ClaimedRound[]>
    /** The rounds of the claims that `sweep` deletes at this time, without those that this process has settled. */
    readonly over: (now: number) => Effect.Effect<readonly ClaimedRound[]>
    /** What became of the round is written down: an older database cannot hide a failed check of it any more. */
    readonly settle: (round: RoundId) => Effect.Effect<void>
    /**
     * Deletes the claims of runs that have been over for an hour. For upkeep, once the run keys of that time are destroyed:
     * while a seed opens, its claims are kept.
     */
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Claims') {}
