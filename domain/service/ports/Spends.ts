import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'

/** What one signature counts against the limits of a policy. */
export type Spend = {
  readonly walletId: string
  /** hex(32): with the wallet the key, so that a payload is counted once however often it is signed. */
  readonly digest: string
  readonly userId: string
  readonly partnerId: string
  /** The run that counted it. */
  readonly protocolId: string
  /** What it moves, an entry for each asset, and one `count`. */
  readonly amounts: readonly Amount[]
  /** Who gets something or may take it. */
  readonly recipients: readonly string[]
  readonly at: number
}

/** `asset`: CAIP-19, or `count` for the signature itself. `amount`: in base units. */
export type Amount = { readonly asset: string; readonly amount: bigint }

/** Whose signatures are counted, always of one partner: a user has wallets of several. */
export type Holder = { readonly of: 'wallet' | 'user' | 'partner'; readonly id: string; readonly partnerId: string }

export type SpentQuery = {
  readonly holder: Holder
  readonly asset: string
  /** Milliseconds since 1970: what was counted before is over. */
  readonly since: number
  /** What is being judged now and may have been counted before. */
  readonly without: Pick<Spend, 'walletId' | 'digest'>
}

export class Spends extends Context.Service<
  Spends,
  {
    /** Nothing where the wallet's digest is counted already. */
    readonly add: (spend: Spend) => Effect.Effect<void>
    /**
     * Takes back what this run counted, which is nothing from before it began: a run whose epoch is forgotten may have had its id, and
     * what that one signed stays counted.
     */
    readonly takeBack: (
      run: Pick<Spend, 'walletId' | 'protocolId'> & { readonly createdAt: number },
    ) => Effect.Effect<void>
    readonly sum: (query: SpentQuery) => Effect.Effect<bigint>
    /** Those of the addresses that the wallet has paid. */
    readonly paid: (walletId: string, addresses: readonly string[]) => Effect.Effect<ReadonlySet<string>>
    /**
     * Deletes what at most `limit` signatures counted before, and says how many amounts that were. Whom they paid stays. A
     * payload of theirs that is signed again counts again.
     */
    readonly sweep: (before: number, limit: number) => Effect.Effect<number>
  }
>()('tandem/service/Spends') {}
