import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type * as Option from 'effect/Option'

/** What a client that sends a bare digest said in a call of its own that it wants signed. */
export type Intent = {
  readonly walletId: string
  readonly protocolId: string
  readonly sessionId: string
  readonly userId: string
  /** hex(32) over everything the call said. */
  readonly bodyHash: string
  /** hex(32): the claim of the payload that the frame must have. */
  readonly digest: string
  /** A transaction's own, when the call was about one. */
  readonly transaction: { readonly unsigned: Uint8Array; readonly chainId: string; readonly send: boolean } | null
  readonly cosmosSignDoc: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export class Intents extends Context.Service<
  Intents,
  {
    /** Stores it, or answers the one that exists under this protocol id. */
    readonly findOrCreate: (intent: Intent) => Effect.Effect<Intent>
    readonly find: (walletId: string, protocolId: string) => Effect.Effect<Option.Option<Intent>>
    readonly sweep: (now: number) => Effect.Effect<void>
  }
>()('tandem/service/Intents') {}
