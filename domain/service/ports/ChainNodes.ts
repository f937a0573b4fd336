import * as Context from 'effect/Context'
import type * as Effect from 'effect/Effect'
import type { BroadcastRefused, ChainNotConfigured, ChainUnavailable } from './Chain.ts'

/** A transaction of Solana or Cosmos with all its signatures. */
export type SignedTransaction = {
  /** CAIP-2, as configured: `solana:mainnet`, `cosmos:cosmoshub-4`. */
  readonly chainId: string
  /** As the chain's network has it. */
  readonly bytes: Uint8Array
  /** By which the chain names it. Solana: the first signature in base58; Cosmos: the SHA-256 in upper-case hex. */
  readonly hash: string
}

/** The nodes of chains whose signed transactions the service passes on. */
export class ChainNodes extends Context.Service<
  ChainNodes,
  {
    /**
     * The same bytes have the same hash, and the chain executes them once: a transaction that the node knows already is
     * no failure. After `ChainUnavailable` it may have been sent; after `BroadcastRefused` the node does not have it.
     */
    readonly send: (
      transaction: SignedTransaction,
    ) => Effect.Effect<void, ChainNotConfigured | BroadcastRefused | ChainUnavailable>
  }
>()('tandem/service/ChainNodes') {}
